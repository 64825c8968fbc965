package weaker

import (
	"bytes"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
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
		if slices.ContainsFunc(s.tokens, goesOver) && slices.ContainsFunc(s.tokens, isBraces) {
			f.around = append(f.around, s)
		}
		f.titled(s)
		f.findHook(s)
		f.findGuards(s)
		for _, t := range s.tokens {
			if t.sort == braces && (is || f.isContainer(t.start)) {
				f.findGroups(t.block)
			}
		}
	}
}

// titled adds the test that a statement is to the definitions.
func (f *file) titled(s *statement) {
	if len(s.tokens) < 3 {
		return
	}
	each := func(t token) bool { return t.text == "each" || t.text == "for" }
	switch {
	case f.renamed(s):
	case !f.by.titles[s.tokens[0].text],
		f.Language != "ruby" && !slices.ContainsFunc(s.tokens[:min(len(s.tokens), 6)], each):
		return
	}
	title := slices.IndexFunc(s.tokens, func(t token) bool { return t.sort == text })
	last := slices.IndexFunc(s.tokens, isBraces)
	if f.Language != "ruby" { // the title follows the table
		for i, t := range s.tokens {
			if t.sort == text && i+1 < len(s.tokens) && s.tokens[i+1].text == "," && s.tokens[i-1].text == "(" {
				title = i
			}
			if t.sort == braces {
				last = i
			}
		}
	}
	known := func(d evidence.OutlinedDefinition) bool { return d.Titled && d.Outer == s.start }
	if title < 0 || last < 0 || slices.ContainsFunc(f.Definitions, known) {
		return
	}
	named := strings.Trim(s.tokens[title].text, "\"'`")
	f.define(s, named, s.tokens[last].start)
	f.Definitions[len(f.Definitions)-1].Titled = true
}

// define adds a definition that the outline does not know: a statement, with its body.
func (f *file) define(s *statement, named string, body int) {
	f.Definitions = append(f.Definitions, evidence.OutlinedDefinition{
		Name: named, Symbol: named, Outer: s.start, Start: s.start, End: s.end, Body: body, Parent: -1,
	})
}

// goesOver reports a word by which a statement is run for each of several values.
func goesOver(t token) bool { return isListed("loops", t.text) }

func isBraces(t token) bool { return t.sort == braces }

// findHook adds the hook that a statement is to the definitions.
func (f *file) findHook(s *statement) {
	at := 0
	if len(s.tokens) > 3 && s.tokens[1].text == "." && f.by.titles[s.tokens[0].text] {
		at = 2 // test.afterEach
	}
	if len(s.tokens) < at+2 || !f.by.hooks[s.tokens[at].text] {
		return
	}
	body := at + 1
	if i := slices.IndexFunc(s.tokens, isBraces); i >= 0 {
		body = i
	}
	f.define(s, s.tokens[at].text, s.tokens[body].start)
}

// renamed reports whether a statement calls a framework's test by another name than its own, as the file imports it:
// check(…) of «it as check», v.it(…) of «* as v».
func (f *file) renamed(s *statement) bool {
	if f.Language == "ruby" {
		return false
	}
	if f.aliases == nil {
		f.aliases = map[string]bool{}
		for _, m := range aliased.InBytes(f.Source).FindAllSubmatch(f.Source, -1) {
			f.aliases[string(m[1])+string(m[2])] = true
		}
	}
	first := s.tokens[0].text
	return f.aliases[first] && (s.tokens[1].text != "." || !f.by.titles[first] &&
		(f.by.titles[s.tokens[2].text] || isListed("called on tests", s.tokens[2].text)))
}

var (
	// aliased is how a file gives a framework's test, in group 1, or the framework, in group 2, a name of its own.
	aliased = lang.Lazy(`\b(?:it|test)\s*(?:\bas\b|:)\s*(\w+)\b[^\n]*["']` + testModules + `["']` +
		`|\*\s+as\s+(\w+)\s+from\s+["']` + testModules + `["']`)
)

// testModules are the modules that tests of JavaScript are imported from.
const testModules = `(?:vitest|@jest/globals|node:test|mocha|bun:test|@playwright/test)`
