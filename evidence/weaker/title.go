package weaker

import (
	"bytes"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

var groupWord = lang.Lazy(`^[xf]?(?:[dD]escribe|[cC]ontext|suite|feature|experiment|When|example_group)$` +
	`|^(?:shared_examples|given|when)$`)

// maxHead is how far the title of a group is looked for, in tokens.
const maxHead = 40

// titleOf returns the title of the group that a statement is; ok is false for one that is none.
func titleOf(s *statement) (title string, ok bool) {
	for i, t := range s.tokens[:min(len(s.tokens), maxHead)] {
		switch {
		case !ok && t.sort == word && groupWord.MatchString(t.text):
			ok = true
		case !ok && (i > 4 || t.sort != word && t.text != "."):
			return "", false
		case ok && (t.sort == text || t.sort == word && isCapital(t.text)):
			return strings.Trim(t.text, "\"'`"), true
		case t.sort == braces:
			return "", false
		}
	}
	return "", false
}

// findGroups notes the groups of a block, and of what they hold.
func (f *file) findGroups(b *block) {
	for _, s := range b.statements {
		title, is := titleOf(s)
		if is {
			head, _, _ := bytes.Cut(f.Source[s.start:s.end], []byte{'\n'})
			f.groups = append(f.groups, group{title, string(head), s.start, s.end})
		}
		if len(s.tokens) > 1 {
			f.define(s)
		}
		f.findGuards(s)
		for _, t := range s.tokens {
			if t.sort == braces && (is || f.isContainer(t.start)) {
				f.findGroups(t.block)
			}
		}
	}
}

// define adds the test or hook that a statement is to the definitions, where the outline does not know it.
func (f *file) define(s *statement) {
	first := s.tokens[0].text
	test := f.by.tells("titles", first)
	if test && len(s.tokens) > 3 && s.tokens[1].text == "." && f.by.tells("hooks", s.tokens[2].text) {
		first, test = s.tokens[2].text, false // test.afterEach
	}
	d := defined{Name: first, Outer: s.start, Start: s.start, End: s.end, Body: s.start, Parent: -1, Titled: test}
	title := -1
	for i, t := range s.tokens {
		switch {
		case t.sort == braces:
			d.Body = t.start
		case t.sort != text || f.Language == "ruby" && title >= 0:
		case f.Language == "ruby", title < 0, i+1 < len(s.tokens) && s.tokens[i+1].text == "," && s.tokens[i-1].text == "(":
			title = i // of JavaScript it follows the table
		}
	}
	switch each := func(t token) bool { return t.text == "each" || t.text == "for" }; {
	case !test && f.by.tells("hooks", first):
	case !test, title < 0, d.Body == s.start, slices.ContainsFunc(f.Definitions, func(o defined) bool {
		return o.Titled && o.Outer == s.start
	}), f.Language != "ruby" && !slices.ContainsFunc(s.tokens[:min(len(s.tokens), 6)], each):
		return
	default:
		d.Name = strings.Trim(s.tokens[title].text, "\"'`")
	}
	d.Symbol = d.Name
	f.Definitions = append(f.Definitions, d)
}
