package rules

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
	"github.com/acta-git/acta/report/results"
)

// RangeAct is an ACT of a range.
type RangeAct struct {
	Commit string
	Part   *parser.Part
	// IsUnchanged: no later commit changed code, so reports of the end of the range apply to it.
	IsUnchanged bool
	tier        policy.Tier
}

type tierSource interface {
	CommitTier(ctx context.Context, commit string, cited []string) (policy.Tier, []parser.Waiver, error)
}

func (f *gathering) readResults() {
	if f.Results == nil || f.IsWholeCommit {
		return
	}
	for _, c := range f.claims {
		if c.Status != parser.Done || c.Verdict != report.Verified {
			continue
		}
		checked := &checkedClaim{ClaimVerdict: f.verdict(c)}
		for k, e := range c.Evidence {
			if e.Err != "" || e.IsRemoved || k >= len(c.Results) {
				continue
			}
			first, last := c.Results[k].First, c.Results[k].Last
			if first == 0 {
				first, last = e.Start, e.End
			}
			checked.addPlace(f.inquiry, f.Results, &checkedPlace{citedAs: e.Place(), path: e.Path, first: first, last: last})
		}
		f.checkedClaims = append(f.checkedClaims, checked)
	}
}

// readResults compares the claims of the range with the reports, and finds the tiers of the commits that they
// contradict.
func (f *rangeGathering) readResults() {
	if f.Results == nil {
		return
	}
	for i := range f.Followed {
		c := &f.Followed[i]
		if c.IsEarlier || c.ReopenedBy != "" {
			continue
		}
		checked := &checkedClaim{ClaimVerdict: c.ClaimVerdict}
		for _, at := range c.Places {
			if at.Evidence.IsRemoved || at.Trace.State >= evidence.StateUnclear {
				continue
			}
			h := &checkedPlace{
				citedAs: at.Evidence.Place(), path: at.Trace.Path, first: at.Trace.Line, last: at.Trace.EndLine,
			}
			checked.addPlace(f.inquiry, f.Results, h)
			if failedTests(h) != nil || testsNotRun(h) != nil || notExecuted(h) != nil {
				h.tier, h.waivers = f.commitTier(c.Commit, h.path)
			}
		}
		f.checkedClaims = append(f.checkedClaims, checked)
	}
	f.readActTiers()
}

// readActTiers finds the tiers of the ACTs that the reports contradict.
func (f *rangeGathering) readActTiers() {
	for i := range f.Acts {
		a := &f.Acts[i]
		isFalse := func(r parser.ClaimedRun) bool { return f.Results.contradiction(r) != "" }
		if !f.Results.isEmpty() && !slices.ContainsFunc(a.Part.Runs, isFalse) {
			continue
		}
		var paths []string
		for _, c := range a.Part.Claims {
			for _, e := range c.Evidence {
				paths = append(paths, e.Path)
			}
		}
		a.tier, _ = f.commitTier(a.Commit, paths...)
	}
}

func (f *rangeGathering) commitTier(commit string, cited ...string) (policy.Tier, []parser.Waiver) {
	tier, waivers, err := f.Tiers.CommitTier(f.Ctx, commit, cited)
	f.Note(err)
	return tier, waivers
}

// wholeFile is the last line of a place without lines.
const wholeFile = 1<<31 - 2

// addPlace adds a place; lines of 0 are the whole file.
func (c *checkedClaim) addPlace(q *inquiry, r *Results, h *checkedPlace) {
	if h.first == 0 {
		h.first, h.last = 1, wholeFile
	}
	r.checkPlace(q, h)
	c.places = append(c.places, h)
}

func (r *Results) summary(claims []*checkedClaim) *report.Results {
	out := &report.Results{Files: r.set.Files, Claims: []report.ClaimResults{}}
	for _, c := range claims {
		if r := c.report(); r != nil {
			out.Claims = append(out.Claims, *r)
		}
	}
	return out
}

func eachPlace(
	claims []*checkedClaim, check func(*checkedPlace) *report.Finding,
	report func(*checkedClaim, *checkedPlace, report.Finding),
) {
	for _, c := range claims {
		for _, h := range c.places {
			if f := check(h); f != nil {
				report(c, h, *f)
			}
		}
	}
}

func checkPlaces(check func(*checkedPlace) *report.Finding) func(*pass) {
	return func(p *pass) {
		eachPlace(p.checkedClaims, check, func(c *checkedClaim, h *checkedPlace, f report.Finding) {
			f.Item = c.Item
			p.report(f, h.citedAs, c.Evidence)
		})
	}
}

