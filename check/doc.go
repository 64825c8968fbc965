// Package check holds the rules. A rule is a value: an id that is never reused,
// a severity by tier, and a function over a Pass; its Page has a title, teaching
// text and an example. Rules open no file and know no git: the Input answers for both, so
// hook, command and CI run the very same code over the very same input type.
//
// A rule reports findings through its Pass and returns an error only when it
// could not decide; the two never mix. Finding is not scoring: a rule knows
// nothing of points.
package check
