package repo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// DiffOptions of Changes. The zero value is the cheapest: neither option may be set without reading blobs.
type DiffOptions struct {
	// Renames pairs a deleted path with an added one of at least 50% equal content; with more than 1,000 candidates, of
	// exactly equal content.
	Renames bool
	// Counts fills Added and Deleted.
	Counts bool
}

// diffArgs make git's comparison independent of the user's configuration: every submodule counts; drivers and
// configured algorithms do not.
var diffArgs = [...]string{
	"-z", "--raw", "--no-abbrev", "--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none",
	"--diff-algorithm=myers",
}

func diffTree(options ...string) []string {
	return slices.Concat([]string{"-c", "core.attributesFile=/dev/null", "diff-tree", "-r"}, diffArgs[:], options)
}

// Changes are the paths that differ between two trees, or the trees of two commits, sorted by path. ErrShallow if an id
// lies beyond the end of a shallow clone.
func (r *Repo) Changes(ctx context.Context, before, after ID, o DiffOptions) ([]Change, error) {
	if before == "" && after == "" {
		return nil, nil
	}
	if before == "" {
		before = emptyTree(after)
	}
	if after == "" {
		after = emptyTree(before)
	}
	for _, id := range []ID{before, after} {
		if err := id.check(); err != nil {
			return nil, err
		}
	}
	args := diffTree("--no-renames")
	if o.Renames {
		args = append(args, "-M50%", "-l1000")
	}
	if o.Counts {
		args = append(args, "--numstat")
	}
	cmd := r.command(ctx, append(args, string(before), string(after), "--")...)
	cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+noIndex)
	// A comparison of names needs no attributes.
	if o.Renames || o.Counts {
		if err := r.ignoreAttributes(ctx, cmd); err != nil {
			return nil, err
		}
	}
	out, err := r.output(ctx, cmd)
	if err != nil {
		return nil, r.explainDamage(ctx, err, before, after)
	}
	return parseChanges(string(out))
}

// noIndex is a missing file, which git treats as an empty index: diff-tree would read the whole index, and its
// attributes.
const noIndex = os.DevNull + ".no-index"

// ignoreAttributes runs a command where git finds no .gitattributes of the work tree: a file there («*.py -diff» makes
// every Python file binary) must not change the result. $GIT_DIR/info/attributes still counts: only git 2.43's
// --attr-source can turn it off.
func (r *Repo) ignoreAttributes(ctx context.Context, cmd *exec.Cmd) error {
	gitDir, _, err := r.Dirs(ctx)
	if err != nil {
		return err
	}
	cmd.Dir = gitDir
	cmd.Env = append(cmd.Env, "GIT_DIR="+gitDir, "GIT_WORK_TREE="+gitDir)
	if dir := r.lookup("GIT_OBJECT_DIRECTORY"); dir != "" {
		cmd.Env = append(cmd.Env, "GIT_OBJECT_DIRECTORY="+r.absolute(dir))
	}
	return nil
}

// explainDamage returns ErrShallow instead of ErrDamaged if one of the ids was not fetched.
func (r *Repo) explainDamage(ctx context.Context, err error, ids ...ID) error {
	if !errors.Is(err, ErrDamaged) {
		return err
	}
	for _, id := range ids {
		if _, errStat := r.objects.stat(ctx, string(id)); errors.Is(errStat, errAbsent) {
			if absence := r.absenceError(ctx, string(id)); errors.Is(absence, ErrShallow) {
				return absence
			}
		}
	}
	return err
}

