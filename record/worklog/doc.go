// Package worklog keeps sessions: what was done in them, by whom, and whether it was checked. Operations go in through
// a Recorder; a Worklog, its summary and its refs come out. It fails open: a caller that cannot write warns, and the
// work goes on.
//
// A session is a log of package journal in the local state. It is written to refs/worklog/<session_id> in batches, so
// that it can be pushed. A summary of an ended session stays in refs/worklog-summary/<session_id> for the days that
// the policy names. What ACT and ADAPT commits tell of sessions is rebuilt from the commits alone. The package must
// never import hooks, agent or a command.
package worklog
