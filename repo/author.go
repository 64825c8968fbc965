package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"syscall"
)

// Author returns the author's name and address that git would write into a commit now. In a hook they are in the
// environment; elsewhere git is asked.
func (r *Repo) Author(ctx context.Context) ([]string, error) {
	name, email := r.lookup("GIT_AUTHOR_NAME"), r.lookup("GIT_AUTHOR_EMAIL")
	if name != "" && email != "" {
		return []string{name, email}, nil
	}
	out, err := r.git(ctx, "var", "GIT_AUTHOR_IDENT")
	if err != nil {
		return nil, fmt.Errorf("git does not know who the author is: %w", err)
	}
	name, rest, _ := strings.Cut(string(out), " <")
	email, _, _ = strings.Cut(rest, ">")
	return []string{name, email}, nil
}

// Identities are the caller's names: those that acta uses, and the names and addresses that git uses.
func (r *Repo) Identities(ctx context.Context) (acta, git []string) {
	acta = []string{r.lookup("ACTA_ACTOR")}
	for _, key := range []string{"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"} {
		git = append(git, r.lookup(key))
	}
	const actor = "acta.actor"
	keys := []string{actor, "user.name", "user.email", "author.name", "author.email", "committer.name", "committer.email"}
	if config, err := r.Config(ctx, keys...); err == nil {
		acta = append(acta, config[actor])
		git = slices.AppendSeq(git, maps.Values(config))
	}
	if names, err := r.Author(ctx); err == nil {
		git = append(git, names...)
	}
	empty := func(name string) bool { return name == "" }
	return slices.DeleteFunc(acta, empty), slices.DeleteFunc(git, empty)
}

// Command is a git process in dir with env (see ForeignEnv) and no other settings, for commands that change a
// repository.
func Command(ctx context.Context, dir string, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Env = dir, env
	return cmd
}

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
	if err != nil && !errors.Is(err, exec.ErrWaitDelay) { // a program that a hook started may keep the output open
		return fmt.Errorf("git %s: %w", args[0], err)
	}
	return nil
}
