package repo

import (
	"context"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
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
