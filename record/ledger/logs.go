package ledger

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/report"
)

type logContent struct {
	rows  []Row
	votes []Vote
	// state says whether the log was changed. In a changed log nothing counts in anybody's favour, on any line: an
	// editor can make all later lines fit. Entries against an actor still count.
	state journal.State
}

func (s *Repositories) readLogs(state string, out *contents) error {
	for _, read := range []func(dir string) (logContent, error){refusedRows, heartbeatRows, loggedVotes} {
		rows, err := read(state)
		if err != nil {
			return err
		}
		if f := rows.state.Fault; f != nil {
			s.warn(brokenLog(rows.state.Path, f))
		}
		out.rows, out.votes = append(out.rows, rows.rows...), append(out.votes, rows.votes...)
	}
	return nil
}

func brokenLog(path string, f *journal.Fault) string {
	if f.Line > 0 {
		path += fmt.Sprintf(":%d", f.Line)
	}
	return fmt.Sprintf("%s: %s; nothing in this log counts in anybody's favour; run `acta audit verify`", path, f.Reason)
}

var refusedCandidates = map[string][]string{
	"verdict": {`"not_verified"`, `"unclear"`}, "contradiction": {"true", "false"}, "optional": {"", "true"},
}

// refusedRows reads the refused claims of the audit log: entries of hooks with a verdict for which hooks refuse.
func refusedRows(dir string) (out logContent, err error) {
	entries, state, err := journal.Audit(dir).ReadVerified()
	if err != nil {
		return out, fmt.Errorf("the audit log cannot be read: %w", err)
	}
	out.state = state
	for i, e := range entries {
		if !e.IsByHook() {
			continue
		}
		var l struct { // see journal.ClaimParams
			Verdict, Unit, Item, Evidence, Message, Actor string
			Contradiction, Optional                       bool
		}
		var verdict report.Verdict
		if json.Unmarshal(e.OriginalParams(refusedCandidates), &l) != nil || verdict.UnmarshalText([]byte(l.Verdict)) != nil {
			continue
		}
		if verdict != report.NotVerified && verdict != report.Unclear {
			continue
		}
		out.rows = append(out.rows, Row{
			Source: FromRefusal, Commit: e.Commit, Time: e.Time, Index: i, Actor: cmp.Or(l.Actor, e.Name),
			Unit: l.Unit, Item: l.Item, IsRequired: !l.Optional,
			Verdict: verdict, IsContradiction: l.Contradiction, Evidence: l.Evidence, Reason: l.Message,
		})
	}
	return out, nil
}
