package judge

import (
	"context"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/history"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
)

// History reads the history of a repository, and judges what it needs to know the verdicts of. Where runs is not nil,
// the runs that an ACT claims are held to those of its session as well: each of which the record says something is one
// more verdict.
func History(r *repo.Repo, runs RunsOfSession) *history.History {
	return history.New(r, func(
		ctx context.Context, h *history.History, c repo.Commit, m *parser.Message, p *policy.Policy,
	) (history.PartJudge, error) {
		sub, err := landedSubject(ctx, r, h, c, m, p)
		if err != nil {
			return nil, err
		}
		if runs != nil {
			sub.runs = sub.readingRuns(runs)
		}
		sub.changed = once(sub.changed)
		return sub, nil
	})
}

// landed judges a commit that is there.
func landed(ctx context.Context, j *record, id repo.ID, p *policy.Policy, in *span) (*outcome, error) {
	r, h := j.repo, j.history
	c, err := r.Commit(ctx, string(id))
	if err != nil {
		return nil, err
	}
	m, err := history.Message(ctx, r, c)
	if err != nil {
		return nil, err
	}
	sub, err := landedSubject(ctx, r, h, c, m, p)
	if err != nil {
		return nil, err
	}
	if in != nil {
		sub.facts = in.facts
	}
	if in != nil && len(c.Parents) > 0 {
		parent, err := r.Commit(ctx, string(c.Parents[0]))
		if err != nil {
			return nil, err
		}
		sub.span = within{in, parent.Tree, c.Tree, c.Author.Email, &compared{}}
	}
	sub.runs = sub.readingRuns(j.noted(c))
	if j.runs != nil {
		sub.runs = sub.readingRuns(j.runs)
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
	h.Judged(c, m, p, out.parts)
	return out, nil
}

func landedSubject(
	ctx context.Context, r *repo.Repo, h *history.History, c repo.Commit, m *parser.Message, p *policy.Policy,
) (*subject, error) {
	sub, err := landedTrees(ctx, r, c, p, h.Evidence)
	if err != nil {
		return nil, err
	}
	sub.id, sub.message, sub.history = c.ID, m, h
	sub.names = append([]string{c.Author.Name, c.Author.Email}, coAuthors(m)...)
	if sub.base != nil {
		sub.behind = h.Behind(c.Parents, p)
	}
	return sub, nil
}

// landedTrees is what a commit changes, without what it says.
func landedTrees(
	ctx context.Context, r *repo.Repo, c repo.Commit, p *policy.Policy, cache *evidence.Cache,
) (*subject, error) {
	sub := &subject{policy: p, merge: len(c.Parents) > 1, landed: true, tree: snapshot.Tree(r, c.Tree)}
	sub.tree.Cache = cache
	before := repo.ID("")
	if len(c.Parents) > 0 {
		parent, err := r.Commit(ctx, string(c.Parents[0]))
		if err != nil {
			return nil, err
		}
		base := snapshot.Tree(r, parent.Tree)
		base.Cache = cache
		sub.base, before = &base, parent.Tree
	}
	sub.ranOn = &ranOn{r, func(context.Context) (repo.ID, error) { return c.Tree, nil }, before}
	if sub.merge {
		sub.merged = func(ctx context.Context) ([]evidence.Tree, error) { return snapshot.Trees(ctx, r, c.Parents[1:]) }
	}
	sub.prefetch = prefetch(r, p, before, c.Tree)
	sub.changed = func(ctx context.Context, lines bool) ([]string, int, error) {
		return snapshot.Changes(ctx, r, before, c.Tree, lines)
	}
	return sub, nil
}
