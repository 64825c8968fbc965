package judge

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/history"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/results"
	"github.com/acta-git/acta/snapshot"
)

// Example judges a rule's example: its commit as a hook would, and where others
// come after it, all of them as verify does.
func Example(ctx context.Context, r *check.Rule) (*Result, error) {
	e := r.Page().Example
	before := maps.Clone(e.Base)
	if before == nil {
		before = map[string]string{}
	}
	if e.Policy != "" {
		before[policy.Path] = e.Policy
	}
	if e.Plan != nil {
		before[policy.Default().Plan] = planFile(e.Plan)
	}
	base := memory(before)
	p, err := snapshot.Of(&base).Policy(ctx)
	if err != nil {
		return nil, err
	}
	story := &story{policy: p, history: History(nil, nil), owner: exampleOwners(e.Claims), runs: exampleRuns(e.Runs)}
	if story.reports, err = exampleReports(e.Reports); err != nil {
		return nil, err
	}
	result := &Result{Report: diag.Report{Acta: diag.Release, Range: "staged"}}
	for _, step := range e.Commits {
		if err := story.tell(ctx, step, before, result); err != nil {
			return nil, err
		}
		before = story.files
	}
	if len(e.Commits) == 1 {
		return result, nil
	}
	return result, story.regressions(ctx, result)
}

// story is the commits of an example, told one by one.
type story struct {
	policy  *policy.Policy
	history *history.History
	files   map[string]string // after the last commit
	parts   []history.JudgedPart
	commits []*history.LandedCommit
	last    string
	trees   map[string]evidence.Tree
	owner   Owners
	runs    RunsOfSession
	reports *results.Set
}

// exampleReports reads the reports of an example; nil without any.
func exampleReports(reports map[string]string) (*results.Set, error) {
	if reports == nil {
		return nil, nil
	}
	set := &results.Set{}
	for _, kind := range slices.Sorted(maps.Keys(reports)) {
		if err := set.Add(results.Kind(kind), kind, []byte(reports[kind])); err != nil {
			return nil, err
		}
	}
	return set, nil
}

// exampleOwners knows the leases of an example; nil without any.
func exampleOwners(claims map[string]string) Owners {
	if len(claims) == 0 {
		return nil
	}
	return func(key string) *check.Owner {
		for _, unit := range slices.Sorted(maps.Keys(claims)) {
			if key == unit || strings.HasPrefix(key, unit+"/") {
				return &check.Owner{Unit: key, Claimed: unit, Agent: claims[unit]}
			}
		}
		return nil
	}
}

// exampleRuns knows the session of an example; nil without one.
func exampleRuns(runs []check.RecordedRun) RunsOfSession {
	if runs == nil {
		return nil
	}
	return func(context.Context, string) ([]check.RecordedRun, error) { return runs, nil }
}

// tell judges the next commit.
func (s *story) tell(ctx context.Context, step check.Step, before map[string]string, result *Result) error {
	s.files = maps.Clone(before)
	maps.Copy(s.files, step.Files)
	base, tree := memory(before), memory(s.files)
	sub := &subject{
		message: parser.Parse([]byte(step.Message)), tree: tree, base: &base, policy: s.policy,
		names: []string{"executor-01"}, history: s.history, owner: s.owner, runs: s.runs, earlier: s.parts,
		reports: s.reports,
		changed: func(context.Context, bool) ([]string, int, error) {
			return slices.Sorted(maps.Keys(step.Files)), 1, nil
		},
	}
	out, err := sub.judge(ctx)
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(step.Message))
	s.last = hex.EncodeToString(sum[:20])
	for _, part := range out.parts {
		part.Commit = s.last
		s.parts = append(s.parts, part)
	}
	then := &evidence.Judge{Tree: tree, Base: &base, Cache: s.history.Evidence}
	s.commits = append(s.commits, history.NewLandedCommit(s.last, sub.message, out.verdicts, out.kinds, then))
	if s.trees == nil {
		s.trees = map[string]evidence.Tree{}
	}
	s.trees[s.last] = tree
	result.Commits, result.Acts, result.Adapts = result.Commits+1, result.Acts+out.acts, result.Adapts+out.adapts
	result.Add(telling(out.findings), out.verdicts)
	result.Tests, result.Results = out.tests, out.results
	return nil
}

// regressions follows what the commits claim to the last of them.
func (s *story) regressions(ctx context.Context, result *Result) error {
	t := &history.Timeline{Commits: s.commits, Head: s.last, Source: s}
	followed, err := t.Follow(ctx)
	if err != nil {
		return err
	}
	whole, err := check.RunRange(ctx, check.Rules(), &check.RangeInput{Policy: s.policy, Followed: followed, Holder: s})
	if err != nil {
		return err
	}
	result.Add(whole.Findings, nil)
	return nil
}

// Concerns, and what follows it, make a story the history.Source of its commits.
func (s *story) Concerns(parser.Evidence) bool { return true }

// Follower follows to the files of a commit.
func (s *story) Follower(_ context.Context, commit string) (*evidence.Follower, error) {
	return &evidence.Follower{Judge: &evidence.Judge{Tree: s.trees[commit], Cache: s.history.Evidence}}, nil
}

// Since blames the last commit.
func (s *story) Since(context.Context, string, []string) ([]string, error) {
	return []string{s.last}, nil
}

// Held is the policy's default.
func (s *story) Held(context.Context, string, []string) (policy.Tier, []parser.Waive, error) {
	return s.policy.DefaultTier, nil, nil
}

// HeldAll is the policy's default.
func (s *story) HeldAll(ctx context.Context, commit string, cited []string) (policy.Tier, []parser.Waive, error) {
	return s.Held(ctx, commit, cited)
}

// Unfollowed ends the story.
func (s *story) Unfollowed(_ context.Context, _ *history.LandedCommit, err error) error { return err }

func planFile(items []check.Item) string {
	unit := &plan.Unit{ID: "T01", Type: plan.Atomic}
	for _, i := range items {
		unit.Checklist = append(unit.Checklist, plan.Item{Text: i.Text, Kind: string(i.Kind)})
	}
	return string(plan.Write(&plan.Unit{ID: "ROOT", Type: plan.Parent, Children: []*plan.Unit{unit}}))
}

// memory is a tree of the given files.
func memory(files map[string]string) evidence.Tree {
	return evidence.Tree{
		Stat: func(_ context.Context, path string) (evidence.Entry, error) {
			e := evidence.Entry{Path: path}
			if text, ok := files[path]; ok {
				sum := sha256.Sum256([]byte(text))
				e.Kind, e.ID, e.Mode = evidence.File, hex.EncodeToString(sum[:]), "100644"
			} else if slices.ContainsFunc(slices.Collect(maps.Keys(files)), func(f string) bool {
				return strings.HasPrefix(f, path+"/")
			}) {
				e.Kind, e.Mode = evidence.Folder, "040000"
			}
			return e, nil
		},
		Size:  func(_ context.Context, e evidence.Entry) (int64, error) { return int64(len(files[e.Path])), nil },
		Read:  func(_ context.Context, e evidence.Entry) ([]byte, error) { return []byte(files[e.Path]), nil },
		Paths: func(context.Context) ([]string, error) { return slices.Sorted(maps.Keys(files)), nil },
	}
}
