package rules

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// StatusRan is the status of a claimed run in ClaimVerdict; Done and the like are those of items.
const StatusRan = "ran"

func runContradicted(p *pass) {
	for i := range p.ran {
		switch c := &p.ran[i]; {
		case c.stale != "":
			p.noteStale(c)
		case c.verdict != report.NotVerified:
		case *c.last.Exit == c.Exit:
			p.reportCounts(c)
		default:
			p.reportRun(c)
		}
	}
	if p.recorded {
		p.noteUnread()
	}
	p.reportContradicted()
}

// ranClaim is a claimed run, and what is known of it.
type ranClaim struct {
	parser.ClaimedRun
	ruling
	// stale says why its record is of another tree; "" where it is not.
	stale string
}

// item is how the run is called among the claims of the commit.
func (c *ranClaim) item() string {
	if c.Proved {
		return report.ProofItem + c.Command.Value
	}
	return "Ran: " + c.Command.Value
}

// commandOf is the command line that a claimed run stands for, blanks folded.
func commandOf(c *parser.ClaimedRun) string {
	text := claimedCommand(c.Command.Value)
	if c.Proved {
		text = folded(report.ProofCommand(text))
	}
	return text
}

// judged is the verdict on the run.
func (c *ranClaim) judged(unit string) report.ClaimVerdict {
	said := "exit " + strconv.Itoa(c.Exit)
	if c.Counts != nil {
		said += " | " + c.Counts.String()
	}
	if c.Proved {
		said = fmt.Sprintf("%d of %d", c.Counts["passed"], c.Counts["passed"]+c.Counts["failed"])
	}
	return report.ClaimVerdict{
		Unit: unit, Item: c.item(), Status: StatusRan, Evidence: said,
		Verdict: c.verdict, Contradiction: c.verdict == report.NotVerified, Reason: c.reason,
	}
}

// judgeRuns holds the runs that an ACT claims to those that were recorded. What is not recorded has no verdict.
func (f *facts) judgeRuns(ctx context.Context) error {
	if f.Part.Kind != parser.Act || f.OfCommit || !f.HasRuns || len(f.Part.Ran) == 0 {
		return nil
	}
	recorded, err := f.Source.Runs(ctx)
	if err != nil || len(recorded) == 0 {
		return err
	}
	f.ran, f.recorded = heldRuns(f.Part.Ran, recorded), true
	for i := range f.ran {
		countRuling(&f.ran[i], recorded)
		if err := f.staleRuling(ctx, &f.ran[i]); err != nil {
			return err
		}
	}
	return nil
}

// heldRuns are the claimed runs of which the record says something. One that is reported
// again with another code tells of an earlier run, which the last one says nothing of.
func heldRuns(claimed []parser.ClaimedRun, runs []RecordedRun) []ranClaim {
	var out []ranClaim
	again := map[string]int{} // how a command ends that is reported further down
	for _, c := range slices.Backward(claimed) {
		if c.Err != "" {
			continue
		}
		text := commandOf(&c)
		held := ranClaim{ClaimedRun: c, ruling: hold(text, c.Exit, runs)}
		if code, ok := again[text]; ok && code != c.Exit && held.verdict == report.NotVerified {
			held.ruling = ruling{verdict: report.Unclear, reason: fmt.Sprintf("it is reported again, with exit %d", code)}
		}
		if again[text] = c.Exit; held.verdict != 0 {
			out = append(out, held)
		}
	}
	slices.Reverse(out)
	return out
}

// reportRun reports a claimed run that ended otherwise.
func (p *pass) reportRun(c *ranClaim) {
	command, exit := commandOf(&c.ClaimedRun), *c.last.Exit
	p.reportRanAt(c, fmt.Sprintf("«%s» ended with exit code %d when it was last run %s, not with %d.",
		short(command), exit, c.last.where(), c.Exit),
		fmt.Sprintf("fix what fails and run it again, or report «Ran: %s | exit %d»", short(command), exit))
}

// reportRanAt reports a claimed run where it is claimed.
func (p *pass) reportRanAt(c *ranClaim, message, hint string) {
	if proof := c.last.Proof; proof != nil && c.Proved {
		message = fmt.Sprintf("The last proof by this command %s says otherwise: «%s».", c.last.where(), proof.Line())
		hint = "report that line, or write tests that notice more, and prove it again"
	}
	p.report(runFinding(&c.ClaimedRun, c.item(), message, hint), c.item(), c.Command.Value,
		fmt.Sprintf("%s | exit %d", c.Command.Value, c.Exit))
}

// noteUnread notes the lines that claim a run and do not say how it ended: nobody compares them.
func (p *pass) noteUnread() {
	for _, r := range p.Part.Ran {
		if r.Err != "" {
			p.noteRun(&r, "", "This `Ran:` line was not compared with the record: "+r.Err+".",
				"write «Ran: <command> | exit <n>»")
		}
	}
}

// noteRun notes something about a claimed run where it is claimed.
func (p *pass) noteRun(r *parser.ClaimedRun, item, message, hint string) {
	f := runFinding(r, item, message, hint)
	f.Rule, f.Severity, f.Unit = p.rule.ID, report.Note, p.Part.Unit.Value
	p.findings = append(p.findings, f)
}

// runFinding is a finding that stands where a run is claimed.
func runFinding(r *parser.ClaimedRun, item, message, hint string) report.Finding {
	at := r.Command.Span
	return report.Finding{
		Line: at.Start.Line, Column: at.Start.Column, EndLine: at.End.Line, Item: item, Message: message, Hint: hint,
	}
}
