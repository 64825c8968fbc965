package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"syscall"
)

// ErrRefused means that git or a hook refused the commit. Their messages have been written out.
var ErrRefused = errors.New("the commit was refused")

// CommitPath commits one file of the work tree, with the user's own git, hooks and configuration. Everything else that
// is staged stays staged. path is relative to the top; out gets the output of git and hooks. Without a commit the index
// stays as it was; a refusal of git is ErrRefused.
func (r *Repo) CommitPath(ctx context.Context, path string, message []byte, out io.Writer) (ID, error) {
	spec := ":(top,literal)" + path
	tracked, err := r.git(ctx, "ls-files", "-z", "--", spec)
	if err != nil {
		return "", err
	}
	if len(tracked) == 0 { // git commits only paths in the index
		if err := r.runAsUser(ctx, nil, out, "add", "--intent-to-add", "--", spec); err != nil {
			return "", err
		}
	}
	// A line that begins with # belongs to the message, whatever commit.cleanup says.
	if err := r.runAsUser(ctx, message, out, "commit", "--quiet", "--cleanup=whitespace", "--file=-", "--only", "--",
		spec); err != nil {
		if len(tracked) == 0 {
			undo := r.runAsUser(context.WithoutCancel(ctx), nil, out, "rm", "--quiet", "--cached", "--", spec)
			err = errors.Join(err, undo)
		}
		return "", err
	}
	return r.headID(ctx)
}

// CommitIndex commits the index, even an unchanged one, with the user's own git, hooks and configuration. out gets the
// output of git and hooks; a refusal of git is ErrRefused.
func (r *Repo) CommitIndex(ctx context.Context, message []byte, out io.Writer) (ID, error) {
	before, _ := r.headID(ctx) // "" on an unborn branch
	err := r.runAsUser(ctx, message, out, "commit", "--quiet", "--allow-empty", "--cleanup=whitespace", "--file=-")
	if err == nil {
		return r.headID(ctx)
	}
	if now, errHead := r.headID(context.WithoutCancel(ctx)); errHead == nil && now != before {
		return now, fmt.Errorf("git made the commit %s, and then failed", now) // no space for the index, say
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

// runAsUser runs git in the caller's own environment and terminal.
func (r *Repo) runAsUser(ctx context.Context, stdin []byte, out io.Writer, args ...string) error {
	cmd := Command(ctx, r.dir, r.env, args...)
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
