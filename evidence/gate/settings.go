package gate

import (
	"cmp"
	_ "embed"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/shell"
)

// globs are patterns for the names of files, in which * stands for any text.
type globs []string

// match reports whether a file is called as one of the patterns says. It is asked of every changed file, so that it
// looks at the first letter of a name before it looks at the rest.
func (g globs) match(file string) bool {
	for _, pattern := range g {
		if pattern[0] != '*' && (file == "" || pattern[0] != file[0]) {
			continue
		}
		start, end, isPattern := strings.Cut(pattern, "*")
		switch {
		case !isPattern:
			if file == pattern {
				return true
			}
		case !strings.HasPrefix(file, start):
		case !strings.Contains(end, "*"):
			if strings.HasSuffix(file[len(start):], end) {
				return true
			}
		default:
			if ok, _ := path.Match(pattern, file); ok {
				return true
			}
		}
	}
	return false
}

//go:embed settings.txt
var settingsText string

// settingsRows are the lines of settings.txt.
var settingsRows = rowsOf(&settingsText)

// settingsPlace is a row of settings.txt: where settings of a tool stand.
type settingsPlace struct {
	tool string
	keys []string // the path of the keys, nil for the whole file
	globs
}

// places are the rows of a kind.
var places = sync.OnceValue(func() map[string][]settingsPlace {
	all := map[string][]settingsPlace{}
	for _, row := range settingsRows() {
		p := settingsPlace{tool: row[1], globs: row[3:]}
		if row[2] != "-" {
			p.keys = strings.Split(row[2], "/")
		}
		all[row[0]] = append(all[row[0]], p)
	}
	return all
})

// isPlace reports whether a file of a name is one of a kind.
func isPlace(kind, file string) bool {
	return slices.ContainsFunc(places()[kind], func(p settingsPlace) bool { return p.match(file) })
}

// readsSettings reports whether a file of a name holds settings.
func readsSettings(file string) bool {
	return file == ".pre-commit-config.yaml" || isPlace("section", file) || isPlace("file", file)
}

// readSettings adds what the settings of a file ask.
func (s *surface) readSettings(f *source) {
	file := path.Base(f.path)
	switch {
	case isPlace("section", file):
		root := s.tree(f, file)
		for _, p := range places()["section"] {
			if v := root.at(p.keys...); v != nil && p.match(file) {
				s.demands(f, p.tool, v)
			}
		}
		s.toxEnvironments(f, file, root)
		return
	case file == ".pre-commit-config.yaml":
		s.preCommit(f)
		return
	}
	for _, p := range places()["file"] {
		if !p.match(file) {
			continue
		}
		root := s.tree(f, file)
		if inner := root.at(p.keys...); inner != nil {
			root = inner
		}
		if p.tool == "eslint" || p.tool == "mypy" || p.tool == "coverage" {
			root = flattened(root, p.tool)
		}
		s.demands(f, p.tool, root)
	}
}

// flattened puts what stands in the sections that a tool calls its own, or in a list of its configurations, one up.
func flattened(root *value, tool string) *value {
	if root == nil {
		return nil
	}
	out := *root
	for _, item := range root.items {
		out.fields = append(out.fields, item.fields...)
	}
	if own := root.at(tool); own != nil {
		out.fields = slices.DeleteFunc(slices.Clone(out.fields), func(f field) bool { return f.value == own })
		out.fields = append(out.fields, own.fields...)
	}
	return &out
}

// tree reads a file as its name's end says.
func (s *surface) tree(f *source, file string) *value {
	switch ext := path.Ext(strings.TrimSuffix(file, ".dist")); {
	case ext == ".toml":
		return readTOML(f.src)
	case ext == ".json", ext == ".jsonc", file == ".eslintrc", file == ".nycrc", file == ".c8rc", file == ".stylelintrc":
		return readJSON(f.src)
	case ext == ".yml", ext == ".yaml", ext == ".neon", file == ".taprc", file == ".mocharc":
		return readYAML([]byte(strings.ReplaceAll(string(f.src), "\t", "    ")))
	case ext == ".xml", strings.HasSuffix(ext, "proj"), ext == ".props", ext == ".targets":
		return readXML(f.src)
	case ext == ".gradle", ext == ".kts":
		return readAssignments(f)
	case strings.HasSuffix(file, "ignore"), file == "CODEOWNERS":
		return readLines(f)
	case ext == ".js", ext == ".cjs", ext == ".mjs", ext == ".ts", ext == ".cts", ext == ".mts":
		return readObjects(s.ctx, f)
	}
	return readINI(f)
}

// readLines reads a file that is a list: each line by its first word.
func readLines(f *source) *value {
	root := &value{line: 1, end: len(f.lines)}
	all := &value{line: 1, items: []*value{}}
	for i, line := range f.lines {
		if words := strings.Fields(line); len(words) > 0 && !strings.HasPrefix(words[0], "#") {
			all.items = append(all.items, &value{text: words[0], line: i + 1, end: i + 1})
		}
	}
	root.fields = []field{{"entries", 1, all}}
	return root
}

// assignments match a property that a build script of Gradle sets, in Groovy or in Kotlin.
var assignments = lang.Lazy(`^\s*(?:[\w.]+\.)?(\w+)\s*(?:=|\(|\.set\(|\s)\s*` +
	`["']?([\w.*]+)["']?(?:\.toBigDecimal\(\))?\)?\s*;?\s*(?://.*)?$`)

// readAssignments reads a build script of Gradle, for whose languages no reader is at hand: its properties by lines.
func readAssignments(f *source) *value {
	root := &value{line: 1, end: len(f.lines)}
	for i, line := range f.lines {
		if m := assignments.FindStringSubmatch(line); m != nil && len(root.fields) < maxDemands {
			root.fields = append(root.fields, field{m[1], i + 1, &value{text: m[2], line: i + 1, end: i + 1}})
		}
	}
	return root
}

// preCommit adds the hooks that pre-commit runs, each as a check of its own.
func (s *surface) preCommit(f *source) {
	root := readYAML(f.src)
	for _, repo := range root.list("repos") {
		for _, hook := range repo.list("hooks") {
			id := hook.str("id")
			if id == "" {
				continue
			}
			c := check{tool: tool{forLint, ""}, name: "hook " + id, unit: "", at: f.place(hook.line, hook.end)}
			words := strings.Split(strings.TrimSuffix(strings.TrimSuffix(id, "-check"), "-system"), " ")
			if t, _, ok := named(words); ok {
				c.tool = t
			}
			for _, a := range hook.list("args") {
				c.args = append(c.args, a.text)
			}
			for _, e := range readScript(hook.str("entry"), shell.Mode{ErrExit: true}) {
				c.forgiven = cmp.Or(e.Forgiven, c.forgiven)
			}
			if stages := hook.list("stages"); len(stages) == 1 && stages[0].text == "manual" {
				c.off = "stages: [manual]"
			}
			s.checks = append(s.checks, c)
		}
	}
}

// toxEnvironments adds the commands of tox.
func (s *surface) toxEnvironments(f *source, file string, root *value) {
	if file != "tox.ini" || root == nil {
		return
	}
	for _, section := range root.fields {
		v := section.at("commands")
		if v == nil || !strings.HasPrefix(section.key, "testenv") {
			continue
		}
		for i, line := range strings.Split(v.text, "\n") {
			line = strings.TrimSpace(line)
			command := strings.TrimSpace(strings.TrimPrefix(line, "-"))
			of := check{unit: section.key, called: true}
			if command != line {
				of.forgiven = "-"
			}
			s.addScript(f, script{text: command, line: onLine(v.line + i), of: of})
		}
	}
}
