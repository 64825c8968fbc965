package gate

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/acta-git/acta/parser/shell"
)

// purpose is the purpose of a check, a word of tools.txt: checks of one purpose may replace each other, and «checks»
// any.
type purpose string

func purposeOf(name string) purpose {
	for _, p := range purposes.All() {
		if p.MatchString(name) {
			return purpose(strings.TrimPrefix(p.Name, "none"))
		}
	}
	return ""
}

// tool is a program that can make a build fail.
type tool struct {
	purpose
	// language is the language that it checks, "" for any.
	language string
}

// tools are the tools of tools.txt by name, with a subcommand if that matters.
var tools = sync.OnceValue(func() map[string]tool {
	all := map[string]tool{}
	for _, row := range toolRows() {
		if slices.Contains([]string{"wrapper", "valued", "runner", "given", "manager"}, row[0]) {
			continue
		}
		for _, name := range row[2:] {
			all[strings.Replace(name, ":", " ", 1)] = tool{purpose(row[0]), strings.TrimPrefix(row[1], "any")}
		}
	}
	return all
})

func findTool(words []string) (t tool, name string, ok bool) {
	name = words[0]
	if len(words) > 1 {
		for _, sub := range []string{firstArgument(words[1:]), words[1]} {
			if t, ok = tools()[name+" "+sub]; ok {
				return t, name + " " + sub, true
			}
		}
		if t, ok = tools()[name+" test"]; ok && (words[1] == "__expression__" || strings.HasPrefix(words[1], "$")) {
			return tool{"checks", t.language}, name + " …", true // a variable decides
		}
	}
	t, ok = tools()[name]
	return t, name, ok
}

func firstArgument(words []string) string {
	i := slices.IndexFunc(words, func(w string) bool { return w != "" && w[0] != '-' && w[0] != '+' })
	if i < 0 {
		return ""
	}
	return words[i]
}

// withoutWrappers returns the words of a run without programs that only run another.
func withoutWrappers(words []string) []string {
	for words = slices.Clone(words); len(words) > 0; {
		words[0] = strings.TrimSuffix(strings.TrimSuffix(baseName(words[0]), ".exe"), ".cmd")
		n := min(3, len(words))
		for n > 0 && !toolRows.has("wrapper", strings.Join(words[:n], ":")) {
			n--
		}
		if n == 0 || n >= len(words) {
			break
		}
		rest := words[n:]
		for len(rest) > 1 && (strings.HasPrefix(rest[0], "-") || fits("make variable", rest[0])) {
			if rest[0] == "-e" && words[0] != "env" || rest[0] == "-c" {
				return words
			}
			rest = rest[min(1+valueWords("valued", rest[0]), len(rest)-1):]
		}
		words = rest
	}
	return words
}

// valueWords is how many words after an option are its value, by a list of tools.txt.
func valueWords(list, option string) int {
	if toolRows.has(list, option) {
		return 1
	}
	return 0
}

func checksOf(r shell.Run) []*check {
	words := withoutWrappers(r.Words)
	if len(words) == 0 || slices.ContainsFunc(words, func(w string) bool { return fits("question", w) }) {
		return nil
	}
	words[0] = strings.TrimSuffix(words[0], ".phar")
	if all, ok := tasks(words); ok {
		for i := range all {
			all[i].ignoreReason = r.IgnoredBy
		}
		return all
	}
	t, name, ok := findTool(words)
	if !ok { // a script of the tree whose name says that it checks
		name = words[0]
		p := purposeOf(strings.TrimSuffix(name, path.Ext(name)))
		if p == "" || !slices.ContainsFunc(r.Words, func(w string) bool {
			return baseName(w) == name && w[0] != '/' && (strings.Contains(w, "/") || fits("script end", w))
		}) {
			return nil
		}
		return []*check{{tool: tool{p, ""}, name: "run " + name, ignoreReason: r.IgnoredBy}}
	}
	args, sub := words[1:], firstArgument(words[1:])
	if strings.HasSuffix(name, " "+sub) || name == "ruff" && sub == "check" {
		i := slices.Index(args, sub)
		args = slices.Concat(args[:i], args[i+1:])
	}
	if t.purpose == "format" && !slices.ContainsFunc(args, func(w string) bool { return fits("looks only", w) }) {
		return nil
	}
	forgiven := r.IgnoredBy
	for _, w := range append(r.Variables, r.Words[:len(r.Words)-len(args)]...) {
		if t.language == "python" && fits("no assertions", w) {
			forgiven = w
		}
	}
	return []*check{{tool: t, name: name, args: args, ignoreReason: forgiven}}
}

// tasks returns a check for each task in the words of a task runner; ok is false if they start none.
func tasks(words []string) (all []*check, ok bool) {
	i := slices.IndexFunc(toolRows(), func(row []string) bool {
		return row[0] == "runner" && slices.Contains(row[2:], words[0])
	})
	if i < 0 {
		return nil, false
	}
	runner, language, names := toolRows()[i][2], strings.TrimPrefix(toolRows()[i][1], "any"), words[1:]
	if firstArgument(names) == "" && tools()[runner].purpose != "" {
		return nil, false // the runner itself is a tool
	}
	isOption := func(w string) bool { return w == "" || w[0] == '-' || strings.Contains(w, "=") }
	options := slices.DeleteFunc(slices.Clone(names), func(w string) bool { return !isOption(w) })
	if toolRows.has("manager", words[0]) {
		for len(names) > 0 && (isOption(names[0]) || slices.Contains([]string{"run", "run-script", "workspace"}, names[0])) {
			names = names[min(1+valueWords("given", names[0]), len(names)):]
		}
		if len(names) == 0 || names[0] == "ci" { // it installs
			return nil, true
		}
		for _, tool := range [][]string{append([]string{words[0]}, names...), names} { // npm audit, pnpm eslint
			if t, name, ok := findTool(tool); ok && (t.purpose == "security" || words[0] != "npm") {
				return []*check{{tool: t, name: name, args: names[1:]}}, true
			}
		}
		names, options = names[:1], names[1:]
	}
	for i, w := range names {
		if isOption(w) || i > 0 && valueWords("given", names[i-1]) > 0 {
			continue
		}
		t, ok := tools()[runner+" "+w]
		if !ok {
			t = tool{purposeOf(w), language}
		}
		if t.purpose != "" {
			all = append(all, &check{tool: t, name: runner + " " + w, args: options})
		}
	}
	return all, true
}
