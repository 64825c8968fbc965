package judge

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/evidence/weaker"
	"github.com/acta-git/acta/judge/attest"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// judgeCommit judges a commit that is there, in a range unless that is nil. The outcome is the caller's to change.
func (h *History) judgeCommit(ctx context.Context, id repo.ID, p *policy.Policy, span *span) (*outcome, error) {
	if span != nil { // each range has its commits once, and may have more of them than fit into memory
		return h.judgeLanded(ctx, id, p, span)
	}
	key := outcomeKey{Commit: id, Policy: p}
	cached := h.outcomes[key]
	if cached == nil {
		var err error
		if cached, err = h.judgeLanded(ctx, id, p, nil); err != nil {
			return nil, err
		}
		h.outcomes[key] = cached
	}
	out := *cached
	out.Findings, out.Verdicts = slices.Clone(cached.Findings), slices.Clone(cached.Verdicts)
	return &out, nil
}

func (h *History) judgeLanded(ctx context.Context, id repo.ID, p *policy.Policy, span *span) (*outcome, error) {
	c, err := readCommit(ctx, h.repo, string(id))
	if err != nil {
		return nil, err
	}
	sub, err := h.subject(ctx, c, p)
	if err != nil {
		return nil, err
	}
	if span != nil {
		sub.facts = span.facts
		if sub.base != nil {
			sub.span = commitSpan{span, repo.ID(sub.base.Name), c.Tree, c.Author.Email, &answer[*weaker.Account]{}}
		}
	}
	if h.runs == nil {
		sub.runs = sub.cachedRuns(h.runsFor(c.Commit))
	}
	out, err := sub.judge(ctx)
	if err != nil {
		return nil, err
	}
	out.id = id
	if out.adapts > 0 {
		if out.plan, err = sub.planAfter(ctx); err != nil {
			return nil, err
		}
	}
	h.remember(c, p, out.parts)
	return out, nil
}

// mayClaim reports whether a commit claims something, or cannot be read.
func (h *History) mayClaim(ctx context.Context, commits ...repo.ID) bool {
	return slices.ContainsFunc(commits, func(id repo.ID) bool {
		c, err := readCommit(ctx, h.repo, string(id))
		return err != nil || c.message.Has(parser.Act, parser.Adapt)
	})
}

// subject prepares to judge a commit that is there.
func (h *History) subject(ctx context.Context, c commit, p *policy.Policy) (*subject, error) {
	sub := &subject{
		id: c.ID, message: c.message, isMerge: len(c.Parents) > 1, isLanded: true,
		tree: *h.tree(c.Tree), Ancestors: h.Behind(c.Parents, p), answers: &answers{},
		authors: append([]string{c.Author.Name, c.Author.Email}, coAuthors(c.message)...),
	}
	before, err := treeBefore(ctx, h.repo, c.Commit)
	if err != nil {
		return nil, err
	}
	sub.base = h.tree(before)
	if sub.isMerge {
		sub.otherParents = c.Parents[1:]
	}
	if h.runs != nil {
		sub.runs = sub.cachedRuns(h.runs)
	}
	return sub, nil
}

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
	moved, err := g.movesByAdapt(ctx, c, d.message.Of(parser.Adapt))
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		to.Warnings = append(to.Warnings, err.Error())
	}
	for _, part := range d.message.Of(parser.Act, parser.Adapt) {
		lp := LandedPart{Commit: c, Part: part, HasFailed: rules.HasFailed(part), Files: files, StatusMoves: moved[part]}
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

// AttestNotes are the notes in which signed verdicts lie, on the commit that each is of.
const AttestNotes = "refs/notes/acta-attest"

// Verdict is the result of the range, ready to be signed. If a commit could not be judged, it fails.
func (l LandedRange) Verdict(ctx context.Context, r *repo.Repo, result *Result, at time.Time) (attest.Verdict, error) {
	if len(result.Undecided) > 0 {
		return attest.Verdict{}, errors.New("some commits of the range could not be judged, so there is no verdict to sign")
	}
	basis, err := l.basis(ctx, r)
	if err == nil && basis.Commits == 0 {
		err = errors.New("the range has no commits, so there is nothing to sign a verdict over")
	}
	return attest.Verdict{
		TimeCreated: at.UTC(), Basis: basis, Code: result.Code(), Report: *result.ForJSON(),
		Warnings: append([]string{}, result.Warnings...),
	}, err
}

func (l LandedRange) basis(ctx context.Context, r *repo.Repo) (attest.Basis, error) {
	head, errHead := r.Commit(ctx, l.Head)
	ids, errRange := r.Range(ctx, l.Base, l.Head)
	hash, errPolicy := snapshot.Base(r, l.Base).PolicyHash(ctx)
	b := attest.Basis{
		Commit: string(head.ID), Tree: string(head.Tree), Commits: len(ids), List: listDigest(ids),
		Policy: hash, Release: report.Release, Rules: rulesDigest(),
	}
	if err := cmp.Or(errHead, errRange, errPolicy); err != nil || l.Base == "" {
		return b, err
	}
	parted, err := snapshot.MergeBase(r, l.Base, l.Head).Commit(ctx)
	b.Base = string(parted.ID)
	return b, err
}

// listDigest is the SHA-256 of ids, sorted, a line each.
func listDigest(ids []repo.ID) string {
	sum := sha256.New()
	for _, id := range slices.Sorted(slices.Values(ids)) {
		fmt.Fprintln(sum, id)
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

func rulesDigest() string {
	sum := sha256.New()
	for _, r := range rules.Rules() {
		page := r.Page()
		fmt.Fprintln(sum, r.ID, r.Severity, r.MilderSeverity, page.Title, page.Doc)
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}
