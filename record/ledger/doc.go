// Package ledger keeps what scores are made of: the verdicts of claims that have
// landed, those of claims that were refused, and what people thought of the work.
//
// Nothing in it can be edited into a better score: what has landed is read from
// the repositories themselves, each time, and judged from git alone. A cache
// saves the judging of old commits, and is held against git on every use; see cache.
//
// A Store is where it is kept. Repositories is the one that needs nothing but git.
package ledger
