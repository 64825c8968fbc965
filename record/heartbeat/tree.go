package heartbeat

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/repo/state"
)

// workTree is the work tree as evidence reads it: files as they stand, tracked or not. Nothing outside of it is read.
type workTree struct {
	*Verification
	root *os.Root
}

func (w workTree) Stat(_ context.Context, path string) (evidence.Entry, error) {
	return stat(w.root, path)
}

func (w workTree) Size(_ context.Context, e evidence.Entry) (int64, error) {
	info, err := w.root.Lstat(local(e.Path))
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// Read reads a file that may grow meanwhile, as far as the policy lets it be read.
func (w workTree) Read(_ context.Context, e evidence.Entry) ([]byte, error) {
	if e.Kind == evidence.Symlink {
		target, err := w.root.Readlink(local(e.Path))
		return []byte(filepath.ToSlash(target)), err
	}
	f, err := state.OpenIn(w.root, local(e.Path))
	if err != nil {
		return nil, err
	}
	return state.ReadAll(f, w.policy.MaxFileBytes)
}

func (w workTree) Paths(ctx context.Context) ([]string, error) {
	l, err := w.Repo.WorkFiles(ctx)
	return l.Paths, err
}

// Renamed knows of no renames: files are judged where they stand.
func (workTree) Renamed(context.Context, *evidence.Tree, string) (string, error) { return "", nil }

func local(path string) string { return filepath.FromSlash(path) }

// stat tells what stands at a path. What git keeps for itself, what is no file, and what lies outside is not there.
func stat(root *os.Root, path string) (evidence.Entry, error) {
	nothing := evidence.Entry{Path: path}
	if first, _, _ := strings.Cut(path, "/"); strings.EqualFold(first, ".git") || !fs.ValidPath(path) {
		return nothing, nil
	}
	info, err := root.Lstat(local(path))
	var wrong *fs.PathError
	switch {
	case errors.Is(err, fs.ErrPermission):
		return nothing, err
	case errors.As(err, &wrong):
		return nothing, nil // below a file or a link, or outside
	case err != nil:
		return nothing, err
	}
	kind := evidence.Missing
	switch mode := info.Mode(); {
	case mode.IsRegular():
		kind = evidence.File
	case mode.IsDir():
		kind = evidence.Folder
	case mode&fs.ModeSymlink != 0:
		kind = evidence.Symlink
	}
	// What a verifier changes meanwhile has another time.
	return evidence.Entry{
		Path: path, Kind: kind, ID: fmt.Sprintf("%s %d %d", path, info.Size(), info.ModTime().UnixNano()),
	}, nil
}
