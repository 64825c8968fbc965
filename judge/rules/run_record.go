package rules

import (
	"fmt"
	"slices"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

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
