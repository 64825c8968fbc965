package repo

import (
	"context"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
)

// Author returns the name and the address that a commit made now would bear as
// its author's. A hook is told them; elsewhere git is asked.
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

// Identities are the names by which acta knows whoever calls, and the names and addresses by which git does.
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

// Command is git as somebody else runs it in dir, with env (see ForeignEnv) and
// nothing added: for what acts on a repository instead of reading it.
func Command(ctx context.Context, dir string, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Env = dir, env
	return cmd
}
