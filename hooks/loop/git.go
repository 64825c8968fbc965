package loop

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
)

// scratchIndex is the index for commits of the plan alone, in the work tree's git directory. It leaves out what the
// user has staged.
const scratchIndex = "acta-loop.index"

func (w *run) scratchPath() string { return filepath.Join(w.gitDir, scratchIndex) }

// clearScratch removes the files of a killed loop. The lock keeps others from using them.
func (w *run) clearScratch() error {
	return errors.Join(state.Remove(w.scratchPath()), state.Remove(w.scratchPath()+".lock"))
}

// git runs git as the user would, with env added, and waits for other programs' lock files.
func (w *run) git(ctx context.Context, env []string, stdin []byte, args ...string) (string, error) {
	for {
		cmd := repo.Command(ctx, w.top, slices.Concat(w.Env, env), args...)
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // git then removes its locks
		cmd.WaitDelay, cmd.ExtraFiles = waitDelay, w.lock.inherited()
		var out, complaint bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), &out, &complaint
		err := cmd.Run()
		switch {
		case err == nil, errors.Is(err, exec.ErrWaitDelay): // a program that a hook started keeps the output open
			return out.String(), nil
		case ctx.Err() != nil:
			return "", fmt.Errorf("stopped while git worked: %w", context.Cause(ctx))
		}
		output := strings.TrimSpace(complaint.String())
		name := lockFileIn(output)
		if name == "" {
			return "", &gitError{args[0], output, err}
		}
		if err := waitFor(ctx, name); err != nil {
			return "", err
		}
	}
}

type gitError struct {
	command, output string
	err             error
}

func (e *gitError) Error() string { return fmt.Sprintf("git %s: %v\n%s", e.command, e.err, e.output) }
func (e *gitError) Unwrap() error { return e.err }

// lockFileIn is the existing lock file that git's complaint names, in any language, "" for none.
func lockFileIn(complaint string) string {
	for _, m := range regexp.MustCompile(`(/[^\n'"’”»]*\.lock)['"’”»]`).FindAllStringSubmatch(complaint, -1) {
		if _, err := os.Lstat(m[1]); err == nil {
			return m[1]
		}
	}
	return ""
}

// waitFor waits for a git lock, as long as a few commands take. A lock that stays was left by a killed git; only a
// person can know that.
func waitFor(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, gitLockWait, &BlockedError{
		Obstacle: "git's lock file " + name + " exists, and nothing removes it",
		Remedy:   "if no git is running here, a killed git has left it: rm '" + name + "', and start the loop again",
	})
	defer cancel()
	return poll(ctx, func() (isGone bool, err error) {
		_, err = os.Lstat(name)
		return errors.Is(err, fs.ErrNotExist), nil
	})
}

// foregroundOptions keep git's maintenance from running on after the commit, with the loop's lock.
var foregroundOptions = [...]string{"-c", "gc.autoDetach=false", "-c", "maintenance.autoDetach=false"}

// commit commits an index; nil env is the user's. A hook's refusal is an unusableError.
func (w *run) commit(ctx context.Context, t *turn, text []byte, env []string) (repo.ID, error) {
	args := slices.Concat(foregroundOptions[:],
		[]string{"commit", "--quiet", "--allow-empty", "--cleanup=verbatim", "--file=-"})
	_, err := w.git(ctx, env, text, args...)
	if failed, ok := errors.AsType[*gitError](err); ok {
		return "", unusable("the commit was refused:\n%s", failed.output)
	}
	if err != nil {
		return "", err
	}
	head, err := t.repo.Head(ctx)
	return head.ID, err
}

func (w *run) stage(ctx context.Context, t *turn) error {
	if err := w.ensureCleanPlan(ctx, t); err != nil {
		if blocked, ok := errors.AsType[*BlockedError](err); ok && blocked.isPlanEdited {
			return unusable("an ACT leaves the plan as it is: %s; put it back", blocked.Obstacle)
		}
		return err
	}
	_, err := w.git(ctx, nil, nil, "add", "--all", "--",
		":(top)", ":(top,exclude,literal)"+t.PlanPath, ":(top,exclude,literal)"+t.Intent)
	if failed, ok := errors.AsType[*gitError](err); ok {
		return unusable("what you changed cannot be staged:\n%s", failed.output)
	}
	return err
}

// commitAlone commits only the new plan, or nothing for nil data. HEAD moves first, then the plan in the work tree and
// the index: after a kill in between they have the plan of HEAD's parent, which ensureCleanPlan repairs.
func (w *run) commitAlone(ctx context.Context, t *turn, text, data []byte) (id repo.ID, err error) {
	defer func() { err = errors.Join(err, w.clearScratch()) }()
	// The copy has git's knowledge of file times, so that git need not read each file again.
	err = repo.CopyFile(w.scratchPath(), filepath.Join(w.gitDir, "index"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	env := []string{"GIT_INDEX_FILE=" + w.scratchPath()}
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
	if id, err = w.commit(ctx, t, text, env); err != nil {
		return "", err
	}
	if t.Head, err = t.repo.Commit(ctx, string(id)); err != nil {
		return "", err
	}
	return id, w.ensureCleanPlan(ctx, t)
}

const (
	// lockName is the lock file of a running loop, in the work tree's git directory.
	lockName = "acta-loop.lock"
	// lockWait is how long a loop waits for programs of an earlier loop.
	lockWait = 10 * time.Second
	retry    = 20 * time.Millisecond
)

func takeLock(ctx context.Context, gitDir string) (taken *lock, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, lockWait, &BlockedError{
		Obstacle: "another loop, or a program that one has started, works in this work tree: it holds " +
			filepath.Join(gitDir, lockName),
		Remedy: "wait until it ends",
	})
	defer cancel()
	err = poll(ctx, func() (bool, error) {
		taken, err = tryLock(gitDir)
		return taken != nil, err
	})
	return taken, err
}

// poll asks until the answer is yes, or until ctx is done.
func poll(ctx context.Context, ask func() (bool, error)) error {
	for {
		if yes, err := ask(); yes || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(retry):
		}
	}
}
