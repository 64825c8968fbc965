package loop

import (
	"context"
	"path/filepath"
	"time"
)

const (
	// lockName is the file in a work tree's git directory that a running loop holds.
	lockName = "acta-loop.lock"
	// lockWait is how long a loop waits for what another one has left running.
	lockWait = 10 * time.Second
	// retry is how often it looks whether a lock is free.
	retry = 20 * time.Millisecond
)

func takeLock(ctx context.Context, gitDir string) (*lock, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, lockWait, &BlockedError{
		What: "another loop, or a program that one has started, works in this work tree: it holds " +
			filepath.Join(gitDir, lockName),
		Remedy: "wait until it ends",
	})
	defer cancel()
	for {
		if l, err := tryLock(gitDir); l != nil || err != nil {
			return l, err
		}
		if err := pause(ctx); err != nil {
			return nil, err
		}
	}
}

// pause waits a moment, or until ctx is done.
func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(retry):
		return nil
	}
}
