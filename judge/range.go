package judge

import (
	"context"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/history"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/snapshot"
	"github.com/acta-git/acta/tests"
)

// Range judges every commit that head reaches and base does not, as Landed does.
func Range(ctx context.Context, r *repo.Repo, base, head string) (*Result, error) {
	return Landed{Base: base, Head: head}.Judge(ctx, r)
}

// Landed are commits that are there: every one that Head reaches and Base does
// not, merges included, oldest first. The policy is that of their merge base, so
// that what is judged cannot loosen its own judge; with an empty Base everything
// that Head reaches is judged, under the built-in policy.
type Landed struct {
	Base, Head string
	// Shard is the part of the commits to judge; the zero Shard is all of them.
	Shard Shard
	// Reports are held against what the range claims, at its end; nil where there are none.
	Reports Reports
	// Progress is told after each commit how many of how many are judged; nil where nobody listens.
	Progress func(done, total int)
}

// Judge judges the commits. One that cannot be judged does not keep the others
// from it: it is listed in the result's Undecided.
func (l Landed) Judge(ctx context.Context, r *repo.Repo) (*Result, error) {
	ids, err := r.Range(ctx, l.Base, l.Head)
	if err != nil {
		return nil, err
	}
	result := &Result{Report: diag.Report{Acta: diag.Release}}
	p, err := snapshot.MergeBase(r, l.Base, l.Head).Policy(ctx)
	j := newRecord(r)
	if err != nil && !j.mayClaim(ctx, ids...) {
		p, err = withoutPolicy(err, &result.Warnings)
	}
	if err != nil {
		return nil, err
	}
	if ids, err = history.Since(ctx, r, ids, p.Since, l.Head); err != nil {
		return nil, err
	}
	if result.Range, err = history.RangeName(ctx, r, l.Base, l.Head); err != nil {
		return nil, err
	}
	reader := j.history.Read(ids, p)
	s := &span{repo: r, policy: p, cache: j.history.Evidence, texts: &tests.Texts{}, base: l.Base, head: l.Head, ids: ids}
	s.kept = keptFor(ctx, r, snapshot.MergeBase(r, l.Base, l.Head).PolicyHash, len(ids))
	defer s.kept.end()
	last := l.Shard.Index == l.Shard.Of
	if l.Reports != nil && last { // the last part follows the claims of the whole range
		if s.reports, err = l.Reports.Read(ctx, p); err != nil {
			return nil, err
		}
	}
	commits, err := l.judgeAll(ctx, j, reader, s, l.Shard.part(ids))
	if err != nil {
		return nil, err
	}
	if l.Shard == (Shard{}) {
		settle(commits)
	} else {
		result.Shard = l.Shard.report(commits, len(ids))
	}
	result.addAll(commits)
	if !last {
		return result, nil
	}
	whole, err := regressions(ctx, reader, s)
	if err != nil {
		return nil, err
	}
	if l.Shard != (Shard{}) {
		result.Shard.Range = whole // its findings are told when the parts are joined
		whole = &diag.ShardRange{Warnings: whole.Warnings, Undecided: whole.Undecided}
	}
	result.addRange(whole)
	return result, nil
}

// judgeAll judges commits one after the other, in the order of the range, and tells the reader what came of each.
func (l Landed) judgeAll(
	ctx context.Context, j *record, reader *history.Reader, s *span, ids []repo.ID,
) ([]*judged, error) {
	j.history.Expect(ids)
	s.ahead = newAhead(s, ids)
	defer s.ahead.end()
	var commits []*judged
	for i, id := range j.repo.InTurn(ctx, ids) {
		out, err := j.landed(ctx, id, s.policy, s)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			reader.Failed(id)
			commits = append(commits, &judged{ShardCommit: diag.ShardCommit{Commit: string(id), Failed: err.Error()}})
		} else {
			reader.Verdicts(id, out.verdicts, out.kinds)
			commits = append(commits, out.judged(s.policy.Accepted))
		}
		s.ahead.done(i + 1)
		if l.Progress != nil {
			l.Progress(i+1, len(ids))
		}
	}
	return commits, nil
}

// regressions follows the claims of a range, and of the ACTs before it, to its
// end and finds what does not hold any more.
func regressions(ctx context.Context, reader *history.Reader, s *span) (*diag.ShardRange, error) {
	in, err := reader.Input(ctx, s.base, s.head)
	if err != nil {
		return nil, err
	}
	in.Tests = s
	if err := s.reported(ctx, reader, in); err != nil {
		return nil, err
	}
	out, err := check.RunRange(ctx, check.Rules(), in)
	if err != nil {
		return nil, err
	}
	findings := out.Findings
	for i := range findings {
		if a := acceptance(repo.ID(findings[i].Commit), in.Policy.Accepted); a != nil && check.Waivable(findings[i].Rule) {
			findings[i].Severity, findings[i].Hint = diag.Note, "accepted by the policy: "+a.Reason+"; "+findings[i].Hint
		}
	}
	// Readers get [] and never null.
	whole := &diag.ShardRange{
		Findings: append([]diag.Finding{}, findings...), Warnings: append([]string{}, reader.Warnings...),
		Undecided: append([]string{}, out.Cut...), Tests: out.Tests, Results: out.Results,
	}
	for _, err := range reader.Undecided {
		whole.Undecided = append(whole.Undecided, err.Error())
	}
	return whole, nil
}
