package weaker

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

// skip says whether a test is skipped always, or under a condition.
type skip struct {
	isAlways bool
	guard    string
}

func (s *skip) add(condition string) {
	if s.isAlways = s.isAlways || isTrue(condition); !s.isAlways {
		s.guard = joinConditions(s.guard, condition)
	}
}

// scan looks in a text around tests for skips and conditional skips.
func (s *skip) scan(text string, always, guards lang.Pattern) {
	if !always.MatchString(text) && !guards.MatchString(text) { // quick check: removing comments is slow
		return
	}
	text = regexpOf("remarks").ReplaceAllString(text, "")
	if s.isAlways = s.isAlways || always.MatchString(text); s.isAlways || !guards.MatchString(text) {
		return
	}
	for _, m := range guards.In(text).FindAllStringSubmatch(text, -1) {
		condition := strings.TrimSpace(strings.Join(m[1:], ""))
		bare := strings.Trim(condition, `()!"' `)
		switch runs := fits("holding", m[0]); {
		case bare == "test", strings.Contains(m[0], "importorskip") && strings.Count(text, bare) > 1:
		case runs && (isFalse(bare) || bare == "ignore"):
			s.isAlways = true
		case !runs || !isTrue(bare):
			s.add(condition)
		}
	}
}

func (f *file) skipOf(u *unit) skip {
	found := f.fileSkip
	for _, header := range f.headersOf(u) {
		found.scan(header, f.framework.pattern("skips"), f.framework.pattern("guards"))
	}
	for _, g := range f.guards {
		if g.start <= u.start && u.end <= g.end {
			found.isAlways = found.isAlways || isFalse(g.condition)
			found.add(g.condition)
		}
	}
	return found
}

// joinConditions joins two conditions; the first may be empty.
func joinConditions(first, second string) string {
	return strings.TrimPrefix(first+" and "+second, " and ")
}

func (f *file) headersOf(u *unit) []string {
	headers := []string{u.header}
	for _, g := range f.groups {
		if g.contains(u.start, u.end) {
			headers = append(headers, g.header)
		}
	}
	return headers
}

// addSkip notes a call in a body that skips its test, with the condition around it. A skip after assertions counts too:
// the rest does not run.
func (u *unit) addSkip(s *statement, under string) {
	f := u.file
	source := string(f.Source[s.start:min(s.end, s.start+maxStatement)])
	if f.framework["calls"] == nil || !f.framework.matches("calls", source) {
		return
	}
	line, _, _ := strings.Cut(source, "\n")
	if i := strings.LastIndex(line, " if "); i >= 0 && f.Language == "ruby" {
		under = line[i+4:]
	}
	if m := f.framework.pattern("calls").FindStringSubmatch(source); len(m) > 1 && m[1] != "" {
		if f.Language == "python" && bytes.Count(f.Source, []byte(m[1])) > 1 { // a module that the test uses
			return
		}
		under = cmp.Or(under, "not ("+strings.TrimRight(m[1], ");")+")")
	}
	u.skip.add(cmp.Or(under, "true"))
}

// maxStatement bounds how much of a statement is searched for skips, in bytes.
const maxStatement = 400

// compareFocus reports a new focus on one test, which keeps others from running.
func (k *comparison) compareFocus(b, a *file) {
	if focus := a.focusedGroup(); focus != nil && b.focusedGroup() == nil {
		k.add("focus", a.Path, Place{Path: b.Path}, a.place(focus.start, focus.end), "other tests no longer run")
	}
}

func (f *file) focusedGroup() *group {
	all := slices.Clone(f.groups)
	for _, u := range f.units {
		if u.isTest {
			all = append(all, group{u.name, u.header, u.start, u.end})
		}
	}
	for _, g := range all {
		if g.title != "" && fits("focused", g.header) {
			return &g
		}
	}
	return nil
}

// guardedSpan is a range of a file that is compiled or run under a condition.
type guardedSpan struct {
	condition  string
	start, end int
}

// findGuards notes conditions around tests: if (x) { it("…") }.
func (f *file) findGuards(s *statement) {
	for _, c := range s.clauses {
		condition := keysOf(c.head, nil)
		if c.block == nil || condition == "" || c.keyword != "if" && c.keyword != "unless" {
			continue
		}
		if c.keyword == "unless" {
			condition = "not (" + condition + ")"
		}
		f.guards = append(f.guards, guardedSpan{condition, c.block.start, c.block.end})
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
