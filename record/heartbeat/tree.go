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
func (v *Verification) workTree() (evidence.Tree, func(), error) {
	root, err := os.OpenRoot(v.Top)
	if err != nil {
		return evidence.Tree{}, nil, err
	}
	t := evidence.Tree{
		Stat: func(_ context.Context, path string) (evidence.Entry, error) { return stat(root, path) },
		Size: func(_ context.Context, e evidence.Entry) (int64, error) {
			info, err := root.Lstat(local(e.Path))
			if err != nil {
				return 0, err
			}
			return info.Size(), nil
		},
		Read: func(_ context.Context, e evidence.Entry) ([]byte, error) {
			if e.Kind == evidence.Symlink {
				target, err := root.Readlink(local(e.Path))
				return []byte(filepath.ToSlash(target)), err
			}
			return v.readFile(root, e.Path)
		},
		Paths: func(ctx context.Context) ([]string, error) {
			l, err := v.Repo.WorkFiles(ctx)
			return l.Paths, err
		},
	}
	return t, func() { _ = root.Close() }, nil
}

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

// readFile reads a file that may grow meanwhile, as far as the policy lets it be read.
func (v *Verification) readFile(root *os.Root, path string) ([]byte, error) {
	f, err := state.OpenIn(root, local(path))
	if err != nil {
		return nil, err
	}
	return state.ReadAll(f, v.policy.MaxFileBytes)
}
