package worklog

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// statePath is where a file of the local state stands; commonDir is the git directory that the work trees share.
func statePath(commonDir, name string) string { return filepath.Join(commonDir, "acta", name) }

// ChangeState lets change see a file of the local state, nil where it is not there,
// and replaces it by what change returns, while no other process does the same. nil changes nothing.
func ChangeState(ctx context.Context, commonDir, name string, change func(data []byte) ([]byte, error)) (err error) {
	path := statePath(commonDir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	unlock, err := lock(ctx, path, lockWait)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	data, err := readState(path)
	if err != nil {
		return err
	}
	if data, err = change(data); err != nil || data == nil {
		return err
	}
	return replace(path, data)
}

// readState is nil where nobody has written the file yet.
func readState(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	return data, err
}
