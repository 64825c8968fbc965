package weaker

import (
	"maps"
	"slices"
	"strings"
)

// excuse says what explains that a test asks for less, "" where nothing does. anew and all are what renewed says.
func (k *comparison) excuse(p *pending, anew, all bool) string {
	b := p.of
	if p.After.Path == "" {
		if later := k.files[b.file.Path][1]; later != nil && later.broken && !b.file.broken {
			return "not all of the later file could be read"
		}
		if !slices.ContainsFunc(b.assertions, func(a *assertion) bool { return !k.stock.elsewhere(a) }) {
			return "what it asserts stands elsewhere"
		}
	}
	switch {
	case anew && all && (p.Form == "assertion removed" || p.Form == "case removed" || p.After.Path == ""):
		return "as much is asked anew of the same"
	case !p.CodeChanged || isListed("plain forms", strings.ReplaceAll(p.Form, " ", "-")):
		return ""
	case meet(k.changedNames, b.reached):
		return "the code that it tests changes with it"
	case anew:
		return "the code changes with it, and as much is asked anew"
	}
	return ""
}

// renewal is what the tests of a file say and ask that are new or changed: the strongest of what they ask anew, their
// words, and how much they ask; less is how much those asked that are gone or changed.
type renewal struct {
	most       strength
	words      map[string]bool
	more, less int
}

// renewal notes it for a file of the later tree, or for all of them where that has no test any more.
func (k *comparison) renewal(path string) *renewal {
	if k.renewals[path] != nil {
		return k.renewals[path]
	}
	in := k.files[path][1]
	all := in == nil || !slices.ContainsFunc(in.units, func(u *unit) bool { return u.test })
	r := &renewal{words: map[string]bool{}}
	for _, p := range k.pairs {
		b, a := p.before, p.after
		if b != nil && !p.stands && b.file.Path == path {
			r.less += b.weight()
		}
		if a == nil || p.stands || !all && a.file.Path != path {
			continue
		}
		r.more += a.weight()
		maps.Copy(r.words, a.names)
		for _, x := range a.assertions {
			if x.dead == "" && (b == nil || !asserted(b, x)) {
				r.most = max(r.most, x.placed())
			}
		}
	}
	k.renewals[path] = r
	return r
}

// renewed reports whether its tests ask something anew that is as strong as what is asked no more; and whether they say
// most of what its test said, and ask for no less together.
func (k *comparison) renewed(p *pending) (anew, all bool) {
	strength := unplaced
	if p.before != nil {
		strength = p.before.placed()
	}
	r := k.renewal(p.of.file.Path)
	said, sum := 0, 0
	for word, n := range p.of.words {
		if sum += n; r.words[word] {
			said += n
		}
	}
	return r.most >= max(truthy, min(typed, strength)), r.more >= r.less && said*100 >= sum*mostly
}

// mostly is how much of the words of a test others must have to say the same, in parts of 100.
const mostly = 75

// weight is the sum of what the assertions of a unit demand of all of its cases; nothing where it does not run.
func (u *unit) weight() (sum int) {
	for _, a := range u.assertions {
		if a.dead == "" && !u.skip.always {
			sum += int(a.placed())
		}
	}
	return sum * max(1, len(u.rows))
}

// placed is how much an assertion demands, where nothing places it, too.
func (a *assertion) placed() strength {
	if a.strength == unplaced {
		return pattern
	}
	return a.strength
}

// asksSomething reports an assertion that is about more than a constant.
func asksSomething(a *assertion) bool {
	return a.dead == "" || a.subject == nil || !a.subject.isConstant()
}

// given is what the body of a unit, and those of the functions of the file that it calls, have besides assertions and
// remarks: what it hands to the code under test.
func given(u *unit) (all string) {
	for _, of := range u.file.units {
		if of != u && (of.test || !u.names[of.name]) {
			continue
		}
		src := slices.Clone(u.file.Source[of.inner:of.end])
		for _, a := range of.assertions {
			for i := max(a.start-of.inner, 0); i < min(a.end-of.inner, len(src)); i++ {
				src[i] = ' '
			}
		}
		all += flat(regexpOf("remarks").ReplaceAllString(string(src), "\n"))
	}
	return all
}
