package weaker

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/acta-git/acta/report"
)

// demand is what became of one assertion.
type demand struct {
	form, message string
	before, after *assertion
	// literal: another value is expected, which concerns the code under test too: any change of that explains it.
	literal bool
	// handed: so is something else handed in.
	handed bool
}

// weaker compares the assertions of a unit before and after. One that is gone may stand at another place.
func (s stock) weaker(b, a *unit) []demand {
	matching := &pairing[*assertion]{was: slices.Clone(b.assertions), is: slices.Clone(a.assertions)}
	matchUp(matching)
	was, is := matching.was, matching.is
	var found []demand
	for _, p := range matching.pairs {
		d := judge(p[0], p[1])
		if d != nil && (p[1].dead != "" || !covered(p[0], &is)) && (d.form != "assertion guarded" || !alternates(p[1], a)) {
			found = append(found, *d)
		}
	}
	slices.SortStableFunc(was, func(x, y *assertion) int { return int(y.strength - x.strength) })
	for _, gone := range was {
		if gone.dead == "" && !covered(gone, &is) && !looped(gone, b, a) && !s.elsewhere(gone) {
			found = append(found, demand{form: "assertion removed", before: gone,
				message: fmt.Sprintf("%s no longer asserts %s", a.symbol, gone.said())})
		}
	}
	return found
}

// alternates reports whether the other branch of an assertion's condition demands as much of the same subject: no run
// of the test goes without it.
func alternates(guarded *assertion, in *unit) bool {
	return slices.ContainsFunc(in.assertions, func(a *assertion) bool {
		return a.dead == "" && strings.HasSuffix(a.guard, "else") && a.subjectKey == guarded.subjectKey &&
			a.strength >= guarded.strength
	})
}

// matchUp pairs assertions: the same, the same subject, a subject that holds the other.
func matchUp(p *pairing[*assertion]) {
	by := func(key func(a *assertion) string) {
		keys := map[*assertion]string{}
		for _, a := range append(slices.Clone(p.was), p.is...) {
			keys[a] = key(a)
		}
		p.take(func(b, a *assertion) bool { return keys[b] != "" && keys[b] == keys[a] && b.throws == a.throws })
	}
	p.take(func(b, a *assertion) bool { return b.text == a.text && b.dead == a.dead && b.guard == a.guard })
	by(func(a *assertion) string { return a.key + "\x00" + a.matcher })
	by(func(a *assertion) string { return a.text })
	by(func(a *assertion) string { return a.subjectKey })
	p.take(func(b, a *assertion) bool {
		return b.expectedKey != "" && b.subjectKey == a.expectedKey && b.expectedKey == a.subjectKey
	})
	by((*assertion).masked)
	p.take(func(b, a *assertion) bool {
		return len(b.subjectKey) >= 3 && len(a.subjectKey) >= 3 && b.throws == a.throws &&
			(holds(a.subjectKey, b.subjectKey) || holds(b.subjectKey, a.subjectKey))
	})
}

// holds reports whether an expression stands in another as a whole word.
func holds(all, part string) bool {
	i := strings.Index(all, part)
	if i < 0 || part == "" {
		return false
	}
	end := i + len(part)
	return (i == 0 || !isWordByte(all[i-1])) && (end == len(all) || !isWordByte(all[end]))
}

// judge compares two assertions of one subject.
func judge(b, a *assertion) *demand {
	say := func(form, format string, args ...any) *demand {
		return &demand{before: b, after: a, form: form, message: fmt.Sprintf(format, args...)}
	}
	switch {
	case b.dead != "":
		return nil
	case a.dead != "":
		return say(formOfDead(a.dead), "%s cannot fail any more: %s", a.said(), a.dead)
	case b.awaited && !a.awaited && (isListed("promises", a.matcher) || strings.Contains(a.text, ".eventually.")) &&
		!strings.Contains(string(a.file.Source), "@testing-library"):
		return say("never runs", "nothing waits for %s any more", a.said())
	case (a.strength > unplaced || a.text == b.text) && a.guard != b.guard && a.guard != "" &&
		!strings.HasSuffix(a.guard, "else") && !strings.HasSuffix(a.guard, "a failure") &&
		(b.guard == "" || strings.HasPrefix(a.guard, b.guard)):
		return say("assertion guarded", "%s is reached only if %s", a.said(), short(a.guard))
	case b.strength == unplaced || a.strength == unplaced || b.text == a.text && b.strength <= a.strength:
		return nil
	case a.isOneOf(b):
		return say("assertion weaker", "one of several values is accepted, before only one of %s", b.of(b.subject))
	case a.strength < b.strength && !equivalent(b, a):
		return say("assertion weaker", "of %s it requires only %s; before, %s", b.of(b.subject), a.strength, b.strength)
	case b.expectedKey == a.expectedKey && b.subjectKey == a.subjectKey && opposed(b, a):
		return say("polarity flipped", "the opposite of %s is asserted", b.said())
	case b.itself && !a.itself && a.negative == b.negative && isListed("counts as", a.matcher):
		return say("assertion weaker", "of %s it accepts any value that counts as the expected one", b.of(b.subject))
	case a.strength != b.strength:
		return nil
	case widened(b.tolerance, a.tolerance):
		return say("tolerance wider", "the tolerance is %s; before, %s", cmp.Or(a.tolerance, "none"),
			cmp.Or(b.tolerance, "none"))
	case normalised(b, a):
		return say("subject normalised", "it compares %s; before, %s", a.of(a.subject), b.of(b.subject))
	case b.subjectKey == a.subjectKey && joined(b.expectedKey) != joined(a.expectedKey) && b.expected.isValue() &&
		a.expected.isValue() && b.expected.inner() != a.expected.inner() &&
		(!strings.Contains(a.matcher, "Inline") || flat(b.expected.inner()) != flat(a.expected.inner())):
		d := say("expectation rewritten", "it expects %s; before, %s", a.of(a.expected), b.of(b.expected))
		d.literal = true
		return d
	case b.key != a.key && b.masked() == a.masked() && b.subjectKey != a.subjectKey && b.matcher == a.matcher &&
		a.expected != nil:
		d := say("expectation rewritten", "%s checks other values than %s", a.said(), b.said())
		d.literal, d.handed = true, true
		return d
	}
	return nil
}