// parseChanges reads `diff-tree -z --raw` or diff-index, and `--numstat` after it.
func parseChanges(out string) ([]Change, error) {
	f := nulFields{rest: out}
	var changes []Change
	at := map[string]int{}
	for strings.HasPrefix(f.rest, ":") {
		c, _ := f.raw()
		at[c.Path] = len(changes)
		changes = append(changes, c)
	}
	for f.rest != "" {
		path, added, deleted := f.numbers()
		if i, ok := at[path]; ok {
			changes[i].Added, changes[i].Deleted = added, deleted
		} else {
			f.fail(fmt.Errorf("git diff-tree counts lines of the unchanged %q", path))
		}
	}
	slices.SortFunc(changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	if f.err != nil {
		return nil, f.err
	}
	return changes, nil
}

// nulFields are strings that each end with NUL; after an error there are no more.
type nulFields struct {
	rest string
	err  error
}

func (f *nulFields) fail(err error) {
	if f.err == nil && err != nil {
		f.err, f.rest = err, ""
	}
}

func (f *nulFields) next() string {
	s, rest, ok := strings.Cut(f.rest, "\x00")
	if !ok {
		f.fail(fmt.Errorf("git diff-tree's answer ends in the middle of %q", f.rest))
		return ""
	}
	f.rest = rest
	return s
}

// parts splits a field; another number of parts is an error.
func (f *nulFields) parts(separator string, n int) []string {
	field := f.next()
	m := strings.SplitN(field, separator, n)
	if len(m) != n || m[n-1] == "" && separator == " " {
		f.fail(fmt.Errorf("git diff-tree answered %q", field))
		return make([]string, n)
	}
	return m
}

// raw reads «:<mode> <mode> <id> <id> <status>» and a path, for a rename also the new path.
func (f *nulFields) raw() (c Change, err error) {
	m := f.parts(" ", 5)
	c.OldMode, c.OldID = f.side(strings.TrimPrefix(m[0], ":"), m[2])
	c.NewMode, c.NewID = f.side(m[1], m[3])
	if c.Path = f.next(); f.err == nil {
		c.Status = m[4][0]
	}
	if c.Status == 'R' || c.Status == 'C' {
		c.OldPath, c.Path = c.Path, f.next()
	}
	return c, f.err
}

// side is one side of a change; git prints zeros for a missing entry.
func (f *nulFields) side(mode, name string) (string, ID) {
	id, err := parseID(name)
	f.fail(err)
	if mode == "000000" {
		return "", ""
	}
	return mode, id
}

// numbers reads «<added>\t<deleted>\t<path>»; a rename has an empty path and then both paths, a binary file «-» twice.
func (f *nulFields) numbers() (path string, added, deleted int) {
	m := f.parts("\t", 3)
	if path = m[2]; path == "" {
		f.next()
		path = f.next()
	}
	if m[0] == "-" {
		return path, -1, -1
	}
	added, badA := strconv.Atoi(m[0])
	deleted, badD := strconv.Atoi(m[1])
	f.fail(errors.Join(badA, badD))
	return path, added, deleted
}

// Renames maps the path of every file that was renamed between two trees to its path before; see DiffOptions.Renames.
// Results are cached: trees never change.
func (r *Repo) Renames(ctx context.Context, before, after ID) (map[string]string, error) {
	key := [2]ID{before, after}
	if paths, ok := r.renames.get(key); ok {
		return paths, nil
	}
	found := map[string]string{}
	var changes []Change
	// Most commits delete nothing, which is found without a process. If a tree cannot be read, git reports why.
	if deleted, err := r.hasDeletions(ctx, before, after); err != nil || deleted {
		if changes, err = r.Changes(ctx, before, after, DiffOptions{Renames: true}); err != nil {
			return nil, err
		}
	}
	for _, c := range changes {
		if c.Status == 'R' {
			found[c.Path] = c.OldPath
		}
	}
	r.renames.put(key, found, 1)
	return found, nil
}

// ChangedPaths lists the paths that differ between two trees, sorted, as Changes does without options. It reads only
// folders that differ and starts no process, so it is cheap to call for many commits.
func (r *Repo) ChangedPaths(ctx context.Context, before, after ID) ([]string, error) {
	var paths []string
	add := func(path string, _, _ Entry) { paths = append(paths, path) }
	if err := r.visitChanges(ctx, "", rootEntry(before), rootEntry(after), add); err != nil {
		return nil, err
	}
	slices.Sort(paths)
	return paths, nil
}

// hasDeletions reports whether a file of the first tree is missing from the second.
func (r *Repo) hasDeletions(ctx context.Context, before, after ID) (deleted bool, err error) {
	err = r.visitChanges(ctx, "", rootEntry(before), rootEntry(after), func(_ string, was, is Entry) {
		deleted = deleted || was.isFile() && !is.isFile()
	})
	return deleted, err
}

func (e Entry) isFile() bool { return e.ID != "" && e.Mode != folder }

func rootEntry(tree ID) Entry { return Entry{Mode: folder, ID: tree} }

// visitChanges visits the paths that differ between two entries of one path; an entry without an ID is missing.
func (r *Repo) visitChanges(ctx context.Context, path string, a, b Entry, visit func(path string, a, b Entry)) error {
	if a.ID == b.ID && (a.Mode == b.Mode || a.ID == "") {
		return nil
	}
	if a.isFile() || b.isFile() {
		visit(path, a, b)
	}
	old, err := r.children(ctx, path, a)
	if err != nil {
		return err
	}
	now, err := r.children(ctx, path, b)
	if err != nil {
		return err
	}
	for len(old) > 0 || len(now) > 0 {
		var was, is *treeEntry
		order := compareEntries(old, now)
		if order <= 0 {
			was, old = &old[0], old[1:]
		}
		if order >= 0 {
			is, now = &now[0], now[1:]
		}
		if order == 0 && *was == *is {
			continue // most entries; compared before any id is spelled in hex
		}
		below := join(path, cmp.Or(is, was).name)
		if err := r.visitChanges(ctx, below, was.entry(), is.entry(), visit); err != nil {
			return err
		}
	}
	return nil
}

// compareEntries compares the first entries of two trees in the order of trees: by the bytes of their names, a folder's
// name as if it ended with a slash (git's base_name_compare). An empty list comes last.
func compareEntries(a, b tree) int {
	if len(a) == 0 || len(b) == 0 {
		return cmp.Compare(len(b), len(a))
	}
	x, y := &a[0], &b[0]
	n := min(len(x.name), len(y.name))
	return cmp.Or(strings.Compare(x.name[:n], y.name[:n]), cmp.Compare(x.byteAt(n), y.byteAt(n)))
}

// byteAt is a byte of the name by which an entry is sorted, 0 after its end.
func (e *treeEntry) byteAt(i int) byte {
	switch {
	case i < len(e.name):
		return e.name[i]
	case i == len(e.name) && e.mode == folder:
		return '/'
	}
	return 0
}

// children are the entries of a folder; nil for anything else.
func (r *Repo) children(ctx context.Context, path string, e Entry) (tree, error) {
	if e.Mode != folder || e.ID == "" {
		return nil, nil
	}
	t, err := r.readTree(ctx, e.ID)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}
