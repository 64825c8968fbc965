package weaker

import (
	"hash/fnv"
	"io"
	"maps"
	"slices"
	"strings"
)

// excuse says what explains that a test asks for less, "" where nothing does. anew and all are what renewed says.
func (k *comparison) excuse(p *pending, anew, all bool) string {
	b := p.before
	if p.rewritten && k.anyOther() {
		return "more than tests changes with it"
	}
	if p.After.Path == "" {
		if i := slices.IndexFunc(k.goneNames, func(name string) bool { return b.names[name] }); i >= 0 {
			return "what it tests is gone: " + k.goneNames[i]
		}
		if later := k.files[b.file.Path][1]; later != nil && later.broken && !b.file.broken {
			return "not all of the later file could be read"
		}
		if !slices.ContainsFunc(b.assertions, func(a *assertion) bool { return !k.stock.elsewhere(a) }) {
			return "what it asserts stands elsewhere"
		}
	}
	switch {
	case anew && all && (p.gone != nil || p.rows != nil || p.After.Path == ""):
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

// renew notes it for each file of the later tree, and by "" for all of them.
func (k *comparison) renew() {
	k.renewals = map[string]*renewal{}
	of := func(path string) *renewal {
		if k.renewals[path] == nil {
			k.renewals[path] = &renewal{words: map[string]bool{}}
		}
		return k.renewals[path]
	}
	of("")
	for _, p := range k.pairs {
		if p.stands {
			continue
		}
		if b := p.before; b != nil {
			of(b.file.Path).less += b.weight()
		}
		if p.after == nil {
			continue
		}
		most := unplaced
		for _, a := range p.after.assertions {
			if a.dead == "" && (p.before == nil || !asserted(p.before, a)) {
				most = max(most, a.placed())
			}
		}
		for _, r := range []*renewal{of(p.after.file.Path), of("")} {
			r.more, r.most = r.more+p.after.weight(), max(r.most, most)
			maps.Copy(r.words, p.after.names)
			maps.Copy(r.words, p.after.literals)
		}
	}
}

// renewed reports whether the tests of its file, or all where that has none any more, ask something anew that is as
// strong as what is asked no more; and whether they say most of what its test said, and ask for no less together.
func (k *comparison) renewed(p *pending) (anew, all bool) {
	least := min(typed, p.strength)
	if p.After.Path == "" {
		least = truthy
	} else if p.Form == "assertion weaker" {
		least = p.strength
	}
	if k.renewals == nil {
		k.renew()
	}
	path := p.before.file.Path
	own := k.renewals[path]
	r := own
	if in := k.files[path][1]; in == nil || !slices.ContainsFunc(in.units, func(u *unit) bool { return u.test }) {
		r = k.renewals[""]
	}
	if r == nil { // what is told of stands as it did
		return false, false
	}
	said, sum := 0, 0
	for word, n := range p.before.words {
		if sum += n; r.words[word] {
			said += n
		}
	}
	return r.most >= max(least, truthy), own != nil && r.more >= own.less && said*100 >= sum*mostly
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

// given are the words, texts and numbers of a unit that stand in none of its assertions, and those of the functions of
// the file that it calls, as hashes: what it hands to the code under test.
func given(u *unit) []uint64 {
	all := []uint64{u.handed}
	for _, helper := range u.file.units {
		if !helper.test && helper != u && u.names[helper.name] {
			all = append(all, helper.handed)
		}
	}
	return all
}

// handed is the hash of those of a unit alone.
func handed(u *unit) uint64 {
	all := fnv.New64a()
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
						io.WriteString(all, plainText(t.text)+"\n")
					}
				}
			}
		}
	}
	if u.body != nil {
		read(u.body)
	}
	return all.Sum64()
}
