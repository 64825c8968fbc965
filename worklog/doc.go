// Package worklog keeps sessions: what was done in them, by whom, and whether it was checked. The record fails open:
// whoever cannot write it warns, and the work goes on.
//
// A session is a log of package journal in the local state, which is written to refs/worklog/<session_id> in batches,
// so that it can be pushed. What remains of one that has ended is its summary, in refs/worklog-summary/<session_id>,
// for the days that the policy names. What ACT and ADAPT commits tell of sessions is rebuilt from the commits alone.
package worklog
