package gate

import (
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

// A condition of a workflow that asks nothing but literals has one value for ever. What is read are the functions of
// GitHub's expressions that a literal can be put into; whatever else stands there is left alone.
var (
	calledWithTexts = lang.Lazy(`(?i)^(contains|startswith|endswith)\(\s*'([^']*)'\s*,\s*'([^']*)'\s*\)$`)
	calledWithOne   = lang.Lazy(`(?i)^(fromjson|tojson)\(\s*'?([^'(),]*)'?\s*\)$`)
	filledIn        = lang.Lazy(`(?i)^format\(\s*'([^']*)'((?:\s*,\s*'[^']*')*)\s*\)$`)
	joinedText      = lang.Lazy(`(?i)^join\(\s*'([^']*)'(?:\s*,\s*'[^']*')?\s*\)$`)
	literalText     = lang.Lazy(`^'([^']*)'$`)
)

// neverHolds reports a condition that is false whatever happens, as it compares literals alone.
func neverHolds(condition string) bool {
	text := strings.TrimSpace(condition)
	if inner, ok := strings.CutPrefix(text, "${{"); ok {
		text = strings.TrimSpace(strings.TrimSuffix(inner, "}}"))
	}
	inner, not := strings.CutPrefix(text, "!")
	value, ok := holdsAs(strings.TrimSpace(inner))
	return ok && value == not
}

// holdsAs is whether a condition of literals holds; ok is false where anything else is asked.
func holdsAs(text string) (value, ok bool) {
	if left, right, compared := strings.Cut(text, "=="); compared {
		x, known := literalOf(strings.TrimSpace(left))
		y, too := literalOf(strings.TrimSpace(right))
		return strings.EqualFold(x, y), known && too
	}
	if m := calledWithTexts.FindStringSubmatch(text); m != nil {
		all, part := strings.ToLower(m[2]), strings.ToLower(m[3])
		switch strings.ToLower(m[1]) {
		case "contains":
			return strings.Contains(all, part), true
		case "startswith":
			return strings.HasPrefix(all, part), true
		}
		return strings.HasSuffix(all, part), true
	}
	if m := calledWithOne.FindStringSubmatch(text); m != nil && strings.EqualFold(m[1], "fromjson") {
		switch m[2] {
		case "false", "null", "0":
			return false, true
		case "true":
			return true, true
		}
	}
	return false, false
}

// literalOf is the text that an operand is; ok is false where it is none of literals alone.
func literalOf(text string) (value string, ok bool) {
	if m := literalText.FindStringSubmatch(text); m != nil {
		return m[1], true
	}
	if m := calledWithOne.FindStringSubmatch(text); m != nil {
		return m[2], m[2] == "true" || m[2] == "false"
	}
	if m := joinedText.FindStringSubmatch(text); m != nil {
		return m[1], true
	}
	if m := filledIn.FindStringSubmatch(text); m != nil && strings.Count(m[1], "{") == 1 {
		_, given, _ := strings.Cut(m[2], "'")
		return strings.ReplaceAll(m[1], "{0}", strings.TrimSuffix(given, "'")), strings.Count(m[2], ",") == 1
	}
	return "", false
}