// checkRangePlaces checks each place of the claims of a range. A finding has the severity of the tier of the claim's
// commit.
func checkRangePlaces(check func(*checkedPlace) *report.Finding) func(*rangePass) {
	return func(p *rangePass) {
		eachPlace(p.checkedClaims, check, func(c *checkedClaim, h *checkedPlace, f report.Finding) {
			f.Commit, f.Unit, f.Item = c.Commit, c.Unit, c.Item
			p.report(f, report.Error, h.tier, h.waivers, h.citedAs, h.path)
		})
	}
}

// addCoverage adds a coverage report. `go test -coverpkg` omits the lines of a package with a failed test.
func (r *Results) addCoverage(c *results.Coverage) {
	hasFailed := r.set.Counts().Failed > 0
	written := report.Map(c.Files, func(f results.FileCoverage) string { return f.Path })
	at := r.paths.Map(written, c.Roots)
	writtenAs := map[string]string{}
	for i := range c.Files {
		w := c.Files[i].Path
		if p := at[w]; p != "" {
			// Two paths of one file come from two roots, and it is unknown which of them the tree is.
			r.partialFiles[p] = r.partialFiles[p] || c.Format == "go" && hasFailed || writtenAs[p] != "" && writtenAs[p] != w
			r.coverage[p], writtenAs[p] = append(r.coverage[p], &c.Files[i]), w
		}
	}
}

// countExecuted counts the lines of a place that were executed. The header of a definition is left out: in many
// languages it is executed when the file is loaded.
func (r *Results) countExecuted(q *inquiry, h *checkedPlace) {
	reports := r.coverage[h.path]
	if len(reports) == 0 {
		return
	}
	headers, isRan := r.headersOf(q, h.path), map[int]bool{}
	for _, c := range reports {
		for _, l := range c.Within(h.first, h.last) {
			isRan[int(l.Number)] = isRan[int(l.Number)] || l.IsExecuted
		}
	}
	outline := q.outline(r.tree, h.path)
	h.isPartial = r.partialFiles[h.path] || outline != nil && isTypeCheckingOnly(string(outline.Source), h.first)
	for n, executed := range isRan {
		if headers[n] {
			continue
		}
		if h.lines++; executed {
			h.ranLines++
		}
	}
}

// isTypeCheckingOnly reports whether a line of Python is under `if TYPE_CHECKING:`, which never runs.
func isTypeCheckingOnly(source string, line int) bool {
	if !strings.Contains(source, "TYPE_CHECKING") {
		return false
	}
	lines := strings.Split(source, "\n")
	indent := func(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }
	if line > len(lines) {
		return false
	}
	current := indent(lines[line-1])
	for _, above := range slices.Backward(lines[:line-1]) {
		trimmed := strings.TrimSpace(above)
		if trimmed == "" || indent(above) >= current {
			continue
		}
		current = indent(above)
		if strings.HasPrefix(trimmed, "if ") && strings.Contains(trimmed, "TYPE_CHECKING:") &&
			!strings.Contains(trimmed, "not ") {
			return true
		}
	}
	return false
}

// headersOf are the lines of a file that belong to a definition, before its body.
func (r *Results) headersOf(q *inquiry, path string) map[int]bool {
	if lines := r.headers[path]; lines != nil {
		return lines
	}
	lines := map[int]bool{}
	r.headers[path] = lines
	o := q.outline(r.tree, path)
	if o == nil {
		return lines
	}
	at := func(offset int) int { return 1 + bytes.Count(o.Source[:min(offset, len(o.Source))], []byte{'\n'}) }
	for _, d := range o.Definitions {
		if d.IsTitled || d.Body < 0 {
			continue
		}
		inside := bytes.TrimPrefix(bytes.TrimLeft(o.Source[d.Body:d.End], " \t\r\n"), []byte("{"))
		body := at(d.End - len(bytes.TrimLeft(inside, " \t\r\n")))
		for n := at(d.Outer); n < body; n++ {
			lines[n] = true
		}
	}
	return lines
}

func (q *inquiry) outline(t *evidence.Tree, path string) *evidence.Outline {
	return answer(q, func(ctx context.Context) (*evidence.Outline, error) { return t.Outline(ctx, path) })
}

// IsReached reports whether coverage says that lines of a file were executed, or may have been.
func (r *Results) IsReached(ctx context.Context, path string, first, last int) (bool, error) {
	h, q := &checkedPlace{path: path, first: first, last: last}, newInquiry(ctx)
	r.countExecuted(q, h)
	return h.lines == 0 || h.ranLines > 0 || h.isPartial, q.Err
}
