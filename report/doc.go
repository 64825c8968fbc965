// Package report holds what every other package of Acta speaks in: places in
// bytes (Pos, Span), severities, verdicts, findings, the report of a run, and
// the writers that print them.
//
// It knows nothing of git, plans or rules, and imports the standard library
// only. A finding's JSON keys and the text line are a contract (docs/ci.md):
// keys are never renamed, and a new one is only ever added at the end.
package report
