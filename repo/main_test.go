package repo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/acta-git/acta/repo/program/peer"
)

// TestMain lets the test binary stand in for acta where another process has to
// run it: inside a hook, or as another user.
func TestMain(m *testing.M) {
	switch os.Getenv("ACTA_TEST_AS") {
	case "hook":
		report(asHook(os.Getenv("ACTA_TEST_OUT")))
	case "reader":
		report(asReader())
	default:
		os.Exit(m.Run())
	}
}

func report(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// asHook writes the tree that is about to be committed, and HEAD, asked for at the same time.
func asHook(file string) error {
	ctx := context.Background()
	r, err := Open(ctx, ".", Options{})
	if err != nil {
		return err
	}
	defer r.Close()
	var tree ID
	var failed error
	var wg sync.WaitGroup
	wg.Go(func() { tree, failed = r.IndexTree(ctx) })
	parent, err := r.Head(ctx)
	wg.Wait()
	if failed != nil || err != nil && !errors.Is(err, ErrUnborn) {
		return errors.Join(failed, err)
	}
	// What is about to be committed must be readable before it is committed.
	if _, err := r.Snapshot(tree).Entry(ctx, ""); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(string(tree)+" "+string(parent.ID)), 0o644)
}

// asReader tells what Head says of the directory it stands in.
func asReader() error {
	ctx := context.Background()
	r, err := Open(ctx, ".", Options{})
	if err != nil {
		return err
	}
	defer r.Close()
	_, err = r.Head(ctx)
	for _, absent := range []error{ErrNotFound, ErrNotRepository, ErrUnborn} {
		if errors.Is(err, absent) {
			return fmt.Errorf("looks like nothing there: %w", err)
		}
	}
	return err
}

// objectFormat is that of the repositories that tests make: what GIT_DEFAULT_HASH says, git's own where it says nothing.
func objectFormat() string { return cmp.Or(os.Getenv("GIT_DEFAULT_HASH"), "sha1") }

// noTree is the tree without entries in those repositories.
func noTree() ID { return Layout{ObjectFormat: objectFormat()}.EmptyTree() }

// scratch is a repository made for one test.
type scratch struct {
	t    testing.TB
	dir  string
	home string
	env  []string // besides the settled ones
	date time.Time
}

func newScratch(t testing.TB, init ...string) *scratch {
	t.Helper()
	s := &scratch{t: t, dir: filepath.Join(t.TempDir(), "work tree"), home: t.TempDir(), date: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	if err := os.Mkdir(s.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s.git(append([]string{"init", "-q", "-b", "main"}, init...)...)
	return s
}

// at is the same world, another directory.
func (s *scratch) at(dir string) *scratch {
	c := *s
	c.dir = dir
	return &c
}

func (s *scratch) environ() []string {
	when := fmt.Sprintf("%d +0200", s.date.Unix())
	return slices.Concat(peer.GitEnv(s.home), []string{
		"PATH=" + os.Getenv("PATH"), "GIT_EDITOR=:",
		"GIT_AUTHOR_NAME=Ada Author", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_AUTHOR_DATE=" + when,
		"GIT_COMMITTER_NAME=Cleo Committer", "GIT_COMMITTER_EMAIL=cleo@example.org", "GIT_COMMITTER_DATE=" + when,
	}, s.env)
}

func (s *scratch) try(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = s.dir, s.environ()
	out, err := cmd.CombinedOutput()
	return strings.TrimRight(string(out), "\n"), err
}

func (s *scratch) git(args ...string) string {
	s.t.Helper()
	out, err := s.try(args...)
	if err != nil {
		s.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func (s *scratch) write(path, content string) {
	s.t.Helper()
	path = filepath.Join(s.dir, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// commit writes files (path, content, …), commits them and returns the commit's id. Each commit is a minute younger.
func (s *scratch) commit(message string, files ...string) ID {
	s.t.Helper()
	for i := 0; i < len(files); i += 2 {
		s.write(files[i], files[i+1])
	}
	s.date = s.date.Add(time.Minute)
	s.git("add", "-A")
	s.git("commit", "-q", "--allow-empty", "-m", message)
	return s.id("HEAD")
}

func (s *scratch) merge(parents ...string) ID {
	s.t.Helper()
	s.date = s.date.Add(time.Minute)
	s.git(append([]string{"merge", "-q", "--no-ff", "-m", "merge"}, parents...)...)
	return s.id("HEAD")
}

func (s *scratch) id(rev string) ID {
	s.t.Helper()
	return ID(s.git("rev-parse", "--verify", rev))
}

func (s *scratch) open() *Repo {
	s.t.Helper()
	r, err := Open(context.Background(), s.dir, Options{Env: s.environ()})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { r.Close() })
	return r
}

// url is how to clone it as if from afar.
func (s *scratch) url() string { return "file://" + s.dir }

// clone clones it with options and returns the clone.
func (s *scratch) clone(options ...string) *scratch {
	s.t.Helper()
	c := *s
	c.dir = filepath.Join(s.t.TempDir(), "clone")
	s.git(append(append([]string{"clone", "-q"}, options...), s.url(), c.dir)...)
	return &c
}

// object is the file of a loose object.
func (s *scratch) object(id ID) string {
	return filepath.Join(s.dir, s.git("rev-parse", "--git-path", "objects"), string(id[:2]), string(id[2:]))
}

func wants(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("error is %v, want one that is %v", err, want)
	}
	for _, other := range []error{ErrNotFound, ErrNotRepository, ErrDamaged, ErrShallow, ErrPartial, ErrUnborn, ErrUnmerged} {
		if other != want && errors.Is(err, other) {
			t.Errorf("%v is %v as well", err, other)
		}
	}
}

func says(t testing.TB, err error, words ...string) {
	t.Helper()
	for _, w := range words {
		if err == nil || !strings.Contains(err.Error(), w) {
			t.Errorf("error %v does not say %q", err, w)
		}
	}
}

func ok[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
