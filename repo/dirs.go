package repo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/acta-git/acta/repo/state"
)

// trustKey is the setting by which a user agrees, on one machine, to run the programs of policies.
const trustKey = "acta.trustPolicy"

// ErrUntrusted means that the policy names a program or an address, and the user of this machine has not agreed to it.
var ErrUntrusted = errors.New("nobody on this machine has agreed to the programs of this repository's policy")

// CheckTrust is nil if the user has agreed to run the programs of this repository's policy; else it wraps ErrUntrusted
// and says how to agree. acta.trustPolicy is true, or a repository's folder, and may be set several times; false
// cancels the values before it. .git/config does not count, because it may have come with the repository, as in an
// archive.
func (r *Repo) CheckTrust(ctx context.Context) error {
	out, err := r.git(ctx, "config", "-z", "--show-scope", "--get-all", trustKey)
	if err != nil && !foundNothing(err) {
		return err
	}
	here, err := r.Top(ctx)
	if err == nil && here == "" { // a bare repository
		here, _, err = r.Dirs(ctx)
	}
	if err != nil {
		return err
	}
	trusted, local := false, false
	for f := splitNUL(string(out)); len(f) >= 2; f = f[2:] {
		switch scope, value := f[0], f[1]; {
		case scope == "local" || scope == "worktree":
			local = true
		case slices.Contains([]string{"false", "no", "off", "0", ""}, strings.ToLower(value)):
			trusted = false
		default:
			isYes := slices.Contains([]string{"true", "yes", "on", "1"}, strings.ToLower(value))
			trusted = trusted || isYes || isSamePath(value, here)
		}
	}
	if trusted {
		return nil
	}
	why := ""
	if local {
		why = " (.git/config does not count, because it may have come with the repository)"
	}
	return fmt.Errorf("%w%s; to agree, run: git config --global --add %s '%s'", ErrUntrusted, why, trustKey,
		strings.ReplaceAll(here, "'", `'\''`))
}

// isSamePath reports whether a folder, as the user wrote it, is the given absolute one.
func isSamePath(written, place string) bool {
	if rest, ok := strings.CutPrefix(written, "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			return false
		}
		written = filepath.Join(home, rest)
	}
	found, err := filepath.EvalSymlinks(written)
	return err == nil && filepath.IsAbs(written) && found == place
}

// OutsideLinkError means that a symbolic link in the path leads out of the folder.
type OutsideLinkError struct {
	// Path is relative to the folder, and Link is the part of it that is the link; both with forward slashes.
	Path, Link string
	To         string
}

// Error says where the link leads, and what to do.
func (e *OutsideLinkError) Error() string {
	return fmt.Sprintf(
		"acta writes nothing to %s: %s is a symbolic link to %s, and acta follows only relative links that stay inside; "+
			"remove the link, and put a file or folder in its place", e.Path, e.Link, e.To)
}

// CheckInside returns an *OutsideLinkError if a symbolic link leads the path out of the folder. Call it before anything
// is written: git stores links, so a clone may bring one that leads anywhere. A relative link that stays in the folder
// is followed; a missing path is inside.
func CheckInside(dir, path string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	name := filepath.FromSlash(path)
	_, refused := root.Stat(name)
	if refused == nil || errors.Is(refused, fs.ErrNotExist) {
		return nil
	}
	for i := range len(name) + 1 {
		if i < len(name) && !os.IsPathSeparator(name[i]) {
			continue
		}
		info, err := root.Lstat(name[:i])
		if err != nil {
			break
		}
		if _, err := root.Stat(name[:i]); info.Mode()&fs.ModeSymlink == 0 || err == nil || errors.Is(err, fs.ErrNotExist) {
			continue
		}
		written, _ := root.Readlink(name[:i])
		to, _ := filepath.EvalSymlinks(filepath.Join(dir, name[:i]))
		return &OutsideLinkError{Path: path, Link: filepath.ToSlash(name[:i]), To: cmp.Or(to, written)}
	}
	return refused
}

