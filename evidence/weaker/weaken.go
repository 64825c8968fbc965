package weaker

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/report"
)

type assertionChange struct {
	form, message string
	before, after *assertion
	// isLiteral: another value is expected. Any change of the code under test explains that.
	isLiteral    bool
	inputChanges bool
}

// compareAssertions compares the assertions of a unit before and after. A removed one may stand elsewhere.
func (s balance) compareAssertions(b, a *unit) []assertionChange {
	matching := &pairing[*assertion]{before: slices.Clone(b.assertions), after: slices.Clone(a.assertions)}
	matchAssertions(matching)
	removed, added := matching.before, matching.after
	var found []assertionChange
	for _, p := range matching.pairs {
		d := compareAssertion(p.before, p.after)
		if d != nil && (p.after.deadReason != "" || !takeCovering(p.before, &added)) && (d.form != "assertion guarded" ||
			!hasAlternative(p.after, a)) {
			found = append(found, *d)
		}
	}
	slices.SortStableFunc(removed, func(x, y *assertion) int { return int(y.strength - x.strength) })
	for _, x := range removed {
		if x.deadReason == "" && !takeCovering(x, &added) && !isLooped(x, b, a) && !s.isMoved(x) {
			found = append(found, assertionChange{form: "assertion removed", before: x,
				message: fmt.Sprintf("%s no longer asserts %s", a.symbol, x.quote())})
		}
	}
	return found
}

// hasAlternative reports whether the other branch of an assertion's condition asserts as much about the same subject.
func hasAlternative(guarded *assertion, in *unit) bool {
	return slices.ContainsFunc(in.assertions, func(a *assertion) bool {
		return a.deadReason == "" && strings.HasSuffix(a.guard, "else") && a.subjectKey == guarded.subjectKey &&
			a.strength >= guarded.strength
	})
}

// matchAssertions pairs assertions: equal ones, ones with equal subjects, ones whose subject holds the other.
func matchAssertions(p *pairing[*assertion]) {
	by := func(key func(a *assertion) string) {
		keys := map[*assertion]string{}
		for _, a := range append(slices.Clone(p.before), p.after...) {
			keys[a] = key(a)
		}
		p.match(func(b, a *assertion) bool { return keys[b] != "" && keys[b] == keys[a] && b.isThrow == a.isThrow })
	}
	p.match(func(b, a *assertion) bool {
		return b.text == a.text && b.deadReason == a.deadReason && b.guard == a.guard
	})
	by(func(a *assertion) string { return a.key + "\x00" + a.matcher })
	by(func(a *assertion) string { return a.text })
	by(func(a *assertion) string { return a.subjectKey })
	p.match(func(b, a *assertion) bool {
		return b.expectedKey != "" && b.subjectKey == a.expectedKey && b.expectedKey == a.subjectKey
	})
	by((*assertion).maskedKey)
	p.match(func(b, a *assertion) bool {
		return len(b.subjectKey) >= 3 && len(a.subjectKey) >= 3 && b.isThrow == a.isThrow &&
			(lang.HasWord(a.subjectKey, b.subjectKey) || lang.HasWord(b.subjectKey, a.subjectKey))
	})
}

func compareAssertion(b, a *assertion) *assertionChange {
	say := func(form, format string, args ...any) *assertionChange {
		return &assertionChange{before: b, after: a, form: form, message: fmt.Sprintf(format, args...)}
	}
	switch {
	case b.deadReason != "":
		return nil
	case a.deadReason != "":
		return say(formOfDead(a.deadReason), "%s cannot fail any more: %s", a.quote(), a.deadReason)
	case b.isAwaited && !a.isAwaited && (isListed("promises", a.matcher) || strings.Contains(a.text, ".eventually.")) &&
		!strings.Contains(string(a.file.Source), "@testing-library"):
		return say("never runs", "nothing waits for %s any more", a.quote())
	case (a.strength > unknown || a.text == b.text) && a.guard != b.guard && a.guard != "" &&
		!strings.HasSuffix(a.guard, "else") && !strings.HasSuffix(a.guard, "a failure") &&
		(b.guard == "" || strings.HasPrefix(a.guard, b.guard)):
		return say("assertion guarded", "%s is reached only if %s", a.quote(), brief(a.guard))
	case b.strength == unknown || a.strength == unknown || b.text == a.text && b.strength <= a.strength:
		return nil
	case a.acceptsSeveral(b):
		return say("assertion weaker", "of %s it accepts one of several values; before, only one", b.quotePart(b.subject))
	case a.strength < b.strength && !areEquivalent(b, a):
		return say("assertion weaker", "of %s it requires only %s; before, %s", b.quotePart(b.subject), a.strength,
			b.strength)
	case b.expectedKey == a.expectedKey && b.subjectKey == a.subjectKey && areOpposed(b, a):
		return say("polarity flipped", "the opposite of %s is asserted", b.quote())
	case b.isStrict && !a.isStrict && a.isNegative == b.isNegative && isListed("counts as", a.matcher):
		return say("assertion weaker", "of %s it accepts any value that counts as the expected one", b.quotePart(b.subject))
	case a.strength != b.strength:
		return nil
	case isWider(b.tolerance, a.tolerance):
		return say("tolerance wider", "the tolerance is %s; before, %s", cmp.Or(a.tolerance, "none"),
			cmp.Or(b.tolerance, "none"))
	case isNormalised(b, a):
		return say("subject normalised", "it compares %s; before, %s", a.quotePart(a.subject), b.quotePart(b.subject))
	case b.subjectKey == a.subjectKey && joinTexts(b.expectedKey) != joinTexts(a.expectedKey) && b.expected.isValue() &&
		a.expected.isValue() && b.expected.innermost() != a.expected.innermost() &&
		(!strings.Contains(a.matcher, "Inline") || flat(b.expected.innermost()) != flat(a.expected.innermost())):
		d := say("expectation rewritten", "it expects %s; before, %s", a.quotePart(a.expected), b.quotePart(b.expected))
		d.isLiteral = true
		return d
	case b.key != a.key && b.maskedKey() == a.maskedKey() && b.subjectKey != a.subjectKey && b.matcher == a.matcher &&
		a.expected != nil:
		d := say("expectation rewritten", "%s checks other values than %s", a.quote(), b.quote())
		d.isLiteral, d.inputChanges = true, true
		return d
	}
	return nil
}

