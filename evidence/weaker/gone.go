package weaker

import (
	"maps"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// excuseRemoved says why a test may be gone.
func (k *comparison) excuseRemoved(b *unit) string {
	first := ""
	for name, at := range k.goneNames {
		if b.names[name] && (first == "" || at < k.goneNames[first]) {
			first = name
		}
	}
	if first != "" {
		return "what it tests is gone: " + first
	}
	if later := k.files[b.file.Path].sides[1]; later != nil && later.unread > b.file.unread {
		return "not all of the later file could be read"
	}
	if k.rewritten(b) {
		return "a test like it is new"
	}
	if !slices.ContainsFunc(b.assertions, func(a *assertion) bool { return !k.stock.elsewhere(a.asked()) }) {
		return "what it asserts stands elsewhere"
	}
	if k.renewed(b) {
		return "other tests of the file ask about as much of the same now"
	}
	return ""
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

// rewritten reports whether a new test of the change is so like one that is gone that it stands for it, and asks
// no less.
func (k *comparison) rewritten(b *unit) bool {
	telling := len(lang.Words(b.name)) > 2
	for i, a := range k.added {
		if a.weight >= b.weight && (telling && a.name == b.name || likeness(b, a) >= alike/2) {
			k.added = slices.Delete(k.added, i, i+1)
			return true
		}
	}
	return false
}

// renewed reports whether the tests of a file that are new or changed say most of what one said that is gone, and ask
// together, of all their cases, for no less than those did that are gone or changed.
func (k *comparison) renewed(b *unit) bool {
	had, has := 0, 0
	words := map[string]bool{}
	for _, p := range k.pairs {
		if u := p.before; !p.stands && u != nil && u.test && u.file.Path == b.file.Path {
			had += u.weight
		}
		if u := p.after; !p.stands && u != nil && u.test && u.file.Path == b.file.Path {
			has += u.weight
			maps.Copy(words, u.names)
			maps.Copy(words, u.literals)
		}
	}
	said, all := 0, 0
	for word, n := range b.words {
		all += n
		if words[word] {
			said += n
		}
	}
	return has >= had && said*100 >= all*mostly
}

// mostly is how much of the words of a test others must have to say the same, in parts of 100.
const mostly = 75

// isRewritten reports whether little of a test's text is left, though it demands about as much.
func isRewritten(b, a *unit) bool {
	return likeness(b, a) < alike && a.weight*10 >= b.weight*9
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
	if u.handed != "" {
		return u.handed
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

// weightOf is the sum of what the assertions of a unit demand of all of its cases; nothing where it does not run.
func weightOf(u *unit) int {
	if u.skip.always {
		return 0
	}
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
	return sum * max(1, len(u.rows))
}
