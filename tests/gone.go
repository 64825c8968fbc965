package tests

import (
	"maps"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/language"
	"github.com/acta-git/acta/evidence/syntax"
)

// excuseRemoved says why a test may be gone.
func (k *comparison) excuseRemoved(b *unit) string {
	for _, c := range k.code {
		for _, n := range slices.Sorted(maps.Keys(c.gone)) {
			if len(n) > 2 && b.names[n] {
				return "what it tests is gone: " + n
			}
		}
	}
	if later := k.files[b.file.Path][1]; later != nil && later.unread > b.file.unread {
		return "not all of the later file could be read"
	}
	switch {
	case ofDocs.MatchString(b.file.Path):
		return "it is an example of the documentation"
	case madeTests.Match(b.file.Source[:min(len(b.file.Source), maxBanner)]) && len(k.Paths) > len(k.files):
		return "its file says that a program made it"
	}
	if twin := k.twin(b); twin != nil {
		return "the same stands in " + twin.symbol
	}
	if k.parametrized(b) {
		return "its values are a case of another test"
	}
	if k.takesCases(b) {
		return "a test like it is run over a fixture's cases"
	}
	if k.rewritten(b) {
		return "a test like it is new"
	}
	if k.renewed(b) {
		return "new tests of the file ask about as much of the same"
	}
	stands := 0
	for _, a := range b.assertions {
		if k.stock.elsewhere(a) {
			stands++
		}
	}
	if stands == len(b.assertions) {
		return "what it asserts stands elsewhere"
	}
	return ""
}

var (
	ofDocs = language.Lazy(`(^|/)docs?/(.*/)?(examples?|snippets?|samples?)/`)
	// madeTests matches what the head of a file says that a program writes.
	madeTests = language.Lazy(`(?i)((automatically|auto-?|code)\s*generated\b[^\n]*(\n[^\n]*)?do not edit|@generated\b)`)
)

// maxBanner is how much of a file is looked at for what made it, in bytes.
const maxBanner = 500

// twin is a test that said the same before, word for word, and stands.
func (k *comparison) twin(b *unit) *unit {
	if k.standing == nil {
		k.standing = map[string][]pair{}
		for _, p := range k.pairs {
			if p.before == nil || p.after == nil || !p.before.test || !p.after.test || p.after.skip.always ||
				slices.ContainsFunc(p.after.assertions, isDead) {
				continue
			}
			text := p.before.wording()
			k.standing[text] = append(k.standing[text], p)
		}
	}
	if text := b.wording(); text != "" {
		for _, p := range k.standing[text] {
			if p.before != b {
				return p.after
			}
		}
	}
	return nil
}

// wording is what stands in the body of a unit, however it is laid out.
func (u *unit) wording() string {
	if u.body == nil {
		return ""
	}
	return flat(string(u.file.Source[u.body.start:u.body.end]))
}

// asksSomething reports an assertion that is about more than a constant.
func asksSomething(a *assertion) bool {
	return a.dead == "" || a.subject == nil || !a.subject.isConstant()
}

func isDead(a *assertion) bool { return a.dead != "" }

// unread is how much of a source could not be read, in bytes; what is lacking counts as one.
func unread(t *syntax.Tree) (n int) {
	t.Walk(func(node *syntax.Node, _ int) bool {
		switch {
		case node.IsError():
			n += max(1, node.End()-node.Start())
		case node.IsMissing():
			n++
		}
		return node.HasError() && !node.IsError()
	})
	return n
}

// takesCases reports whether a test that is so like one that is gone as to stand for it takes a fixture with several
// values now.
func (k *comparison) takesCases(b *unit) bool {
	return slices.ContainsFunc(k.pairs, func(p pair) bool {
		if p.before == nil || p.after == nil || !p.after.test {
			return false
		}
		return slices.ContainsFunc(p.after.file.units, func(fixture *unit) bool {
			return !fixture.test && p.after.names[fixture.name] && !p.before.names[fixture.name] &&
				fixtureCases.MatchString(fixture.header)
		}) && likeness(b, p.before) >= alike && weight(p.after) >= weight(b)
	})
}

var fixtureCases = language.Lazy(`fixture\s*\([^)]*\bparams\s*=`)

