package ledger

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// Range is what a report is made of.
type Range struct {
	// Base and Head are revisions; base "" means everything that head reaches.
	Base, Head string
	// Name is that of the repository, the same from every job.
	Name string
	// Landed tells that head is on the default branch; nil asks git.
	Landed *bool
}

// Report tells a ledger what the first of the repositories holds of a range: the verdicts of its ACT commits, as a
// replay counts them, and the votes in its notes. Commits that cannot be judged are left out, and Warn is told.
func (s *Repositories) Report(ctx context.Context, span Range) (*Report, error) {
	r, err := s.open(ctx, s.Dirs[0])
	if err != nil {
		return nil, err
	}
	defer r.Close()
	head, err := r.Commit(ctx, span.Head)
	if err != nil {
		return nil, err
	}
	not := []repo.ID{}
	from := ""
	if span.Base != "" {
		base, err := r.Commit(ctx, span.Base)
		if err != nil {
			return nil, err
		}
		not, from = append(not, base.ID), string(base.ID)
	}
	terms, err := judge.ReadScoreTerms(ctx, r, head)
	if err != nil {
		return nil, err
	}
	out := &Report{
		Release: report.Release, Repository: span.Name, Range: from + ".." + string(head.ID), Commit: string(head.ID),
		Zone:     terms.Zone.String(),
		Verdicts: []ReportedVerdict{}, Feedback: []ReportedVote{},
	}
	if from == "" {
		out.Range = string(head.ID)
	}
	if out.PolicyHash, err = snapshot.Base(r, from).PolicyHash(ctx); err != nil {
		return nil, err
	}
	if span.Landed != nil {
		out.Landed = *span.Landed
	} else if out.Landed, err = hasLanded(ctx, r, head.ID); err != nil {
		return nil, err
	}
	if err := s.reportVerdicts(ctx, r, out, append(not, terms.Not...), terms); err != nil {
		return nil, err
	}
	votes, err := noteVotes(ctx, r)
	if err != nil {
		return nil, err
	}
	moments, err := r.Moments(ctx, head.ID, time.Now())
	if err != nil {
		return nil, err
	}
	clamp(votes, moments, time.Now())
	for _, v := range uniqueVotes(votes) {
		if !terms.Policy.IsAgent(v.By) && !policy.SameName(v.By, v.Actor) {
			out.Feedback = append(out.Feedback,
				ReportedVote{ID: v.ID, Vote: v.word(), At: v.At.UTC(), By: cut(v.By), Actor: cut(v.Actor), Commit: v.Commit})
		}
	}
	return out, nil
}

// reportVerdicts adds the verdicts of the commits that the report's one reaches and not does not, the oldest first.
func (s *Repositories) reportVerdicts(
	ctx context.Context, r *repo.Repo, out *Report, not []repo.ID, terms *judge.ScoreTerms,
) error {
	l := &landed{repo: r, store: s, dir: s.Dirs[0]}
	ids, cut, err := judge.Claiming(ctx, r, repo.ID(out.Commit), not, terms.Policy)
	if err != nil {
		return err
	}
	if cut != nil {
		s.warn(fmt.Sprintf("older commits are not reported: %v", cut))
	}
	accounts, err := l.judge(ctx, ids)
	for _, w := range l.warnings {
		s.warn(w)
	}
	if err != nil {
		return err
	}
	policies := map[string]string{} // by commit
	for _, a := range accounts {
		if len(a.Claims) == 0 {
			continue
		}
		c, err := r.Commit(ctx, a.Commit)
		if err != nil {
			return err
		}
		if policies[a.Commit], err = snapshot.Before(r, c).PolicyHash(ctx); err != nil {
			return err
		}
	}
	rows, _, err := rowsOf(ctx, r, repo.ID(out.Commit), accounts)
	if err != nil {
		return err
	}
	for _, row := range arrange(rows) {
		row.Actor = cmp.Or(row.Actor, "unknown") // git takes an author without a name
		out.Verdicts = append(out.Verdicts, reported(row, policies[row.Commit], terms.Zone))
	}
	return nil
}

// hasLanded reports whether the default branch reaches a commit.
func hasLanded(ctx context.Context, r *repo.Repo, id repo.ID) (bool, error) {
	branch, err := r.DefaultBranch(ctx)
	if err != nil {
		return false, err
	}
	tip, err := r.Commit(ctx, branch)
	if err != nil {
		return false, err
	}
	beyond, err := r.Range(ctx, string(tip.ID), string(id))
	return !slices.Contains(beyond, id), err
}
