//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package loop

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"

	"github.com/acta-git/acta/repo/state"
)

// lock is held by an open file, and so by every program that inherits it: programs of a killed loop keep the next loop
// waiting until they end.
type lock struct{ file *os.File }

// tryLock takes the lock of a work tree; nil if somebody holds it.
func tryLock(gitDir string) (*lock, error) {
	f, err := state.OpenFile(filepath.Join(gitDir, lockName), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, f.Close()
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &lock{f}, nil
}

func (l *lock) inherited() []*os.File { return []*os.File{l.file} }

func (l *lock) release() error {
	return errors.Join(syscall.Flock(int(l.file.Fd()), syscall.LOCK_UN), l.file.Close())
}
