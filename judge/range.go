package judge

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
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

// ParseRange reads BASE..HEAD; an empty side is HEAD, as in git, and a single revision has no base.
func ParseRange(s string) (LandedRange, error) {
	base, head, found := strings.Cut(s, "..")
	switch {
	case strings.Contains(s, "..."):
		return LandedRange{}, fmt.Errorf("%q has three dots; the commits of HEAD that BASE lacks are BASE..HEAD", s)
	case !found:
		return LandedRange{Head: base}, nil
	}
	return LandedRange{Base: cmp.Or(base, "HEAD"), Head: cmp.Or(head, "HEAD")}, nil
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
	if err == nil && warnings != nil {
		*warnings = append(*warnings, s.unreadPlan(ctx)...)
	}
	if err == nil {
		s.ids, err = CommitsSince(ctx, s.repo, s.ids, s.policy.Since, s.headRev)
	}
	return err
}

// unreadPlan warns of a plan that only the policy at the end names.
func (s *span) unreadPlan(ctx context.Context) []string {
	base, errBase := snapshot.Base(s.repo, s.policyRev).PolicyHash(ctx)
	last, errLast := snapshot.At(s.repo, s.headRev).Policy(ctx)
	if base != snapshot.BuiltinPolicy || cmp.Or(errBase, errLast) != nil {
		return nil
	}
	isBuiltin := func(path string) bool { return path == s.policy.Plan }
	plans := slices.DeleteFunc(append(slices.Clone(last.Boxes), last.Plan), isBuiltin)
	if len(plans) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("this range begins before %s was added, so the built-in policy judges it and the plan %s "+
		"is not read. To read the plan, begin at the commit that added %[1]s: acta verify <commit>..<end>", policy.Path,
		strings.Join(plans, ", "))}
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
		accept(&out.Findings[i], in.Policy.AcceptedCommits)
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

// settleParts settles the parts of a joined message as settle does with commits: a later ACT of the same unit without
// errors supersedes an ACT, and a revert in the message takes it back. Code that is still empty where it is cited is
// not settled. found are the findings of each part, oldest first. It returns the reverted parts.
func settleParts(m *parser.Message, found [][]report.Finding) map[int]bool {
	reverted := RevertedParts(m)
	var clean []string
	for i, p := range slices.Backward(m.Parts) {
		if slices.ContainsFunc(found[i], isEmptyImpl) {
			delete(reverted, i)
		}
		if reverted[i] {
			makeNotes(found[i], "", "reverted in this message")
			continue
		}
		for _, unit := range clean {
			makeNotes(found[i], unit, "superseded by the later ACT of "+unit+" in this message")
		}
		if p.Kind == parser.Act && p.Unit.Value != "" && len(p.Claims)+len(p.Files) > 0 &&
			!slices.ContainsFunc(found[i], isError) {
			clean = append(clean, p.Unit.Value)
		}
	}
	return reverted
}

func isEmptyImpl(f report.Finding) bool { return f.Rule == string(evidence.EmptyImpl) }

func isError(f report.Finding) bool { return f.Severity == report.Error }

// followMoved updates evidence of a joined message whose code a later commit moved to another file: by its symbol, if
// exactly one changed file defines it.
func (s *subject) followMoved(ctx context.Context, claims []rules.Claim) ([]rules.Claim, error) {
	if !s.message.IsSquash {
		return claims, nil
	}
	out := slices.Clone(claims)
	for i := range out {
		out[i].Evidence = slices.Clone(out[i].Evidence)
		for k := range out[i].Evidence {
			e := &out[i].Evidence[k]
			if e.Err != "" || e.IsRemoved || e.Symbol == "" {
				continue
			}
			if err := s.followSymbol(ctx, e); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

func (s *subject) followSymbol(ctx context.Context, e *parser.Evidence) error {
	at, err := s.tree.Lines(ctx, e.Path, e.Symbol)
	if err != nil || len(at) > 0 {
		return err
	}
	changed, _, errChanged := s.changedPaths(ctx, false)
	found, err := namesakes(ctx, &s.tree, e.Path, changed, e.Symbol)
	if len(found) == 1 {
		e.Path, e.Start, e.End = found[0].Path, found[0].Start, found[0].End
	}
	return cmp.Or(errChanged, err)
}
