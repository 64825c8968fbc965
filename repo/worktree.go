package repo

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/repo/program"
	"github.com/acta-git/acta/repo/state"
)

// Listing is a folder of a work tree as git lists it.
type Listing struct {
	// Paths are relative to the folder, with forward slashes, sorted by byte: tracked files, and untracked ones that
	// are not ignored. Links, submodules and deleted files are among them.
	Paths []string
	// Complaints are git's warnings about unreadable folders, a line each.
	Complaints []string
}

// WorkFiles lists the files in and below the directory with which the Repo was opened, without those of submodules and
// nested repositories. ErrNotRepository outside a work tree.
func (r *Repo) WorkFiles(ctx context.Context) (Listing, error) {
	return r.workFiles(ctx, "--cached", "--others")
}

func (r *Repo) workFiles(ctx context.Context, options ...string) (Listing, error) {
	cmd := r.command(ctx, append([]string{"ls-files", "-z", "--exclude-standard"}, options...)...)
	complaints := &headBuffer{}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, complaints
	if err := r.run(cmd); err != nil {
		return Listing{}, r.noWorkTreeError(r.failure(ctx, cmd, err, complaints.String()))
	}
	l := Listing{Paths: splitNUL(out.String())}
	slices.Sort(l.Paths)
	l.Paths = slices.Compact(l.Paths)
	for line := range strings.Lines(complaints.String()) {
		l.Complaints = append(l.Complaints, strings.TrimSpace(strings.TrimPrefix(line, "warning: ")))
	}
	return l, nil
}

// WorkFile reads a file of the work tree, at a path relative to its top, and follows no link out of it.
func (r *Repo) WorkFile(ctx context.Context, path string, limit int64) ([]byte, error) {
	top, err := r.Top(ctx)
	if err != nil {
		return nil, err
	}
	return state.ReadFileIn(top, path, limit)
}

// noWorkTreeError makes err ErrNotRepository if the directory lies in a git directory, or if git is missing and nothing
// here looks like a repository.
func (r *Repo) noWorkTreeError(err error) error {
	failed := (*commandError)(nil)
	switch {
	case errors.As(err, &failed) && strings.Contains(failed.stderr, "must be run in a work tree"):
		return fmt.Errorf("%w: %s lies in no work tree", ErrNotRepository, r.dir)
	case errors.Is(err, exec.ErrNotFound) && !r.looksLikeRepository():
		return fmt.Errorf("%w: %w", ErrNotRepository, err)
	}
	return err
}

func splitNUL(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\x00"), "\x00")
}

// WorkChanges are the paths that differ between a tree (or a commit's tree) and the work tree, with renames, sorted by
// path; untracked files count unless ignored. Of the paths that differ from the index only those that keep accepts are
// examined. The user's index stays unchanged; git collects the objects that are written.
func (r *Repo) WorkChanges(ctx context.Context, base ID, keep func(path string) bool) (changes []Change, err error) {
	err = r.withIndexCopy(ctx, func(at *Repo, g Layout) error {
		if base == "" {
			base = g.EmptyTree()
		}
		if err := at.updateIndex(ctx, keep, "--modified", "--deleted", "--others"); err != nil {
			return err
		}
		// write-tree would fail on conflicts in paths that keep does not accept.
		args := slices.Concat([]string{"-c", "core.attributesFile=" + os.DevNull, "diff-index", "--cached"}, diffArgs[:],
			[]string{"-M50%", "-l1000", string(base), "--"})
		out, err := at.git(ctx, args...)
		if err != nil {
			return r.explainDamage(ctx, err, base)
		}
		changes, err = parseChanges(string(out))
		return err
	})
	return changes, err
}

// withIndexCopy calls do at the top of the work tree with a copy of the index, and without filters.
func (r *Repo) withIndexCopy(ctx context.Context, do func(at *Repo, g Layout) error) error {
	g, err := r.Layout(ctx)
	if err != nil {
		return err
	}
	if g.Top == "" {
		return fmt.Errorf("%w: %s lies in no work tree", ErrNotRepository, r.dir)
	}
	// The copy keeps its time: git compares it with the files' times to find those that may have changed since.
	index, remove, err := r.copyIndex(ctx, time.Time{})
	if err != nil {
		return err
	}
	defer remove()
	plain, err := r.noFilterEnv(ctx)
	if err != nil {
		return err
	}
	return do(&Repo{dir: g.Top, env: append(slices.Concat(r.env, plain),
		"GIT_DIR="+g.GitDir, "GIT_WORK_TREE="+g.Top, "GIT_INDEX_FILE="+index)}, g)
}

// updateIndex updates the index from the work tree's files that git ls-files lists with these options and keep accepts.
func (r *Repo) updateIndex(ctx context.Context, keep func(path string) bool, options ...string) error {
	l, err := r.workFiles(ctx, options...)
	if err != nil {
		return err
	}
	if len(l.Complaints) > 0 {
		return fmt.Errorf("git cannot list the work tree: %s", l.Complaints[0])
	}
	paths := slices.DeleteFunc(l.Paths, func(p string) bool { return strings.HasSuffix(p, "/") || !keep(p) })
	if len(paths) == 0 {
		return nil
	}
	cmd := r.command(ctx, "-c", "core.splitIndex=false", "-c", "core.safecrlf=false", "update-index", "-z", "--add",
		"--remove", "--replace", "--stdin")
	cmd.Stdin = strings.NewReader(strings.Join(paths, "\x00") + "\x00")
	_, err = r.output(ctx, cmd)
	return err
}

