package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// judgedPart is what the plan needs to know of one part of a message: the ACT that it would be. Its Commit is "" for
// the message that is being judged.
type judgedPart struct {
	plan.Act
	// Kind is parser.None if the message takes the part back.
	Kind     parser.Kind
	unit     string
	reopened []parser.Text
	// verifiedEvidence is the evidence of each verified item.
	verifiedEvidence [][]evidence.Claim
}

func newJudgedPart(part *parser.Part, tier policy.Tier, out *rules.Output) judgedPart {
	s := judgedPart{Kind: part.Kind, unit: part.Unit.Value, reopened: part.Reopen, Act: plan.Act{
		HasFailed: rules.HasFailed(part), IsStrict: tier == policy.Strict, BlockReason: rules.BlockReason(part),
	}}
	for _, v := range out.Verdicts {
		isPending := v.Status == string(parser.Pending)
		s.HasRefuted = s.HasRefuted || v.Verdict == report.NotVerified && !(isPending && s.BlockReason != "")
		if isPending || v.Status == rules.StatusRan {
			continue
		}
		item := plan.ReportedItem{Item: plan.Item{Text: v.Item}, Basis: v.Evidence, IsSkipped: v.Verdict == report.Skipped}
		if item.IsSkipped {
			item.Basis = v.Reason
		}
		var verified []evidence.Claim
		switch v.Verdict {
		case report.Verified:
			for _, e := range parser.ParseEvidence(v.Evidence, report.Pos{}) {
				verified = append(verified, evidence.Claim{Evidence: e, Item: v.Item, Kind: evidence.Kind(v.Kind)})
			}
		case report.Unclear, report.NotVerified:
			item.Problem = "it is " + strings.ReplaceAll(v.Verdict.String(), "_", " ") + ": " + v.Reason
		}
		s.Items, s.verifiedEvidence = append(s.Items, item), append(s.verifiedEvidence, verified)
	}
	for _, f := range out.Findings {
		if f.Severity != report.Error || !rules.IsWaivable(f.Rule) {
			continue
		}
		s.HasErrors = true
		for i := range s.Items {
			if r := &s.Items[i]; f.Item == r.Text && r.Problem == "" {
				r.Problem = f.Message
			}
		}
	}
	return s
}

// ReportedAct is the ACT that a message would be, as it was judged.
func ReportedAct(part *parser.Part, found *report.Report) plan.Act {
	s := newJudgedPart(part, 0, &rules.Output{Verdicts: found.Verdicts, Findings: found.Findings})
	s.Commit = "as reported"
	return s.Act
}

// ActSearch looks for the last ACT of a unit, the newest part first. It serves one search.
type ActSearch struct {
	// Key is the unit's.
	Key string
	// LocalOnly ignores commits that a shallow clone left out.
	LocalOnly bool
	// Current is the snapshot in which the ACT's evidence must still hold; nil checks nothing.
	Current *evidence.Tree

	isAdapted   bool
	acceptances []plan.Acceptance
}

// isUnit reports whether a part names the unit: by its id, for the key of a unit changes when it is moved in the plan.
func (q *ActSearch) isUnit(name string) bool { return shortID(name) == shortID(q.Key) }

// noteAdapt notes an ADAPT and reports whether it reopens the unit: earlier work does not count then.
func (q *ActSearch) noteAdapt(part *parser.Part) (isReopened bool) {
	if q.isUnit(part.Unit.Value) {
		q.isAdapted, q.acceptances = true, append(q.acceptances, rules.AcceptancesOf(part)...)
	}
	return rules.IsReopened(part.Reopen, q.Key)
}

func (q *ActSearch) act(s judgedPart) plan.Act {
	a := s.Act
	a.Commit, a.Acceptances, a.IsAdapted = cmp.Or(s.Commit, "this commit"), q.acceptances, q.isAdapted
	return a
}

// InMessage searches the message itself, newest part first. Only its ACTs count, since its ADAPTs are being judged. If
// a joined message reopens the unit, earlier work does not count.
func (q *ActSearch) InMessage(parts []judgedPart, isSquash bool) (a plan.Act, found bool) {
	for _, s := range slices.Backward(parts) {
		if s.Kind == parser.Act && q.isUnit(s.unit) {
			return q.act(s), true
		}
	}
	return a, isSquash && slices.ContainsFunc(parts, func(s judgedPart) bool {
		return s.Kind == parser.Adapt && rules.IsReopened(s.reopened, q.Key)
	})
}

