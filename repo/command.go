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
)

// waitDelay bounds the wait for a child that was asked to end, and for a child's
// pipes once it has ended.
const waitDelay = 2 * time.Second

// git runs one process and returns what it prints.
func (r *Repo) git(ctx context.Context, args ...string) ([]byte, error) {
	return r.output(ctx, r.command(ctx, args...))
}

func (r *Repo) output(ctx context.Context, cmd *exec.Cmd) ([]byte, error) {
	var out bytes.Buffer
	err := r.outputTo(ctx, cmd, &out)
	return out.Bytes(), err
}

func (r *Repo) outputTo(ctx context.Context, cmd *exec.Cmd, out io.Writer) error {
	stderr := &head{}
	cmd.Stdout, cmd.Stderr = out, stderr
	if err := r.run(cmd); err != nil {
		return r.failure(ctx, cmd, err, stderr.String())
	}
	return nil
}

// head keeps the first bytes of what is written to it.
type head struct{ bytes.Buffer }

// maxStderr is how much of git's complaints is kept, in bytes.
const maxStderr = 8 << 10

func (h *head) Write(p []byte) (int, error) {
	_, _ = h.Buffer.Write(p[:min(max(maxStderr-h.Len(), 0), len(p))])
	return len(p), nil
}

// commandError is a git process that failed. It unwraps to what stopped it and
// to the sentinel that its complaint stands for, if any.
type commandError struct {
	command string // git and its sub-command
	dir     string
	stderr  string
	code    int // exit code, -1 when a signal ended it
	causes  []error
}

// How much of git's complaint an error repeats: lines, and bytes of each.
const (
	maxLines = 6
	maxLine  = 400
)

func (e *commandError) Error() string {
	var kind string
	for _, c := range e.causes {
		if isSentinel(c) {
			kind = c.Error() + ": "
		}
	}
	said := strings.TrimSpace(e.stderr)
	if said == "" {
		return fmt.Sprintf("%s%s in %s: %v", kind, e.command, e.dir, e.causes[0])
	}
	lines := strings.Split(said, "\n")
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

func isSentinel(err error) bool {
	switch err {
	case ErrNotFound, ErrNotRepository, ErrDamaged, ErrUnmerged, ErrShallow, ErrPartial, ErrUnborn:
		return true
	}
	return false
}

func (r *Repo) failure(ctx context.Context, cmd *exec.Cmd, err error, stderr string) error {
	if errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("acta needs git, and there is no git on PATH: %w", err)
	}
	if errors.Is(err, errSilent) {
		return fmt.Errorf("%w: git %s in %s was ended after %s; where git is that slow, set %s to a longer time",
			errSilent, subcommand(cmd.Args), r.absolute("."), r.patience(subcommand(cmd.Args)), patienceVariable)
	}
	if ctx.Err() != nil {
		return fmt.Errorf("git %s was stopped: %w", subcommand(cmd.Args), context.Cause(ctx))
	}
	if strings.Contains(stderr, bareRefused) {
		return fmt.Errorf("%w: %s looks like a bare repository, and lies in a work tree whose commits may have brought it; "+
			"go to the top of the work tree, or set GIT_DIR to this folder if it is yours", ErrNotRepository, r.absolute("."))
	}
	e := &commandError{
		command: "git " + subcommand(cmd.Args), dir: r.dir, stderr: stderr, code: -1, causes: []error{err},
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		e.code = exit.ExitCode()
	}
	kind := r.kind(stderr)
	if kind == ErrNotRepository && strings.Contains(stderr, "(or any ") { // git looked here and above
		return fmt.Errorf("%w: neither %s nor a folder above it has a .git; go to where yours is, or make one with git init",
			kind, r.absolute("."))
	}
	if kind != nil {
		e.causes = append(e.causes, kind)
	}
	return e
}

// subcommand is the first argument that is no option of git itself.
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

// damage is how git says that something is missing or unreadable. Every one of
// these was seen from git 2.39. It is compiled when a git process has failed: starting must stay cheap.
var damage = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?mi)^(fatal|error): .*(` + strings.Join([]string{
		`bad object`, `bad tree object`, `missing object`, `invalid object`, `is corrupt`, `corrupted`,
		`could not read`, `unable to read`, `unable to stream`, `cannot be read`, `unable to unpack`, `inflate: data stream`,
		`appears to be broken`, `no such ref: HEAD`, `index file`, `bad signature 0x`, `could not get object info`,
		`not a valid object$`,
	}, "|") + `)`)
})

// kind is the sentinel that git's complaint stands for, nil where it stands for none.
func (r *Repo) kind(stderr string) error {
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
	case damage().MatchString(stderr):
		return ErrDamaged
	}
	return nil
}

// looksLikeRepository reports whether something of a repository stands at the
// directory, above it, or where GIT_DIR points. git says «not a git repository»
// of a corrupt HEAD as well, and that must not look like nothing at all.
func (r *Repo) looksLikeRepository() bool {
	dir := r.absolute(".")
	if dir == "" {
		return true
	}
	if given := r.lookup("GIT_DIR"); given != "" {
		return exists(r.absolute(given))
	}
	for {
		git := filepath.Join(dir, ".git")
		if info, err := os.Lstat(git); err == nil && !info.IsDir() {
			return true
		}
		if exists(filepath.Join(git, "HEAD")) || exists(filepath.Join(git, "objects")) ||
			exists(filepath.Join(dir, "HEAD")) && exists(filepath.Join(dir, "objects")) {
			return true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return false
		}
		dir = up
	}
}

// exists counts what cannot be looked at as there.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, os.ErrNotExist)
}

// lookup is the value of an environment variable that git would see.
func (r *Repo) lookup(name string) string {
	for _, v := range slices.Backward(r.env) {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

// tracing is a variable by which git writes more to stderr than its complaint.
func tracing(v string) bool {
	return strings.HasPrefix(v, "GIT_TRACE") || strings.HasPrefix(v, "GIT_CURL_VERBOSE=")
}

// local are git's variables of one repository, as `git rev-parse
// --local-env-vars` lists them; a test holds the list against the git at hand.
var local = [...]string{
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT",
	"GIT_OBJECT_DIRECTORY", "GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_GRAFT_FILE",
	"GIT_INDEX_FILE", "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE", "GIT_PREFIX",
	"GIT_INTERNAL_SUPER_PREFIX", "GIT_SHALLOW_FILE", "GIT_COMMON_DIR",
}

// ForeignEnv is env (nil: the process's own) without git's variables of one
// repository. A hook that works in another repository needs it: inherited, they
// would make git read and write the wrong one.
func ForeignEnv(env []string) []string {
	if env == nil {
		env = os.Environ()
	}
	kept := make([]string, 0, len(env))
	for _, v := range env {
		name, _, _ := strings.Cut(v, "=")
		if slices.Contains(local[:], name) || strings.HasPrefix(name, "GIT_CONFIG_KEY_") ||
			strings.HasPrefix(name, "GIT_CONFIG_VALUE_") {
			continue
		}
		kept = append(kept, v)
	}
	return kept
}
