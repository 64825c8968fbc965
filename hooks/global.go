package hooks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/program"
)

// Global is an installation for every repository of a user: for a sandbox in which agents make repositories that
// nobody installs anything in.
type Global struct {
	// Env is the environment, which decides where git's configuration is.
	Env program.Env
}

// keyHooksPath replaces the hooks folder of a repository.
const keyHooksPath = "core.hooksPath"

// Install writes the hooks into a folder of their own and tells git of it by core.hooksPath, with a file for every hook
// of git's that hands on to the repository's own. Where core.hooksPath names a folder already, the hooks are installed
// there.
func (m Global) Install(ctx context.Context, o Options) ([]Action, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	dir, err := m.folder()
	if err != nil {
		return nil, err
	}
	path, err := m.get(ctx, keyHooksPath)
	if err != nil {
		return nil, err
	}
	o.Server = true // for bare repositories, which have no other hook
	sets := append(o.added(), Default)
	if path != "" && path != dir {
		return folder(path).install(scripts(o.Binary, keptBeside, sets...))
	}
	done, err := folder(dir).install(handOn(scripts(o.Binary, keptRepository, sets...)))
	if err != nil {
		return done, err
	}
	return append(done, Action{keyHooksPath, "set to " + dir + " in git's global configuration"}),
		m.git(ctx, "--replace-all", keyHooksPath, dir)
}

// Uninstall takes back what Install did.
func (m Global) Uninstall(ctx context.Context) ([]Action, error) {
	dir, err := m.folder()
	if err != nil {
		return nil, err
	}
	path, err := m.get(ctx, keyHooksPath)
	if err != nil {
		return nil, err
	}
	var done []Action
	switch path {
	case "":
	case dir:
		done, err = []Action{{keyHooksPath, "taken out of git's global configuration"}},
			m.git(ctx, "--unset-all", keyHooksPath)
	default:
		done, err = folder(path).uninstall()
	}
	if err != nil {
		return done, err
	}
	removed, err := removeOurs(dir)
	return append(done, removed...), err
}

// removeOurs removes the files that Install wrote, and the folder with the last of them.
func removeOurs(dir string) ([]Action, error) {
	defer folder(dir).lock()()
	if err := folder(dir).removeStrays(); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	left := len(entries)
	for _, e := range entries {
		ours, err := isOurs(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		if ours {
			left--
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				return nil, err
			}
		}
	}
	if left > 0 {
		return []Action{{dir, "acta's files were removed; other files are left"}}, nil
	}
	return []Action{{dir, "removed"}}, os.Remove(dir)
}

// otherHooks are git's hooks at which acta does not stand. core.hooksPath hides
// them too. Not among them are push-to-checkout and proc-receive, whose mere
// presence changes what git does.
var otherHooks = [...]string{
	"pre-merge-commit", "pre-rebase", "post-checkout", "pre-auto-gc", "post-index-change", "sendemail-validate",
	"update", "post-receive", "post-update",
	"p4-changelist", "p4-prepare-changelist", "p4-post-changelist", "p4-pre-submit",
}

// handOn adds a script for every other hook, which only runs the repository's own.
func handOn(ours []script) []script {
	has := map[string]bool{}
	for _, f := range ours {
		has[f.Name] = true
	}
	all := ours
	for _, p := range Points() {
		if !has[p.Name] {
			all = append(all, script{Point: p, Kept: keptRepository, PassOn: true})
		}
	}
	for _, name := range otherHooks {
		all = append(all, script{Point: Point{Name: name}, Kept: keptRepository, PassOn: true})
	}
	return all
}

// folder is where the hooks of the user are written.
func (m Global) folder() (string, error) {
	switch config, home := m.Env.Get("XDG_CONFIG_HOME"), m.Env.Get("HOME"); {
	case filepath.IsAbs(config):
		return filepath.Join(config, "acta", "hooks"), nil
	case filepath.IsAbs(home):
		return filepath.Join(home, ".config", "acta", "hooks"), nil
	}
	return "", errors.New("HOME is not set: set it to where your git configuration is")
}

// get is a value of the user's own configuration, "" when it is not set.
func (m Global) get(ctx context.Context, key string) (string, error) {
	out, err := repo.Command(ctx, "", nil, "config", "--global", "--type=path", "--get", key).Output()
	if failed := (interface{ ExitCode() int })(nil); errors.As(err, &failed) && failed.ExitCode() == 1 {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("git's global configuration cannot be read: %w", err)
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}

func (m Global) git(ctx context.Context, args ...string) error {
	cmd := repo.Command(ctx, "", nil, append([]string{"config", "--global"}, args...)...)
	var complaint strings.Builder
	cmd.Stderr = &complaint
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("git's global configuration cannot be changed: %w: %s", err, strings.TrimSpace(complaint.String()))
	}
	return nil
}
