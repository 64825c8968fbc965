package weaker

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// excuseRemoved says why a test may be gone.
func (k *comparison) excuseRemoved(b *trace) string {
	first := goneName{at: len(k.goneNames)}
	for _, d := range b.names {
		if n, is := k.goneNames[d]; is && n.at < first.at {
			first = n
		}
	}
	if first.name != "" {
		return "what it tests is gone: " + first.name
	}
	if later := k.files[b.file.path].sides[1]; later != nil && later.unread > b.file.unread {
		return "not all of the later file could be read"
	}
	switch {
	case ofDocs.MatchString(b.file.path):
		return "it is an example of the documentation"
	case b.file.made && len(k.Paths) > len(k.files):
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
	if !slices.ContainsFunc(b.asked, func(a asked) bool { return !k.stock.elsewhere(&a) }) {
		return "what it asserts stands elsewhere"
	}
	return ""
}

var (
	ofDocs = lang.Lazy(`(^|/)docs?/(.*/)?(examples?|snippets?|samples?)/`)
	// madeTests matches what the head of a file says that a program writes.
	madeTests = lang.Lazy(`(?i)((automatically|auto-?|code)\s*generated\b[^\n]*(\n[^\n]*)?do not edit|@generated\b)`)
)

// maxBanner is how much of a file is looked at for what made it, in bytes.
const maxBanner = 500

// twin is a test that said the same before, word for word, and stands.
func (k *comparison) twin(b *trace) *trace {
	if k.standing == nil {
		k.standing = map[digest][]pair{}
		for _, p := range k.pairs {
			if p.before != nil && p.after != nil && p.before.test && p.after.test && p.after.runs && !p.after.dead {
				k.standing[p.before.wording] = append(k.standing[p.before.wording], p)
			}
		}
	}
	if b.wording != 0 {
		for _, p := range k.standing[b.wording] {
			if p.before != b {
				return p.after
			}
		}
	}
	return nil
}

// asksSomething reports an assertion that is about more than a constant.
func asksSomething(a *assertion) bool {
	return a.dead == "" || a.subject == nil || !a.subject.isConstant()
}

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
func (k *comparison) takesCases(b *trace) bool {
	return slices.ContainsFunc(k.pairs, func(p pair) bool {
		if p.before == nil || p.after == nil || !p.after.test || p.stands {
			return false
		}
		takes := func(fixture string) bool { return p.after.names.has(fixture) && !p.before.names.has(fixture) }
		return slices.ContainsFunc(p.after.file.cases, takes) && likeness(b, p.before) >= alike && p.after.weight >= b.weight
	})
}

var fixtureCases = lang.Lazy(`fixture\s*\([^)]*\bparams\s*=`)

// renewed reports whether the new tests of a file say most of what a test said that is gone, and ask together for no
// less than all that are gone from it.
func (k *comparison) renewed(b *trace) bool {
	had, has := 0, 0
	for _, gone := range k.gone[b.file.path] {
		had += gone.overCases()
	}
	words := map[digest]int{}
	for _, a := range k.come[b.file.path] {
		if !a.runs {
			continue
		}
		has += a.overCases()
		for _, c := range a.words {
			words[c.word] += c.n * max(1, a.rows)
		}
		for _, c := range a.rowWords {
			words[c.word] += c.n
		}
	}
	said, all := 0, 0
	for _, c := range b.words {
		all += c.n
		said += min(c.n, words[c.word])
	}
	return has >= had && all > 0 && said*100 >= all*mostly
}

// mostly is how much of the words of a test new ones must have to say the same, in parts of 100.
const mostly = 75

// rewritten reports whether a new test of the change is so like one that is gone that it stands for it, and asks
// no less.
func (k *comparison) rewritten(b *trace) bool {
	telling := len(lang.Words(b.name)) > 2
	for i, a := range k.added {
		if a.weight >= b.weight && (telling && a.name == b.name || likeness(b, a) >= alike/2) {
			k.added = slices.Delete(k.added, i, i+1)
			return true
		}
	}
	return false
}

// isRewritten reports whether little of a test's text is left, though it demands about as much.
func isRewritten(b, a *trace) bool {
	return likeness(b, a) < alike && a.overCases()*10 >= b.overCases()*9
}

// overCases is all that a test asks of its cases.
func (t *trace) overCases() int { return t.weight * max(1, t.rows) }

// parametrized reports whether a test that is gone is a case of another one now: all that it calls and all of its
// values stand there, and did not before. A test without values but its own name is none.
func (k *comparison) parametrized(b *trace) bool {
	return b.valued && slices.ContainsFunc(k.after, func(a *trace) bool {
		if a.literals == nil || !a.holdsValuesOf(b) {
			return false
		}
		for _, x := range b.asked {
			if x.called != 0 && !a.names.holds(x.called) {
				return false
			}
		}
		had := slices.ContainsFunc(k.before, func(was *trace) bool {
			return was.symbol == a.symbol && was.file.path == a.file.path && was.holdsValuesOf(b)
		})
		return !had && a.weight > 0
	})
}

// holdsValuesOf reports whether all literals of another test stand in this one.
func (t *trace) holdsValuesOf(b *trace) bool {
	return !slices.ContainsFunc(b.values, func(v value) bool {
		return !t.literals.holds(v.text) && !t.literals.holds(v.bare)
	})
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
func (k *comparison) isSplit(b, a *trace) bool {
	sum := a.weight
	for _, come := range k.come[a.file.path] {
		if likeness(b, come) >= alike {
			sum += come.weight
		}
	}
	return sum > a.weight && sum >= b.weight
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
