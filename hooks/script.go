package hooks

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/program"
)

// marker begins the second line of every file of Install. Uninstall removes only files with it.
const marker = "# acta-hook:"

const (
	markerLine       = marker + " written by `acta install`, taken back by `acta uninstall`"
	globalMarkerLine = marker + " written by `acta install --global`, taken back by `acta uninstall --global`"
)

// titlePattern is the regular expression (grep -E) of a line that makes a commit an ACT or ADAPT. A script without acta
// refuses only those: «Reason:» or «Done:» also occurs in other messages.
const titlePattern = `^[[:space:]]*([*-][[:space:]]+)?(ACT|ADAPT|Act)[[:space:]]*:`

//go:embed script.sh.tmpl
var scriptTemplate string

// hookSource says where a script finds the hook that runs before acta.
type hookSource string

const (
	savedBeside  hookSource = "beside"     // in savedDir, where Install has moved it
	inRepository hookSource = "repository" // in the repository; core.hooksPath hides it
)

type script struct {
	Point
	SavedHook hookSource
	// Binary is the absolute path of acta.
	Binary string
}

func (s script) Marker() string {
	if s.SavedHook == inRepository {
		return globalMarkerLine
	}
	return markerLine
}

func (script) SavedDir() string     { return savedDir }
func (script) ClaimPattern() string { return titlePattern }
func (s script) Acta() string       { return quoted(s.Binary) }

// HasPreCommit: the pre-commit framework writes hooks of this name.
func (s script) HasPreCommit() bool { return s.Set == Default }

// Subject is what git was asked for: with a seal it is the commit.
func (s script) Subject() string {
	if s.Set == Seal {
		return "the commit"
	}
	return s.Point.Subject
}

// ShouldWarn: the script warns if its executable is missing. Of the hooks of a git command only one does, so that the
// warning appears once.
func (s script) ShouldWarn() bool {
	return s.HasMessage || s.Set != Default || s.Name == "pre-push"
}

func (s script) text() (string, error) {
	var b strings.Builder
	err := template.Must(template.New("script").Parse(scriptTemplate)).Execute(&b, s)
	return b.String(), err
}

func quoted(word string) string {
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Global is an installation for all repositories of a user, for a sandbox in which agents make repositories.
type Global struct {
	// Env is the environment, which locates git's configuration.
	Env program.Env
}

const keyHooksPath = "core.hooksPath"

// Install writes the hooks into a folder and sets core.hooksPath to it; each other git hook gets a script that runs the
// repository's own. If core.hooksPath is already set, the hooks are installed in its folder.
func (m Global) Install(ctx context.Context, o Options) ([]Action, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	dir, path, err := m.folders(ctx)
	if err != nil {
		return nil, err
	}
	o.Server = true // bare repositories have no other hook
	sets := append(o.extraSets(), Default)
	if path != "" && path != dir {
		return folder(path).install(scripts(o.Binary, savedBeside, sets...))
	}
	done, err := folder(dir).install(withPassOns(scripts(o.Binary, inRepository, sets...)))
	if err != nil {
		return done, err
	}
	return append(done, Action{keyHooksPath, "set to " + dir + " in git's global configuration"}),
		m.git(ctx, "--replace-all", keyHooksPath, dir)
}

// Uninstall undoes Install.
func (m Global) Uninstall(ctx context.Context) ([]Action, error) {
	dir, path, err := m.folders(ctx)
	if err != nil {
		return nil, err
	}
	var done []Action
	switch path {
	case "":
	case dir:
		done, err = []Action{{keyHooksPath, "removed from git's global configuration"}},
			m.git(ctx, "--unset-all", keyHooksPath)
	default:
		done, err = folder(path).uninstall(nil)
	}
	if err != nil {
		return done, err
	}
	removed, err := removeOurs(dir)
	return append(done, removed...), err
}

// removeOurs removes the files of Install, and the folder if it is then empty.
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

// otherHooks are git's hooks without acta. core.hooksPath hides them too. push-to-checkout and proc-receive are left
// out: their mere presence changes git's behaviour.
var otherHooks = [...]string{
	"pre-merge-commit", "pre-rebase", "post-checkout", "pre-auto-gc", "post-index-change", "sendemail-validate",
	"update", "post-receive", "post-update",
	"p4-changelist", "p4-prepare-changelist", "p4-post-changelist", "p4-pre-submit",
}

// withPassOns adds a script for every other hook, which only runs the repository's own.
func withPassOns(ours []script) []script {
	others := Points()
	for _, name := range otherHooks {
		others = append(others, Point{Name: name})
	}
	for _, p := range others {
		if !slices.ContainsFunc(ours, func(s script) bool { return s.Name == p.Name }) {
			p.IsIdle = true
			ours = append(ours, script{Point: p, SavedHook: inRepository})
		}
	}
	return ours
}

// folders are the installation's folder, and the one that core.hooksPath names now, "" for none.
func (m Global) folders(ctx context.Context) (own, current string, err error) {
	switch config, home := m.Env.Get("XDG_CONFIG_HOME"), m.Env.Get("HOME"); {
	case filepath.IsAbs(config):
		own = filepath.Join(config, "acta", "hooks")
	case filepath.IsAbs(home):
		own = filepath.Join(home, ".config", "acta", "hooks")
	default:
		return "", "", errors.New("HOME is not set: set it to the folder of your git configuration")
	}
	out, err := repo.Command(ctx, "", nil, "config", "--global", "--type=path", "--get", keyHooksPath).Output()
	if failed := (interface{ ExitCode() int })(nil); errors.As(err, &failed) && failed.ExitCode() == 1 {
		return own, "", nil
	}
	if err != nil {
		return "", "", fmt.Errorf("git's global configuration cannot be read: %w", err)
	}
	return own, strings.TrimSuffix(string(out), "\n"), nil
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
