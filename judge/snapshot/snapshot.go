// Package snapshot reads the policy and the plan of HEAD, a commit, a merge base, the work tree, or a given tree. No
// other package reads them from git. It must never import judge or hooks.
package snapshot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report"
)

// Snapshot is a place to read the policy and the plan from. It is resolved on use, so making one cannot fail. The zero
// Snapshot has no files.
type Snapshot struct {
	repo *repo.Repo
	rev  string
	// base: it is the merge base of base and rev. isHead: it is HEAD. isWorkTree: it is the work tree, with HEAD's policy.
	base               string
	isHead, isWorkTree bool
	tree               *evidence.Tree
}

// Head is the commit that HEAD names; without files where there is no commit yet.
func Head(r *repo.Repo) Snapshot { return Snapshot{repo: r, isHead: true} }

// At is a commit; its methods return repo.ErrNotFound for an unknown rev.
func At(r *repo.Repo, rev string) Snapshot { return Snapshot{repo: r, rev: rev} }

// Before is the first parent of a commit; without files before a root commit.
func Before(r *repo.Repo, c repo.Commit) Snapshot {
	if len(c.Parents) == 0 {
		return Snapshot{}
	}
	return At(r, string(c.Parents[0]))
}

// Base is the base of a range, whose current policy judges later commits; empty without a base.
func Base(r *repo.Repo, base string) Snapshot {
	if base == "" {
		return Snapshot{}
	}
	return At(r, base)
}

// MergeBase is the merge base of base and head, whose plan precedes the range; empty without a base. For unrelated
// histories it is base, which is trusted already.
func MergeBase(r *repo.Repo, base, head string) Snapshot {
	if base == "" {
		return Snapshot{}
	}
	return Snapshot{repo: r, rev: head, base: base}
}

// WorkTree is the work tree, under the policy of HEAD: a policy that is not committed decides nothing.
func WorkTree(r *repo.Repo) Snapshot { return Snapshot{repo: r, isHead: true, isWorkTree: true} }

// Of is a tree that is at hand; nil has no files.
func Of(tree *evidence.Tree) Snapshot { return Snapshot{tree: tree} }

// files are the committed files; nil where there is no commit yet.
func (s Snapshot) files(ctx context.Context) (*evidence.Tree, error) {
	if s.repo == nil {
		return s.tree, nil
	}
	c, err := s.Commit(ctx)
	if s.isHead && errors.Is(err, repo.ErrUnborn) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	tree := Tree(s.repo, c.Tree)
	return &tree, nil
}

// Commit is the commit that it is; see MergeBase of one with a base.
func (s Snapshot) Commit(ctx context.Context) (repo.Commit, error) {
	switch {
	case s.base != "":
		id, err := s.repo.MergeBase(ctx, s.base, s.rev)
		if errors.Is(err, repo.ErrNotFound) {
			return s.repo.Commit(ctx, s.base)
		}
		if err != nil {
			return repo.Commit{}, err
		}
		return s.repo.Commit(ctx, string(id))
	case s.isHead:
		return s.repo.Head(ctx)
	}
	return s.repo.Commit(ctx, s.rev)
}

// Policy is the policy of the snapshot, the default without a file or commit. If this release cannot use it, the error
// is a *policy.ConfigError.
func (s Snapshot) Policy(ctx context.Context) (*policy.Policy, error) {
	_, p, err := s.policyAndTree(ctx)
	return p, err
}

// ParsePolicy reads the bytes of a policy file, which names rules. One that cannot be read is a *policy.Error.
func ParsePolicy(data []byte) (policy.Policy, error) {
	return policy.Read(data, rules.IDs(), rules.IsWaivable)
}

// BuiltinPolicy is the hash of the built-in policy.
const BuiltinPolicy = "builtin"

// PolicyHash identifies the policy: the name of its blob, or BuiltinPolicy.
func (s Snapshot) PolicyHash(ctx context.Context) (string, error) {
	tree, err := s.files(ctx)
	if err != nil || tree == nil {
		return BuiltinPolicy, err
	}
	file, err := tree.Stat(ctx, policy.Path)
	if err != nil || file.ID == "" {
		return BuiltinPolicy, err
	}
	return file.ID, nil
}

// Plan reads the plan and its path; nil without a plan. The work tree's plan is read strictly. An unreadable plan is a
// *MalformedPlanError. Without a plan file, it is made of the boxes of the policy's plans in Markdown.
func (s Snapshot) Plan(ctx context.Context) (path string, root *plan.Unit, err error) {
	path, data, err := s.PlanFile(ctx)
	if err != nil {
		return path, nil, err
	}
	if data == nil {
		tree, p, err := s.policyAndTree(ctx)
		if err != nil || len(p.Boxes) == 0 {
			return path, nil, err
		}
		root, err := s.boxPlan(ctx, tree, p)
		return strings.Join(p.Boxes, ", "), root, err
	}
	read := plan.Parse
	if s.isWorkTree {
		read = plan.Read
	}
	if root, err = read(data); err != nil {
		return path, nil, &MalformedPlanError{path, err}
	}
	return path, root, nil
}

