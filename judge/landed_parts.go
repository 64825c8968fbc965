package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// LandedPart is an ACT or ADAPT that has landed: a commit, or one title of a squash. The ticks of each file of a commit
// are another part, whose unit is the file.
type LandedPart struct {
	Commit repo.Commit
	Part   *parser.Part
	// Verdicts are those of its claims, in order. If it could not be judged, they are unclear and say why.
	Verdicts []report.ClaimVerdict
	// HasFailed: the attempt says itself that it failed, or one of its claims is not verified.
	HasFailed bool
	// Files are the paths that the commit changes, compared with its first parent.
	Files []string
	// StatusMoves are the statuses that an ADAPT moved in the plan.
	StatusMoves []plan.Move
}

// Record lists finished work, oldest first.
type Record struct {
	Parts []LandedPart
	// Tier is the default of the policy.
	Tier policy.Tier
	// Warnings say what was left out.
	Warnings []string
}

// Record lists the last 500 ACTs that head reaches and the ADAPTs between them, with their verdicts, under head's
// policy. An unborn branch has none.
func (h *History) Record(ctx context.Context, head string) (*Record, error) {
	g, err := h.headReader(ctx, head)
	if errors.Is(err, repo.ErrUnborn) {
		return &Record{Tier: policy.Default().DefaultTier}, nil
	}
	if err != nil {
		return nil, err
	}
	all := &Record{Tier: g.policy.DefaultTier, Warnings: g.Warnings}
	for _, c := range g.commits {
		if err := g.addCommit(ctx, all, c); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// RecordOf is the Record of one commit; empty if it claims nothing.
func (h *History) RecordOf(ctx context.Context, rev string) (*Record, error) {
	c, errCommit := h.repo.Commit(ctx, rev)
	p, errPolicy := snapshot.At(h.repo, rev).Policy(ctx)
	if err := cmp.Or(errCommit, errPolicy); err != nil {
		return nil, err
	}
	g, all := (&span{History: h, policy: p}).newReader(), &Record{Tier: p.DefaultTier}
	d, err := g.readCommit(ctx, c.ID, false)
	if err == nil && d != nil {
		err = g.addCommit(ctx, all, d)
	}
	all.Warnings = append(all.Warnings, g.Undecided...)
	return all, err
}

func (g *Reader) addCommit(ctx context.Context, to *Record, d *landedCommit) error {
	c, err := g.repo.Commit(ctx, d.id)
	if err != nil {
		return err
	}
	var files []string
	sub, errJudge := g.subject(ctx, commit{c, d.message}, g.policy)
	if errJudge == nil {
		if files, err = FilesOf(ctx, g.repo, c); err != nil {
			return err
		}
	}
	moved, err := g.movesByAdapt(ctx, c, d.message.Parts)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		to.Warnings = append(to.Warnings, err.Error())
	}
	for i := range d.message.Parts {
		part := &d.message.Parts[i]
		if part.Kind != parser.Act && part.Kind != parser.Adapt {
			continue
		}
		lp := LandedPart{Commit: c, Part: part, HasFailed: rules.HasFailed(part), Files: files, StatusMoves: moved[i]}
		why := errJudge
		if why == nil && part.Kind == parser.Act {
			var out *rules.Output
			if _, out, why = sub.judgePart(ctx, part, nil); why == nil {
				lp.Verdicts = out.Verdicts
			}
		}
		if why != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			lp.Verdicts = unclearVerdicts(part, why)
			to.Warnings = append(to.Warnings, fmt.Sprintf("commit %.12s could not be judged: %v", d.id, why))
		}
		for _, v := range lp.Verdicts {
			blocked := v.Status == string(parser.Pending) && rules.BlockReason(part) != ""
			lp.HasFailed = lp.HasFailed || v.Verdict == report.NotVerified && !blocked
		}
		to.Parts = append(to.Parts, lp)
	}
	if errJudge == nil {
		to.Warnings = append(to.Warnings, sub.warnings...)
	}
	to.addTicks(c, d, files)
	return nil
}

func (to *Record) addTicks(c repo.Commit, d *landedCommit, files []string) {
	first := d.message.Parts[0]
	subject, _, _ := strings.Cut(string(c.Message), "\n")
	for i, v := range d.ticks {
		file := parser.BoxFile(v.Unit)
		if i == 0 || file != parser.BoxFile(d.ticks[i-1].Unit) {
			to.Parts = append(to.Parts, LandedPart{Commit: c, Files: files, Part: &parser.Part{
				Kind: parser.PlanBox, Unit: parser.Text{Value: file}, Summary: parser.Text{Value: subject},
				Report: parser.Report{Actor: first.Actor, Session: first.Session, Tier: first.Tier},
			}})
		}
		p := &to.Parts[len(to.Parts)-1]
		p.Verdicts = append(p.Verdicts, v)
		p.HasFailed = p.HasFailed || v.Verdict == report.NotVerified
	}
}

// FilesOf are the paths that a commit changes against its first parent; none if a shallow clone cut that off.
func FilesOf(ctx context.Context, r *repo.Repo, c repo.Commit) ([]string, error) {
	files, _, err := commitChanges(ctx, r, c)
	if errors.Is(err, repo.ErrShallow) {
		return nil, nil
	}
	return files, err
}

func unclearVerdicts(part *parser.Part, why error) []report.ClaimVerdict {
	var all []report.ClaimVerdict
	for _, c := range part.Claims {
		all = append(all, report.ClaimVerdict{
			Unit: part.Unit.Value, Item: c.Item.Value, Status: string(c.Status), Evidence: c.EvidenceText.Value,
			Verdict: report.Unclear, Reason: why.Error(),
		})
	}
	return all
}