// checkStateLinks is CheckInside for acta's folder in a git directory and for everything in it, two folders deep.
func checkStateLinks(commonDir string) error {
	const state, folders = "acta", 2
	info, err := os.Lstat(filepath.Join(commonDir, state))
	if err != nil {
		return nil // an unreadable folder is reported when it is used
	}
	return checkLinks(commonDir, state, info.Mode(), folders)
}

// checkLinks is CheckInside for a path, if it is a link, and for what is in it, so many folders deep.
func checkLinks(commonDir, path string, mode fs.FileMode, folders int) error {
	if mode&fs.ModeSymlink != 0 {
		if err := CheckInside(commonDir, path); err != nil {
			return fmt.Errorf("%s: %w", commonDir, err)
		}
	} else if !mode.IsDir() {
		return nil
	}
	if folders == 0 {
		return nil
	}
	entries, _ := os.ReadDir(filepath.Join(commonDir, path))
	for _, e := range entries {
		if err := checkLinks(commonDir, path+"/"+e.Name(), e.Type(), folders-1); err != nil {
			return err
		}
	}
	return nil
}

// Dirs are the git directory of this work tree and the one that all work trees share, symlinks resolved. They are read
// from the layout of the files (gitrepository-layout(5)), so that acta can record where git is slow or missing; if the
// layout is unusual, git is asked. An *OutsideLinkError if a link leads acta's folder elsewhere.
func (r *Repo) Dirs(ctx context.Context) (gitDir, commonDir string, err error) {
	gitDir = r.findGitDir()
	if gitDir != "" {
		commonDir = r.lookup("GIT_COMMON_DIR")
		if commonDir != "" {
			commonDir = r.absolute(commonDir)
		} else {
			commonDir = commonDirOf(gitDir)
		}
	}
	if commonDir == "" {
		g, err := r.Layout(ctx)
		if err != nil {
			return "", "", err
		}
		gitDir, commonDir = g.GitDir, g.CommonDir
	}
	if gitDir, err = filepath.EvalSymlinks(gitDir); err != nil {
		return "", "", err
	}
	if commonDir, err = filepath.EvalSymlinks(commonDir); err != nil {
		return "", "", err
	}
	return gitDir, commonDir, checkStateLinks(commonDir)
}

// Top is the top folder of this work tree, symlinks resolved, read from the layout like Dirs; "" if there is no work
// tree.
func (r *Repo) Top(ctx context.Context) (string, error) {
	if r.lookup("GIT_DIR") == "" && r.lookup("GIT_WORK_TREE") == "" {
		for dir := range upwards(r.absolute(".")) {
			if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
				return filepath.EvalSymlinks(dir)
			}
		}
	}
	g, err := r.Layout(ctx)
	if err != nil || g.Top == "" {
		return "", err
	}
	return filepath.EvalSymlinks(g.Top)
}

// RelativeToTop is a file's path relative to the top, with forward slashes. A relative name starts in folder, "" for
// the top. isInside is false if the file lies elsewhere, or in .git.
func (r *Repo) RelativeToTop(ctx context.Context, folder, file string) (at string, isInside bool, err error) {
	top, err := r.Top(ctx)
	if err != nil || top == "" || file == "" {
		return "", false, err
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(cmp.Or(folder, top), filepath.FromSlash(file))
	}
	if file, err = filepath.Abs(file); err != nil {
		return "", false, err
	}
	rel, err := filepath.Rel(top, filepath.Join(ResolveLinks(filepath.Dir(file)), filepath.Base(file)))
	if err != nil || !filepath.IsLocal(rel) || rel == "." || rel == ".git" ||
		strings.HasPrefix(rel, ".git"+string(filepath.Separator)) {
		return "", false, nil
	}
	return filepath.ToSlash(rel), true, nil
}

// ResolveLinks is an absolute path without the links in it, as far as it exists.
func ResolveLinks(path string) string { return resolveLinks(path, maxLinks) }

