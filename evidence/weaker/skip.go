package weaker

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

// skip is what keeps a test from running: always, or where a condition holds.
type skip struct {
	always bool
	guard  string
}

// add adds what keeps a test from running where a condition holds.
func (s *skip) add(condition string) {
	if s.always = s.always || isTrue(condition); !s.always {
		s.guard = together(s.guard, condition)
	}
}

// look sees in a text around tests what keeps them from running: always, and under the conditions of guards.
func (s *skip) look(text string, always, guards lang.Pattern) {
	if !always.MatchString(text) && !guards.MatchString(text) { // most have none, and to take remarks out costs more
		return
	}
	text = regexpOf("remarks").ReplaceAllString(text, "")
	if s.always = s.always || always.MatchString(text); s.always || !guards.MatchString(text) {
		return
	}
	for _, m := range guards.In(text).FindAllStringSubmatch(text, -1) {
		condition := strings.TrimSpace(strings.Join(m[1:], ""))
		bare := strings.Trim(condition, `()!"' `)
		switch runs := fits("holding", m[0]); {
		case bare == "test", strings.Contains(m[0], "importorskip") && strings.Count(text, bare) > 1:
		case runs && (isFalse(bare) || bare == "ignore"):
			s.always = true
		case !runs || !isTrue(bare):
			s.add(condition)
		}
	}
}

// skipOf finds what keeps a unit from running: for the whole file, on itself, on what is around it.
func (f *file) skipOf(u *unit) skip {
	found := f.whole
	for _, header := range f.headersOf(u) {
		found.look(header, f.by.of("skips"), f.by.of("guards"))
	}
	for _, g := range f.guards {
		if g.start <= u.start && u.end <= g.end {
			found.always = found.always || isFalse(g.condition)
			found.add(g.condition)
		}
	}
	return found
}

// together are two conditions as one; the first may be none.
func together(first, second string) string { return strings.TrimPrefix(first+" and "+second, " and ") }

// headersOf are what stands before the body of a unit, and of the classes and groups around it.
func (f *file) headersOf(u *unit) []string {
	headers := []string{u.header}
	for _, g := range f.groups {
		if g.around(u.start, u.end) {
			headers = append(headers, g.header)
		}
	}
	return headers
}

// skips sees a call of a body that skips its test, where the condition holds under which it is made. One after the
// first assertion counts as well: the rest does not run.
func (u *unit) skips(s *statement, under string) {
	f := u.file
	source := string(f.Source[s.start:min(s.end, s.start+maxStatement)])
	if f.by["calls"] == nil || !f.by.tells("calls", source) {
		return
	}
	line, _, _ := strings.Cut(source, "\n")
	if i := strings.LastIndex(line, " if "); i >= 0 && f.Language == "ruby" {
		under = line[i+4:]
	}
	if m := f.by.of("calls").FindStringSubmatch(source); len(m) > 1 && m[1] != "" {
		if f.Language == "python" && bytes.Count(f.Source, []byte(m[1])) > 1 { // a module that the test uses
			return
		}
		under = cmp.Or(under, "not ("+strings.TrimRight(m[1], ");")+")")
	}
	u.skip.add(cmp.Or(under, "true"))
}

// maxStatement is how much of a statement is looked at for what skips, in bytes.
const maxStatement = 400

// focus reports that a runner is focused on one test, so that its siblings do not run; where one run reads all files,
// those of others.
func (k *comparison) focus(b, a *file) {
	if is := a.focused(); is != nil && b.focused() == nil {
		k.note("focus", a.Path, Place{Path: b.Path}, a.place(is.start, is.end), "other tests no longer run")
	}
}

// focused is the test or group of a file on which alone the runner is focused, nil where there is none.
func (f *file) focused() *group {
	all := slices.Clone(f.groups)
	for _, u := range f.units {
		if u.test {
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
