package hooks

import "slices"

// Point is one of git's hook points at which acta stands.
type Point struct {
	// Name is the hook's name, as git has it (githooks(5)).
	Name string
	// Set says which installation writes it.
	Set Set
	// Stdin: git writes lines to the hook's standard input.
	Stdin bool
	// Gate: git heeds the hook's exit code. The others come after the act, and
	// whatever they return, it stands.
	Gate bool
	// Message: the hook's first argument is the file of a commit message that it may refuse.
	Message bool
	// Idle: acta has nothing to do here yet, so the script only hands on to a hook that was there.
	Idle bool
	// Record: acta has something to do only while a session runs; the script looks, and starts nothing else.
	Record bool
}

// Set is the installation that writes a hook point.
type Set int

// The sets. Default is what `acta install` writes where there is a work tree,
// Server what it writes in a bare repository or with --server, Seal what only
// --seal adds.
const (
	Default Set = iota + 1
	Server
	Seal
)

// Points lists every hook point, those of one command in the order in which git calls them.
func Points() []Point {
	return []Point{
		{Name: "pre-commit", Set: Default, Gate: true},
		{Name: "prepare-commit-msg", Set: Default, Gate: true},
		{Name: "commit-msg", Set: Default, Gate: true, Message: true},
		{Name: "post-commit", Set: Default, Record: true},
		{Name: "applypatch-msg", Set: Default, Gate: true, Message: true},
		{Name: "pre-applypatch", Set: Default, Gate: true},
		{Name: "post-applypatch", Set: Default, Idle: true},
		{Name: "post-merge", Set: Default, Idle: true},
		{Name: "post-rewrite", Set: Default, Stdin: true},
		{Name: "pre-push", Set: Default, Stdin: true, Gate: true},
		{Name: "pre-receive", Set: Server, Stdin: true, Gate: true},
		{Name: "reference-transaction", Set: Seal, Stdin: true, Gate: true},
	}
}

// pointNamed returns the hook point of a name.
func pointNamed(name string) (Point, bool) {
	all := Points()
	i := slices.IndexFunc(all, func(p Point) bool { return p.Name == name })
	if i < 0 {
		return Point{}, false
	}
	return all[i], true
}
