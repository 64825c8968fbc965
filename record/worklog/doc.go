// Package worklog keeps sessions: what was done in them, by whom, and whether it was checked. Operations go in through
// a Recorder; a session's document, its summary and its refs come out. It fails open: a caller that cannot write warns,
// and the work goes on.
//
// A session is a log of package journal in the local state. Batches of it go to refs/worklog/<session_id>, which can be
// pushed. A summary of an ended session stays in refs/worklog-summary/<session_id> for the days that the policy names.
// Sessions that were not recorded are rebuilt from ACT and ADAPT commits. The package must never import hooks, agent or
// a command.
package worklog
