package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Classes of honest claims. The others are the classes of forms/.
const (
	wholeFunction = "function"
	newFirstLine  = "first line of a new function"
	oldFirstLine  = "first line of a changed function"
	codeHunk      = "hunk of code"
	commentHunk   = "hunk of comments"
)

// maxClaims is how many claims of a class one commit makes here.
const maxClaims = 12

// maxSpan is how many lines a claim may cite; more is evidence_too_wide.
const maxSpan = 300

// honest are the acts that claim what the change really did: an act for functions, one for first lines, one for hunks
// of code and one for hunks of comments, since a span may be cited only once.
func (c *change) honest(functions [][]*function) []*act {
	groups := map[string]*act{}
	add := func(group, class, item string, s *source, from, to int, changed bool) {
		a := groups[group]
		if a == nil {
			a = &act{change: c}
			groups[group] = a
		}
		if len(a.claims) == maxClaims || to-from >= maxSpan {
			return
		}
		spot := fmt.Sprintf("%s:%d-%d", s.path, from, to)
		if group == "lines" {
			spot = fmt.Sprintf("%s:%d", s.path, from)
		}
		a.claims = append(a.claims,
			&claim{class: class, language: dialectOf(s.path).name, place: spot, changed: changed, item: item,
				text: strings.Join(strings.Split(string(s.bytes), "\n")[from-1:min(to, from+15)], "\n")})
	}
	for i := range c.sources {
		s := &c.sources[i]
		lines := strings.Split(string(s.bytes), "\n")
		kinds := dialectOf(s.path).kinds(lines)
		for _, f := range functions[i] {
			_, all := s.adds(f.Start, f.End)
			if !s.addsCode(kinds, f.Start, f.End) {
				continue
			}
			if f.isStub() {
				c.stubs++
				continue
			}
			class, item := newFirstLine, "Write function"
			if !all {
				class, item = oldFirstLine, s.does("function")
			}
			add("functions", wholeFunction, item, s, f.Start, f.End, !all)
			add("lines", class, item, s, f.Start, f.Start, !all)
		}
		for _, h := range s.hunks {
			from, to := h[0], min(h[1], len(lines))
			if from > to {
				continue
			}
			switch held := kinds[from-1 : to]; {
			case slices.Contains(held, codeLine):
				add("hunks", codeHunk, s.does("code"), s, from, to, true)
			case slices.Contains(held, commentLine):
				add("comments", commentHunk, "Write the comments of part", s, from, to, true)
			}
		}
	}
	var out []*act
	for _, group := range []string{"functions", "lines", "hunks", "comments"} {
		if a := groups[group]; a != nil && len(a.claims) > 0 {
			out = append(out, a)
		}
	}
	return out
}

// does says in an item what the change did to a part of a source.
func (s *source) does(part string) string {
	if s.form {
		return "Format or comment " + part
	}
	return "Change " + part
}

// hollowed are the acts that claim functions of the change after they were hollowed out, one act a form.
func (c *change) hollowed(chosen [][]*function, forms map[string][]*form) []*act {
	byForm := map[string]*act{}
	var order []string
	for i := range c.sources {
		s := &c.sources[i]
		for _, form := range forms[dialectOf(s.path).name] {
			text, claims := hollowSource(s, chosen[i], form)
			if len(claims) == 0 {
				continue
			}
			key := form.class + "/" + form.name
			a := byForm[key]
			if a == nil {
				a = &act{change: c, files: map[string][]byte{}}
				byForm[key] = a
				order = append(order, key)
			}
			a.files[s.path] = text
			a.claims = append(a.claims, claims...)
		}
	}
	var out []*act
	for _, key := range order {
		out = append(out, byForm[key])
	}
	return out
}

func hollowSource(s *source, functions []*function, form *form) ([]byte, []*claim) {
	var claims []*claim
	var text []string
	at := 1 // the next line of the source
	lines := strings.Split(string(s.bytes), "\n")
	for _, f := range functions {
		body, ok := f.hollowed(form)
		if !ok || f.Start < at {
			continue
		}
		text = append(text, lines[at-1:f.Start-1]...)
		from := len(text) + 1
		text = append(text, body...)
		at = f.End + 1
		claims = append(claims, &claim{class: form.class, form: form.name, language: f.dialect.name, item: "Write function",
			place: fmt.Sprintf("%s:%d-%d", s.path, from, len(text)), text: strings.Join(body[:min(len(body), 16)], "\n")})
	}
	return []byte(strings.Join(append(text, lines[at-1:]...), "\n")), claims
}

// minCode is how many lines of code a function has that is worth hollowing out.
const minCode = 3

// choose picks the functions of a change that are hollowed, at most n of production code and as many tests.
func (c *change) choose(functions [][]*function, n int) (chosen [][]*function, count int) {
	chosen = make([][]*function, len(c.sources))
	left := map[bool]int{false: n, true: n}
	for i := range c.sources {
		last := 0
		for _, f := range functions[i] {
			some, _ := c.sources[i].adds(f.Start, f.End)
			if !some || f.Start <= last || left[f.tests] == 0 || !f.isWorth() {
				continue
			}
			left[f.tests]--
			chosen[i] = append(chosen[i], f)
			last = f.End
			count++
		}
	}
	return chosen, count
}

var named = regexp.MustCompile(`^[\w$-]+[?!=]?$`)

// isWorth reports whether the function can be hollowed out, and has work in it that is lost.
func (f *function) isWorth() bool {
	return f.bodyStart > 0 && f.code() >= minCode && f.End-f.Start < maxSpan && (!f.tests || f.isTest()) && !f.isStub() &&
		(named.MatchString(f.Name) || f.Name == callTest)
}

var calledTest = regexp.MustCompile(`^\s*(it|test)\(`)

// functions finds the functions of every source of the change, in order of their lines.
func (c *change) functions() ([][]*function, error) {
	var files []string
	for _, s := range c.sources {
		files = append(files, s.file)
	}
	tags, err := tagsOf(files)
	if err != nil {
		return nil, err
	}
	out := make([][]*function, len(c.sources))
	for i := range c.sources {
		s := &c.sources[i]
		found := functionsOf(s, tags[s.file])
		if d := dialectOf(s.path); (d.name == "javascript" || d.name == "typescript") && testPath.MatchString(s.path) {
			found = append(found, calledTests(s, d)...)
		}
		slices.SortFunc(found, func(a, b *function) int { return a.Start - b.Start })
		found = slices.CompactFunc(found, func(a, b *function) bool { return a.Start == b.Start })
		out[i] = found
	}
	return out, nil
}

// calledTests are tests that are calls: it('…', () => { … }).
func calledTests(s *source, d *dialect) []*function {
	lines := strings.Split(string(s.bytes), "\n")
	kinds := d.kinds(lines)
	var out []*function
	for i, line := range lines {
		f := &function{Path: s.path, Name: callTest, Start: i + 1, lines: lines, kinds: kinds, dialect: d, tests: true}
		if calledTest.MatchString(line) && strings.HasSuffix(strings.TrimSpace(line), "{") {
			f.bodyStart = i + 2
			if f.findClosing("}") {
				out = append(out, f)
			}
		}
	}
	return out
}
