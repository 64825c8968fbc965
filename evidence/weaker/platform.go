package weaker

import (
	"slices"
	"strings"
)

// isPlatform reports whether a condition asks for what the machine is, or what is installed.
func isPlatform(condition string) bool {
	c := strings.ToLower(condition)
	return slices.ContainsFunc(listed("platforms"), func(word string) bool { return strings.Contains(c, word) })
}

// global is a statement at the top of a file that gives a name a value.
type global struct {
	name       string
	start, end int
}

// findGlobals notes them. Of the other statements only where they stand is kept.
func (f *file) findGlobals() {
	root := &block{start: f.root.start, end: f.root.end}
	for _, s := range f.root.statements {
		at := slices.IndexFunc(s.tokens, func(t token) bool { return t.text == "=" || t.text == ":=" })
		if at > 0 && at < maxHead {
			f.globals = append(f.globals, global{s.tokens[at-1].text, s.start, s.end})
		}
		root.statements = append(root.statements, &statement{start: s.start, end: s.end})
	}
	f.root = root
}

// constants is what the names of a condition are at the top of the file: const noIPv6 = !os.networkInterfaces()…
func (f *file) constants(condition string) string {
	var found []string
	for _, named := range identifiers.FindAllString(condition) {
		for _, g := range f.globals {
			if g.name == named {
				found = append(found, string(f.Source[g.start:min(g.end, g.start+maxStatement)]))
			}
		}
	}
	return strings.Join(found, "\n")
}

// narrower reports whether a guard keeps a test from running no more often than before.
func narrower(before, after string) bool { return before != "" && strings.Contains(before, after) }
