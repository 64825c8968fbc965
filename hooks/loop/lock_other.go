//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package loop

import (
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

type lock struct{ *flock.Flock }

func tryLock(gitDir string) (*lock, error) {
	f := flock.New(filepath.Join(gitDir, lockName))
	if taken, err := f.TryLock(); err != nil || !taken {
		return nil, err
	}
	return &lock{f}, nil
}

func (l *lock) inherited() []*os.File { return nil }

func (l *lock) release() error { return l.Unlock() }
