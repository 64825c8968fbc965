package weaker

import (
	"bytes"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

var focused = lang.Lazy(
	`^\s*(?:"f:|(?:await\s+)?(?:f(?:it|describe|test|context|specify|feature)\b|(?:[\w.]+\.)?only\s*[(.]))` +
		`|,\s*(?::focus\b|focus:\s*true)|->\s*only\s*\(`,
)

// remarks are lines that are comments.
var remarks = lang.Lazy(`(?m)^\s*(?:#\s|//)[^\n]*\n`)

// skipOf finds what keeps a unit from running: on itself, on what is around it, in its body, for the whole file.
func (f *file) skipOf(u *unit) skip {
	found := skip{}
	look := func(header string) {
		header = remarks.ReplaceAllString(header, "")
		if found.always {
			return
		}
		if f.by.skips.MatchString(header) {
			found = skip{always: true, text: strings.TrimSpace(header)}
			return
		}
		if !f.by.guards.IsSet() {
			return
		}
		for _, m := range f.by.guards.In(header).FindAllStringSubmatch(header, -1) {
			guard := strings.TrimSpace(strings.Join(m[1:], ""))
			switch g := strings.Trim(guard, `()!"' `); {
			case guard == "test":
			case isTrue(g) && !strings.Contains(m[0], "Unless"), isFalse(g) && strings.Contains(m[0], "Unless"):
				found = skip{always: true, text: strings.TrimSpace(header)}
			default:
				found.add(guard, strings.TrimSpace(header))
			}
		}
	}
	for _, header := range f.headersOf(u) {
		look(header)
	}
	for _, g := range f.guards {
		switch {
		case found.always || u.start < g.start || g.end < u.end:
		case isFalse(g.condition):
			found = skip{always: true, text: g.condition}
		default:
			found.add(g.condition, g.condition)
		}
	}
	if u.body != nil && f.by.calls.IsSet() {
		f.skipIn(u.body, f.by.calls, "", &found, 0)
	}
	if f.whole.always {
		return f.whole
	}
	if f.whole.guard != "" && !found.always {
		found.add(f.whole.guard, f.whole.text)
	}
	return found
}

// add adds a condition under which a test does not run.
func (s *skip) add(guard, text string) { s.guard, s.text = together(s.guard, guard), text }

// together are two conditions as one; the first may be none.
func together(first, second string) string { return strings.TrimPrefix(first+" and "+second, " and ") }

// headersOf are what stands before the body of a unit, and of the classes and groups around it.
func (f *file) headersOf(u *unit) []string {
	headers := []string{u.header}
	for _, d := range f.Definitions {
		if !d.Class || d.Outer >= u.start || u.end > d.End {
			continue
		}
		head := f.Source[d.Outer:u.start]
		if d.Body >= 0 {
			head = f.Source[d.Outer:max(d.Outer, min(d.Body, u.start))]
		} else if open := bytes.IndexByte(head, '{'); open >= 0 {
			head = head[:open]
		}
		headers = append(headers, string(head))
	}
	for _, g := range f.groups {
		if g.start <= u.start && u.end <= g.end {
			headers = append(headers, g.header)
		}
	}
	return headers
}

// skipIn finds calls that skip in a body. Those after the first assertion count as well: the rest does not run.
func (f *file) skipIn(b *block, call lang.Pattern, guard string, found *skip, depth int) {
	for _, st := range b.statements {
		source := string(f.Source[st.start:min(st.end, st.start+maxStatement)])
		if m := importSkips.FindStringSubmatch(source); m != nil && bytes.Count(f.Source, []byte(m[1])) == 1 {
			found.guard, found.text = "not import "+m[1], m[0]
		}
		if call.MatchString(source) && !found.always {
			line, _, _ := strings.Cut(source, "\n")
			g := guard
			if at := call.In(source).SubexpIndex("unless"); g == "" && at > 0 {
				if unless := call.In(source).FindStringSubmatch(source)[at]; unless != "" {
					g = "not (" + strings.TrimRight(unless, ");") + ")"
				}
			}
			if i := strings.LastIndex(line, " if "); i >= 0 && f.Language == "ruby" {
				g = line[i+4:]
			}
			if g == "" || isTrue(g) {
				*found = skip{always: true, text: line}
			} else {
				found.add(g, line)
			}
		}
		if depth > 1 {
			continue
		}
		clauses := st.parts(f.tongue)
		for i, c := range clauses {
			if c.keyword != "if" && c.keyword != "unless" && c.keyword != "guard" && c.keyword != "elif" && c.keyword !=
				"else" || c.block == nil {
				continue
			}
			inner := c.keyword + " " + keys(c.head, nil)
			if c.keyword == "if" {
				inner = keys(c.head, nil)
			} else if c.keyword == "else" && i > 0 && clauses[i-1].keyword == "guard" { // guard x else { throw XCTSkip() }
				inner = "not " + keys(clauses[i-1].head, nil)
			}
			f.skipIn(c.block, call, inner, found, depth+1)
		}
	}
}

// importSkips is how a test of Python ends where a module is not there; one that is named nowhere else is not used.
var importSkips = lang.Lazy(`^(?:\w+\s*=\s*)?pytest\.importorskip\(\s*["']([\w.]+)["']`)

// maxStatement is how much of a statement is looked at for what skips, in bytes.
const maxStatement = 400

// wholeFile finds what keeps all tests of the file from running.
func (f *file) wholeFile() (found skip) {
	if by := f.by.fileSkips; by.IsSet() {
		if m := by.InBytes(f.Source).Find(f.Source); m != nil {
			return skip{always: true, text: string(m)}
		}
	}
	if by := f.by.fileGuards; by.IsSet() {
		if m := by.InBytes(f.Source).FindSubmatch(f.Source); m != nil {
			guard := strings.TrimSpace(string(m[1]))
			if len(m) > 2 && m[2] != nil {
				if bytes.Count(f.Source, m[2]) > 1 { // the tests use it
					return found
				}
				guard = "not import " + string(m[2])
			}
			if isFalse(guard) || guard == "ignore" {
				return skip{always: true, text: string(m[0])}
			}
			return skip{guard: guard, text: string(m[0])}
		}
	}
	return found
}

// focusOf returns the unit or group of the file on which alone the runner is focused, "" where there is none.
func (f *file) focusOf() (text string, start, end int) {
	for _, g := range f.groups {
		if focused.MatchString(g.header) {
			return g.header, g.start, g.end
		}
	}
	for _, u := range f.units {
		if u.test && focused.MatchString(u.header) {
			return strings.TrimSpace(u.header), u.start, u.end
		}
	}
	return "", 0, 0
}
