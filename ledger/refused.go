package ledger

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/worklog"
)

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

// refusedRows reads the refused claims of the audit log. Findings without a
// verdict, and whatever no hook has written, are none.
func refusedRows(dir string) ([]Row, error) {
	entries, _, err := worklog.Audit(dir).Read(0)
	if err != nil {
		return nil, fmt.Errorf("the audit log cannot be read: %w", err)
	}
	var rows []Row
	for i, e := range entries {
		if !strings.HasPrefix(e.Cmd, "hook ") {
			continue
		}
		var l refusedLine
		var verdict diag.Verdict
		if json.Unmarshal(e.Params, &l) != nil || verdict.UnmarshalText([]byte(l.Verdict)) != nil {
			continue
		}
		actor := l.Actor
		if actor == "" {
			actor = e.Name
		}
		rows = append(rows, Row{
			Source: Refused, Commit: e.Commit, Time: e.Time, Index: i, Actor: actor, Unit: l.Unit, Item: l.Item, Required: !l.Optional,
			Verdict: verdict, Contradiction: l.Contradiction, Evidence: l.Evidence, Reason: l.Message,
		})
	}
	return rows, nil
}
