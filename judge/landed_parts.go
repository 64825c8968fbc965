package judge

import (
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

// LandedPart is an ACT or ADAPT that has landed: a commit, or one title of a squash. Where a commit ticks boxes, the
// ticks of each file are one more, whose unit is the file.
type LandedPart struct {
	Commit repo.Commit
	Part   *parser.Part
	// Verdicts are those of its claims, in order. Where it could not be judged they are unclear, and say why.
	Verdicts []report.ClaimVerdict
	// Failed: the attempt says itself that it failed, or one of its claims is not verified.
	Failed bool
	// Files are the paths that the commit changes, compared with its first parent.
	Files []string
	// Moved are the statuses that an ADAPT moved in the plan.
	Moved []plan.Move
}

// Record is what has been done, the oldest first.
type Record struct {
	Landed []LandedPart
	// Tier is the default of the policy.
	Tier policy.Tier
	// Warnings say what was left out.
	Warnings []string
}

// Record lists the last ACTs that head reaches (500 of them) and the ADAPTs between
// them, with their verdicts, under the policy that stands there. A branch that is
// not born has none.
func (h *History) Record(ctx context.Context, head string) (*Record, error) {
	g, err := h.listing(ctx, head)
	if errors.Is(err, repo.ErrUnborn) {
		return &Record{Tier: policy.Default().DefaultTier}, nil
	}
	if err != nil {
		return nil, err
	}
	all := &Record{Tier: g.policy.DefaultTier, Warnings: g.Warnings}
	for _, c := range g.commits {
		if err := g.add(ctx, all, c); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// RecordOf is the Record of one commit alone; empty where it claims nothing.
func (h *History) RecordOf(ctx context.Context, rev string) (*Record, error) {
	c, err := h.repo.Commit(ctx, rev)
	if err != nil {
		return nil, err
	}
	p, err := snapshot.At(h.repo, string(c.ID)).Policy(ctx)
	if err != nil {
		return nil, err
	}
	g, all := h.Read(nil, p), &Record{Tier: p.DefaultTier}
	d, err := g.read(ctx, c.ID, false)
	if err == nil && d != nil {
		err = g.add(ctx, all, d)
	}
	for _, u := range g.Undecided {
		all.Warnings = append(all.Warnings, u.Error())
	}
	return all, err
}

// add adds what a commit did.
func (g *Reader) add(ctx context.Context, to *Record, d *landedCommit) error {
	c, err := g.repo.Commit(ctx, d.id)
	if err != nil {
		return err
	}
	var files []string
	opened, errJudge := g.subject(ctx, commit{c, d.message}, g.policy)
	if errJudge == nil {
		if files, err = FilesOf(ctx, g.repo, c); err != nil {
			return err
		}
	}
	moved, err := g.adapted(ctx, c, d.message.Parts)
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
		landed := LandedPart{Commit: c, Part: part, Failed: rules.Failed(part), Files: files, Moved: moved[i]}
		why := errJudge
		if why == nil && part.Kind == parser.Act {
			var out *rules.Output
			if _, out, why = opened.Part(ctx, part, nil); why == nil {
				landed.Verdicts = out.Verdicts
			}
		}
		if why != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			landed.Verdicts = unjudged(part, why)
			to.Warnings = append(to.Warnings, fmt.Sprintf("commit %.12s could not be judged: %v", d.id, why))
		}
		for _, v := range landed.Verdicts {
			blocked := v.Status == string(parser.Pending) && rules.Blocked(part) != ""
			landed.Failed = landed.Failed || v.Verdict == report.NotVerified && !blocked
		}
		to.Landed = append(to.Landed, landed)
	}
	if errJudge == nil {
		to.Warnings = append(to.Warnings, opened.unread...)
	}
	to.addTicks(c, d, files)
	return nil
}

// addTicks adds the boxes that a commit ticks, by file.
func (to *Record) addTicks(c repo.Commit, d *landedCommit, files []string) {
	first := d.message.Parts[0]
	subject, _, _ := strings.Cut(string(c.Message), "\n")
	for i, t := range d.ticked {
		if i == 0 || t.file != d.ticked[i-1].file {
			to.Landed = append(to.Landed, LandedPart{Commit: c, Files: files, Part: &parser.Part{
				Kind: parser.Ticked, Unit: parser.Text{Value: t.file}, Summary: parser.Text{Value: subject},
				Report: parser.Report{Actor: first.Actor, Session: first.Session, Tier: first.Tier},
			}})
		}
		p := &to.Landed[len(to.Landed)-1]
		p.Verdicts = append(p.Verdicts, t.verdict)
		p.Failed = p.Failed || t.verdict.Verdict == report.NotVerified
	}
}

// FilesOf are the paths that a commit changes against its first parent; none where a shallow clone left that out.
func FilesOf(ctx context.Context, r *repo.Repo, c repo.Commit) ([]string, error) {
	files, _, err := changedBy(ctx, r, c)
	if errors.Is(err, repo.ErrShallow) {
		return nil, nil
	}
	return files, err
}

// unjudged are the claims of a part that could not be judged.
func unjudged(part *parser.Part, why error) []report.ClaimVerdict {
	var all []report.ClaimVerdict
	for _, c := range part.Claims {
		all = append(all, report.ClaimVerdict{
			Unit: part.Unit.Value, Item: c.Item.Value, Status: string(c.Status), Evidence: c.Cited.Value,
			Verdict: report.Unclear, Reason: why.Error(),
		})
	}
	return all
}
