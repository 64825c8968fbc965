package gate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/shell"
)

// shell reads a script of a shell.
func (t *table) shell(f *source) {
	first := f.lines[0]
	if strings.HasPrefix(first, "#!") && !strings.Contains(first, "sh") {
		return
	}
	m := shell.Mode{ErrExit: strings.HasPrefix(first, "#!") && strings.Contains(first, " -e") ||
		strings.Contains(f.path, ".husky/")} // its own runner starts it so
	t.add(f, string(f.src), m, func(n int) int { return n }, check{unit: base(f.path), called: true})
}

// manifest reads the scripts of package.json and composer.json.
func (t *table) manifest(f *source) {
	root := f.tree()
	for _, k := range root.at("scripts").all() {
		for _, text := range k.list() {
			t.add(f, strings.ReplaceAll(text.text, "@", ""), shell.Mode{}, onLine(text.line), check{unit: k.key, called: true})
		}
	}
}

// hooks reads those of pre-commit, each a check of its own.
func (t *table) hooks(f *source) {
	for _, repo := range readYAML(f.src).list("repos") {
		for _, hook := range repo.list("hooks") {
			id := hook.str("id")
			k := check{tool: tool{"lint", ""}, name: "hook " + id, args: hook.at("args").texts()}
			if words := strings.Fields(variantOf(id)); len(words) > 0 {
				if of, _, ok := named(words); ok {
					k.tool = of
				}
			}
			of := check{at: f.place(hook.line, hook.end)}
			for _, e := range readScript(hook.str("entry"), shell.Mode{ErrExit: true}) {
				of.forgiven = cmp.Or(e.Forgiven, of.forgiven)
			}
			if stages := hook.at("stages").texts(); len(stages) == 1 && stages[0] == "manual" {
				of.off = "stages: [manual]"
			}
			t.put([]check{k}, of)
		}
	}
}

// makefile reads the recipes of a Makefile, and the targets that others make first.
func (t *table) makefile(f *source) {
	vars, target, ignores := []string{"$(MAKE)", "make"}, "", ""
	var targets []string
	var needed []check
	for i := 0; i < len(f.lines); i++ {
		line, first := strings.TrimRight(f.lines[i], "\r"), i+1
		for strings.HasSuffix(line, "\\") && i+1 < len(f.lines) {
			i++
			line = strings.TrimSuffix(line, "\\") + " " + strings.TrimSpace(f.lines[i])
		}
		recipe, ok := strings.CutPrefix(line, "\t")
		if m := assigned.FindStringSubmatch(line); m != nil && !ok {
			vars = append(vars, "$("+m[1]+")", m[2], "${"+m[1]+"}", m[2])
			continue
		}
		if !ok {
			names, rest, isRule := strings.Cut(line, ":")
			if !isRule || line[0] == '#' || line[0] == ' ' {
				continue
			}
			if target = strings.TrimSpace(names); target == ".IGNORE" {
				ignores = ".IGNORE"
			}
			targets = append(targets, strings.Fields(names)...)
			rest, _, _ = strings.Cut(rest, "#")
			rest, recipe, _ = strings.Cut(rest, ";")
			for _, name := range strings.Fields(rest) {
				if p := purposeOf(name); p != "" && target[0] != '.' && !strings.ContainsAny(name, "/.$=%:") {
					k := check{tool: tool{p, ""}, name: name, unit: target, called: true, at: f.place(first, first)}
					needed = append(needed, k)
				}
			}
		}
		t.recipe(f, recipe, vars, onLine(first), check{unit: target, called: true, forgiven: ignores})
	}
	for _, k := range needed {
		if slices.Contains(targets, k.name) { // else nothing is run
			k.name = "make " + k.name
			t.put([]check{k}, k)
		}
	}
}

// assigned matches a variable of a Makefile.
var assigned = lang.Lazy(`^(?:export\s+)?([A-Za-z_]\w*)\s*(?::|::|\?|)=\s*(.*)$`)

// recipe adds the checks of a line of a recipe.
func (t *table) recipe(f *source, line string, vars []string, at func(int) int, of check) {
	body := strings.TrimLeft(line, "@+- \t")
	if strings.Contains(line[:len(line)-len(body)], "-") {
		of.forgiven = "-"
	}
	for range 3 { // a variable may name others
		body = strings.NewReplacer(vars...).Replace(body)
	}
	t.add(f, strings.ReplaceAll(body, "$$", "$"), shell.Mode{}, at, of)
}
