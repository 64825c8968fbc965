package rules

import (
	"fmt"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

func runRegressed(p *rangePass) {
	for i := range p.Followed {
		f := &p.Followed[i]
		maximum := report.Warning
		withdraw := fmt.Sprintf("`Reopen: %s` in an ADAPT if the task is complete, else an ADAPT of it and another ACT",
			f.Unit)
		isBox := parser.BoxFile(f.Unit) != ""
		if isBox {
			withdraw = "untick its box"
		}
		hint := "restore the code, report the item again with its new place, or withdraw the claim: "
		switch {
		case f.WasBrokenBefore || f.ReopenedBy != "":
			continue
		case f.Trace.State == evidence.StateHollowed:
			maximum = report.Error
			hint = "write the code again, or withdraw the claim: "
		case f.Trace.State != evidence.StateGone || isBox: // nobody ticks a box again because its code moved
			continue
		}
		p.report(report.Finding{
			Commit: f.BrokenBy, Unit: f.Unit, Item: f.Item,
			Path: f.Trace.Path, Line: f.Trace.Line, Column: min(f.Trace.Line, 1), EndLine: f.Trace.EndLine,
			Message: fmt.Sprintf("Evidence '%s' of commit %.12s does not hold any more: %s.", f.Place, f.Commit, f.Trace.Reason),
			Hint:    hint + withdraw,
		}, maximum, f.Tier, f.Waivers, f.Place, f.Trace.Path)
	}
}
