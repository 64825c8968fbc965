package hooks

import (
	"context"
	"slices"

	"github.com/acta-git/acta/repo"
)

// Point is one of git's hook points at which acta runs.
type Point struct {
	// Name is git's name of the hook (githooks(5)).
	Name string
	// Set is the installation that writes it.
	Set Set
	// ReadsStdin: git writes lines to the hook's standard input.
	ReadsStdin bool
	// CanRefuse: git respects the hook's exit code. The other hooks run after the act.
	CanRefuse bool
	// HasMessage: the hook's first argument is the file of a commit message, which it may refuse.
	HasMessage bool
	// IsIdle: acta does nothing here, so the script only runs the hook that was there.
	IsIdle bool
	// OnlyRecords: acta acts only while a session runs; the script checks, and starts nothing else.
	OnlyRecords bool
	// Subject is what the hook may refuse; "" if acta never refuses there.
	Subject string
	// Run is acta's hook.
	Run func(context.Context, *repo.Repo, Call) (*Answer, error)
}

// Set is the installation that writes a hook point.
type Set int

// The sets. `acta install` writes Default in a work tree, Server in a bare repository or with --server, and Seal with
// --seal.
const (
	Default Set = iota + 1
	Server
	Seal
)

// Points lists every hook point; those of one command are in git's order.
func Points() []Point {
	return []Point{
		{Name: "pre-commit", Set: Default, CanRefuse: true, Subject: "the commit", Run: PreCommit},
		{Name: "prepare-commit-msg", Set: Default, CanRefuse: true, Run: PrepareCommitMsg},
		{Name: "commit-msg", Set: Default, CanRefuse: true, HasMessage: true, Subject: "the commit", Run: CommitMsg},
		{Name: "post-commit", Set: Default, OnlyRecords: true, Run: PostCommit},
		{Name: "applypatch-msg", Set: Default, CanRefuse: true, HasMessage: true, Subject: "the commit", Run: doNothing},
		{Name: "pre-applypatch", Set: Default, CanRefuse: true, Subject: "the patch", Run: PreApplypatch},
		{Name: "post-applypatch", Set: Default, IsIdle: true, Run: doNothing},
		{Name: "post-merge", Set: Default, IsIdle: true, Run: doNothing},
		{Name: "post-rewrite", Set: Default, ReadsStdin: true, Run: PostRewrite},
		{Name: "pre-push", Set: Default, ReadsStdin: true, CanRefuse: true, Subject: "the push", Run: PrePush},
		{Name: "pre-receive", Set: Server, ReadsStdin: true, CanRefuse: true, Subject: "the push", Run: PreReceive},
		{Name: "reference-transaction", Set: Seal, ReadsStdin: true, CanRefuse: true, Subject: "the branch",
			Run: ReferenceTransaction},
	}
}

func pointNamed(name string) (Point, bool) {
	all := Points()
	i := slices.IndexFunc(all, func(p Point) bool { return p.Name == name })
	if i < 0 {
		return Point{}, false
	}
	return all[i], true
}