// PlanFile reads the plan's file and its path, relative to the top; nil without a file. As in git, a link out of the
// work tree is not a file.
func (s Snapshot) PlanFile(ctx context.Context) (path string, data []byte, err error) {
	tree, p, err := s.policyAndTree(ctx)
	switch {
	case err != nil:
		return "", nil, err
	case s.isWorkTree:
		data, err = s.workFile(ctx, p.Plan)
	case tree != nil:
		data, err = File(ctx, *tree, p.Plan)
	}
	return p.Plan, data, err
}

func (s Snapshot) policyAndTree(ctx context.Context) (*evidence.Tree, *policy.Policy, error) {
	p := policy.Default()
	tree, err := s.files(ctx)
	if err != nil || tree == nil {
		return nil, &p, err
	}
	data, err := File(ctx, *tree, policy.Path)
	if err != nil || data == nil {
		return tree, &p, err
	}
	if p, err = ParsePolicy(data); err != nil {
		return tree, nil, &policy.ConfigError{Err: err}
	}
	if !p.Admits(report.Release) {
		return tree, nil, &policy.ConfigError{Err: fmt.Errorf(
			"%s: this repository requires acta %s, but this is %s; install a matching release",
			policy.Path, p.Releases, report.Release)}
	}
	return tree, &p, nil
}

func (s Snapshot) workFile(ctx context.Context, path string) ([]byte, error) {
	g, err := s.repo.Layout(ctx)
	if err != nil || g.Top == "" {
		return nil, err
	}
	if outside := (*repo.OutsideLinkError)(nil); errors.As(repo.CheckInside(g.Top, path), &outside) {
		return nil, nil
	}
	data, err := state.ReadFileIn(g.Top, path, plan.MaxBytes)
	if os.IsNotExist(err) {
		return nil, nil
	}
	return data, err
}

// WorkPlan reads the plan of the work tree, else of HEAD, and its path; nil without a plan.
func WorkPlan(ctx context.Context, r *repo.Repo) (path string, root *plan.Unit, err error) {
	path, root, err = WorkTree(r).Plan(ctx)
	if err != nil || root != nil {
		return path, root, err
	}
	return Head(r).Plan(ctx)
}

// MalformedPlanError is a plan file that cannot be read; Err is plan.Errors.
type MalformedPlanError struct {
	// Path is its path, relative to the top.
	Path string
	Err  error
}

// Error begins with the place, as compilers write it.
func (e *MalformedPlanError) Error() string { return e.Path + ":" + e.Err.Error() }

// Unwrap is the error in the file.
func (e *MalformedPlanError) Unwrap() error { return e.Err }

// PlanPath is the plan's path in the snapshot's policy, even if that needs another release: "" if it is unreadable,
// fallback without a policy file.
func (s Snapshot) PlanPath(ctx context.Context, fallback string) (string, error) {
	tree, err := s.files(ctx)
	if err != nil || tree == nil {
		return fallback, err
	}
	data, err := File(ctx, *tree, policy.Path)
	if err != nil || data == nil {
		return fallback, err
	}
	p, err := ParsePolicy(data)
	if err != nil {
		return "", nil // policy_invalid reports it
	}
	return p.Plan, nil
}

// Intent are the requests: the bytes of project.json, nil without one, and the texts in amendments/ by name.
type Intent struct {
	Project    []byte
	Amendments map[string]string
}

// ProjectFile is the path of project.json in a folder of requests.
func ProjectFile(folder string) string { return path.Join(folder, "project.json") }

// Intent reads the requests from the folder that the policy names.
func (s Snapshot) Intent(ctx context.Context) (*Intent, error) {
	in := &Intent{Amendments: map[string]string{}}
	tree, p, err := s.policyAndTree(ctx)
	if err != nil || tree == nil {
		return in, err
	}
	in.Project, err = blob(ctx, tree, ProjectFile(p.Intent))
	paths, errPaths := tree.Paths(ctx)
	err = cmp.Or(err, errPaths)
	for _, at := range paths {
		if name, ok := strings.CutPrefix(at, path.Join(p.Intent, "amendments")+"/"); ok {
			text, errText := blob(ctx, tree, at)
			in.Amendments[name], err = string(text), cmp.Or(err, errText)
		}
	}
	return in, err
}

// blob returns the bytes at a path, of a link its target path; nil if there are none.
func blob(ctx context.Context, t *evidence.Tree, path string) ([]byte, error) {
	e, err := t.Stat(ctx, path)
	if err != nil || e.Kind == evidence.Missing {
		return nil, err
	}
	return t.Read(ctx, e)
}
