package loop

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
)

// scratchIndex is the index, in the work tree's git directory, that commits of the
// plan alone are made of. The user's own index, whatever is staged in it, is not in them.
const scratchIndex = "acta-loop.index"

func (w *run) scratch() string { return filepath.Join(w.gitDir, scratchIndex) }

// clearScratch removes what a killed loop left. Nobody else uses these files, and the lock is ours.
func (w *run) clearScratch() error {
	for _, name := range []string{w.scratch(), w.scratch() + ".lock"} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// git runs git as the user would, with what env adds; lock files of others are waited for.
func (w *run) git(ctx context.Context, env []string, stdin []byte, args ...string) (string, error) {
	for {
		cmd := repo.Command(ctx, w.top, slices.Concat(w.Env, env), args...)
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // so that git removes its locks
		cmd.WaitDelay, cmd.ExtraFiles = waitDelay, w.lock.inherited()
		var out, complaint bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), &out, &complaint
		err := cmd.Run()
		switch {
		case err == nil:
			return out.String(), nil
		case ctx.Err() != nil:
			return "", fmt.Errorf("stopped while git worked: %w", context.Cause(ctx))
		}
		said := strings.TrimSpace(complaint.String())
		name := lockIn(said)
		if name == "" {
			return "", &gitError{args[0], said, err}
		}
		if err := waitFor(ctx, name); err != nil {
			return "", err
		}
	}
}

// gitError is a git process that failed, and what it and its hooks said.
type gitError struct {
	command, said string
	err           error
}

func (e *gitError) Error() string { return fmt.Sprintf("git %s: %v\n%s", e.command, e.err, e.said) }
func (e *gitError) Unwrap() error { return e.err }

// lockIn is the lock file of git's that a complaint names in whatever language, "" where it names none that is there.
func lockIn(complaint string) string {
	for _, m := range regexp.MustCompile(`(/[^\n'"’”»]*\.lock)['"’”»]`).FindAllStringSubmatch(complaint, -1) {
		if _, err := os.Lstat(m[1]); err == nil {
			return m[1]
		}
	}
	return ""
}

// waitFor gives whoever holds a lock of git's the time of a few commands. A lock that
// stays was left by a git that was killed; only a person can know that.
func waitFor(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, gitLockWait, &BlockedError{
		What:   "git's lock " + name + " is there, and does not go away",
		Remedy: "if no git is running here, a git that was killed has left it: rm '" + name + "', and start the loop again",
	})
	defer cancel()
	for {
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
}

// foreground keeps git's housekeeping from going on behind the commit, with the loop's lock.
var foreground = [...]string{"-c", "gc.autoDetach=false", "-c", "maintenance.autoDetach=false"}

// commit makes a commit of an index; nil env is the user's. A refusal by a hook is an unusableError.
func (w *run) commit(ctx context.Context, t *turn, text []byte, env []string) (repo.ID, error) {
	args := slices.Concat(foreground[:], []string{"commit", "--quiet", "--allow-empty", "--cleanup=verbatim", "--file=-"})
	_, err := w.git(ctx, env, text, args...)
	if failed, ok := errors.AsType[*gitError](err); ok {
		return "", unusable("the commit was refused:\n%s", failed.said)
	}
	if err != nil {
		return "", err
	}
	head, err := t.repo.Head(ctx)
	return head.ID, err
}

// stage puts everything outside plan and intent into the index.
func (w *run) stage(ctx context.Context, t *turn) error {
	if err := w.planIsClean(ctx, t); err != nil {
		if blocked, ok := errors.AsType[*BlockedError](err); ok && blocked.edited {
			return unusable("an ACT leaves the plan as it is: %s; put it back", blocked.What)
		}
		return err
	}
	_, err := w.git(ctx, nil, nil, "add", "--all", "--",
		":(top)", ":(top,exclude,literal)"+t.PlanPath, ":(top,exclude,literal)"+t.Intent)
	if failed, ok := errors.AsType[*gitError](err); ok {
		return unusable("what you changed cannot be staged:\n%s", failed.said)
	}
	return err
}

// commitAlone makes a commit that changes the plan to data, or nothing where data is
// nil. HEAD moves first, then the plan in the work tree and the index follow: killed
// in between, they have the plan of HEAD's parent, which planIsClean knows and mends.
func (w *run) commitAlone(ctx context.Context, t *turn, text, data []byte) (repo.ID, error) {
	if err := w.clearScratch(); err != nil {
		return "", err
	}
	if err := copyFile(filepath.Join(w.gitDir, "index"), w.scratch()); err != nil {
		return "", err
	}
	env := []string{"GIT_INDEX_FILE=" + w.scratch()}
	if _, err := w.git(ctx, env, nil, "read-tree", "--reset", string(t.Head.Tree)); err != nil {
		return "", err
	}
	if data != nil {
		is, err := w.planIn(ctx, t, t.Head)
		if err != nil {
			return "", err
		}
		blob, err := w.git(ctx, nil, data, "hash-object", "-w", "--stdin")
		if err != nil {
			return "", err
		}
		entry := is.Mode + "," + strings.TrimSpace(blob) + "," + t.PlanPath
		if _, err := w.git(ctx, env, nil, "update-index", "--cacheinfo", entry); err != nil {
			return "", err
		}
	}
	id, err := w.commit(ctx, t, text, env)
	if err != nil {
		return "", errors.Join(err, w.clearScratch())
	}
	if t.Head, err = t.repo.Commit(ctx, string(id)); err != nil {
		return "", err
	}
	return id, errors.Join(w.planIsClean(ctx, t), w.clearScratch())
}

// copyFile keeps what git knows of the files' times, so that it need not read each of them again.
func copyFile(from, to string) error {
	data, err := state.ReadFile(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return state.WriteFile(to, data, 0o666)
}

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
