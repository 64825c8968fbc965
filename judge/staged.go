package judge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/repo"
)

// Staged describes a commit that is about to be made.
type Staged struct {
	// Release is the release that judges.
	Release string
	// Message is the commit message as git will store it.
	Message []byte
	// NoMessage: there is no message yet, and only what is asked of the commit whatever it says is asked.
	NoMessage bool
	// Tree writes the tree that is about to be committed.
	Tree func(ctx context.Context) (repo.ID, error)
	// Author returns the name and the address of the commit's author.
	Author func(ctx context.Context) ([]string, error)
	// MayAmend: HEAD may be the commit that is being replaced, which a hook
	// cannot tell. What compares with the parent then counts only when it also
	// holds against the parent's parent.
	MayAmend bool
	// Landed: the commit was made elsewhere and is only applied here, so that lines may have shifted, as in a range.
	Landed bool
	// Advised: what only warns about the commit, whatever its message claims, has been said already.
	Advised bool
}

// Judge judges the commit. Where it claims nothing, whatever keeps it from being
// judged is a warning of the result, except a policy that cannot be used
// (*ConfigError); where it claims something, it is the error.
func (s Staged) Judge(ctx context.Context, r *repo.Repo) (*Result, error) {
	message := parser.Parse(s.Message)
	if s.NoMessage {
		message.Parts = nil
	}
	result, err := s.decide(ctx, r, message)
	var config *ConfigError
	if err == nil || claims(message) {
		return result, err
	}
	if errors.As(err, &config) && !s.changesPolicy(ctx, r) {
		return nil, err
	}
	result = &Result{Report: diag.Report{Acta: s.Release, Range: "staged", Commits: 1}}
	result.Warnings = []string{err.Error()}
	return result, nil
}

// claims reports whether the message says anything that can be held against it.
func claims(m *parser.Message) bool {
	return slices.ContainsFunc(m.Parts, func(p parser.Part) bool {
		return p.Kind == parser.Act || p.Kind == parser.Adapt
	})
}

func (s Staged) decide(ctx context.Context, r *repo.Repo, message *parser.Message) (*Result, error) {
	var tree pending[repo.ID]
	var index pending[[]repo.Change]
	if claims(message) {
		// git writes the tree and the grammars get ready while the parent is read.
		tree.start(ctx, s.Tree)
		defer func() { _, _ = tree.wait() }() // git must not outlive the judgement
		go evidence.Warm(citedPaths(message)...)
	} else {
		index.start(ctx, r.IndexChanges)
		defer func() { _, _ = index.wait() }()
	}
	head, err := r.Head(ctx)
	unborn := errors.Is(err, repo.ErrUnborn)
	if err != nil && !unborn {
		return nil, err
	}
	var parent *repo.Commit
	if !unborn {
		parent = &head
	}
	sub, err := s.subject(ctx, r, message, parent, &tree, &index)
	if err != nil {
		return nil, err
	}
	out, err := sub.judge(ctx)
	if err != nil {
		return nil, err
	}
	if s.MayAmend && parent != nil && len(parent.Parents) > 0 && len(out.compares) > 0 {
		if out, err = s.judgeAsAmend(ctx, r, sub, parent, out); err != nil {
			return nil, err
		}
	}
	result := &Result{Anchors: out.anchors}
	if len(out.cut) > 0 {
		result.Warnings = append(result.Warnings, cutWarning(out.cut))
	}
	result.Report = diag.Report{Acta: s.Release, Range: "staged", Commits: 1, Acts: out.acts, Adapts: out.adapts}
	result.Add(out.findings, out.verdicts)
	return result, nil
}

