package rules

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// StatusRan is the status of a claimed run in ClaimVerdict; items have Done and the like.
const StatusRan = "ran"

func runContradicted(p *pass) {
	for i := range p.checkedRuns {
		switch c := &p.checkedRuns[i]; {
		case c.staleReason != "":
			p.noteRun(&c.ClaimedRun, c.item(), fmt.Sprintf("«%s» was not compared with its record: %s.",
				shorten(commandOf(&c.ClaimedRun)), c.staleReason),
				"run it again with `acta run -- COMMAND`, and report the line that it prints")
		case c.verdict != report.NotVerified:
		case *c.last.Exit == c.Exit:
			p.reportRanAt(c, fmt.Sprintf("«%s» is reported with %s, and the reports of its last run %s have %s.",
				shorten(commandOf(&c.ClaimedRun)), c.Counts, c.last.source(), c.last.Counts),
				fmt.Sprintf("report what was recorded: «Ran: %s | exit %d | %s»", shorten(commandOf(&c.ClaimedRun)),
					*c.last.Exit, c.last.Counts))
		default:
			command, exit := shorten(commandOf(&c.ClaimedRun)), *c.last.Exit
			p.reportRanAt(c, fmt.Sprintf("«%s» ended with exit code %d when it was last run %s, not with %d.", command, exit,
				c.last.source(), c.Exit),
				fmt.Sprintf("fix what fails and run it again, or report «Ran: %s | exit %d»", command, exit))
		}
	}
	if p.hasRecord {
		p.noteUnread()
	}
	p.reportContradicted()
}

type checkedRun struct {
	parser.ClaimedRun
	runVerdict
	// staleReason says why its record is of another tree; "" where it is not.
	staleReason string
}

// item is how the run is called among the claims of the commit.
func (c *checkedRun) item() string {
	if c.IsProof {
		return report.ProofItem + c.Command.Value
	}
	return "Ran: " + c.Command.Value
}

// commandOf is the command line of a claimed run, blanks folded.
func commandOf(c *parser.ClaimedRun) string {
	text := claimedCommand(c.Command.Value)
	if c.IsProof {
		text = foldBlanks(report.ProofCommand(text))
	}
	return text
}

func (c *checkedRun) claimVerdict(unit string) report.ClaimVerdict {
	outcome := "exit " + strconv.Itoa(c.Exit)
	if c.Counts != nil {
		outcome += " | " + c.Counts.String()
	}
	if c.IsProof {
		outcome = fmt.Sprintf("%d of %d", c.Counts["passed"], c.Counts["passed"]+c.Counts["failed"])
	}
	return report.ClaimVerdict{
		Unit: unit, Item: c.item(), Status: StatusRan, Kind: string(evidence.KindCode), Evidence: outcome,
		Verdict: c.verdict, IsContradiction: c.verdict == report.NotVerified, Reason: c.reason,
	}
}

// judgeRuns compares the runs that an ACT claims with the record. An unrecorded run has no verdict.
func (f *gathering) judgeRuns() {
	if f.Part.Kind != parser.Act || f.IsWholeCommit || !f.HasRuns || len(f.Part.Runs) == 0 {
		return
	}
	recorded := answer(f.inquiry, f.Source.Runs)
	if len(recorded) == 0 {
		return
	}
	f.checkedRuns, f.hasRecord = checkRuns(f.Part.Runs, recorded), true
	for i := range f.checkedRuns {
		checkCounts(&f.checkedRuns[i], recorded)
		f.checkStale(&f.checkedRuns[i])
	}
}

// checkRuns are the claimed runs that the record knows. If a run is claimed twice with different codes, the first claim
// means an earlier run, which the last recorded one does not refute.
func checkRuns(claimed []parser.ClaimedRun, runs []RecordedRun) []checkedRun {
	var out []checkedRun
	laterExit := map[string]int{} // how a command ends that is reported further down
	for _, c := range slices.Backward(claimed) {
		if c.Err != "" {
			continue
		}
		text := commandOf(&c)
		run := checkedRun{ClaimedRun: c, runVerdict: compareRun(text, c.Exit, runs)}
		if code, ok := laterExit[text]; ok && code != c.Exit && run.verdict == report.NotVerified {
			run.runVerdict = runVerdict{verdict: report.Unclear, reason: fmt.Sprintf("it is reported again, with exit %d", code)}
		}
		if laterExit[text] = c.Exit; run.verdict != 0 {
			out = append(out, run)
		}
	}
	slices.Reverse(out)
	return out
}

func (p *pass) reportRanAt(c *checkedRun, message, hint string) {
	if proof := c.last.Proof; proof != nil && c.IsProof {
		message = fmt.Sprintf("The last proof by this command %s says otherwise: «%s».", c.last.source(), proof.Line())
		hint = "report that line, or write tests that notice more, and prove it again"
	}
	f := findingAt(c.Command.Span, message, hint)
	f.Item = c.item()
	p.report(f, f.Item, c.Command.Value, fmt.Sprintf("%s | exit %d", c.Command.Value, c.Exit))
}

// noteUnread notes `Ran:` lines without an exit code, which are not compared.
func (p *pass) noteUnread() {
	for _, r := range p.Part.Runs {
		if r.Err != "" {
			p.noteRun(&r, "", "This `Ran:` line was not compared with the record: "+r.Err+".",
				"write «Ran: <command> | exit <n>»")
		}
	}
}

func (p *pass) noteRun(r *parser.ClaimedRun, item, message, hint string) {
	f := findingAt(r.Command.Span, message, hint)
	f.Rule, f.Severity, f.Unit, f.Item = p.rule.ID, report.Note, p.Part.Unit.Value, item
	p.findings = append(p.findings, f)
}
