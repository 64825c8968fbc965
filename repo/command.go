package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/acta-git/acta/repo/program"
)

// waitDelay bounds the wait for a child that was asked to end, and for the pipes of a user's git after its end.
const waitDelay = 2 * time.Second

func (r *Repo) git(ctx context.Context, args ...string) ([]byte, error) {
	return r.output(ctx, r.command(ctx, args...))
}

func (r *Repo) output(ctx context.Context, cmd *exec.Cmd) ([]byte, error) {
	var out bytes.Buffer
	err := r.outputTo(ctx, cmd, &out)
	return out.Bytes(), err
}

func (r *Repo) outputTo(ctx context.Context, cmd *exec.Cmd, out io.Writer) error {
	stderr := &headBuffer{}
	cmd.Stdout, cmd.Stderr = out, stderr
	if err := r.run(cmd); err != nil {
		return r.failure(ctx, cmd, err, stderr.String())
	}
	return nil
}

type headBuffer struct{ bytes.Buffer }

const maxStderr = 8 << 10

func (h *headBuffer) Write(p []byte) (int, error) {
	_, _ = h.Buffer.Write(p[:min(max(maxStderr-h.Len(), 0), len(p))])
	return len(p), nil
}

// commandError is a failed git process. It unwraps to the cause and, if its complaint has one, to a sentinel.
type commandError struct {
	command string // git and its subcommand
	dir     string
	stderr  string
	code    int     // exit code, -1 if a signal ended it
	causes  []error // how it ended, and a sentinel if its complaint has one
}

// How many lines of git's complaint an error repeats, and how many bytes of each.
const (
	maxLines = 6
	maxLine  = 400
)

func (e *commandError) Error() string {
	var kind string
	if len(e.causes) > 1 {
		kind = e.causes[1].Error() + ": "
	}
	complaint := strings.TrimSpace(e.stderr)
	if complaint == "" {
		return fmt.Sprintf("%s%s in %s: %v", kind, e.command, e.dir, e.causes[0])
	}
	lines := strings.Split(complaint, "\n")
	if len(lines) > maxLines {
		lines = append(lines[:maxLines], "…")
	}
	for i, l := range lines {
		if len(l) > maxLine {
			lines[i] = strings.ToValidUTF8(l[:maxLine], "") + "…"
		}
	}
	return fmt.Sprintf("%s%s in %s: %s", kind, e.command, e.dir, strings.Join(lines, "\n"))
}

func (e *commandError) Unwrap() []error { return e.causes }

// foundNothing reports whether git searched without a result: exit code 1, and no complaint.
func foundNothing(err error) bool {
	failed, ok := errors.AsType[*commandError](err)
	return ok && failed.code == 1 && failed.stderr == ""
}

func (r *Repo) failure(ctx context.Context, cmd *exec.Cmd, err error, stderr string) error {
	if errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("acta needs git, and there is no git on PATH: %w", err)
	}
	if errors.Is(err, errTimeout) {
		return fmt.Errorf("%w: acta stopped git %s in %s after %s; if git is that slow, set %s to a longer time",
			errTimeout, subcommand(cmd.Args), r.absolute("."), r.timeout(subcommand(cmd.Args)), timeoutVariable)
	}
	if ctx.Err() != nil {
		return fmt.Errorf("git %s was stopped: %w", subcommand(cmd.Args), context.Cause(ctx))
	}
	if strings.Contains(stderr, bareRefusal) {
		return fmt.Errorf("%w: %s looks like a bare repository, but lies in a work tree, whose commits may have brought it; "+
			"go to the top of the work tree, or set GIT_DIR to this folder if it is yours", ErrNotRepository, r.absolute("."))
	}
	e := &commandError{
		command: "git " + subcommand(cmd.Args), dir: r.dir, stderr: stderr, code: -1, causes: []error{err},
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		e.code = exit.ExitCode()
	}
	kind := r.sentinel(stderr)
	if kind == ErrNotRepository && strings.Contains(stderr, "(or any ") { // git looked here and above
		return fmt.Errorf("%w: neither %s nor a folder above it has a .git; go to your repository, or make one with git init",
			kind, r.absolute("."))
	}
	if kind != nil {
		e.causes = append(e.causes, kind)
	}
	return e
}

