package judge

import (
	"context"
	"fmt"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/repo"
)

// Arrival is a ref that is about to get commits.
type Arrival struct {
	// Commits are those that the ref gets, parents before children.
	Commits []repo.ID
	// Base is the commit whose policy judges them; "" is the built-in policy.
	Base repo.ID
	// Range is what the report calls them.
	Range string
	// Before is what stood before them; "" is nothing. Where Follow is set, the claims that were made up to there and
	// since are followed to the last of the commits, as in a range.
	Before repo.ID
	Follow bool
}

// Arrivals judges what refs are about to get: in a push, on a server, or when git
// moves a branch. As in every hook, a commit that claims nothing and cannot be
// judged is a warning; one that claims something is undecided.
type Arrivals struct {
	release  string
	record   *record
	policies map[string]*policy.Policy // by the id of the policy file
}

// NewArrivals prepares to judge, by the given release.
func NewArrivals(r *repo.Repo, release string) *Arrivals {
	return &Arrivals{release: release, record: newRecord(r), policies: map[string]*policy.Policy{}}
}

// Judge judges what one ref gets. An error means that it could not be decided;
// where nothing is claimed, that is a warning of the result. A policy that cannot be
// used is a *ConfigError.
func (a *Arrivals) Judge(ctx context.Context, in Arrival) (*Result, error) {
	result := &Result{Report: diag.Report{Acta: a.release, Range: in.Range, Commits: len(in.Commits)}}
	if len(in.Commits) == 0 {
		return result, nil
	}
	err := a.judge(ctx, in, result)
	if err == nil || ctx.Err() != nil {
		return result, err
	}
	if a.record.mayClaim(ctx, in.Commits...) {
		return nil, err
	}
	result.Warnings = append(result.Warnings, err.Error())
	return result, nil
}

func (a *Arrivals) judge(ctx context.Context, in Arrival, result *Result) error {
	p, err := a.policy(ctx, in.Base)
	if err != nil && !a.record.mayClaim(ctx, in.Commits...) {
		p, err = withoutPolicy(err, &result.Warnings)
	}
	if err != nil {
		return err
	}
	ids, err := since(ctx, a.record.repo, in.Commits, p.Since, string(in.Commits[len(in.Commits)-1]))
	if err != nil {
		return err
	}
	g := &gatherer{repo: a.record.repo, policy: p, cache: a.record.cache, ids: ids, unjudged: map[repo.ID]bool{}}
	commits, err := a.judgeAll(ctx, g, result)
	if err != nil {
		return err
	}
	settle(commits)
	result.Commits = 0 // addAll counts
	result.addAll(commits)
	if !in.Follow {
		return nil
	}
	return a.follow(ctx, in, g, result)
}

// follow adds what does not hold any more of earlier claims. What keeps one from
// being followed is a warning: the commits that arrive did not make it.
func (a *Arrivals) follow(ctx context.Context, in Arrival, g *gatherer, result *Result) error {
	whole, err := regressions(ctx, g, string(in.Before), string(in.Commits[len(in.Commits)-1]))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		result.Warnings = append(result.Warnings, err.Error())
		return nil
	}
	whole.Warnings, whole.Undecided = append(whole.Warnings, whole.Undecided...), nil
	result.addRange(whole)
	return nil
}

// judgeAll judges the commits in their order, and leaves the outcomes with the
// gatherer. What keeps a commit that claims nothing from being judged is a warning,
// and so is history cut by a shallow clone, as in every hook.
func (a *Arrivals) judgeAll(ctx context.Context, g *gatherer, result *Result) ([]*judged, error) {
	var commits []*judged
	for _, id := range g.ids {
		out, err := a.record.landed(ctx, id, g.policy)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		j := &judged{ShardCommit: diag.ShardCommit{Commit: string(id)}}
		switch {
		case err == nil:
			g.outcomes = append(g.outcomes, out)
			j = out.judged(g.policy.Accepted)
			if j.Cut != "" {
				result.Warnings = append(result.Warnings, fmt.Sprintf("commit %.12s: %s", id, j.Cut))
				j.Cut = ""
			}
		case a.record.mayClaim(ctx, id):
			g.unjudged[id] = true
			j.Failed = err.Error()
		default:
			g.unjudged[id] = true
			result.Warnings = append(result.Warnings, fmt.Sprintf("commit %.12s: %v", id, err))
		}
		commits = append(commits, j)
	}
	return commits, nil
}

// policy is that of a commit, read once.
func (a *Arrivals) policy(ctx context.Context, base repo.ID) (*policy.Policy, error) {
	if base == "" {
		return a.remember("", func() (*policy.Policy, error) { return readPolicy(ctx, nil, a.release) })
	}
	c, err := a.record.repo.Commit(ctx, string(base))
	if err != nil {
		return nil, fmt.Errorf("the policy of %.12s cannot be read: %w", base, err)
	}
	tree := snapshot(a.record.repo, c.Tree)
	file, err := tree.Stat(ctx, policy.Path)
	if err != nil {
		return nil, err
	}
	return a.remember(file.ID, func() (*policy.Policy, error) { return readPolicy(ctx, &tree, a.release) })
}

func (a *Arrivals) remember(file string, read func() (*policy.Policy, error)) (*policy.Policy, error) {
	if p := a.policies[file]; p != nil {
		return p, nil
	}
	p, err := read()
	if err == nil {
		a.policies[file] = p
	}
	return p, err
}
