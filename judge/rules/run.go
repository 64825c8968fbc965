package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// RecordedRun is a command that was run, as a session recorded it.
type RecordedRun struct {
	// Command is the whole command line.
	Command string
	// Exit is its exit code; nil where that is not known.
	Exit *int
	// The following is known only for runs of `acta run`. Counts are those of its reports, nil without any.
	Counts  parser.Counts
	Reports []string
	// Trees are the work tree when it was run: as it was, and without the files that git did not track.
	Trees []string
	// Proof is the result of acta prove; nil for another command.
	Proof *report.Proof
	// IsNoted: it is from a note on a commit, not from a session.
	IsNoted bool
}

// source says by whom the run was recorded.
func (r *RecordedRun) source() string {
	if r.IsNoted {
		return "(refs/notes/acta-runs)"
	}
	return "in this session"
}

// runVerdict is the verdict of the record on a claimed run.
type runVerdict struct {
	verdict report.Verdict // 0 if the record does not know the run
	// reason says why it is not verified; last is the run that decided, nil for none.
	reason string
	last   *RecordedRun
}

// compareRun compares a claimed run with the recorded ones, in order. The last run of the same command counts; a doubt
// makes the claim unclear.
func compareRun(claimed string, exit int, runs []RecordedRun) runVerdict {
	last := -1
	for i := range runs {
		if runs[i].Exit != nil && runs[i].isOf(claimed) {
			last = i
		}
	}
	if claimed == "" || last < 0 {
		return runVerdict{}
	}
	r := &runs[last]
	if *r.Exit == exit {
		return runVerdict{verdict: report.Verified, last: r}
	}
	program := path.Base(strings.Fields(claimed)[0])
	for _, later := range runs[last+1:] {
		if strings.Contains(later.Command, program) && (later.Exit == nil || *later.Exit == exit) {
			return runVerdict{verdict: report.Unclear,
				reason: fmt.Sprintf("it ended with %d, and %s ran again later, by another command", *r.Exit, program)}
		}
	}
	for i := range runs[:last] {
		if exit != 0 && runs[i].Exit != nil && *runs[i].Exit == exit && runs[i].isOf(claimed) {
			return runVerdict{verdict: report.Unclear,
				reason: fmt.Sprintf("it ended with %d, and with %d before", *r.Exit, exit)}
		}
	}
	return runVerdict{verdict: report.NotVerified, last: r,
		reason: fmt.Sprintf("it ended with %d when it was last run %s", *r.Exit, r.source())}
}

// isOf reports whether the run is of a command of this text, blanks folded.
func (r *RecordedRun) isOf(claimed string) bool { return foldBlanks(r.Command) == claimed }

func foldBlanks(text string) string { return strings.Join(strings.Fields(text), " ") }

// claimedCommand is a claimed command without backticks or a prompt, blanks folded.
func claimedCommand(s string) string {
	s = strings.TrimSpace(s)
	if inner := strings.Trim(s, "`"); len(inner) < len(s) && !strings.Contains(inner, "`") {
		s = inner
	}
	return foldBlanks(strings.TrimPrefix(strings.TrimSpace(s), "$ "))
}

// checkCounts compares the counts of a claimed run with its reports, if its exit code holds. More passed or fewer
// failed tests refute the claim, unless an earlier run had these counts.
func checkCounts(c *checkedRun, runs []RecordedRun) {
	recorded := c.last
	if c.verdict != report.Verified || c.Counts == nil || recorded == nil || !exceeds(c.Counts, recorded.Counts) {
		return
	}
	claimed := commandOf(&c.ClaimedRun)
	c.verdict, c.reason = report.NotVerified, fmt.Sprintf("its reports have %s", recorded.Counts)
	if slices.ContainsFunc(runs, func(r RecordedRun) bool {
		return r.isOf(claimed) && r.Counts != nil && !exceeds(c.Counts, r.Counts)
	}) {
		c.verdict, c.reason = report.Unclear, fmt.Sprintf("the reports of its last run have %s", recorded.Counts)
	}
}

// exceeds reports whether more passed tests or fewer failed ones are claimed than recorded. Skipped tests do not count,
// since runners count them differently.
func exceeds(claimed, recorded parser.Counts) bool {
	if recorded == nil {
		return false
	}
	passed := claimed["passed"] > recorded["passed"]
	failed, hasFailed := claimed["failed"]
	return passed || hasFailed && failed < recorded["failed"]
}

// checkStale makes a claim unclear if its run was of another tree.
func (f *gathering) checkStale(c *checkedRun) {
	if c.last == nil || len(c.last.Trees) == 0 || c.verdict == report.Unclear {
		return
	}
	differs, paths, err := f.Source.CompareRun(f.Ctx, c.last)
	if f.Note(err); !differs {
		return
	}
	c.verdict, c.staleReason = report.Unclear, "it was run before the committed files had this content"
	if len(paths) > 0 {
		c.staleReason = fmt.Sprintf("it was run before %s had the committed content", report.Enumerate(paths))
	}
	c.reason = c.staleReason
}
