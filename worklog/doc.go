// Package worklog keeps the record of what was done:
// events and audit entries, which commits were rewritten into which,
// sessions and what was done in them. It lies in the state that a repository's work trees share and that is
// never pushed, $GIT_COMMON_DIR/acta. The record fails open: whoever cannot write
// it warns, and the work goes on. An Adapt changes the plan itself, which is part
// of the history: it fails closed.
//
// A log is a file of JSON objects, a line each, to which lines are only ever added.
// Each carries the hash of the line before, and a head file beside the log what the
// last line is, so that a line that was edited, taken out or moved shows, and an end
// that was cut off. Whoever rewrites log and head together is not seen.
//
// A session is a log too, which is written to refs/worklog/<session_id> in batches, so
// that it can be pushed. What remains of one that has ended is its summary, in
// refs/worklog-summary/<session_id>, for the days that the policy names. What ACT and ADAPT commits tell of sessions
// is rebuilt from the commits alone.
package worklog
