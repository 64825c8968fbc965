package judge

import (
	"context"

	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// Update is a ref that is about to get commits.
type Update struct {
	// Commits are the ref's new commits, parents before children.
	Commits []repo.ID
	// Base is the commit whose policy judges them; "" is the built-in policy.
	Base repo.ID
	// Range is their name in the report.
	Range string
	// Before is the commit before them; "" is none. FollowClaims follows earlier and new claims to the last of the
	// commits, as in a range.
	Before       repo.ID
	FollowClaims bool
}

// Push judges the commits that refs are about to get: in a push, on a server, or when git moves a branch. As in every
// hook, a commit without claims that cannot be judged is a warning; a commit with claims is undecided.
type Push struct{ *History }

// NewPush prepares to judge.
func NewPush(r *repo.Repo) *Push { return &Push{NewHistory(r, nil)} }

// WithRuns compares the runs that ACTs claim with those of a session too, as the commit-msg hook does; it returns j.
func (j *Push) WithRuns(runs RunsOfSession) *Push {
	j.runs = runs
	return j
}

// Judge judges the commits that one ref gets. An error means undecided; without claims it becomes a warning. An
// unusable policy is a *policy.ConfigError.
func (j *Push) Judge(ctx context.Context, update Update) (*Result, error) {
	result := &Result{Report: report.Report{Acta: report.Release, Range: update.Range, Commits: len(update.Commits)}}
	if len(update.Commits) == 0 {
		return result, nil
	}
	err := j.judge(ctx, update, result)
	if err == nil || ctx.Err() != nil {
		return result, err
	}
	if j.mayClaim(ctx, update.Commits...) {
		return nil, err
	}
	result.Warnings = append(result.Warnings, err.Error())
	return result, nil
}

func (j *Push) judge(ctx context.Context, update Update, result *Result) error {
	p, err := j.PolicyOf(ctx, update.Base)
	if err != nil && !j.mayClaim(ctx, update.Commits...) {
		p, err = fallbackPolicy(err, &result.Warnings)
	}
	if err != nil {
		return err
	}
	last := string(update.Commits[len(update.Commits)-1])
	ids, err := CommitsSince(ctx, j.repo, update.Commits, p.Since, last)
	if err != nil {
		return err
	}
	s := &span{repo: j.repo, policy: p, base: string(update.Before), head: last, ids: ids}
	if update.FollowClaims {
		policyOf := snapshot.Snapshot{}
		if update.Base != "" {
			policyOf = snapshot.At(j.repo, string(update.Base))
		}
		s.facts = newFacts(ctx, s, policyOf)
	}
	result.Commits = 0 // they are counted as they are judged
	return spanJudge{History: j.History, span: s, followClaims: update.FollowClaims, isLenient: true}.judge(ctx, result)
}
