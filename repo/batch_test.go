package repo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// serving is the number of the process that serves contents, 0 where none runs.
func serving(r *Repo) int {
	r.objects.mu.Lock()
	defer r.objects.mu.Unlock()
	if p := r.objects.procs[contents]; p != nil {
		return p.cmd.Process.Pid
	}
	return 0
}

func TestOpenStartsNoProcessAndReadsShareOne(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	s.commit("one", "dir/a.txt", "1\n")
	r := s.open()
	if serving(r) != 0 {
		t.Error("Open started a process")
	}
	c := ok[Commit](t)(r.Head(ctx))
	first := serving(r)
	snap := r.Snapshot(c.Tree)
	e := ok[Entry](t)(snap.Entry(ctx, "dir/a.txt"))
	ok[int64](t)(snap.Size(ctx, e.ID))
	ok[[]byte](t)(snap.Blob(ctx, e.ID))
	ok[Commit](t)(r.Commit(ctx, "main"))
	r.objects.mu.Lock()
	n := len(r.objects.procs)
	r.objects.mu.Unlock()
	if first == 0 || serving(r) != first || n != 1 {
		t.Errorf("%d processes, %d first and %d now", n, first, serving(r))
	}
}

func TestOpenOfWhatIsNoDirectory(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	if _, err := Open(context.Background(), filepath.Join(s.dir, "nope"), Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	s.write("file", "")
	_, err := Open(context.Background(), filepath.Join(s.dir, "file"), Options{})
	says(t, err, "is a file")
}

func TestAServingProcessThatDiesIsAnErrorThenReplaced(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	head := s.commit("one", "a.txt", "1\n")
	r := s.open()
	ok[Commit](t)(r.Head(ctx))
	r.objects.mu.Lock()
	p := r.objects.procs[contents]
	r.objects.mu.Unlock()
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_, err := r.Head(ctx)
	says(t, err, "git cat-file", "killed")
	if c := ok[Commit](t)(r.Head(ctx)); c.ID != head {
		t.Errorf("after that HEAD is %s", c.ID)
	}
}

func TestCloseEndsEverything(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	s.commit("one")
	r := s.open()
	ok[Commit](t)(r.Head(ctx))
	pid := serving(r)
	for range 2 {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("process %d still runs (%v)", pid, err)
	}
	_, err := r.Head(ctx)
	says(t, err, "closed")
	// An error before leaves nothing behind either.
	s.write(".git/HEAD", "garbage\n")
	broken := s.open()
	if _, err := broken.Head(ctx); err == nil {
		t.Error("garbage is read")
	}
	if err := broken.Close(); err != nil {
		t.Error(err)
	}
}

// Not parallel: it counts the goroutines of the whole process.
func TestNoGoroutineIsLeft(t *testing.T) {
	s := newScratch(t)
	s.commit("one", "a.txt", "1\n")
	before := runtime.NumGoroutine()
	for range 5 {
		ctx, cancel := context.WithCancel(context.Background())
		r := ok[*Repo](t)(Open(ctx, s.dir, Options{Env: s.environ()}))
		ok[Commit](t)(r.Head(ctx))
		_, err := r.Commit(ctx, "@{upstream}") // of which cat-file dies
		wants(t, err, ErrNotFound)
		ok[[]ID](t)(r.Range(ctx, "", "HEAD"))
		ok[ID](t)(r.IndexTree(ctx))
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		cancel()
	}
	for turn := 0; turn < 1_000_000 && runtime.NumGoroutine() > before; turn++ { // one that is ending may need many turns
		runtime.Gosched()
	}
	if after := runtime.NumGoroutine(); after > before {
		stacks := make([]byte, 1<<16)
		t.Errorf("%d goroutines before, %d after\n%s", before, after, stacks[:runtime.Stack(stacks, true)])
	}
}

func TestContextEndsReadsAndProcesses(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.commit("one")
	life, end := context.WithCancel(context.Background())
	r := ok[*Repo](t)(Open(life, s.dir, Options{Env: s.environ()}))
	defer r.Close()
	ok[Commit](t)(r.Head(life))
	gone, cancel := context.WithCancel(life)
	cancel()
	for what, ask := range map[string]func() error{
		"Head":      func() error { _, err := r.Head(gone); return err },
		"Range":     func() error { _, err := r.Range(gone, "", "main"); return err },
		"IndexTree": func() error { _, err := r.IndexTree(gone); return err },
		"Layout":    func() error { _, err := r.Layout(gone); return err },
	} {
		if err := ask(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", what, err)
		}
	}
	// One call that was given up does not end the Repo; its own context does.
	ok[Commit](t)(r.Head(life))
	end()
	if _, err := r.Head(context.Background()); !errors.Is(err, context.Canceled) {
		t.Errorf("after its life: %v", err)
	}
}

// hanging lets git hang in s where it first looks for an object: it reads where others lie from a pipe that
// nobody writes to. began waits until git does, and answers with the pipe's other end, broken when git has ended.
func hanging(s *scratch) (began func() *os.File) {
	t := s.t
	pipe := filepath.Join(s.dir, ".git", "objects", "info", "alternates")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	return func() *os.File {
		end := ok[*os.File](t)(os.OpenFile(pipe, os.O_WRONLY, 0)) // waits for a reader
		t.Cleanup(func() { end.Close() })
		return end
	}
}

// soon fails the test where something takes so long that it hangs.
func soon[T any](t testing.TB, what string, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(20 * time.Second):
		panic(what + " hangs") // a clean-up would hang as well
	}
}