// Reversals are the snapshots around the commits that a message reverts, if they are here.
func (p *Ancestors) Reversals(ctx context.Context, m *parser.Message) ([]rules.RevertedCommit, error) {
	var all []rules.RevertedCommit
	for _, id := range m.Reverts {
		step, err := p.step(ctx, id.Value)
		if errors.Is(err, repo.ErrNotFound) {
			continue
		}
		unknown := errors.Is(err, evidence.ErrShallow) || errors.Is(err, repo.ErrShallow)
		if err != nil && !unknown {
			return nil, err
		}
		all = append(all, rules.RevertedCommit{Before: step.Before, After: step.After, IsUnknown: unknown})
	}
	return all, nil
}

// The texts that every commit contains that reopens a unit, or reverts a commit.
const (
	reopenText = "reopen:"
	revertText = "this reverts commit"
)

func actTexts(unit string) []string { return []string{shortID(unit), reopenText, revertText} }

// earlierCommits yields the commits behind, children first: those judged in this run that name a unit, then older ones
// that mention one of the texts.
func (p *Ancestors) earlierCommits(ctx context.Context, localOnly bool, texts ...string) iter.Seq2[commit, error] {
	return func(yield func(commit, error) bool) {
		frontier := map[repo.ID]bool{}
		for _, id := range p.parents {
			frontier[id] = true
		}
		for _, c := range slices.Backward(p.history.judgedCommits) {
			if !frontier[c.id] {
				continue
			}
			if c.commit != nil && !yield(*c.commit, nil) {
				return
			}
			delete(frontier, c.id)
			for _, id := range c.parents {
				frontier[id] = true
			}
		}
		older := p
		if ids := slices.Sorted(maps.Keys(frontier)); !slices.Equal(ids, slices.Sorted(slices.Values(p.parents))) {
			older = p.history.Behind(ids, p.policy)
		}
		for c, err := range older.commitsWith(ctx, localOnly, texts...) {
			if !yield(c, err) {
				return
			}
		}
	}
}

// LastAct finds the last ACT of a unit in the history. Reverted ACTs do not count; a cherry-pick counts only for a
// cherry-pick.
func (p *Ancestors) LastAct(ctx context.Context, q *ActSearch, isCherryPick bool) (plan.Act, error) {
	reverted, reverts := map[string]bool{}, []commit(nil)
	for c, err := range p.earlierCommits(ctx, q.LocalOnly, actTexts(q.Key)...) {
		if errors.Is(err, evidence.ErrShallow) {
			return plan.Act{IsUnknown: true}, nil
		}
		if err != nil {
			return plan.Act{}, err
		}
		if len(c.message.CherryPickedFrom) > 0 && !isCherryPick {
			continue
		}
		for i, part := range slices.Backward(c.message.Parts) {
			isAct := part.Kind == parser.Act && q.isUnit(part.Unit.Value)
			if !isAct && part.Kind != parser.Adapt {
				continue
			}
			// The reverts behind it are followed only now, for each costs a run of git.
			if err := p.noteTakenBack(ctx, reverts, reverted); err != nil {
				return plan.Act{}, err
			}
			reverts = nil
			switch {
			case reverted[string(c.ID)]:
			case !isAct && q.noteAdapt(part):
				return plan.Act{}, nil
			case isAct:
				return p.lastAct(ctx, c, i, q)
			}
		}
		if len(c.message.Reverts) > 0 {
			reverts = append(reverts, c)
		}
	}
	return plan.Act{}, nil
}

// lastAct is the ACT of a unit in one part of a commit.
func (p *Ancestors) lastAct(ctx context.Context, c commit, part int, q *ActSearch) (plan.Act, error) {
	if err := p.excuseWithoutPlan(ctx, c.ID, q); err != nil {
		return plan.Act{}, err
	}
	judged, err := p.judgePart(ctx, c, part)
	a := q.act(judged)
	if q.Current != nil {
		a.Evidence = actEvidence{p, c.Commit, judged.verifiedEvidence, q.Current}
	}
	return a, err
}

// noteTakenBack notes the commits that the given ones take back, unless they were taken back themselves.
func (p *Ancestors) noteTakenBack(ctx context.Context, reverts []commit, reverted map[string]bool) error {
	for _, c := range reverts {
		if reverted[string(c.ID)] {
			continue
		}
		end, err := p.history.End(ctx, string(c.ID), p.policy)
		if err != nil {
			return err
		}
		ids, err := end.TakenBack(ctx, c.message)
		if err != nil {
			return err
		}
		for _, id := range ids {
			reverted[string(id)] = true
		}
	}
	return nil
}

