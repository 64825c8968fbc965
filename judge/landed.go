package judge

import (
	"context"
	"slices"

	"github.com/acta-git/acta/evidence/weaker"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
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
		id: c.ID, message: c.message, history: h, policy: p, isMerge: len(c.Parents) > 1, isLanded: true,
		tree: snapshot.Tree(h.repo, c.Tree), ancestors: h.Behind(c.Parents, p), answers: &answers{},
		authors: append([]string{c.Author.Name, c.Author.Email}, coAuthors(c.message)...),
	}
	sub.tree.Cache = h.Evidence
	before, err := treeBefore(ctx, h.repo, c.Commit)
	if err != nil {
		return nil, err
	}
	if before != "" {
		base := snapshot.Tree(h.repo, before)
		base.Cache = h.Evidence
		sub.base = &base
	}
	change := &landedChange{repo: h.repo, before: before, tree: c.Tree, maxBytes: p.MaxFileBytes}
	if sub.isMerge {
		change.otherParents = c.Parents[1:]
	}
	sub.change = change
	if h.runs != nil {
		sub.runs = sub.cachedRuns(h.runs)
	}
	return sub, nil
}
