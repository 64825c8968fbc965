package gate

import (
	"cmp"
	"slices"
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

// job is a part of a build service's YAML, with the properties that it inherits.
type job struct {
	check
	f        *source
	isGitHub bool
	shell    string
}

// pipeline reads the YAML of a build service: all have scripts in jobs, under few names.
func (f *source) pipeline() {
	root := readYAML(f.src)
	if root == nil {
		return
	}
	j := job{f: f, isGitHub: strings.Contains(f.path, ".github/")}
	j.walk(root)
	if on := root.at("on"); j.isGitHub && len(f.checks) > 0 {
		start, any := startOf(f, on)
		for _, k := range f.checks {
			k.isSeldom, k.needsCaller = on != nil && !any, on == nil
		}
		f.checks = append(f.checks, start)
	}
}

func (j job) walk(v *value) {
	for _, k := range v.fields {
		switch {
		case fits("forgives", k.key) && fits("true", k.text), k.key == "failure" && k.text == "ignore":
			j.ignoreReason = k.key + ": " + k.text
		case k.key == "env", k.key == "variables":
			for _, e := range k.fields {
				j.env = append(slices.Clip(j.env), e.key+"="+e.text)
			}
		case k.key == "when" && (k.text == "never" || k.text == "manual" || k.text == "on_failure"),
			(k.key == "if" || k.key == "condition" || k.key == "enabled") && isAlwaysFalse(k.text):
			j.offReason = k.key + ": " + k.text
		}
	}
	j.shell = cmp.Or(v.str("shell"), v.str("defaults", "run", "shell"), j.shell)
	if dir := cmp.Or(v.str("working-directory"), v.str("defaults", "run", "working-directory")); dir != "" {
		if j.dir = strings.TrimSuffix(strings.TrimPrefix(dir, "./"), "/"); strings.Contains(dir, "$") {
			j.dir = ""
		}
	}
	if uses := v.str("uses"); uses != "" {
		j.place = j.f.place(v.line, v.end)
		j.f.put(j.actionChecks(uses, v.at("with")), j.check)
	}
	for _, item := range v.items {
		j.walk(item)
	}
	for _, k := range v.fields {
		in := j
		switch {
		case fits("silent key", k.key):
			continue
		case k.key == "steps":
			for _, step := range k.items {
				if of := step.str("with", "repository"); strings.HasPrefix(step.str("uses"), "actions/checkout@") &&
					of != "" && !strings.Contains(of, "${{ github.") {
					in.repository = of
				}
			}
		case k.key == "matrix":
			for _, of := range k.fields {
				in.scripts(of.items)
			}
		case fits("script key", k.key) && k.fields == nil:
			in.scripts(append([]*value{k.value}, k.items...))
			continue
		case k.fields != nil && !fits("around jobs", k.key) && !fits("script key", k.key):
			in.unit = k.key
		}
		in.walk(k.value)
	}
}

func (j job) scripts(all []*value) {
	m := shell.Mode{ErrExit: !j.isGitHub || !strings.Contains(j.shell, "{0}") || strings.Contains(j.shell, "-e"),
		PipeFail: !j.isGitHub || j.shell == "bash" || strings.Contains(j.shell, "pipefail")}
	for _, v := range all {
		j.f.add(v, m, j.check)
	}
}

// actionChecks returns the checks of an action or a called workflow, judging by its name and inputs.
func (j job) actionChecks(uses string, with *value) []*check {
	name, _, _ := strings.Cut(strings.TrimPrefix(uses, "docker://"), "@")
	if isLocal := strings.HasPrefix(name, "./"); isLocal || strings.Contains(name, ".github/workflows/") {
		if p := purposeOf(baseName(name) + " " + j.unit); p != "" && (!isLocal || purposeOf(name) != "") {
			return []*check{{tool: tool{p, ""}, name: "action " + baseName(name)}}
		}
		return nil
	}
	var arguments []string
	for _, key := range []string{"command", "cmd", "arguments", "args", "run", "tasks"} {
		arguments = append(arguments, strings.Fields(with.str(key))...)
	}
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '/' || r == '_' })
	for _, part := range slices.Backward(words) {
		part = patternOf("of actions").ReplaceAllString(part, "")
		if all := checksOf(shell.Run{Words: append(strings.Fields(part), arguments...)}); all != nil {
			return all
		}
	}
	if last := words[len(words)-1]; fits("runs checks", last) {
		return []*check{{tool: tool{purposeOf(last), ""}, name: "action " + name}}
	}
	return nil
}

func isAlwaysFalse(condition string) bool {
	condition = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(condition), "${{"), "}}")
	return fits("literals", condition) && !fits("true", condition)
}
