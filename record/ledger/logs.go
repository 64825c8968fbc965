package ledger

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/report"
)

// logged is what one log of this machine adds to a score.
type logged struct {
	rows  []Row
	votes []Vote
	// state says whether the log is as it was written. Where it is not, what speaks for anybody in it is void, on
	// whichever line: whoever edits one can make all that follow it fit. What speaks against somebody counts all the same.
	state journal.State
}

// readLogs adds what the logs of a repository's state hold.
func (s *Repositories) readLogs(state string, out *contents) error {
	for _, read := range []func(dir string) (logged, error){refusedRows, heartbeatRows, loggedVotes} {
		held, err := read(state)
		if err != nil {
			return err
		}
		if f := held.state.Fault; f != nil {
			s.warn(brokenLog(held.state.Path, f))
		}
		out.rows, out.votes = append(out.rows, held.rows...), append(out.votes, held.votes...)
	}
	return nil
}

// brokenLog says what follows from what was done to a log.
func brokenLog(path string, f *journal.Fault) string {
	if f.Line > 0 {
		path += fmt.Sprintf(":%d", f.Line)
	}
	return fmt.Sprintf("%s: %s; nothing in this log counts in anybody's favour; run `acta audit verify`", path, f.Reason)
}

// refusedLine are the params of a line of the audit log that holds a claim; see worklog.ClaimParams.
type refusedLine struct {
	Verdict       string `json:"verdict"`
	Contradiction bool   `json:"contradiction"`
	Unit          string `json:"unit"`
	Item          string `json:"item"`
	Optional      bool   `json:"optional"`
	Evidence      string `json:"evidence"`
	Message       string `json:"message"`
	Actor         string `json:"actor"`
}

// refusedWere is what an edited line of the log may have said; see worklog.Entry.Written.
var refusedWere = map[string][]string{
	"verdict": {`"not_verified"`, `"unclear"`}, "contradiction": {"true", "false"}, "optional": {"", "true"},
}

// refusedRows reads the refused claims of the audit log. Findings without a
// verdict, whatever no hook has written, and verdicts for which no hook refuses are none.
func refusedRows(dir string) (out logged, err error) {
	entries, state, err := journal.Audit(dir).ReadVerified()
	if err != nil {
		return out, fmt.Errorf("the audit log cannot be read: %w", err)
	}
	out.state = state
	for i, e := range entries {
		if !e.ByHook() {
			continue
		}
		var l refusedLine
		var verdict report.Verdict
		if json.Unmarshal(e.Written(refusedWere), &l) != nil || verdict.UnmarshalText([]byte(l.Verdict)) != nil {
			continue
		}
		if verdict != report.NotVerified && verdict != report.Unclear {
			continue
		}
		out.rows = append(out.rows, Row{
			Source: Refused, Commit: e.Commit, Time: e.Time, Index: i, Actor: cmp.Or(l.Actor, e.Name),
			Unit: l.Unit, Item: l.Item, Required: !l.Optional,
			Verdict: verdict, Contradiction: l.Contradiction, Evidence: l.Evidence, Reason: l.Message,
		})
	}
	return out, nil
}