func (s Staged) subject(ctx context.Context, r *repo.Repo, message *parser.Message, parent *repo.Commit, tree *pending[repo.ID], index *pending[[]repo.Change]) (*subject, error) {
	sub := &subject{message: message, cache: evidence.NewCache(), landed: s.Landed, advised: s.Advised}
	before := repo.ID("")
	if parent != nil {
		base := snapshot(r, parent.Tree)
		sub.base, before = &base, parent.Tree
		sub.past = newPast(r, []repo.ID{parent.ID})
	}
	var err error
	if sub.policy, err = readPolicy(ctx, sub.base, s.Release); err != nil {
		return nil, err
	}
	if claims(message) {
		deletes := s.deletes(ctx, r, sub.base, message)
		id, err := tree.wait()
		if err != nil {
			return nil, err
		}
		sub.tree = snapshot(r, id)
		sub.tree.Renamed = renamedUnless(deletes, sub.base, sub.tree.Renamed)
		sub.prefetch = prefetch(r, sub.policy, before, id)
		sub.changed = func(ctx context.Context, lines bool) ([]string, int, error) {
			return changes(ctx, r, before, id, lines)
		}
	} else {
		sub.tree = overlay(r, sub.base, index)
		sub.changed = func(ctx context.Context, lines bool) ([]string, int, error) {
			return s.indexChanges(ctx, r, before, index, lines)
		}
	}
	// Rules ask for every path that changes, and git for a ref that is not there takes a process.
	merging := sync.OnceValues(func() ([]evidence.Tree, error) { return mergeHead(ctx, r) })
	sub.merged = func(context.Context) ([]evidence.Tree, error) { return merging() }
	if sub.policy.Require != policy.RequireNone && !s.NoMessage {
		if sub.names, err = s.Author(ctx); err != nil {
			return nil, err
		}
		sub.names = append(sub.names, coAuthors(message)...)
		_, err := r.Commit(ctx, "MERGE_HEAD")
		sub.merge = err == nil
	}
	return sub, nil
}