// excuseWithoutPlan counts an ACT from before there was a plan as adapted: there was nothing to adapt.
func (p *Ancestors) excuseWithoutPlan(ctx context.Context, commit repo.ID, q *ActSearch) error {
	if q.isAdapted {
		return nil
	}
	step, err := p.step(ctx, string(commit))
	if err != nil || step.Before == nil {
		q.isAdapted = true
		if errors.Is(err, evidence.ErrShallow) {
			err = nil
		}
		return err
	}
	planned, err := step.Before.Stat(ctx, p.policy.Plan)
	q.isAdapted = planned.Kind == evidence.Missing
	return err
}

// judgePart judges one part of a commit. If this run has not judged the commit yet, it judges its claims.
func (p *Ancestors) judgePart(ctx context.Context, c commit, part int) (judgedPart, error) {
	key := outcomeKey{c.ID, p.policy}
	all, ok := p.history.parts[key]
	if !ok {
		sub, err := p.history.subject(ctx, c, p.policy)
		if err != nil {
			return judgedPart{}, err
		}
		for _, p := range c.message.Parts {
			in, out, err := sub.judgePart(ctx, p, claimRules())
			if err != nil {
				return judgedPart{}, err
			}
			all = append(all, newJudgedPart(p, in.Tier, out))
		}
		p.history.parts[key] = all
	}
	if part >= len(all) {
		return judgedPart{}, nil
	}
	judged := all[part]
	judged.Commit = string(c.ID)
	return judged, nil
}

// claimRules are the rules that a part's claims answer to.
func claimRules() []*rules.Rule {
	return slices.DeleteFunc(rules.Rules(), func(r *rules.Rule) bool { return !rules.IsWaivable(r.ID) })
}

func sinceCommit(ctx context.Context, r *repo.Repo, from string) (repo.Commit, error) {
	first, err := r.Commit(ctx, from)
	if errors.Is(err, repo.ErrNotFound) {
		err = &policy.ConfigError{Err: fmt.Errorf("%s: since names commit %q, which is not here", policy.Path, from)}
	}
	return first, err
}

// fetchedParents are the parents of a commit that no shallow clone has cut off.
func fetchedParents(ctx context.Context, r *repo.Repo, c repo.Commit) []repo.ID {
	return slices.DeleteFunc(slices.Clone(c.Parents), func(id repo.ID) bool {
		_, err := r.Commit(ctx, string(id))
		return err != nil
	})
}

// CommitsSince leaves out the commits before the policy's since.
func CommitsSince(ctx context.Context, r *repo.Repo, ids []repo.ID, from, head string) ([]repo.ID, error) {
	if from == "" {
		return ids, nil
	}
	first, err := sinceCommit(ctx, r, from)
	if err != nil {
		return nil, err
	}
	later, err := r.Range(ctx, string(first.ID), head)
	if err != nil {
		return nil, err
	}
	keep := map[repo.ID]bool{first.ID: true}
	for _, id := range later {
		keep[id] = true
	}
	return slices.DeleteFunc(slices.Clone(ids), func(id repo.ID) bool { return !keep[id] }), nil
}

// RangeName is «BASE..HEAD» with full ids, or the id of head where there is no base.
func RangeName(ctx context.Context, r *repo.Repo, base, head string) (string, error) {
	to, err := r.Commit(ctx, head)
	if err != nil || base == "" {
		return string(to.ID), err
	}
	from, err := r.Commit(ctx, base)
	return string(from.ID) + ".." + string(to.ID), err
}

// Acts are the ACTs of the range, oldest first. Call Input before.
func (g *Reader) Acts(ctx context.Context) ([]rules.RangeAct, error) {
	var all []rules.RangeAct
	for _, d := range g.commits {
		if d.isEarlier || d.isReverted {
			continue
		}
		var unchanged answer[bool]
		for _, part := range d.message.Of(parser.Act) {
			isUnchanged, err := unchanged.get(func() (bool, error) { return g.isUnchanged(ctx, d.id) })
			if err != nil {
				return nil, err
			}
			all = append(all, rules.RangeAct{Commit: d.id, Part: part, IsUnchanged: isUnchanged})
		}
	}
	return all, nil
}

// isUnchanged reports whether nothing but the plan and prose differs between a commit and the end of the range.
func (g *Reader) isUnchanged(ctx context.Context, commit string) (bool, error) {
	c, err := g.repo.Commit(ctx, commit)
	if err != nil {
		return false, err
	}
	paths, err := g.repo.ChangedPaths(ctx, c.Tree, g.head.Tree)
	return err == nil && !slices.ContainsFunc(paths, func(p string) bool {
		return p != g.policy.Plan && (path.Ext(p) != ".md" || evidence.HasDefinitions(p))
	}), err
}
