package repo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/repo/program"
)

// This file decides what every git process that reads is started with. A repository
// may be hostile, its .git/config included: what git would run because of it does
// not run. Commits that a command makes for its user are not started here; see change and Command.

// settled is what every call of git gets on top of the inherited environment,
// so that answers depend on the repository alone: messages in English, no
// replaced or grafted objects, no locks that are not needed, no pager, no
// prompt, no attributes of the machine; and nothing is fetched.
var settled = [...]string{
	"LC_ALL=C",
	"LANGUAGE=",
	"GIT_NO_REPLACE_OBJECTS=1",
	// git warns about a graft file that is there, and is silent about one that cannot be.
	"GIT_GRAFT_FILE=/dev/null/none",
	"GIT_OPTIONAL_LOCKS=0",
	"GIT_PAGER=cat",
	"GIT_TERMINAL_PROMPT=0",
	"GIT_ATTR_NOSYSTEM=1",
	// No transport has this name, and unlike protocol.allow no configuration overrules
	// it: a partial clone's remote may be any program (remote.<name>.uploadpack, ext::).
	"GIT_ALLOW_PROTOCOL=none",
}

// runsNothing are the settings by which git would run a program while it reads.
// diff.external, diff.<driver>.textconv and filters need more than a setting: commands
// that compare have options against them, and withoutFilters is for those that look at the work tree.
var runsNothing = [...]string{
	// Empty is «no» to every git; before 2.36 «false» was the name of a program.
	"-c", "core.fsmonitor=",
	"-c", "core.hooksPath=" + os.DevNull, // post-index-change, reference-transaction
	"-c", "log.showSignature=false", // gpg.program
}

// command is one git process, not started.
func (r *Repo) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", slices.Concat(r.guards(args[0]), args)...)
	cmd.Dir = r.dir
	cmd.Env = slices.Concat(r.env, settled[:])
	cmd.WaitDelay = waitDelay
	cmd.Cancel = func() error { return program.Terminate(cmd.Process) }
	program.Detach(cmd)
	return cmd
}

// Patience with a git that gives no answer: what walks through history may be silent for long.
const (
	patience     = 30 * time.Second
	longPatience = 10 * time.Minute
	// patienceVariable gives another time, such as 2m, for slow disks.
	patienceVariable = "ACTA_GIT_TIMEOUT"
)

// errSilent: git gave no answer in time.
var errSilent = errors.New("git gave no answer")

// patience is how long a command may take, or cat-file with an answer.
func (r *Repo) patience(command string) time.Duration {
	if given, err := time.ParseDuration(r.lookup(patienceVariable)); err == nil && given > 0 {
		return given
	}
	switch command {
	case "log", "rev-list", "diff-tree", "reflog", "merge-base", "fast-import":
		return longPatience
	}
	return patience
}

// run runs a command to its end, or ends it where it takes too long. After one git that gave no answer
// no other is waited for: a hook would wait as often as it asks.
func (r *Repo) run(cmd *exec.Cmd) error {
	if r.silent.Load() {
		return errSilent
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	timer := time.AfterFunc(r.patience(subcommand(cmd.Args)), func() {
		for _, end := range []func(*os.Process) error{program.Terminate, program.Kill} {
			select {
			case <-ended: // its number may be another's by now
				return
			default:
			}
			r.silent.Store(true)
			_ = end(cmd.Process)
			select {
			case <-ended:
			case <-time.After(waitDelay):
			}
		}
	})
	err := cmd.Wait()
	close(ended)
	if !timer.Stop() { // what it said of itself when it was ended is no answer
		return errSilent
	}
	return err
}

// guards are the options of git itself that a command is started with. rev-parse and config run
// nothing, and are asked for settings as they are.
func (r *Repo) guards(command string) []string {
	var guards []string
	if !r.standsAlone() {
		guards = append(guards, "-c", "safe.bareRepository=explicit")
	}
	if command != "rev-parse" && command != "config" {
		guards = append(guards, runsNothing[:]...)
	}
	return guards
}

// standsAlone reports whether a bare repository here may be taken for one: any folder that holds HEAD,
// objects and refs is a repository to git, with its own configuration, and a commit can bring such a
// folder. So it must lie in no work tree, or in a folder called .git, which no commit can bring.
func (r *Repo) standsAlone() bool {
	r.placing.Do(func() {
		dir, err := filepath.EvalSymlinks(r.absolute("."))
		if err != nil {
			return
		}
		for bare := false; ; {
			if filepath.Base(dir) == ".git" {
				r.alone = true
				return
			}
			if exists(filepath.Join(dir, ".git")) {
				return
			}
			bare = bare || exists(filepath.Join(dir, "HEAD")) && exists(filepath.Join(dir, "objects"))
			up := filepath.Dir(dir)
			if up == dir {
				r.alone = bare
				return
			}
			dir = up
		}
	})
	return r.alone
}

// bareRefused is how git says that it found a bare repository and was told to look for none.
const bareRefused = "cannot use bare repository"

// withoutFilters is the environment in which no filter of any driver runs when git looks at the work
// tree. Their names are whatever the configuration says, so git is asked for them.
func (r *Repo) withoutFilters(ctx context.Context) ([]string, error) {
	out, err := r.git(ctx, "config", "-z", "--name-only", "--get-regexp", `^filter\..*\.(clean|smudge|process|required)$`)
	if none, ok := errors.AsType[*commandError](err); ok && none.code == 1 && none.stderr == "" {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	first := 0
	if given := r.lookup("GIT_CONFIG_COUNT"); given != "" {
		if _, err := fmt.Sscan(given, &first); err != nil {
			return nil, fmt.Errorf("GIT_CONFIG_COUNT is %q, and must be a number", given)
		}
	}
	var env []string
	keys := split(string(out))
	for i, key := range keys {
		value := ""
		if strings.HasSuffix(key, ".required") {
			value = "false"
		}
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", first+i, key),
			fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", first+i, value))
	}
	return append(env, fmt.Sprintf("GIT_CONFIG_COUNT=%d", first+len(keys))), nil
}
