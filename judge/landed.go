package judge

import (
	"context"
	"slices"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/weaker"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/repo"
)

// landed judges a commit that is there, in a range unless that is nil. The outcome is the caller's to change.
func (h *History) landed(ctx context.Context, id repo.ID, p *policy.Policy, in *span) (*outcome, error) {
	if in != nil { // each range has its commits once, and may have more of them than fit into memory
		return h.judgeLanded(ctx, id, p, in)
	}
	key := commitUnder{Commit: id, Policy: p}
	known := h.outcomes[key]
	if known == nil {
		var err error
		if known, err = h.judgeLanded(ctx, id, p, nil); err != nil {
			return nil, err
		}
		h.outcomes[key] = known
	}
	out := *known
	out.Findings, out.Verdicts = slices.Clone(known.Findings), slices.Clone(known.Verdicts)
	return &out, nil
}

func (h *History) judgeLanded(ctx context.Context, id repo.ID, p *policy.Policy, in *span) (*outcome, error) {
	c, err := readCommit(ctx, h.repo, string(id))
	if err != nil {
		return nil, err
	}
	sub, err := h.subject(ctx, c, p)
	if err != nil {
		return nil, err
	}
	if in != nil {
		sub.facts = in.facts
	}
	if in != nil && len(c.Parents) > 0 {
		parent, err := h.repo.Commit(ctx, string(c.Parents[0]))
		if err != nil {
			return nil, err
		}
		sub.span = within{in, parent.Tree, c.Tree, c.Author.Email, &answer[*weaker.Account]{}}
	}
	if h.runs == nil {
		sub.runs = sub.readingRuns(h.noted(c.Commit))
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
	h.Judged(c, p, out.parts)
	return out, nil
}

// mayClaim reports whether a commit claims something, or cannot be read.
func (h *History) mayClaim(ctx context.Context, commits ...repo.ID) bool {
	return slices.ContainsFunc(commits, func(id repo.ID) bool {
		c, err := readCommit(ctx, h.repo, string(id))
		return err != nil || claims(c.message)
	})
}

// subject prepares to judge a commit that is there.
func (h *History) subject(ctx context.Context, c commit, p *policy.Policy) (*subject, error) {
	sub, err := landedTrees(ctx, h.repo, c.Commit, p, h.Evidence)
	if err != nil {
		return nil, err
	}
	sub.id, sub.message, sub.history = c.ID, c.message, h
	sub.names = append([]string{c.Author.Name, c.Author.Email}, coAuthors(c.message)...)
	if h.runs != nil {
		sub.runs = sub.readingRuns(h.runs)
	}
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
	change := &landedChange{repo: r, before: before, tree: c.Tree, maxBytes: p.MaxFileBytes}
	if sub.merge {
		change.further = c.Parents[1:]
	}
	sub.change, sub.answers, sub.ranOn = change, &answers{}, &ranOn{r, change, before}
	return sub, nil
}
