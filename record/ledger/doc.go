// Package ledger keeps the basis of scores: verdicts of claims on the branch, verdicts of refused claims, and people's
// votes on the work.
//
// No edit can improve a score: claims are read from the repositories each time, and judged from git alone. A cache
// saves judging old commits, and is checked against git on every use; see branchReader.
//
// A Store keeps it. Repositories is the Store that needs only git.
package ledger
