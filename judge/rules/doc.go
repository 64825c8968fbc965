// Package rules holds the rules: what Acta asks of a commit message, its claims and their verdicts.
//
// An Input goes in; a Result with findings and verdicts comes out. A rule is a value: an id that is never reused, a
// severity for each tier, and a function over a Pass. Its Page has a title, teaching text and an example. A rule
// reports findings through its Pass, and returns an error only when it could not decide; the two never mix. Finding is
// not scoring: a rule knows nothing of points.
//
// Rules open no file and start no git: what they ask of them, the caller answers (Change, History). So hook, command
// and CI run the same code over the same input type. Package check must never import repo, history or judge.
package rules
