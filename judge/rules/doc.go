// Package rules holds the rules: what Acta asks of a commit message, its claims and their verdicts.
//
// An Input goes in, an Output with findings and verdicts comes out. A rule is a row: an id that is never reused, a
// severity for each tier, the facts that it needs, and a pure function over a pass. Its Page has a title, teaching
// text and an example. Run judges the claims, gathers the facts that the rows of this commit need, once, and runs the
// rows. A rule has no context and returns no error, so it can ask nobody. Finding is not scoring: a rule knows
// nothing of points.
//
// Gatherers open no file and start no git: what they ask for, the caller's Source answers. So hook, command and CI
// run the same code over the same input type. Package rules must never import repo or judge.
package rules
