package hooks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/acta-git/acta/repo"
)

// Scope is whose git is configured.
type Scope string

// The scopes, named as git names its files of configuration.
const (
	Global Scope = "global" // of one user
	System Scope = "system" // of the machine
)

// Machine is an installation for every repository of a user or a machine: for a
// sandbox in which agents make repositories that nobody installs anything in.
type Machine struct {
	Scope Scope
	// Getenv reads the environment, which decides where git's configuration is.
	Getenv func(string) string
}

// configuredHooks is the first git that runs hooks which configuration names
// beside those in the hooks folder (git's release notes, 2.54).
const configuredHooks = "2.54"

// keyHooksPath replaces the hooks folder of a repository.
const keyHooksPath = "core.hooksPath"

// Install writes the hooks into a folder of their own and tells git of it: as
// configured hooks where git has them, else by core.hooksPath, with a file for
// every hook of git's that hands on to the repository's own. Where core.hooksPath
// names a folder already, the hooks are installed there.
func (m Machine) Install(ctx context.Context, o Options) ([]Action, error) {
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
	sets := append(o.added(), Default)
	if path != "" && path != dir {
		return folder(path).install(scripts(o.Binary, keptBeside, sets...))
	}
	configured, err := m.hasConfiguredHooks(ctx)
	if err != nil {
		return nil, err
	}
	if configured {
		return m.configure(ctx, folder(dir), scripts(o.Binary, keptNowhere, sets...), path)
	}
	done, err := folder(dir).install(handOn(scripts(o.Binary, keptRepository, sets...)))
	if err != nil {
		return done, err
	}
	return append(done, Action{keyHooksPath, "set to " + dir + " in git's " + string(m.Scope) + " configuration"}),
		m.set(ctx, keyHooksPath, dir)
}

// configure installs configured hooks, in place of core.hooksPath where an older git had that.
func (m Machine) configure(ctx context.Context, dir folder, scripts []script, hooksPath string) ([]Action, error) {
	done, err := dir.install(scripts)
	if err != nil {
		return done, err
	}
	for _, f := range scripts {
		key := section(f.Point)
		if err := errors.Join(
			m.set(ctx, key+".command", quoted(dir.path(f.Name))),
			m.set(ctx, key+".event", f.Name),
		); err != nil {
			return done, err
		}
		done = append(done, Action{key, "configured in git's " + string(m.Scope) + " configuration"})
	}
	if hooksPath != "" {
		err = m.unset(ctx, keyHooksPath)
	}
	return done, err
}

// Uninstall takes back what Install did.
func (m Machine) Uninstall(ctx context.Context) ([]Action, error) {
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
		done, err = []Action{{keyHooksPath, "taken out of git's " + string(m.Scope) + " configuration"}},
			m.unset(ctx, keyHooksPath)
	default:
		done, err = folder(path).uninstall()
	}
	if err != nil {
		return done, err
	}
	for _, p := range Points() {
		command, err := m.get(ctx, section(p)+".command")
		if err != nil {
			return done, err
		}
		if command == "" {
			continue
		}
		if err := m.git(ctx, "--remove-section", section(p)); err != nil {
			return done, err
		}
		done = append(done, Action{section(p), "taken out of git's " + string(m.Scope) + " configuration"})
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

// Template writes the hooks into the folder hooks of a template, from which git
// init and git clone copy them (git-init(1), "TEMPLATE DIRECTORY").
func Template(dir string, o Options) ([]Action, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	done, err := folder(filepath.Join(abs, "hooks")).install(scripts(o.Binary, keptBeside, append(o.added(), Default)...))
	if err != nil {
		return done, err
	}
	return append(done, Action{
		abs, "to have it in every new repository: git config --global init.templateDir " + quoted(abs),
	}), nil
}

// RemoveTemplate takes back what Template wrote.
func RemoveTemplate(dir string) ([]Action, error) {
	return folder(filepath.Join(dir, "hooks")).uninstall()
}

// section is the section of a configured hook. git dies where its name is a hook's own.
func section(p Point) string { return "hook.acta-" + p.Name }

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

// folder is where the hooks of the machine or the user are written.
func (m Machine) folder() (string, error) {
	switch file, config, home := m.Getenv("GIT_CONFIG_SYSTEM"), m.Getenv("XDG_CONFIG_HOME"), m.Getenv("HOME"); {
	case m.Scope == System && file != "":
		return filepath.Join(filepath.Dir(file), "acta", "hooks"), nil
	case m.Scope == System:
		return "/etc/acta/hooks", nil
	case filepath.IsAbs(config):
		return filepath.Join(config, "acta", "hooks"), nil
	case filepath.IsAbs(home):
		return filepath.Join(home, ".config", "acta", "hooks"), nil
	}
	return "", errors.New("HOME is not set: set it to where your git configuration is")
}

func (m Machine) hasConfiguredHooks(ctx context.Context) (bool, error) {
	out, err := repo.Command(ctx, "", nil, "version").Output()
	if err != nil {
		return false, fmt.Errorf("git version: %w", err)
	}
	fields := strings.Fields(string(out))
	if len(fields) < 3 {
		return false, fmt.Errorf("git version: expected «git version X.Y», found %q", out)
	}
	return !older(fields[2], configuredHooks), nil
}

// older compares the first two numbers of versions.
func older(a, b string) bool {
	var x, y [2]int
	_, _ = fmt.Sscanf(a, "%d.%d", &x[0], &x[1])
	_, _ = fmt.Sscanf(b, "%d.%d", &y[0], &y[1])
	return x[0] < y[0] || x[0] == y[0] && x[1] < y[1]
}

// get is a value of the scope's own configuration, "" when it is not set.
func (m Machine) get(ctx context.Context, key string) (string, error) {
	out, err := repo.Command(ctx, "", nil, "config", "--"+string(m.Scope), "--type=path", "--get", key).Output()
	if failed := (interface{ ExitCode() int })(nil); errors.As(err, &failed) && failed.ExitCode() == 1 {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("git's %s configuration cannot be read: %w", m.Scope, err)
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}

func (m Machine) set(ctx context.Context, key, value string) error {
	return m.git(ctx, "--replace-all", key, value)
}

func (m Machine) unset(ctx context.Context, key string) error {
	return m.git(ctx, "--unset-all", key)
}

func (m Machine) git(ctx context.Context, args ...string) error {
	cmd := repo.Command(ctx, "", nil, append([]string{"config", "--" + string(m.Scope)}, args...)...)
	var complaint strings.Builder
	cmd.Stderr = &complaint
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("git's %s configuration cannot be changed: %w: %s", m.Scope,
			err, strings.TrimSpace(complaint.String()))
	}
	return nil
}
