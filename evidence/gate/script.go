package gate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/shell"
)

// script is one that stands in a file, with what holds for all its checks.
type script struct {
	shell.Mode
	text string
	// line tells where a line of the script stands in the file, counted from 1.
	line func(int) int
	// of has the unit that it stands in, why a failure is forgiven, and the like.
	of check
}

// addScript adds the checks of a script.
func (s *surface) addScript(f *source, script script) {
	for _, r := range readScript(script.text, script.Mode) {
		for _, c := range checksOf(r) {
			c.unit, c.called, c.dir, c.off = script.of.unit, script.of.called, script.of.dir, script.of.off
			c.of, c.forgiven = script.of.of, cmp.Or(c.forgiven, script.of.forgiven)
			at := script.line(r.Line)
			c.at = f.place(at, at)
			s.checks = append(s.checks, c)
		}
	}
}

// onLine is for a script that stands on one line of a file.
func onLine(at int) func(int) int { return func(int) int { return at } }

// readShell reads a script of a shell.
func readShell(s *surface, f *source) {
	first, _, _ := strings.Cut(string(f.src), "\n")
	sh := shell.Mode{}
	if strings.HasPrefix(first, "#!") {
		if !strings.Contains(first, "sh") {
			return
		}
		sh.ErrExit = strings.Contains(first, " -e")
	}
	sh.ErrExit = sh.ErrExit || strings.Contains(f.path, ".husky/") // its own runner starts it so
	s.addScript(f, script{sh, string(f.src), func(n int) int { return n }, check{unit: base(f.path), called: true}})
}

// readMakefile reads the recipes of a Makefile.
func readMakefile(s *surface, f *source) {
	vars, target, ignores := map[string]string{"MAKE": "make"}, "", ""
	for i := 0; i < len(f.lines); i++ {
		line, first := strings.TrimRight(f.lines[i], "\r"), i
		for strings.HasSuffix(line, "\\") && i+1 < len(f.lines) {
			i++
			line = strings.TrimSuffix(line, "\\") + " " + strings.TrimSpace(f.lines[i])
		}
		if recipe, ok := strings.CutPrefix(line, "\t"); ok {
			s.recipe(f, recipe, target, ignores, vars, first+1)
			continue
		}
		if m := definition.FindStringSubmatch(line); m != nil {
			vars[m[1]] = m[2]
		} else if name, rest, ok := strings.Cut(line, ":"); ok && line[0] != '#' && line[0] != ' ' {
			target = strings.TrimSpace(name)
			if target == ".IGNORE" {
				ignores = ".IGNORE"
			}
			s.prerequisites(f, target, rest, first+1)
			if _, recipe, ok := strings.Cut(rest, ";"); ok {
				s.recipe(f, recipe, target, ignores, vars, first+1)
			}
		}
	}
}

var definition = lang.Lazy(`^(?:export\s+)?([A-Za-z_]\w*)\s*(?::|::|\?|)=\s*(.*)$`)

// recipe adds the checks of a line of a recipe.
func (s *surface) recipe(f *source, line, target, ignores string, vars map[string]string, at int) {
	forgiven := ignores
	for line != "" && strings.Contains("@+- \t", line[:1]) {
		if line[0] == '-' {
			forgiven = "-"
		}
		line = line[1:]
	}
	for range 3 { // a variable may name others
		if !strings.Contains(line, "$(") && !strings.Contains(line, "${") {
			break
		}
		for name, v := range vars {
			if !strings.Contains(line, name) {
				continue
			}
			line = strings.NewReplacer("$("+name+")", v, "${"+name+"}", v).Replace(line)
		}
	}
	of := check{unit: target, called: true, forgiven: forgiven}
	s.addScript(f, script{text: strings.ReplaceAll(line, "$$", "$"), line: onLine(at), of: of})
}