// areOpposed reports whether two assertions of one subject and expectation demand the opposite.
func areOpposed(b, a *assertion) bool {
	if b.isNegative == a.isNegative {
		return b.direction*a.direction < 0
	}
	return b.strength == a.strength || b.strength == bound && b.expectedKey != ""
}

func (a *assertion) maskedKey() string {
	return regexpOf("numerals").ReplaceAllString(regexpOf("quotations").ReplaceAllString(a.key, "0"), "0")
}

// isNormalised reports whether the subject is newly normalised before the comparison, by sorting for example.
func isNormalised(b, a *assertion) bool {
	if a.subject == nil || a.subject.shape != call || a.subjectKey == b.subjectKey ||
		!lang.HasWord(a.subjectKey, b.subjectKey) {
		return false
	}
	return isListed("normalisers", lastName(a.subject)) && b.strength >= exact
}

// joinTexts joins adjacent string literals: "a" "b" equals "ab".
func joinTexts(key string) string { return regexpOf("seam").ReplaceAllString(key, "") }

func formOfDead(why string) string {
	switch {
	case strings.Contains(why, "swallowed"):
		return "oracle swallowed"
	case fits("never runs", why):
		return "never runs"
	}
	return "tautology"
}

// areEquivalent reports whether a weaker matcher is as strong for this expectation: null is empty, and empty is false.
func areEquivalent(b, a *assertion) bool {
	empty := a.isNegative && a.strength == truthy || strings.Contains(strings.ToLower(a.matcher), "empty")
	return isListed("empties", strings.ToLower(b.expectedKey)) &&
		(a.matcher != "" && empty || a.expectedKey == "0" && a.strength >= pattern)
}

// takeCovering removes from the added assertions one that covers a removed one, if there is any.
func takeCovering(removed *assertion, added *[]*assertion) bool {
	k := slices.IndexFunc(*added, func(a *assertion) bool {
		return a.deadReason == "" && (a.guard == "" || removed.guard != "") &&
			(a.strength >= removed.strength || a.strength == unknown || areEquivalent(removed, a)) && areRelated(removed, a)
	})
	if k < 0 {
		return false
	}
	remaining := *(*added)[k]
	if remaining.coverCount--; remaining.coverCount <= 0 {
		*added = slices.Delete(*added, k, k+1)
	} else {
		(*added)[k] = &remaining
	}
	return true
}

// isLooped reports whether a loop now makes a removed assertion: its values stand in the test, and a new related
// assertion is as strong.
func isLooped(removed *assertion, before, after *unit) bool {
	values := append(numbersIn(removed.text), quotedIn(removed.text)...)
	return after.hasLoop && len(values) > 0 &&
		!slices.ContainsFunc(values, func(l string) bool { return !after.mentions[plainText(l)] }) &&
		slices.ContainsFunc(after.assertions, func(a *assertion) bool {
			return a.deadReason == "" && a.strength >= removed.strength && !hasAssertion(before, a) &&
				(areRelated(removed, a) || removed.subject != nil && lang.HasWord(a.key, lastName(removed.subject)))
		})
}

// areRelated reports whether two assertions name a thing in common.
func areRelated(b, a *assertion) bool {
	if b.text == unreachable { // try: f() else: assert False is like raises(…)
		return a.isThrow || a.matcher == "fail"
	}
	if b.strength == unknown || a.strength == unknown ||
		slices.ContainsFunc(a.helperAssertions, func(m *assertion) bool { return m.text == b.text || m.key == b.key }) {
		return true
	}
	words := map[string]bool{}
	for _, w := range wordsIn(b.key + " " + b.text + " " + b.expectedKey) {
		words[strings.ToLower(w)] = !isListed("vague words", w) && w != b.matcher
	}
	return slices.ContainsFunc(wordsIn(a.key+" "+a.text+" "+a.expectedKey), func(w string) bool {
		return words[strings.ToLower(w)] && !isListed("vague words", w)
	})
}

func isWider(b, a string) bool {
	if a == b || a == "" || b == "" {
		return false
	}
	old, err1 := strconv.ParseFloat(regexpOf("numerals").FindString(b), 64)
	now, err2 := strconv.ParseFloat(regexpOf("numerals").FindString(a), 64)
	if err1 != nil || err2 != nil {
		return false
	}
	if strings.Contains(a, "places") || strings.Contains(a, "precision") || strings.Contains(a, "decimal") {
		return now < old
	}
	return now > old
}

// maxWords bounds an expression in a message, in characters.
const maxWords = 80

func (a *assertion) quote() string { return brief(string(a.file.Source[a.start:a.end])) }

// quotePart returns a part of an assertion as written; parts that the parser made are normalised.
func (a *assertion) quotePart(e *expr) string {
	switch {
	case e == nil || e.shape == body:
		return a.quote()
	case e.end <= e.start || e.start < a.start || e.end > a.end:
		return brief(e.String())
	}
	return brief(string(a.file.Source[e.start:e.end]))
}

func brief(s string) string {
	return "`" + report.Brief(s, maxWords) + "`"
}

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
