package repo

import (
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
	g, err := r.Layout(ctx)
	if err != nil {
		return err
	}
	cmd.Dir = g.GitDir
	cmd.Env = append(cmd.Env, "GIT_DIR="+g.GitDir, "GIT_WORK_TREE="+g.GitDir)
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
		c, err := f.raw()
		if err != nil {
			return nil, err
		}
		at[c.Path] = len(changes)
		changes = append(changes, c)
	}
	for f.rest != "" {
		path, added, deleted, err := f.numbers()
		if err != nil {
			return nil, err
		}
		i, ok := at[path]
		if !ok {
			return nil, fmt.Errorf("git diff-tree counts lines of the unchanged %q", path)
		}
		changes[i].Added, changes[i].Deleted = added, deleted
	}
	slices.SortFunc(changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return changes, nil
}

type nulFields struct{ rest string }

func (f *nulFields) next() (string, error) {
	s, rest, ok := strings.Cut(f.rest, "\x00")
	if !ok {
		return "", fmt.Errorf("git diff-tree's answer ends in the middle of %q", f.rest)
	}
	f.rest = rest
	return s, nil
}

// raw reads «:<mode> <mode> <id> <id> <status>» and a path, for a rename also the new path.
func (f *nulFields) raw() (Change, error) {
	meta, err := f.next()
	if err != nil {
		return Change{}, err
	}
	m := strings.Split(strings.TrimPrefix(meta, ":"), " ")
	if len(m) != 5 || m[4] == "" {
		return Change{}, fmt.Errorf("git diff-tree answered %q", meta)
	}
	c := Change{Status: m[4][0]}
	if c.OldMode, c.OldID, err = side(m[0], m[2]); err != nil {
		return Change{}, err
	}
	if c.NewMode, c.NewID, err = side(m[1], m[3]); err != nil {
		return Change{}, err
	}
	if c.Path, err = f.next(); err != nil {
		return Change{}, err
	}
	if c.Status == 'R' || c.Status == 'C' {
		c.OldPath = c.Path
		c.Path, err = f.next()
	}
	return c, err
}

// side is one side of a change; git prints zeros for a missing entry.
func side(mode, name string) (string, ID, error) {
	id, err := parseID(name)
	if mode == "000000" {
		return "", "", err
	}
	return mode, id, err
}

// numbers reads «<added>\t<deleted>\t<path>»; a rename has an empty path and then both paths, a binary file «-» twice.
func (f *nulFields) numbers() (path string, added, deleted int, err error) {
	line, err := f.next()
	if err != nil {
		return "", 0, 0, err
	}
	m := strings.SplitN(line, "\t", 3)
	if len(m) != 3 {
		return "", 0, 0, fmt.Errorf("git diff-tree answered %q", line)
	}
	if path = m[2]; path == "" {
		if _, err = f.next(); err == nil {
			path, err = f.next()
		}
	}
	if m[0] == "-" {
		return path, -1, -1, err
	}
	added, badA := strconv.Atoi(m[0])
	deleted, badD := strconv.Atoi(m[1])
	return path, added, deleted, errors.Join(err, badA, badD)
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
