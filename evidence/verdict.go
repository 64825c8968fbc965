package evidence

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// ItemVerdict is the verdict on a reported item.
type ItemVerdict struct {
	// Results are those of the cited places, in order.
	Results []Result
	Verdict report.Verdict
	// Why says why it is not verified, or is the reported reason for skipping it.
	Why string
	// Contradiction: a cited place contradicts the item.
	Contradiction bool
	// IsFormal: only the report is at fault: no evidence, malformed evidence or evidence of a missing place, or an open
	// item. The claim may be true.
	IsFormal bool
	// IsRelative: the verdict depends on the commit's change.
	IsRelative bool
}

// Item judges a reported item. The worst of its cited places decides.
func (j *Judge) Item(ctx context.Context, c parser.Claim, kind Kind) (ItemVerdict, error) {
	switch {
	case c.Status == parser.Pending:
		return ItemVerdict{Verdict: report.NotVerified, Why: "reported as pending", IsFormal: true}, nil
	case c.Status == parser.Skipped:
		return ItemVerdict{Verdict: report.Skipped, Why: c.Reason.Value}, nil
	case len(c.Evidence) == 0:
		return ItemVerdict{Verdict: report.NotVerified, Why: "no evidence is cited", IsFormal: true}, nil
	}
	v, k := ItemVerdict{Verdict: report.Verified, IsFormal: true}, j.call(ctx)
	var places []Claim
	for _, e := range c.Evidence {
		place := Claim{Evidence: e, Item: c.Item.Value, Kind: kind, HasOthers: len(c.Evidence) > 1}
		places = append(places, place)
		v.add(k.judgeEvidence(place))
		if k.Err != nil {
			return v, k.Err
		}
	}
	k.judgeNames(c, kind, &v)
	v.finish(places)
	return v, k.Err
}

func (v *ItemVerdict) add(r Result) {
	v.Results = append(v.Results, r)
	v.Verdict = max(v.Verdict, r.Verdict)
	v.Contradiction = v.Contradiction || r.Contradiction
	v.IsFormal = v.IsFormal && (r.Verdict != report.NotVerified ||
		r.fails(codeFormatInvalid, codeFileNotFound, codeOutOfRange))
}

func (r *Result) fails(codes ...Code) bool {
	return slices.ContainsFunc(r.Problems, func(p Problem) bool { return slices.Contains(codes, p.Code) })
}

func (v *ItemVerdict) finish(places []Claim) {
	v.IsFormal = v.IsFormal && v.Verdict == report.NotVerified
	if applyAsides(places, v.Results) {
		v.Verdict = report.Unclear
	}
	var reasons []string
	for _, r := range v.Results {
		if r.Reason != "" {
			reasons = append(reasons, r.Reason)
		}
		v.IsRelative = v.IsRelative || slices.ContainsFunc(r.Problems, func(p Problem) bool { return p.IsRelative })
	}
	v.Why = strings.Join(reasons, "; ")
}

// The messages of the checklist rules are part of their contract.
const (
	formatInvalid = "Evidence '%s' has invalid format. Required format: <file_path>:<line> or " +
		"<file_path>:<start>-<end>. Examples: 'auth.py:42', 'src/auth.py:42-58'."
	fileNotFound = "Evidence file not found: %s. Verify the file path is correct and the file exists."
	outOfRange   = "Evidence line %d exceeds file length (%d lines). Use a valid line number within 1-%d."
	emptyImpl    = "Empty implementation detected at '%s'. Contains %s. Add actual implementation code."
)

// stubContent describes a stub in the words of the checklist rule.
const stubContent = "only pass/TODO/NotImplementedError"

func emptyAt(e parser.Evidence, content string) string {
	return fmt.Sprintf(emptyImpl, canonical(e), content)
}

// canonical writes evidence without its anchor, which a hook may add later.
func canonical(e parser.Evidence) string {
	e.Err = ""
	return e.Place()
}

// lines writes a range of lines, 42 or 42-58.
func lines(first, last int) string {
	if first >= last {
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("%d-%d", first, last)
}

func refusal(reason string, p Problem) Result {
	return Result{Verdict: report.NotVerified, Reason: reason, Problems: []Problem{p}}
}

// unclearBy is the result of lines that a problem, reported by another rule, makes unclear.
func (p *place) unclearBy(code Code, message, why, hint string) Result {
	r := p.unclear(why, "")
	r.Problems[0].Cause = code
	r.Problems = append([]Problem{p.problem(code, message, hint)}, r.Problems...)
	return r
}

// unclear says why a place neither shows nor refutes the claim; why continues «it».
func unclear(e parser.Evidence, why, hint string) Result {
	return Result{Verdict: report.Unclear, Reason: why, Problems: []Problem{{Code: Uncertain, Path: e.Path, Hint: hint,
		Message: fmt.Sprintf("Evidence '%s' is unclear: %s.", canonical(e), why)}}}
}

func markRelative(r Result) Result {
	for i := range r.Problems {
		r.Problems[i].IsRelative = true
	}
	return r
}

func badForm(path, written, hint string) Result {
	return refusal("invalid format", Problem{
		Code: codeFormatInvalid, Path: path, Message: fmt.Sprintf(formatInvalid, written),
		Hint:         cmp.Or(hint, "a path starts at the top of the repository, and lines count from 1"),
		IsCorrection: hint != "",
	})
}