// renewed reports whether the new tests of a file say most of what a test said that is gone, and ask together for no
// less than all that are gone from it.
func (k *comparison) renewed(b *unit) bool {
	had, has := 0, 0
	words := map[string]int{}
	for _, p := range k.pairs {
		switch {
		case p.after == nil && p.before.file.Path == b.file.Path && p.before.test:
			had += overCases(p.before)
		case p.before == nil && p.after.file.Path == b.file.Path && p.after.test && !p.after.skip.always:
			has += overCases(p.after)
			for w, n := range p.after.words {
				words[w] += n * max(1, len(p.after.rows))
			}
			for _, row := range p.after.rows {
				for _, w := range identifier.FindAllString(row) {
					words[w]++
				}
			}
		}
	}
	said, all := 0, 0
	for w, n := range b.words {
		all += n
		said += min(n, words[w])
	}
	return has >= had && all > 0 && said*100 >= all*mostly
}

// mostly is how much of the words of a test new ones must have to say the same, in parts of 100.
const mostly = 75

// rewritten reports whether a new test of the change is so like one that is gone that it stands for it, and asks
// no less.
func (k *comparison) rewritten(b *unit) bool {
	for i, a := range k.added {
		namesake := a.name == b.name && len(language.Words(b.name)) > 2
		if (namesake || likeness(b, a) >= alike/2) && weight(a) >= weight(b) {
			k.added = slices.Delete(k.added, i, i+1)
			return true
		}
	}
	return false
}

// isRewritten reports whether little of a test's text is left, though it demands about as much.
func isRewritten(b, a *unit) bool {
	return likeness(b, a) < alike && overCases(a)*10 >= overCases(b)*9
}

// overCases is all that a test asks of its cases.
func overCases(u *unit) int { return weight(u) * max(1, len(u.rows)) }

// parametrized reports whether a test that is gone is a case of another one now: all that it calls and all of its
// values stand there, and did not before.
func (k *comparison) parametrized(b *unit) bool {
	return slices.ContainsFunc(k.after, func(a *unit) bool {
		if !a.test || a.skip.always || len(a.rows) == 0 && !a.loops || len(b.literals) == 0 || !a.holdsValuesOf(b) {
			return false
		}
		for _, x := range b.assertions {
			if x.subject != nil && x.subject.shape == call && !a.names[lastName(x.subject)] {
				return false
			}
		}
		had := slices.ContainsFunc(k.before, func(was *unit) bool {
			return was.symbol == a.symbol && was.file.Path == a.file.Path && was.holdsValuesOf(b)
		})
		return !had && weight(a) > 0
	})
}

// holdsValuesOf reports whether all literals of another test stand in this one.
func (u *unit) holdsValuesOf(b *unit) bool {
	for l := range b.literals {
		if l != `"`+b.name+`"` && !u.literals[l] && !u.literals[strings.Trim(l, `"`)] {
			return false
		}
	}
	return true
}

// given are the words, texts and numbers of a unit that stand in none of its assertions, and those of the functions of
// the file that it calls: what it hands to the code under test.
func given(u *unit) string {
	all := handed(u)
	for _, helper := range u.file.units {
		if !helper.test && helper != u && u.names[helper.name] {
			all += "\n" + handed(helper)
		}
	}
	return all
}

// handed are those of a unit alone, by their sum.
func handed(u *unit) string {
	if u.stands {
		return u.given
	}
	var all []string
	var read func(b *block)
	read = func(b *block) {
		for _, s := range b.statements {
			for _, t := range s.tokens {
				switch t.sort {
				case braces:
					read(t.block)
				case word, text, number:
					asserts := func(a *assertion) bool { return a.start <= t.start && t.end <= a.end }
					if !slices.ContainsFunc(u.assertions, asserts) {
						all = append(all, plainText(t.text))
					}
				}
			}
		}
	}
	if u.body != nil {
		read(u.body)
	}
	sum := sumOf(strings.Join(all, "\n"))
	return string(sum[:])
}

// isSplit reports whether new tests that are like one take its place together with it, and ask no less.
func (k *comparison) isSplit(b, a *unit) bool {
	sum := weight(a)
	for _, p := range k.pairs {
		if p.before == nil && p.after.test && p.after.file.Path == a.file.Path && likeness(b, p.after) >= alike {
			sum += weight(p.after)
		}
	}
	return sum > weight(a) && sum >= weight(b)
}

// weight is the sum of what the assertions of a unit demand.
func weight(u *unit) int {
	sum := 0
	for _, a := range u.assertions {
		switch {
		case a.dead != "":
		case a.strength == unplaced:
			sum += int(pattern)
		default:
			sum += int(a.strength)
		}
	}
	return sum
}
