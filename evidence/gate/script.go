package gate

import (
	"cmp"
	"strings"

	"github.com/acta-git/acta/parser/shell"
)

func (f *source) shell() {
	first := f.lines[0]
	if strings.HasPrefix(first, "#!") && !strings.Contains(first, "sh") || fits("makefile", f.path) {
		return
	}
	hook := strings.Contains(f.path, ".husky/") // husky starts it with -e
	m := shell.Mode{ErrExit: strings.HasPrefix(first, "#!") && strings.Contains(first, " -e") || hook}
	f.add(&value{text: string(f.src), isBlock: true}, m, check{unit: baseName(f.path), needsCaller: !hook})
}

// manifest reads the scripts of package.json and composer.json.
func (f *source) manifest() {
	for _, k := range f.parse().at("scripts").all() {
		for _, text := range k.list() {
			script := &value{text: strings.NewReplacer("@php", "php", "@", "composer ").Replace(text.text), line: text.line}
			f.add(script, shell.Mode{}, check{unit: k.key, needsCaller: true})
		}
	}
}

// hooks reads the hooks of pre-commit, each as a check.
func (f *source) hooks() {
	for _, repo := range readYAML(f.src).list("repos") {
		for _, hook := range repo.list("hooks") {
			id := hook.str("id")
			k := &check{tool: tool{"lint", ""}, name: "hook " + id, args: hook.at("args").texts(),
				isSeldom: strings.Join(hook.at("stages").texts(), "") == "manual"}
			if tool, _, ok := findTool(append(strings.Fields(variantOf(id)), "")); ok {
				k.tool = tool
			}
			tool := check{place: f.place(hook.line, hook.end)}
			for _, e := range readScript(hook.str("entry"), shell.Mode{ErrExit: true}) {
				tool.ignoreReason = cmp.Or(e.IgnoredBy, tool.ignoreReason)
			}
			f.put([]*check{k}, tool)
		}
	}
}

// makefile reads the recipes of a Makefile, and the targets that others need.
func (f *source) makefile() {
	vars, replace, target := []string{"$(MAKE)", "make"}, strings.NewReplacer("$(MAKE)", "make"), ""
	for i := 0; i < len(f.lines); i++ {
		line, first := strings.TrimRight(f.lines[i], "\r"), i+1
		for strings.HasSuffix(line, "\\") && i+1 < len(f.lines) {
			i++
			line = strings.TrimSuffix(line, "\\") + " " + strings.TrimSpace(f.lines[i])
		}
		recipe, ok := strings.CutPrefix(line, "\t")
		if m := patternOf("make variable").FindStringSubmatch(line); m != nil && !ok {
			vars = append(vars, "$("+m[1]+")", m[2], "${"+m[1]+"}", m[2])
			replace = strings.NewReplacer(vars...)
			continue
		}
		if !ok {
			names, rest, isRule := strings.Cut(line, ":")
			if !isRule || line[0] == '#' || line[0] == ' ' {
				continue
			}
			target = strings.TrimSpace(names)
			rest, _, _ = strings.Cut(rest, "#")
			rest, recipe, _ = strings.Cut(rest, ";")
			for _, name := range strings.Fields(rest) {
				if p := purposeOf(name); p != "" && target != "" && target[0] != '.' &&
					strings.Contains(string(f.src), "\n"+name+":") { // a target of this file
					common := check{unit: target, needsCaller: true, place: f.place(first, 0)}
					f.put([]*check{{tool: tool{p, ""}, name: "make " + name}}, common)
				}
			}
		}
		common, body := check{unit: target, needsCaller: true}, strings.TrimLeft(recipe, "@+- \t")
		if strings.Contains(recipe[:len(recipe)-len(body)], "-") {
			common.ignoreReason = "-"
		}
		if strings.Contains(body, "$") {
			body = replace.Replace(replace.Replace(replace.Replace(body))) // variables may use others
		}
		f.add(&value{text: strings.ReplaceAll(body, "$$", "$"), line: first}, shell.Mode{}, common)
	}
}
