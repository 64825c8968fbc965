package weaker

import (
	"bytes"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

// guardedSpan is a range of a file that is compiled or run under a condition.
type guardedSpan struct {
	condition  string
	start, end int
}

// findGuards notes conditions around tests: if (x) { it("…") }.
func (f *file) findGuards(s *statement) {
	for _, c := range s.clauses {
		if condition := keysOf(c.head, nil); c.block == nil || condition == "" {
			continue
		} else if c.keyword == "if" {
			f.guards = append(f.guards, guardedSpan{condition, c.block.start, c.block.end})
		} else if c.keyword == "unless" {
			f.guards = append(f.guards, guardedSpan{"not (" + condition + ")", c.block.start, c.block.end})
		}
	}
}

// findConditionalCode notes code that is compiled under a condition: #if 0, #if NEVER.
func (f *file) findConditionalCode() {
	if !isListed("preprocessed", f.Language) {
		return
	}
	for _, m := range regexpOf("compiled out").InBytes(f.Source).FindAllSubmatchIndex(f.Source, -1) {
		condition := f.Source[m[2]:m[3]]
		if isFalse(string(condition)) || !fits("platforms", string(condition)) &&
			bytes.Count(f.Source, condition) == 1 { // nothing else uses it
			f.guards = append(f.guards, guardedSpan{string(condition), m[0], m[1]})
		}
	}
}

func (u *unit) platformExcuse(condition string) string {
	if fits("platforms", condition) || fits("platforms", u.file.constants(condition)) {
		return "the condition is about a platform or version"
	}
	return ""
}

// constants returns the values of a condition's names, from the top of the file: const noIPv6 = !os.…
func (f *file) constants(condition string) (found string) {
	for line := range strings.Lines(string(f.Source)) {
		left, value, gives := strings.Cut(line, "=")
		if gives && line[0] != ' ' && line[0] != '\t' &&
			slices.ContainsFunc(wordsIn(condition), func(w string) bool { return lang.HasWord(left, w) }) {
			found += value
		}
	}
	return found
}