// subcommand is the first argument that is not an option of git itself.
func subcommand(args []string) string {
	for i := 1; i < len(args); i++ {
		switch {
		case args[i] == "-c":
			i++
		case !strings.HasPrefix(args[i], "-"):
			return args[i]
		}
	}
	return ""
}

// damagePattern matches git's messages about missing or unreadable objects, all seen with git 2.39. It is compiled only
// after a failure, since acta must start fast.
var damagePattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?mi)^(fatal|error): .*(` + strings.Join([]string{
		`bad object`, `bad tree object`, `missing object`, `invalid object`, `is corrupt`, `corrupted`,
		`could not read`, `unable to read`, `unable to stream`, `cannot be read`, `unable to unpack`, `inflate: data stream`,
		`appears to be broken`, `no such ref: HEAD`, `index file`, `bad signature 0x`, `could not get object info`,
		`not a valid object$`,
	}, "|") + `)`)
})

// sentinel is the error that git's complaint stands for, nil if there is none.
func (r *Repo) sentinel(stderr string) error {
	switch {
	case strings.Contains(stderr, "not a git repository"):
		if r.looksLikeRepository() {
			return ErrDamaged
		}
		return ErrNotRepository
	case strings.Contains(stderr, "from promisor remote"), strings.Contains(stderr, "fatal: transport '"):
		return ErrPartial
	case strings.Contains(stderr, ": unmerged ("):
		return ErrUnmerged
	case damagePattern().MatchString(stderr):
		return ErrDamaged
	}
	return nil
}

// looksLikeRepository reports whether parts of a repository are at the directory, above it, or at GIT_DIR. git also
// says «not a git repository» of a corrupt HEAD, which must not count as no repository.
func (r *Repo) looksLikeRepository() bool {
	dir := r.absolute(".")
	if dir == "" {
		return true
	}
	if gitDir := r.lookup("GIT_DIR"); gitDir != "" {
		return exists(r.absolute(gitDir))
	}
	for dir := range upwards(dir) {
		git := filepath.Join(dir, ".git")
		if info, err := os.Lstat(git); err == nil && !info.IsDir() {
			return true
		}
		if exists(filepath.Join(git, "HEAD")) || exists(filepath.Join(git, "objects")) ||
			exists(filepath.Join(dir, "HEAD")) && exists(filepath.Join(dir, "objects")) {
			return true
		}
	}
	return false
}

// exists also returns true if the path cannot be examined.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, os.ErrNotExist)
}

func (r *Repo) lookup(name string) string { return program.Env(r.env).Get(name) }

// isTraceVariable reports whether a variable makes git write more to stderr than its complaint.
func isTraceVariable(v string) bool {
	return strings.HasPrefix(v, "GIT_TRACE") || strings.HasPrefix(v, "GIT_CURL_VERBOSE=")
}

// localVariables are git's variables of one repository, as `git rev-parse --local-env-vars` lists them; a test compares
// the list with the installed git.
var localVariables = [...]string{
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT",
	"GIT_OBJECT_DIRECTORY", "GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_GRAFT_FILE",
	"GIT_INDEX_FILE", "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE", "GIT_PREFIX",
	"GIT_INTERNAL_SUPER_PREFIX", "GIT_SHALLOW_FILE", "GIT_COMMON_DIR",
}

// ForeignEnv is env (nil: the process's own) without git's variables of one repository. A hook that works in another
// repository needs it: git would otherwise read and write the wrong one.
func ForeignEnv(env []string) []string {
	if env == nil {
		env = os.Environ()
	}
	return slices.DeleteFunc(slices.Clone(env), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(localVariables[:], name) || strings.HasPrefix(name, "GIT_CONFIG_KEY_") ||
			strings.HasPrefix(name, "GIT_CONFIG_VALUE_")
	})
}