// opposed reports whether two assertions of one subject and expectation demand the opposite.
func opposed(b, a *assertion) bool {
	if b.negative == a.negative {
		return b.points*a.points < 0
	}
	return b.strength == a.strength || b.strength == bound && b.expectedKey != ""
}

// masked is the key of an assertion without what its literals say.
func (a *assertion) masked() string {
	return regexpOf("numerals").ReplaceAllString(regexpOf("quotations").ReplaceAllString(a.key, "0"), "0")
}

// normalised reports whether a difference in what is compared passes now: f(x) is sorted, say, before it is compared.
func normalised(b, a *assertion) bool {
	if a.subject == nil || a.subject.shape != call || a.subjectKey == b.subjectKey ||
		!holds(a.subjectKey, b.subjectKey) {
		return false
	}
	return isListed("normalisers", lastName(a.subject)) && b.strength >= exact
}

// joined is an expectation with the pieces of its texts put together: "a" "b" and "ab" are one.
func joined(key string) string { return regexpOf("seam").ReplaceAllString(key, "") }

func formOfDead(why string) string {
	switch {
	case strings.Contains(why, "swallowed"):
		return "oracle swallowed"
	case fits("never runs", why):
		return "never runs"
	}
	return "tautology"
}

// equivalent reports whether a weaker matcher asks the same of this expectation: nothing is empty, and empty is
// false.
func equivalent(b, a *assertion) bool {
	empty := a.negative && a.strength == truthy || strings.Contains(strings.ToLower(a.matcher), "empty")
	return isListed("empties", strings.ToLower(b.expectedKey)) &&
		(a.matcher != "" && empty || a.expectedKey == "0" && a.strength >= pattern)
}

// covered takes off the list an assertion that asks as much about the same thing, if there is one.
func covered(gone *assertion, is *[]*assertion) bool {
	k := slices.IndexFunc(*is, func(a *assertion) bool {
		return a.dead == "" && (a.guard == "" || gone.guard != "") &&
			(a.strength >= gone.strength || a.strength == unplaced || equivalent(gone, a)) && related(gone, a)
	})
	if k < 0 {
		return false
	}
	left := *(*is)[k]
	if left.covers--; left.covers <= 0 {
		*is = slices.Delete(*is, k, k+1)
	} else {
		(*is)[k] = &left
	}
	return true
}

// looped reports whether an assertion that is gone is made in a loop now: its values stand in the test, and something
// related is asserted anew with no less.
func looped(gone *assertion, was, now *unit) bool {
	values := append(numbersIn(gone.text), quotedIn(gone.text)...)
	return now.loops && len(values) > 0 &&
		!slices.ContainsFunc(values, func(l string) bool { return !now.names[plainText(l)] }) &&
		slices.ContainsFunc(now.assertions, func(a *assertion) bool {
			return a.dead == "" && a.strength >= gone.strength && !asserted(was, a) &&
				(related(gone, a) || gone.subject != nil && holds(a.key, lastName(gone.subject)))
		})
}

// related reports whether two assertions name a thing in common.
func related(b, a *assertion) bool {
	if b.text == unreached { // try: f() else: assert False, as with raises(…) has it
		return a.throws || a.matcher == "fail"
	}
	if b.strength == unplaced || a.strength == unplaced ||
		slices.ContainsFunc(a.made, func(m *assertion) bool { return m.text == b.text || m.key == b.key }) {
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

// widened reports whether a tolerance lets more pass.
func widened(b, a string) bool {
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

// maxWords is how much of an expression a message has, in characters.
const maxWords = 80

// said is an assertion as it is written.
func (a *assertion) said() string { return short(string(a.file.Source[a.start:a.end])) }

// of is a part of an assertion as it is written. What the parser made itself is written in one way.
func (a *assertion) of(e *expr) string {
	switch {
	case e == nil || e.shape == body:
		return a.said()
	case e.end <= e.start || e.start < a.start || e.end > a.end:
		return short(e.String())
	}
	return short(string(a.file.Source[e.start:e.end]))
}

func short(s string) string {
	return "`" + report.Brief(s, maxWords) + "`"
}