// maxLinks is how many links to missing files are followed, as Linux does with links.
const maxLinks = 40

func resolveLinks(path string, left int) string {
	real, err := filepath.EvalSymlinks(path)
	dir := filepath.Dir(path)
	if err == nil || dir == path || left == 0 || !errors.Is(err, fs.ErrNotExist) {
		return cmp.Or(real, path)
	}
	dir = resolveLinks(dir, left)
	path = filepath.Join(dir, filepath.Base(path))
	to, err := os.Readlink(path)
	if err != nil {
		return path
	}
	if !filepath.IsAbs(to) {
		to = filepath.Join(dir, to)
	}
	return resolveLinks(to, left-1) // a link to a missing file
}

// gitDir is the git directory of this work tree, found like Dirs; links in acta's folder do not matter.
func (r *Repo) gitDir(ctx context.Context) (string, error) {
	if dir := r.findGitDir(); dir != "" {
		return dir, nil
	}
	g, err := r.Layout(ctx)
	return g.GitDir, err
}

// findGitDir is GIT_DIR, or the nearest .git or the directory that it names; "" if the layout is unusual.
func (r *Repo) findGitDir() string {
	if gitDir := r.lookup("GIT_DIR"); gitDir != "" {
		return gitDirOrEmpty(r.absolute(gitDir))
	}
	for dir := range upwards(r.absolute(".")) {
		git := filepath.Join(dir, ".git")
		info, err := os.Stat(git)
		switch {
		case err == nil && info.IsDir():
			return gitDirOrEmpty(git)
		case err == nil:
			return gitDirOrEmpty(namedPath(git, "gitdir: "))
		case !os.IsNotExist(err):
			return ""
		}
		if gitDirOrEmpty(dir) != "" { // perhaps inside a git directory
			return ""
		}
	}
	return ""
}

// upwards yields an absolute folder and those above it; nothing for "".
func upwards(dir string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for below := ""; dir != below && yield(dir); below, dir = dir, filepath.Dir(dir) {
		}
	}
}

// namedPath is the path that a file of git names after a prefix, relative to the file's folder; "" if there is none.
func namedPath(file, prefix string) string {
	data, err := state.ReadFile(file)
	to, ok := strings.CutPrefix(strings.TrimRight(string(data), "\r\n"), prefix)
	switch {
	case err != nil || !ok || to == "":
		return ""
	case filepath.IsAbs(to):
		return filepath.Clean(to)
	}
	return filepath.Join(filepath.Dir(file), to)
}

// gitDirOrEmpty is dir if it may be a git directory, else "".
func gitDirOrEmpty(dir string) string {
	if dir == "" {
		return ""
	}
	if info, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil || info.IsDir() {
		return ""
	}
	return dir
}

// commonDirOf is the common git directory of a work tree's one; "" if it cannot be read.
func commonDirOf(gitDir string) string {
	file := filepath.Join(gitDir, "commondir")
	if _, err := os.Stat(file); os.IsNotExist(err) {
		return gitDir
	}
	return namedPath(file, "")
}

// CommonDir is the git directory that the repository's work trees share, read like Dirs.
func (r *Repo) CommonDir(ctx context.Context) (string, error) {
	_, dir, err := r.Dirs(ctx)
	return dir, err
}

// isShallow reports whether parts of history were not fetched; see ErrShallow. git knows it by a file
// (gitrepository-layout(5)), another one while a push from a shallow clone is received.
func (r *Repo) isShallow(ctx context.Context) (bool, error) {
	_, dir, err := r.Dirs(ctx)
	if err != nil {
		return false, err
	}
	_, err = os.Stat(r.absolute(cmp.Or(r.lookup("GIT_SHALLOW_FILE"), filepath.Join(dir, "shallow"))))
	return err == nil, nil
}

// absolute makes a path absolute, relative to the repository's folder; "" if that fails.
func (r *Repo) absolute(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.dir, path)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	return abs
}
