package weaker

import (
	"maps"
	"slices"
	"strings"
)

// excuse says what explains a weaker test, "" if nothing does. isRenewed and coversAll come from isRenewed.
func (k *comparison) excuse(p *pending, isRenewed, coversAll bool) string {
	b := p.test
	if p.After.Path == "" {
		if later := k.files[b.file.Path][1]; later != nil && later.hasErrors && !b.file.hasErrors {
			return "not all of the later file could be read"
		}
		if !slices.ContainsFunc(b.assertions, func(a *assertion) bool { return !k.balance.isMoved(a) }) {
			return "its assertions stand elsewhere"
		}
	}
	switch {
	case isRenewed && coversAll && (p.Form == "assertion removed" || p.Form == "case removed" || p.After.Path == ""):
		return "new tests assert as much"
	case !p.CodeChanged || isListed("plain forms", strings.ReplaceAll(p.Form, " ", "-")):
		return ""
	case intersect(k.changedNames, b.reachable):
		return "the code under test changes too"
	case isRenewed:
		return "the code changes too, and new tests assert as much"
	}
	return ""
}

// renewal sums up the new and changed tests of a file: their strongest new assertion, their words, and their weight;
// oldWeight is that of removed and changed tests.
type renewal struct {
	strongest            strength
	words                map[string]bool
	newWeight, oldWeight int
}

// renewal returns that of a file, or of all files if the later file has no tests. The path of all files is "".
func (k *comparison) renewal(path string) *renewal {
	if k.renewals[path] != nil {
		return k.renewals[path]
	}
	in, r := k.files[path][1], &renewal{words: map[string]bool{}}
	isOfAll := path != "" && (in == nil || !slices.ContainsFunc(in.units, func(u *unit) bool { return u.isTest }))
	if isOfAll {
		*r = *k.renewal("")
	}
	for _, p := range k.pairs {
		b, a := p.before, p.after
		if b != nil && !p.isUnchanged && b.file.Path == path {
			r.oldWeight += b.weight()
		}
		if a == nil || p.isUnchanged || isOfAll || path != "" && a.file.Path != path {
			continue
		}
		r.newWeight += a.weight()
		maps.Copy(r.words, a.mentions)
		for _, x := range a.assertions {
			if x.deadReason == "" && (b == nil || !hasAssertion(b, x)) {
				r.strongest = max(r.strongest, x.effectiveStrength())
			}
		}
	}
	k.renewals[path] = r
	return r
}

// isRenewed reports whether the file's tests have new assertions as strong as the removed one. coversAll: they also
// share most words with the test, and weigh no less in total.
func (k *comparison) isRenewed(p *pending) (isRenewed, coversAll bool) {
	strength := unknown
	if p.before != nil {
		strength = p.before.effectiveStrength()
	}
	r := k.renewal(p.test.file.Path)
	common, sum := 0, 0
	for word, n := range p.test.words {
		if sum += n; r.words[word] {
			common += n
		}
	}
	return r.strongest >= max(truthy, min(typed, strength)), r.newWeight >= r.oldWeight && common*100 >= sum*minCommonWords
}

// minCommonWords is the percentage of a test's words that other tests must have to say the same.
const minCommonWords = 75

// weight is the sum of the strengths of a unit's assertions over all of its cases; 0 if it does not run.
func (u *unit) weight() (sum int) {
	for _, a := range u.assertions {
		if a.deadReason == "" && !u.skip.isAlways {
			sum += int(a.effectiveStrength())
		}
	}
	return sum * max(1, len(u.rows))
}

// effectiveStrength is the strength, with a default for an unknown one.
func (a *assertion) effectiveStrength() strength {
	if a.strength == unknown {
		return pattern
	}
	return a.strength
}

// isMeaningful reports whether an assertion is about more than a constant.
func isMeaningful(a *assertion) bool {
	return a.deadReason == "" || a.subject == nil || !a.subject.isConstant()
}

// inputsOf returns the code of a unit and the functions that it calls, without assertions and comments: the inputs of
// the code under test.
func inputsOf(u *unit) (all string) {
	for _, other := range u.file.units {
		if other != u && (other.isTest || !u.mentions[other.name]) {
			continue
		}
		src := slices.Clone(u.file.Source[other.bodyStart:other.end])
		for _, a := range other.assertions {
			for i := max(a.start-other.bodyStart, 0); i < min(a.end-other.bodyStart, len(src)); i++ {
				src[i] = ' '
			}
		}
		all += flat(regexpOf("remarks").ReplaceAllString(string(src), "\n"))
	}
	return all
}