// prerequisites adds the targets that a target makes first.
func (s *surface) prerequisites(f *source, target, names string, at int) {
	if strings.HasPrefix(target, ".") {
		return
	}
	names, _, _ = strings.Cut(names, "#")
	names, _, _ = strings.Cut(names, ";")
	for _, name := range strings.Fields(names) {
		if p := purposeOf(name); p != "" && !strings.ContainsAny(name, "/.$=%:") {
			c := check{tool: tool{p, ""}, name: "make " + name, unit: target, called: true, at: f.place(at, 0)}
			s.checks = append(s.checks, c)
		}
	}
}

// hadNone reports whether the Makefile of a check had no target of a name, nor what may make one: nothing was run then.
func (c *comparison) hadNone(b *check, target string) bool {
	for _, f := range c.files {
		if file := base(f.Path); f.Path != b.at.Path || !strings.EqualFold(file, "Makefile") && file != "GNUmakefile" {
			continue
		}
		return !slices.ContainsFunc(linesOf(f.Before), func(line string) bool {
			names, _, rule := strings.Cut(line, ":")
			return strings.Contains(line, "include ") || rule && line[0] != '\t' && (strings.ContainsAny(names, "%$") ||
				slices.Contains(strings.Fields(names), target))
		})
	}
	return false
}

// readManifest reads the scripts of package.json and composer.json.
func readManifest(s *surface, f *source) {
	root := readJSON(f.src)
	for _, k := range fieldsOf(root.at("scripts")) {
		for _, text := range append([]*value{k.value}, k.items...) {
			s.addScript(f, script{text: strings.ReplaceAll(text.text, "@", ""), line: onLine(text.line),
				of: check{unit: k.key, called: true}})
		}
	}
}

// sessions matches what a session of nox runs, as far as it is written in place.
var sessions = lang.Lazy(`session\.run\(\s*((?:\*?\w+|"[^"]*"|'[^']*')(?:\s*,\s*(?:"[^"]*"|'[^']*'))*)`)

// readNox reads the sessions of a noxfile.
func readNox(s *surface, f *source) {
	unit := ""
	for i, line := range f.lines {
		if name, ok := strings.CutPrefix(line, "def "); ok {
			unit, _, _ = strings.Cut(name, "(")
		}
		if m := sessions.FindStringSubmatch(line); m != nil {
			words := strings.NewReplacer(",", " ").Replace(m[1])
			s.addScript(f, script{text: words, line: onLine(i + 1), of: check{unit: unit, called: true}})
			if strings.Contains(line, "success_codes") && len(s.checks) > 0 {
				s.checks[len(s.checks)-1].forgiven = "success_codes"
			}
		}
	}
}

// readScript lists the programs that a script starts.
func readScript(src string, m shell.Mode) []shell.Run {
	for _, e := range expressionsIn(src) {
		src = strings.ReplaceAll(src, e, "__expression__")
	}
	runs, _ := shell.Read(src, m)
	return runs
}

// expressionsIn are those that a workflow fills in before the shell reads the script: ${{ … }} and << … >>.
func expressionsIn(src string) (found []string) {
	for {
		at := strings.IndexAny(src, "$<")
		if at < 0 {
			return found
		}
		src = src[at:]
		line, _, _ := strings.Cut(src, "\n")
		size := 1
		if inner, ok := strings.CutPrefix(line, "${{"); ok {
			if end := strings.Index(inner, "}}"); end >= 0 {
				size = len("${{") + end + len("}}")
			}
		} else if inner, ok := strings.CutPrefix(line, "<<"); ok {
			if end := strings.IndexAny(inner, "<>"); end >= 0 && strings.HasPrefix(inner[end:], ">>") {
				size = len("<<") + end + len(">>")
			}
		}
		if size > 1 {
			found = append(found, src[:size])
		}
		src = src[size:]
	}
}

// base is the last part of a path, of Windows' too.
func base(path string) string {
	return path[strings.LastIndexAny(path, `/\`)+1:]
}
