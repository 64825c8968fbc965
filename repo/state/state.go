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
	// may want it at once on a busy machine; an unwritten entry is lost to the score.
	LockWait = 30 * time.Second
	// lockRetry is the time between two attempts.
	lockRetry = 5 * time.Millisecond
)

// Path is a file of the local state; commonDir is the git directory that the work trees share.
func Path(commonDir, name string) string { return filepath.Join(commonDir, "acta", name) }

// Change passes the content of a file of the local state to change, nil if the file is missing, and replaces it with
// the result, under a lock. A nil result changes nothing.
func Change(ctx context.Context, commonDir, name string, change func(data []byte) ([]byte, error)) (err error) {
	path := Path(commonDir, name)
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

// Read is the content of a file, nil if nobody has written it yet.
func Read(path string) ([]byte, error) {
	data, err := ReadFile(path)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	return data, err
}

// Lock takes the lock of a file of the state, which is a file next to it, and waits at most wait. It makes a missing
// folder.
func Lock(ctx context.Context, path string, wait time.Duration) (unlock func() error, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	lock := lockFile(path)
	// Take a free lock even if ctx is already done.
	if isFree, err := lock.TryLock(); err == nil && isFree {
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

// TryLock takes the lock of a file of the state if it is free; unlock is nil if another process holds it.
func TryLock(path string) (unlock func() error, err error) {
	lock := lockFile(path)
	if got, err := lock.TryLock(); err != nil || !got {
		return nil, err
	}
	return lock.Unlock, nil
}

func lockFile(path string) *flock.Flock {
	return flock.New(path+".lock", flock.SetPermissions(0o666), // for all users of the repository
		flock.SetFlag(os.O_CREATE|os.O_RDONLY|syscall.O_NONBLOCK))
}

// Replace writes a file of the state whole: readers see the old one or the new one. The caller holds its lock.
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

// JSONLine is a value as one line of JSON with its line feed.
func JSONLine(v any) ([]byte, error) { return encodeJSON(v, "") }

// IndentedJSON is a value as JSON for people: one key a line.
func IndentedJSON(v any) ([]byte, error) { return encodeJSON(v, "  ") }

func encodeJSON(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	err := enc.Encode(v)
	return b.Bytes(), err
}
