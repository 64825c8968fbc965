package judge

import (
	"context"

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

// JudgeUpdate judges the commits that one ref is about to get: in a push, on a server, or when git moves a branch. As
// in every hook, a commit without claims that cannot be judged is a warning; a commit with claims is undecided, which
// is an error. An unusable policy is a *policy.ConfigError.
func (h *History) JudgeUpdate(ctx context.Context, update Update) (*Result, error) {
	result := &Result{Report: report.Report{Acta: report.Release, Range: update.Range, Commits: len(update.Commits)}}
	if len(update.Commits) == 0 {
		return result, nil
	}
	err := h.judgeUpdate(ctx, update, result)
	if err == nil || ctx.Err() != nil {
		return result, err
	}
	if h.mayClaim(ctx, update.Commits...) {
		return nil, err
	}
	result.Warnings = append(result.Warnings, err.Error())
	return result, nil
}

func (h *History) judgeUpdate(ctx context.Context, update Update, result *Result) error {
	s := &span{
		History: h, policyRev: string(update.Base), baseRev: string(update.Before),
		headRev: string(update.Commits[len(update.Commits)-1]), ids: update.Commits,
	}
	if err := s.prepare(ctx, &result.Warnings); err != nil {
		return err
	}
	result.Commits = 0 // they are counted as they are judged
	return spanJudge{span: s, followClaims: update.FollowClaims, isLenient: true}.judge(ctx, result)
}