// WorkState are the trees that committing a work tree would make.
type WorkState struct {
	// All has every file that git does not ignore, Tracked only tracked files. They are equal if there are no new
	// files.
	All, Tracked ID
}

// maxNew bounds a new file, in bytes: larger ones are seldom source, and slow to read.
const maxNew = 8 << 20

// WorkState writes the work tree as trees, as `git add` and `git write-tree` do, but without filters. The user's index
// stays unchanged; the objects are those that a commit would write, and git collects unused ones. ErrUnmerged if the
// index has conflicts.
func (r *Repo) WorkState(ctx context.Context) (s WorkState, err error) {
	err = r.withIndexCopy(ctx, func(at *Repo, _ Layout) (err error) {
		if s.Tracked, err = at.writeTreeWith(ctx, "--modified", "--deleted"); err == nil {
			s.All, err = at.writeTreeWith(ctx, "--others")
		}
		return err
	})
	return s, err
}

// writeTreeWith updates the index from the work tree's files that these options select, and writes it.
func (r *Repo) writeTreeWith(ctx context.Context, options ...string) (ID, error) {
	small := func(path string) bool {
		info, err := os.Lstat(filepath.Join(r.dir, filepath.FromSlash(path)))
		return err != nil || info.Size() <= maxNew
	}
	if err := r.updateIndex(ctx, small, options...); err != nil {
		return "", err
	}
	return r.writeTree(ctx)
}

// UncommittedFile is a file of the work tree that differs from HEAD.
type UncommittedFile struct {
	// Path is relative to the top of the work tree, with forward slashes.
	Path string
	// IsNew: HEAD does not have it.
	IsNew bool
}

// UncommittedFiles lists the differences between HEAD and the work tree, without ignored files. It takes no lock, runs
// no filter, and does not look into submodules.
func (r *Repo) UncommittedFiles(ctx context.Context) ([]UncommittedFile, error) {
	plain, err := r.noFilterEnv(ctx)
	if err != nil {
		return nil, err
	}
	cmd := r.command(ctx, "status", "--porcelain", "-z", "--untracked-files=all",
		"--no-renames", "--ignore-submodules=all")
	cmd.Env = append(cmd.Env, plain...)
	out, err := r.output(ctx, cmd)
	if err != nil {
		return nil, r.noWorkTreeError(err)
	}
	var all []UncommittedFile
	for _, line := range splitNUL(string(out)) {
		if len(line) < 4 {
			continue
		}
		state := line[:2]
		all = append(all, UncommittedFile{Path: line[3:], IsNew: state == "??" || strings.HasPrefix(state, "A")})
	}
	return all, nil
}

// TempWorkTree is a work tree of one tree in a folder of its own. It is removed by Close, or when this process ends in
// any way.
type TempWorkTree struct {
	// Dir is its top. Programs that run there need Mark in their environment: Close kills those that have it.
	Dir, Mark string

	keeper *exec.Cmd
	stdin  io.Closer
}

// keeperScript makes the work tree, waits until its input is closed, kills every process that has the mark, and removes
// the folder. Only this script touches git's registration of the work tree, so killing acta leaves no half-made one.
// git fails while another work tree's registration is being removed, so it is tried again.
//
//go:embed keeper.sh
var keeperScript string

// NewTempWorkTree makes a work tree of a tree, with HEAD detached at the present HEAD. No hooks or filters run.
func (r *Repo) NewTempWorkTree(ctx context.Context, tree ID) (*TempWorkTree, error) {
	top, err := r.Top(ctx)
	if err != nil {
		return nil, err
	}
	filters, err := r.noFilterEnv(ctx)
	if err != nil {
		return nil, err
	}
	root := filepath.Join(os.TempDir(), "acta-prove-"+rand.Text()[:12])
	a := &TempWorkTree{Dir: filepath.Join(root, filepath.Base(top)), Mark: "ACTA_PROVE=" + root}
	args := append([]string{"-c", keeperScript, "sh", root, a.Dir, string(tree), a.Mark}, r.gitOptions("worktree")...)
	a.keeper = exec.Command("sh", args...) // outlives ctx: it cleans up
	a.keeper.Dir, a.keeper.Env = r.dir, slices.Concat(r.env, fixedEnv[:], filters)
	complaints := &headBuffer{}
	a.keeper.Stderr = complaints
	program.Detach(a.keeper)
	in, errIn := a.keeper.StdinPipe()
	out, errOut := a.keeper.StdoutPipe()
	if err := errors.Join(errIn, errOut, a.keeper.Start()); err != nil {
		return nil, err
	}
	a.stdin = in
	stop := context.AfterFunc(ctx, func() { _ = in.Close() }) // the keeper then ends
	line, _ := bufio.NewReader(out).ReadString('\n')
	switch {
	case !stop():
		err = context.Cause(ctx)
	case line == "":
		err = fmt.Errorf("git made no work tree in %s", root)
	}
	if err != nil {
		a.Close()
		return nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(complaints.String()))
	}
	return a, nil
}

// Close removes the work tree, and kills the programs that run in it.
func (a *TempWorkTree) Close() {
	_ = a.stdin.Close()
	_ = a.keeper.Wait()
}
