package judge

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/repo"
)

// Shard is the part Index of Of parts of a range, counted from 1, for CI jobs that
// run side by side. The zero Shard is the whole range.
//
// A part is judged alone and joined by Merge. Findings are settled there, for the
// ACT that supersedes a mistake may be in another part.
type Shard struct{ Index, Of int }

// part is the shard's stretch of the range. Parts differ by one commit at most,
// and follow one another, because neighbours share files.
func (s Shard) part(ids []repo.ID) []repo.ID {
	if s.Of == 0 {
		return ids
	}
	return ids[len(ids)*(s.Index-1)/s.Of : len(ids)*s.Index/s.Of]
}

func (s Shard) report(commits []*judged, total int) *diag.Shard {
	out := &diag.Shard{Index: s.Index, Of: s.Of, Total: total, Commits: []diag.ShardCommit{}}
	for _, j := range commits {
		c := j.ShardCommit
		// Readers get [] and never null.
		c.Reports, c.Reverts = append([]string{}, c.Reports...), append([]string{}, c.Reverts...)
		out.Commits = append(out.Commits, c)
	}
	return out
}

// addAll adds commits, in the order of the range, to the result.
func (r *Result) addAll(commits []*judged) {
	r.Commits += len(commits)
	for _, j := range commits {
		if j.Failed != "" {
			r.Undecided = append(r.Undecided, fmt.Errorf("commit %.12s: %s", j.Commit, j.Failed))
		}
	}
	for _, j := range commits {
		if j.Cut != "" {
			r.Undecided = append(r.Undecided, fmt.Errorf("commit %.12s: %s", j.Commit, j.Cut))
		}
		r.Acts += j.Acts
		r.Adapts += j.Adapts
		r.Add(j.findings, j.verdicts)
		r.addTests(j.tests)
	}
	if r.Shard == nil { // errors are settled when the parts are joined
		r.Findings = telling(r.Findings)
	}
}

// addRange adds what was found of the range as a whole. Of plan and amendments only where no commit is refused for its
// own: that comes to the same at the end of the range.
func (r *Result) addRange(whole *diag.ShardRange) {
	if slices.ContainsFunc(r.Findings, func(f diag.Finding) bool {
		return f.Severity == diag.Error && !check.Waivable(f.Rule)
	}) {
		whole.Findings = slices.DeleteFunc(whole.Findings, func(f diag.Finding) bool { return check.RangeRepeats(f.Rule) })
	}
	r.joinTests(whole)
	r.Results = whole.Results
	r.Findings = slices.DeleteFunc(r.Findings, func(f diag.Finding) bool { return repeats(f, whole.Findings) })
	r.Warnings = append(r.Warnings, whole.Warnings...)
	for _, why := range whole.Undecided {
		r.Undecided = append(r.Undecided, errors.New(why))
	}
	r.Add(whole.Findings, nil)
}

// Merge joins the reports of all shards of one range, in any order. The result is
// that of judging the range at once. An error says what is missing, given twice,
// or of another range.
func Merge(reports []*diag.Report) (*Result, error) {
	ordered, err := inOrder(reports)
	if err != nil {
		return nil, err
	}
	var commits []*judged
	seen := map[string]bool{}
	for _, r := range ordered {
		for _, c := range r.Shard.Commits {
			if seen[c.Commit] {
				return nil, fmt.Errorf("commit %.12s is in several shards; judge all of them anew, over one range", c.Commit)
			}
			seen[c.Commit] = true
		}
		part, err := commitsOf(r)
		if err != nil {
			return nil, err
		}
		commits = append(commits, part...)
	}
	first := ordered[0]
	if len(commits) != first.Shard.Total {
		return nil, fmt.Errorf(
			"the shards hold %d commits of %d; judge all of them anew, over one range", len(commits), first.Shard.Total,
		)
	}
	settle(commits)
	result := &Result{Report: diag.Report{Acta: first.Acta, Range: first.Range}}
	result.addAll(commits)
	whole := ordered[len(ordered)-1].Shard.Range
	if whole == nil {
		return nil, fmt.Errorf(
			"shard %d/%d does not say what became of the claims of the range; judge it anew", len(ordered), len(ordered),
		)
	}
	result.addRange(whole)
	return result, nil
}

// inOrder checks that the reports are all shards of one range, each once, and orders them.
func inOrder(reports []*diag.Report) ([]*diag.Report, error) {
	if len(reports) == 0 {
		return nil, errors.New("there are no shards to join")
	}
	first := reports[0]
	for _, r := range reports {
		switch {
		case r.Shard == nil:
			return nil, fmt.Errorf(
				"a report of %s is not that of a shard; write shards with: acta verify --shard I/N --format json", r.Range,
			)
		case r.Range != first.Range:
			return nil, fmt.Errorf(
				"the shards are of different ranges, %s and %s; give every job the same range", first.Range, r.Range,
			)
		case r.Acta != first.Acta:
			return nil, fmt.Errorf("the shards were judged by different releases, %s and %s", first.Acta, r.Acta)
		case r.Shard.Of != first.Shard.Of || r.Shard.Total != first.Shard.Total:
			return nil, fmt.Errorf("a shard is one of %d over %d commits, another one of %d over %d",
				first.Shard.Of, first.Shard.Total, r.Shard.Of, r.Shard.Total)
		case r.Shard.Index < 1 || r.Shard.Index > r.Shard.Of || r.Shard.Of > maxShards:
			return nil, fmt.Errorf("there is no shard %d/%d", r.Shard.Index, r.Shard.Of)
		}
	}
	ordered := make([]*diag.Report, first.Shard.Of)
	for _, r := range reports {
		i := r.Shard.Index - 1
		if ordered[i] != nil {
			return nil, fmt.Errorf("shard %d/%d is given twice", r.Shard.Index, r.Shard.Of)
		}
		ordered[i] = r
	}
	for i, r := range ordered {
		if r == nil {
			return nil, fmt.Errorf("shard %d/%d is missing, and with it the commits that it was to judge", i+1, len(ordered))
		}
	}
	return ordered, nil
}

// maxShards bounds what a file can ask to be allocated.
const maxShards = 10_000

// Validate refuses a shard that does not exist.
func (s Shard) Validate() error {
	if s != (Shard{}) && (s.Of < 1 || s.Of > maxShards || s.Index < 1 || s.Index > s.Of) {
		return fmt.Errorf("there is no shard %d/%d; they are counted from 1/N to N/N, N at most %d", s.Index, s.Of, maxShards)
	}
	return nil
}

// commitsOf gives the findings and verdicts of a shard back to its commits.
func commitsOf(r *diag.Report) ([]*judged, error) {
	byID := map[string]*judged{}
	var commits []*judged
	for _, c := range r.Shard.Commits {
		j := &judged{ShardCommit: c}
		byID[c.Commit] = j
		commits = append(commits, j)
	}
	var stray error
	of := func(commit string) *judged {
		if j := byID[commit]; j != nil {
			return j
		}
		stray = cmp.Or(stray, fmt.Errorf("shard %d/%d reports on commit %.12s, which is not in it", r.Shard.Index,
			r.Shard.Of, commit))
		return &judged{}
	}
	for _, f := range r.Findings {
		j := of(f.Commit)
		j.findings = append(j.findings, f)
	}
	for _, v := range r.Verdicts {
		j := of(v.Commit)
		j.verdicts = append(j.verdicts, v)
	}
	if r.Tests != nil {
		for _, c := range r.Tests.Changes {
			j := of(c.Commit)
			j.tests = append(j.tests, c)
		}
	}
	return commits, stray
}