// mergeHead is the snapshot of what is being merged; nil where nothing is. Of an
// octopus git names the first.
func mergeHead(ctx context.Context, r *repo.Repo) ([]evidence.Tree, error) {
	c, err := r.Commit(ctx, "MERGE_HEAD")
	if errors.Is(err, repo.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return []evidence.Tree{snapshot(r, c.Tree)}, nil
}

// deletes begins to ask whether the index lacks a path of base, where a cited
// file is not in base and may have been renamed. The function that it returns
// waits for the answer: true unless nothing is known to be gone.
func (s Staged) deletes(ctx context.Context, r *repo.Repo, base *evidence.Tree, m *parser.Message) func() bool {
	if base == nil {
		return func() bool { return false }
	}
	done := make(chan bool, 1)
	go func() {
		for _, name := range citedPaths(m) {
			if e, err := base.Stat(ctx, name); err != nil || e.Kind == evidence.Missing {
				found, err := r.IndexDeletes(ctx, repo.ID(base.Name))
				done <- found || err != nil
				return
			}
		}
		done <- true
	}()
	return sync.OnceValue(func() bool { return <-done })
}

// renamedUnless asks for renames since base only where something may be gone.
func renamedUnless(deletes func() bool, base *evidence.Tree, ask renamed) renamed {
	return func(ctx context.Context, earlier *evidence.Tree, path string) (string, error) {
		if base != nil && earlier.Name == base.Name && !deletes() {
			return "", nil
		}
		return ask(ctx, earlier, path)
	}
}

type renamed = func(ctx context.Context, earlier *evidence.Tree, path string) (string, error)

// changesPolicy reports whether the staged tree's policy file differs from HEAD's.
// When that cannot be known it is taken not to.
func (s Staged) changesPolicy(ctx context.Context, r *repo.Repo) bool {
	head, err := r.Head(ctx)
	if err != nil {
		return false
	}
	id, err := s.Tree(ctx)
	if err != nil {
		return false
	}
	before, errBefore := snapshot(r, head.Tree).Stat(ctx, policy.Path)
	after, errAfter := snapshot(r, id).Stat(ctx, policy.Path)
	return errBefore == nil && errAfter == nil && before != after
}

// judgeAsAmend judges the commit once more against the parent's parent and drops
// the comparing findings that do not hold there. Where the parent's parent has no
// plan yet, the parent alone decides about the checklist.
func (s Staged) judgeAsAmend(ctx context.Context, r *repo.Repo, sub *subject, parent *repo.Commit, first *outcome) (*outcome, error) {
	grand, err := r.Commit(ctx, string(parent.Parents[0]))
	if errors.Is(err, repo.ErrNotFound) {
		return first, nil // cut by a shallow clone: the parent alone decides
	}
	if err != nil {
		return nil, err
	}
	base := snapshot(r, grand.Tree)
	amended := *sub
	amended.base, amended.past = &base, newPast(r, parent.Parents)
	second, err := amended.judge(ctx)
	if err != nil {
		return nil, err
	}
	planned, err := base.Stat(ctx, sub.policy.Plan)
	if err != nil {
		return nil, err
	}
	out := *first
	out.findings = slices.DeleteFunc(slices.Clone(first.findings), func(f diag.Finding) bool {
		if !slices.Contains(first.compares, f) || f.Rule == check.ItemsMismatch && planned.Kind == evidence.Missing {
			return false
		}
		return !slices.ContainsFunc(second.findings, func(g diag.Finding) bool { return f.Rule == g.Rule && f.Item == g.Item && f.Unit == g.Unit })
	})
	out.cut = second.cut
	out.verdicts = slices.Clone(first.verdicts)
	for i := range first.compared {
		// Task-list lines that only one plan registers make the two differ in length; then the parent decides.
		if len(second.verdicts) == len(first.verdicts) && second.verdicts[i].Verdict < first.verdicts[i].Verdict {
			out.verdicts[i] = second.verdicts[i]
		}
	}
	return &out, nil
}

// cutWarning says what a shallow clone keeps from being known.
func cutWarning(places []string) string {
	return fmt.Sprintf("history is cut by a shallow clone, so it is not known whether the unit's earlier commits changed %s; to fetch the rest, run: git fetch --unshallow",
		strings.Join(places, ", "))
}

// overlay is what the index would commit, without writing it: the snapshot of the
// parent with the changes of the index on it.
func overlay(r *repo.Repo, base *evidence.Tree, index *pending[[]repo.Change]) evidence.Tree {
	below := snapshot(r, "")
	if base != nil {
		below = *base
	}
	t := below
	t.Name, t.Renamed = "", nil
	t.Stat = func(ctx context.Context, path string) (evidence.Entry, error) {
		changes, err := index.wait()
		if err != nil {
			return evidence.Entry{}, err
		}
		i, found := slices.BinarySearchFunc(changes, path, func(c repo.Change, path string) int { return strings.Compare(c.Path, path) })
		switch {
		case !found:
			return below.Stat(ctx, path)
		case changes[i].NewID == "":
			return evidence.Entry{Path: path}, nil
		}
		c := changes[i]
		return evidence.Entry{Path: path, Kind: entryKind(c.NewMode), ID: string(c.NewID), Mode: c.NewMode}, nil
	}
	return t
}

// indexChanges is what the index changes; for the number of lines git writes the tree.
func (s Staged) indexChanges(ctx context.Context, r *repo.Repo, before repo.ID, index *pending[[]repo.Change], lines bool) ([]string, int, error) {
	if lines {
		tree, err := s.Tree(ctx)
		if err != nil {
			return nil, 0, err
		}
		return changes(ctx, r, before, tree, true)
	}
	all, err := index.wait()
	paths := make([]string, 0, len(all))
	for _, c := range all {
		paths = append(paths, c.Path)
	}
	return paths, 0, err
}

// pending is an answer that git is asked for meanwhile.
type pending[V any] struct {
	done  chan struct{}
	value V
	err   error
}

func (p *pending[V]) start(ctx context.Context, ask func(context.Context) (V, error)) {
	p.done = make(chan struct{})
	go func() {
		defer close(p.done)
		p.value, p.err = ask(ctx)
	}()
}

func (p *pending[V]) wait() (V, error) {
	if p.done != nil {
		<-p.done
	}
	return p.value, p.err
}

func citedPaths(m *parser.Message) []string {
	var paths []string
	for _, e := range m.Cited() {
		paths = append(paths, e.Path)
	}
	return paths
}

// changes lists the paths that differ between two trees and, where asked to, counts the changed lines.
func changes(ctx context.Context, r *repo.Repo, before, after repo.ID, lines bool) ([]string, int, error) {
	if !lines {
		paths, err := r.Differing(ctx, before, after)
		return paths, 0, err
	}
	all, err := r.Changes(ctx, before, after, repo.DiffOptions{Counts: true})
	if err != nil {
		return nil, 0, err
	}
	paths, n := make([]string, 0, len(all)), 0
	for _, c := range all {
		paths = append(paths, c.Path)
		// A binary file counts as one changed line.
		n += max(c.Added, 0) + max(c.Deleted, 0)
		if c.Added < 0 {
			n++
		}
	}
	return paths, n, nil
}

// coAuthors returns the names and addresses of a message's Co-authored-by lines.
func coAuthors(m *parser.Message) []string {
	var names []string
	for _, t := range m.Trailers {
		if isCoAuthor(t.Key.Value) {
			names = append(names, identity(t.Value.Value)...)
		}
	}
	return names
}
