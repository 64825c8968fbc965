package weaker

import (
	"bytes"
	"slices"
	"strings"
)

// guarded is a stretch of a file that is read or run under a condition alone.
type guarded struct {
	condition  string
	start, end int
}

// findGuards notes under which condition the tests of a statement are collected: if (x) { it("…") }.
func (f *file) findGuards(s *statement) {
	for _, c := range s.clauses {
		if condition := keys(c.head, nil); c.block == nil || condition == "" {
			continue
		} else if c.keyword == "if" {
			f.guards = append(f.guards, guarded{condition, c.block.start, c.block.end})
		} else if c.keyword == "unless" {
			f.guards = append(f.guards, guarded{"not (" + condition + ")", c.block.start, c.block.end})
		}
	}
}

// findLeftOut notes what a compiler sees under a condition alone: #if 0, #if NEVER.
func (f *file) findLeftOut() {
	if !isListed("preprocessed", f.Language) {
		return
	}
	for _, m := range regexpOf("compiled out").InBytes(f.Source).FindAllSubmatchIndex(f.Source, -1) {
		condition := f.Source[m[2]:m[3]]
		if isFalse(string(condition)) || !fits("platforms", string(condition)) &&
			bytes.Count(f.Source, condition) == 1 { // which nothing else asks for
			f.guards = append(f.guards, guarded{string(condition), m[0], m[1]})
		}
	}
}

// platform is the excuse for a condition of a unit.
func (u *unit) platform(condition string) string {
	if fits("platforms", condition) || fits("platforms", u.file.constants(condition)) {
		return "the condition is one of platform or version"
	}
	return ""
}

// constants are the lines at the top of the file that give the names of a condition a value: const noIPv6 = !os.…
func (f *file) constants(condition string) (found string) {
	for line := range strings.Lines(string(f.Source)) {
		named, value, gives := strings.Cut(line, "=")
		if gives && line[0] != ' ' && line[0] != '\t' &&
			slices.ContainsFunc(wordsIn(condition), func(w string) bool { return holds(named, w) }) {
			found += value
		}
	}
	return found
}
