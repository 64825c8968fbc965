package judge

import (
	"context"
	"fmt"
	"slices"

	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// Range judges every commit that head reaches and base does not, as LandedRange does.
func Range(ctx context.Context, r *repo.Repo, base, head string) (*Result, error) {
	return LandedRange{Base: base, Head: head}.Judge(ctx, r)
}

// LandedRange are the commits that Head reaches and Base does not, merges included, oldest first. Base's current policy
// judges them, so they can neither loosen their policy nor choose an earlier one. With an empty Base, the built-in
// policy judges everything that Head reaches.
type LandedRange struct {
	Base, Head string
	// Reports are compared with the claims of the range, at its end; nil without reports.
	Reports Reports
}

// Judge judges the commits. A commit that cannot be judged is listed in the result's Undecided.
func (l LandedRange) Judge(ctx context.Context, r *repo.Repo) (*Result, error) {
	ids, err := r.Range(ctx, l.Base, l.Head)
	if err != nil {
		return nil, err
	}
	result := &Result{Report: report.Report{Acta: report.Release}}
	s := &span{History: NewHistory(r, nil), policyRev: l.Base, baseRev: l.Base, headRev: l.Head, ids: ids}
	if err := s.prepare(ctx, &result.Warnings); err != nil {
		return nil, err
	}
	if result.Range, err = RangeName(ctx, r, l.Base, l.Head); err != nil {
		return nil, err
	}
	if l.Reports != nil {
		head, err := r.Commit(ctx, l.Head)
		if err != nil {
			return nil, err
		}
		if s.reports, err = l.Reports.Read(ctx, s.policy, snapshot.Tree(r, head.Tree)); err != nil {
			return nil, err
		}
	}
	return result, spanJudge{span: s, followClaims: true}.judge(ctx, result)
}

// prepare reads the span's policy, and leaves out the commits before its since. If warnings is not nil and no commit
// claims anything, an unusable policy is a warning.
func (s *span) prepare(ctx context.Context, warnings *[]string) (err error) {
	s.policy, err = s.PolicyOf(ctx, repo.ID(s.policyRev))
	if err != nil && warnings != nil && !s.mayClaim(ctx, s.ids...) {
		s.policy, err = fallbackPolicy(err, warnings)
	}
	if err == nil {
		s.ids, err = CommitsSince(ctx, s.repo, s.ids, s.policy.Since, s.headRev)
	}
	return err
}

type spanJudge struct {
	*span
	// followClaims follows claims to the end and runs the rules over ranges.
	followClaims bool
	// isLenient turns problems into warnings, as every hook does: a commit without claims that cannot be judged, history
	// cut by a shallow clone, earlier claims that cannot be followed.
	isLenient bool
}

func (j spanJudge) judge(ctx context.Context, result *Result) error {
	if j.followClaims {
		j.facts = newFacts(ctx, j.span)
	}
	reader := j.newReader()
	commits, err := j.judgeAll(ctx, reader, result)
	if err != nil {
		return err
	}
	endTree, err := j.End(ctx, j.headRev, j.policy)
	if err == nil {
		err = settleAtEnd(ctx, endTree, commits)
	}
	if err != nil {
		return err
	}
	settleForward(ctx, j.repo, j.headRev, commits)
	result.addAll(commits)
	if !j.followClaims {
		return nil
	}
	end, err := judgeEnd(ctx, reader, j.span)
	warnings := reader.Warnings
	if err != nil {
		if !j.isLenient || ctx.Err() != nil {
			return err
		}
		result.Warnings = append(result.Warnings, err.Error())
		return nil
	}
	if j.isLenient {
		warnings, end.Undecided = append(warnings, end.Undecided...), nil
	}
	j.facts.save(ctx)
	result.addRange(end, warnings)
	return nil
}

// judgeAll judges the commits in order, and gives the reader each result.
func (j spanJudge) judgeAll(ctx context.Context, reader *Reader, result *Result) ([]*commitResult, error) {
	var span *span
	if j.followClaims {
		span = j.span
	}
	var commits []*commitResult
	for _, id := range j.repo.EachPrefetched(ctx, j.ids) {
		out, err := j.judgeCommit(ctx, id, j.policy, span)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		reader.judged[id] = out
		commit := &commitResult{commit: string(id)}
		switch {
		case err == nil:
			commit = out.result(j.policy.AcceptedCommits)
			if j.isLenient && commit.cutReason != "" {
				result.Warnings = append(result.Warnings, fmt.Sprintf("commit %.12s: %s", id, commit.cutReason))
				commit.cutReason = ""
			}
		case j.isLenient && !j.mayClaim(ctx, id):
			result.Warnings = append(result.Warnings, fmt.Sprintf("commit %.12s: %v", id, err))
		default:
			commit.failure = err.Error()
		}
		commits = append(commits, commit)
	}
	return commits, nil
}

// judgeEnd follows the claims of a range, and of earlier ACTs, to its end and finds those that no longer hold.
func judgeEnd(ctx context.Context, reader *Reader, s *span) (*rules.RangeOutput, error) {
	in, err := reader.Input(ctx)
	if err != nil {
		return nil, err
	}
	in.Tests = s
	if err := s.addResults(ctx, reader, in); err != nil {
		return nil, err
	}
	out, err := rules.RunRange(ctx, rules.Rules(), in)
	if err != nil {
		return nil, err
	}
	for i := range out.Findings {
		f := &out.Findings[i]
		if why := acceptance(repo.ID(f.Commit), in.Policy.AcceptedCommits); why != "" && rules.IsWaivable(f.Rule) {
			makeNote(f, why)
		}
	}
	out.Undecided = append(out.Undecided, reader.Undecided...)
	return out, nil
}

// addAll adds commits, in the order of the range, to the result.
func (r *Result) addAll(commits []*commitResult) {
	r.Commits += len(commits)
	for _, j := range commits {
		if j.failure != "" {
			r.Undecided = append(r.Undecided, fmt.Sprintf("commit %.12s: %s", j.commit, j.failure))
		}
	}
	for _, j := range commits {
		if j.cutReason != "" {
			r.Undecided = append(r.Undecided, fmt.Sprintf("commit %.12s: %s", j.commit, j.cutReason))
		}
		r.Acts += j.acts
		r.Adapts += j.adapts
		r.Add(j.Findings, j.Verdicts)
		r.addTests(changesOf(j.Tests))
		for _, b := range j.boxes {
			r.Boxes = b.Join(r.Boxes)
		}
	}
	r.Findings = dropMinorStubs(r.Findings)
}

// addRange adds the findings of the range as a whole. Findings about plan and amendments are added only if no commit is
// refused for the same.
func (r *Result) addRange(end *rules.RangeOutput, warnings []string) {
	if !slices.ContainsFunc(r.Findings, func(f report.Finding) bool {
		return f.Severity == report.Error && !rules.IsWaivable(f.Rule)
	}) {
		end.Findings = report.Normalize(append(end.Findings, end.Repeats...))
	}
	r.joinTests(end)
	r.Results = end.Results
	r.Findings = slices.DeleteFunc(r.Findings, func(f report.Finding) bool { return isRepeat(f, end.Findings) })
	r.Warnings = append(r.Warnings, warnings...)
	r.Undecided = append(r.Undecided, end.Undecided...)
	r.Add(end.Findings, nil)
}
