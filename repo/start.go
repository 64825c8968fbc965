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

// This file starts every git process that reads. A repository and its .git/config may be hostile, so programs that they
// name never run. Commits that a command makes for its user start elsewhere: see change and Command.

// fixedEnv is added to the inherited environment of every git, so that answers depend on the repository alone: English
// messages, no replaced or grafted objects, no needless locks, no pager or prompt, no attributes of the machine, no
// fetching.
var fixedEnv = [...]string{
	"LC_ALL=C",
	"LANGUAGE=",
	"GIT_NO_REPLACE_OBJECTS=1",
	// git warns about a graft file that exists, and is silent if the path cannot exist.
	"GIT_GRAFT_FILE=/dev/null/none",
	"GIT_OPTIONAL_LOCKS=0",
	"GIT_PAGER=cat",
	"GIT_TERMINAL_PROMPT=0",
	"GIT_ATTR_NOSYSTEM=1",
	// No transport has this name, and unlike protocol.allow no configuration overrides it: a partial clone's remote may
	// be any program (remote.<name>.uploadpack, ext::).
	"GIT_ALLOW_PROTOCOL=none",
}

// safeSettings keep git from running programs while it reads. They cannot turn off diff.external,
// diff.<driver>.textconv and filters: commands that compare have options against them, and noFilterEnv serves those
// that read the work tree.
var safeSettings = [...]string{
	// Empty is «no» to every git; before 2.36 «false» was the name of a program.
	"-c", "core.fsmonitor=",
	"-c", "core.hooksPath=" + os.DevNull, // post-index-change, reference-transaction
	"-c", "log.showSignature=false", // gpg.program
}

// command is a git process that is not started yet.
func (r *Repo) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", slices.Concat(r.gitOptions(args[0]), args)...)
	cmd.Dir = r.dir
	cmd.Env = slices.Concat(r.env, fixedEnv[:])
	// A machine that stalls takes seconds to read the output of a git that has ended; without it there is no answer.
	cmd.WaitDelay = gitTimeout
	cmd.Cancel = func() error { return program.Terminate(cmd.Process) }
	program.Detach(cmd)
	return cmd
}

// How long git may take before it answers; walks through history are slow.
const (
	gitTimeout     = 30 * time.Second
	longGitTimeout = 10 * time.Minute
	// timeoutVariable sets another time, such as 2m, for slow disks.
	timeoutVariable = "ACTA_GIT_TIMEOUT"
)

var errTimeout = errors.New("git gave no answer")

// timeout is how long a command may take, or one answer of cat-file.
func (r *Repo) timeout(command string) time.Duration {
	if d, err := time.ParseDuration(r.lookup(timeoutVariable)); err == nil && d > 0 {
		return d
	}
	switch command {
	case "log", "rev-list", "diff-tree", "reflog", "merge-base", "fast-import":
		return longGitTimeout
	}
	return gitTimeout
}

// run runs a command to its end, or ends it after its timeout. After one timeout no further git is started: a hook
// would wait for each of them.
func (r *Repo) run(cmd *exec.Cmd) error {
	if r.timedOut.Load() {
		return errTimeout
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	timer := time.AfterFunc(r.timeout(subcommand(cmd.Args)), func() {
		for _, end := range []func(*os.Process) error{program.Terminate, program.Kill} {
			select {
			case <-ended: // its process id may be reused by now
				return
			default:
			}
			r.timedOut.Store(true)
			_ = end(cmd.Process)
			select {
			case <-ended:
			case <-time.After(waitDelay):
			}
		}
	})
	err := cmd.Wait()
	close(ended)
	if !timer.Stop() { // the output of an ended process is no answer
		return errTimeout
	}
	return err
}

// gitOptions are the options before the subcommand. rev-parse and config run no programs, and must show settings
// unchanged.
func (r *Repo) gitOptions(command string) []string {
	var options []string
	if !r.isOutsideWorkTree() {
		options = append(options, "-c", "safe.bareRepository=explicit")
	}
	if command != "rev-parse" && command != "config" {
		options = append(options, safeSettings[:]...)
	}
	return options
}

// isOutsideWorkTree reports whether git may use a bare repository here. To git, any folder with HEAD, objects and refs
// is a repository with its own configuration, and a commit can bring such a folder. So the folder must lie outside
// every work tree, or be called .git, which no commit can bring.
func (r *Repo) isOutsideWorkTree() bool {
	r.outsideOnce.Do(func() {
		dir, err := filepath.EvalSymlinks(r.absolute("."))
		if err != nil {
			return
		}
		bare := false
		for dir := range upwards(dir) {
			if filepath.Base(dir) == ".git" {
				r.isOutside = true
				return
			}
			if exists(filepath.Join(dir, ".git")) {
				return
			}
			bare = bare || exists(filepath.Join(dir, "HEAD")) && exists(filepath.Join(dir, "objects"))
		}
		r.isOutside = bare
	})
	return r.isOutside
}

const bareRefusal = "cannot use bare repository"

// noFilterEnv is the environment in which git runs no filter on the work tree. git lists the filters that the
// configuration names.
func (r *Repo) noFilterEnv(ctx context.Context) ([]string, error) {
	out, err := r.git(ctx, "config", "-z", "--name-only", "--get-regexp", `^filter\..*\.(clean|smudge|process|required)$`)
	if foundNothing(err) {
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
	keys := splitNUL(string(out))
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
