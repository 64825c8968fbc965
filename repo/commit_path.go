package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"syscall"
)

// ErrRefused is a commit that git, or a hook, did not make. What they say has been written out.
var ErrRefused = errors.New("the commit was refused")

// CommitPath commits one file as it is in the work tree, with the user's own git, hooks and configuration. Whatever
// else is staged stays staged, and is not committed. path is relative to the top; out gets what git and the hooks say.
// Where no commit is made the index is as it was; that git said no is ErrRefused.
func (r *Repo) CommitPath(ctx context.Context, path string, message []byte, out io.Writer) (ID, error) {
	spec := ":(top,literal)" + path
	known, err := r.git(ctx, "ls-files", "-z", "--", spec)
	if err != nil {
		return "", err
	}
	if len(known) == 0 { // git commits no path that the index does not know
		if err := r.change(ctx, nil, out, "add", "--intent-to-add", "--", spec); err != nil {
			return "", err
		}
	}
	// The message is whole: a line that begins with # belongs to it, whatever commit.cleanup says.
	if err := r.change(ctx, message, out, "commit", "--quiet", "--cleanup=whitespace", "--file=-", "--only", "--",
		spec); err != nil {
		if len(known) == 0 {
			undo := r.change(context.WithoutCancel(ctx), nil, out, "rm", "--quiet", "--cached", "--", spec)
			err = errors.Join(err, undo)
		}
		return "", err
	}
	return r.headID(ctx)
}

// CommitIndex commits what is staged, if only to say the message, with the user's own git, hooks and configuration. out
// gets what git and the hooks say; that git said no is ErrRefused.
func (r *Repo) CommitIndex(ctx context.Context, message []byte, out io.Writer) (ID, error) {
	before, _ := r.headID(ctx) // none on an unborn branch
	err := r.change(ctx, message, out, "commit", "--quiet", "--allow-empty", "--cleanup=whitespace", "--file=-")
	if err == nil {
		return r.headID(ctx)
	}
	if now, errHead := r.headID(context.WithoutCancel(ctx)); errHead == nil && now != before {
		return now, fmt.Errorf("git made the commit %s, and failed then", now) // without room for the index
	}
	return "", err
}

func (r *Repo) headID(ctx context.Context) (ID, error) {
	id, err := r.git(ctx, "rev-parse", "--verify", "HEAD^{commit}")
	if err != nil {
		return "", err
	}
	return parseID(string(bytes.TrimSpace(id)))
}

// change runs git as whoever called acta would: in its own environment, with its terminal.
func (r *Repo) change(ctx context.Context, stdin []byte, out io.Writer, args ...string) error {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Env = r.dir, slices.Clone(r.env)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), out, out
	cmd.WaitDelay = waitDelay
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // a git that is killed leaves its lock
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() > 0 {
		return fmt.Errorf("git %s: %w", args[0], ErrRefused)
	}
	if err != nil {
		return fmt.Errorf("git %s: %w", args[0], err)
	}
	return nil
}
