// Package state keeps the files of $GIT_COMMON_DIR/acta, which the work trees of a repository share and which are
// never pushed. A path and bytes go in. A writer locks the file first, and replaces the whole file by a rename. The
// package imports nothing else of Acta.
package state

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

const (
	// LockWait bounds the wait for another writer. Each holds a lock for about a millisecond, but a hundred processes
	// may ask at once, on a machine that is busy; what is not written then is lost to the score.
	LockWait = 30 * time.Second
	// lockRetry is the time between two attempts.
	lockRetry = 5 * time.Millisecond
)

// Path is where a file of the local state stands; commonDir is the git directory that the work trees share.
func Path(commonDir, name string) string { return filepath.Join(commonDir, "acta", name) }

// Change lets change see a file of the local state, nil where it is not there,
// and replaces it by what change returns, while no other process does the same. nil changes nothing.
func Change(ctx context.Context, commonDir, name string, change func(data []byte) ([]byte, error)) (err error) {
	path := Path(commonDir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	unlock, err := Lock(ctx, path, LockWait)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	data, err := Read(path)
	if err != nil {
		return err
	}
	if data, err = change(data); err != nil || data == nil {
		return err
	}
	return Replace(path, data)
}

// Read is the content of a file, nil where nobody has written it yet.
func Read(path string) ([]byte, error) {
	data, err := ReadFile(path)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	return data, err
}

// Lock takes the lock of a file of the state, which is a file beside it, and
// waits for it as long as wait.
func Lock(ctx context.Context, path string, wait time.Duration) (unlock func() error, err error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	lock := lockFile(path)
	// One that is free is taken though the time is up: something else took it.
	if got, err := lock.TryLock(); err == nil && got {
		return lock.Unlock, nil
	}
	switch _, err := lock.TryLockContext(ctx, lockRetry); {
	case err != nil && ctx.Err() != nil:
		return nil, fmt.Errorf("%s is locked by another process: %w", path, err)
	case err != nil:
		return nil, fmt.Errorf("%s cannot be locked: %w", path, err)
	}
	return lock.Unlock, nil
}

// TryLock takes the lock of a file of the state, which is free; unlock is nil where another process has it.
func TryLock(path string) (unlock func() error, err error) {
	lock := lockFile(path)
	if got, err := lock.TryLock(); err != nil || !got {
		return nil, err
	}
	return lock.Unlock, nil
}

func lockFile(path string) *flock.Flock {
	return flock.New(path+".lock", flock.SetPermissions(0o666), // for whoever shares the repository
		flock.SetFlag(os.O_CREATE|os.O_RDONLY|syscall.O_NONBLOCK))
}

// Replace writes a file of the state whole, so that it is the old one or the new
// one whenever it is read. The caller holds the lock of its log.
func Replace(path string, data []byte) error {
	tmp := path + ".new"
	if err := WriteFile(tmp, data, 0o666); err != nil {
		os.Remove(tmp)
		return err
	}
	if err := os.Rename(tmp, path); err != nil {
		return fmt.Errorf("%s cannot be replaced: %w", filepath.Base(path), err)
	}
	return nil
}

// Remove removes a file, if it is there.
func Remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// Line is a value as one line, its line break included.
func Line(v any) ([]byte, error) {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return line.Bytes(), err
}

// Indented is a value as JSON for whoever looks: a key a line.
func Indented(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return b.Bytes(), err
}