// Whatever git waits for: giving up must end it.
func TestCancellingAReadEndsGit(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.commit("one", "a.txt", "here\n")
	tree, blob := s.id("HEAD^{tree}"), s.id("HEAD:a.txt")
	began := hanging(s)
	r := s.open()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	failed := make(chan error, 1)
	go func() {
		_, err := r.Snapshot(tree).Blob(ctx, blob)
		failed <- err
	}()
	pipe := began()
	cancel()
	if err := soon(t, "the read", failed); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := pipe.WriteString("x"); !errors.Is(err, syscall.EPIPE) {
		t.Errorf("git still reads: %v", err)
	}
}

// git holds the lock of an index while it looks for the objects that the tree
// needs. Killed, it would leave the user's index locked: it has a copy.
func TestCancellingIndexTreeLeavesNoLock(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.commit("one", "a.txt", "here\n")
	s.git("update-index", "--add", "--cacheinfo", "100644,"+string(s.id("HEAD:a.txt"))+",b.txt")
	began := hanging(s)
	r := s.open()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	failed := make(chan error, 1)
	go func() {
		_, err := r.IndexTree(ctx)
		failed <- err
	}()
	began()
	lock := filepath.Join(s.dir, ".git", "index.lock")
	if exists(lock) {
		t.Error("the user's index is locked")
	}
	cancel()
	if err := soon(t, "IndexTree", failed); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if exists(lock) {
		t.Error("a lock is left behind")
	}
}

func TestTracingChangesNoAnswer(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	s.commit("one")
	s.git("checkout", "-q", "--orphan", "island")
	s.commit("two")
	s.env = []string{"GIT_TRACE=1", "GIT_TRACE_SETUP=1", "GIT_TRACE2=1", "GIT_CURL_VERBOSE=1"}
	r := s.open()
	_, err := r.Commit(ctx, "nope")
	wants(t, err, ErrNotFound)
	_, err = r.MergeBase(ctx, "main", "island")
	wants(t, err, ErrNotFound)
	_, err = r.Upstream(ctx)
	wants(t, err, ErrNotFound)
}

