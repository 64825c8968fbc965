package judge

import (
	"cmp"
	"context"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/report"
)

// Claim is a verified claim and its current state.
type Claim struct {
	// Commit is the full id of the commit that made the claim.
	Commit string `json:"commit"`
	Unit   string `json:"unit"`
	Item   string `json:"item"`
	// Evidence is the list as cited. If it has several places, Trace describes the worst. Its reason also says what
	// excuses the claim.
	Evidence string `json:"evidence"`
	evidence.Trace

	isExcused bool
}

// ClaimsReport lists claims and their states, in the order of the commits.
type ClaimsReport struct {
	// Acta is the release that followed them.
	Acta string `json:"acta"`
	// Range is «BASE..HEAD» with full ids, or the id of the commit that they were followed to.
	Range  string  `json:"range"`
	Claims []Claim `json:"claims"`
	// Undecided says what could not be followed, and why; Warnings say what was left out.
	Undecided []string `json:"-"`
	Warnings  []string `json:"-"`
}

// Code is the exit code: 3 if a claim could not be followed, 1 if one is hollowed and not excused, else 0.
func (r *ClaimsReport) Code() int {
	if len(r.Undecided) > 0 {
		return 3
	}
	for _, c := range r.Claims {
		if c.State == evidence.StateHollowed && !c.isExcused {
			return 1
		}
	}
	return 0
}

// Claims follows claims to head. With a base, it follows the claims that verifying base..head follows; without one,
// those of the last 500 ACTs that head reaches, under head's policy.
func (h *History) Claims(ctx context.Context, base, head string) (*ClaimsReport, error) {
	var g *Reader
	var err error
	if base == "" {
		g, err = h.headReader(ctx, head)
	} else {
		g, err = h.rangeReader(ctx, base, head)
	}
	if err != nil {
		return nil, err
	}
	report := &ClaimsReport{Acta: report.Release, Claims: []Claim{}}
	report.Range, err = RangeName(ctx, h.repo, base, head)
	followed, errFollow := g.follow(ctx)
	if err := cmp.Or(err, errFollow); err != nil {
		return nil, err
	}
	for _, f := range followed {
		c := Claim{Commit: f.Commit, Unit: f.Unit, Item: f.Item, Evidence: f.Evidence, Trace: f.Trace}
		if c.State >= evidence.StateGone {
			c.excuse(f.ReopenedBy, f.WasBrokenBefore)
		}
		report.Claims = append(report.Claims, c)
	}
	report.Undecided, report.Warnings = g.Undecided, g.Warnings
	return report, nil
}

func (c *Claim) excuse(reopened string, wasBefore bool) {
	switch {
	case reopened != "":
		c.Reason += "; commit " + reopened[:12] + " reopened the task"
	case wasBefore:
		c.Reason += "; it was so before the range"
	default:
		return
	}
	c.isExcused = true
}

// headReader prepares to follow everything that head reaches.
func (h *History) headReader(ctx context.Context, head string) (*Reader, error) {
	c, errHead := h.repo.Commit(ctx, head)
	p, errPolicy := snapshot.At(h.repo, head).Policy(ctx)
	if err := cmp.Or(errHead, errPolicy); err != nil {
		return nil, err
	}
	g := (&span{History: h, policy: p, headRev: head}).newReader()
	return g, g.readRecord(ctx, c.ID)
}

func (h *History) rangeReader(ctx context.Context, base, head string) (*Reader, error) {
	ids, err := h.repo.Range(ctx, base, head)
	if err != nil {
		return nil, err
	}
	s := &span{History: h, policyRev: base, baseRev: base, headRev: head, ids: ids}
	return s.newReader(), s.prepare(ctx, nil)
}