func TestReadsFromSeveralGoroutinesDoNotMix(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	var files []string
	for i := range 40 {
		files = append(files, fmt.Sprintf("d%d/f%d", i%7, i), strings.Repeat(fmt.Sprintln(i), i*50))
	}
	s.commit("many", files...)
	r := s.open()
	snap := r.Snapshot(s.id("HEAD^{tree}"))
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 40 {
				path, want := files[2*((i+g*5)%40)], files[2*((i+g*5)%40)+1]
				e, err := snap.Entry(ctx, path)
				if err != nil {
					t.Error(err)
					return
				}
				if blob, err := snap.Blob(ctx, e.ID); err != nil || string(blob) != want {
					t.Errorf("%s holds %.20q (%v)", path, blob, err)
				}
				if _, err := r.IndexTree(ctx); err != nil {
					t.Error(err)
				}
				_, _ = r.Commit(ctx, "nope")
			}
		})
	}
	wg.Wait()
}

// oldGit stands in for a git that knows neither --batch-command (2.36) nor
// --path-format (2.31); rev-parse prints back what it does not know.
const oldGit = `#!/bin/sh
for a; do
	shift
	case $a in
	--batch-command)
		echo "error: unknown option \` + "`" + `batch-command'" >&2
		exit 129 ;;
	--path-format=*) echo "$a" ;;
	*) set -- "$@" "$a" ;;
	esac
done
exec '%s' "$@"
`

// Not parallel: it changes PATH.
func TestAnOlderGit(t *testing.T) {
	ctx := context.Background()
	real := ok[string](t)(exec.LookPath("git"))
	s := newScratch(t)
	head := s.commit("one", "dir/a.txt", "1\n")
	blob := s.id("HEAD:dir/a.txt")
	bin := t.TempDir()
	script := fmt.Sprintf(oldGit, real)
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	r := s.open()
	snap := r.Snapshot(noTree())
	for range 2 {
		if c := ok[Commit](t)(r.Head(ctx)); c.ID != head {
			t.Errorf("HEAD is %s", c.ID)
		}
		if n := ok[int64](t)(snap.Size(ctx, blob)); n != 2 {
			t.Errorf("size is %d", n)
		}
		if b := ok[[]byte](t)(snap.Blob(ctx, blob)); string(b) != "1\n" {
			t.Errorf("blob is %q", b)
		}
		_, err := r.Commit(ctx, "nope")
		wants(t, err, ErrNotFound)
	}
	if g, err := s.at(filepath.Join(s.dir, "dir")).open().Layout(ctx); err != nil || g.Top != s.dir || g.GitDir != s.dir+"/.git" || g.HooksDir != s.dir+"/.git/hooks" {
		t.Errorf("layout is %+v (%v)", g, err)
	}
	if !r.objects.isOldGit || len(r.objects.procs) != 2 {
		t.Errorf("old: %v, %d processes", r.objects.isOldGit, len(r.objects.procs))
	}
}

// Not parallel: it changes PATH.
func TestNoGitOnPath(t *testing.T) {
	s := newScratch(t)
	r := s.open()
	t.Setenv("PATH", t.TempDir())
	_, err := r.Head(context.Background())
	says(t, err, "there is no git on PATH")
	_, err = r.Layout(context.Background())
	says(t, err, "there is no git on PATH")
}

func TestAnswersThatAreNoneAreErrors(t *testing.T) {
	t.Parallel()
	id := strings.Repeat("a", 40)
	if h := ok[header](t)(parseHeader(id+" commit 12", "HEAD")); h != (header{ID(id), plumbing.CommitObject, 12}) {
		t.Errorf("got %+v", h)
	}
	if h := ok[header](t)(parseHeader(id+id[:24]+" blob 1", "x")); h.id != ID(id+id[:24]) {
		t.Errorf("a SHA-256 name is read as %q", h.id)
	}
	for _, line := range []string{"", "x", id, id + " commit", id + " commit x", id + " commit -1", id + " thing 1", id[:39] + " blob 1", id + id[:2] + " blob 1", id + " blob 1 2", "other missing"} {
		if h, err := parseHeader(line, "name"); err == nil || errors.Is(err, errAbsent) {
			t.Errorf("%q is read as %+v (%v)", line, h, err)
		}
	}
	for _, line := range []string{"a b missing", "a b submodule"} {
		if _, err := parseHeader(line, "a b"); !errors.Is(err, errAbsent) {
			t.Errorf("%q: %v", line, err)
		}
	}
}
