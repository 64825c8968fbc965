package repo

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// stock commits files (path, content, …) as one pack, without a work tree.
func (s *scratch) stock(files ...string) *scratch {
	s.t.Helper()
	var in bytes.Buffer
	fmt.Fprintf(&in, "commit refs/heads/main\ncommitter C <c@example.org> %d +0000\ndata 5\nstock\n", s.date.Unix())
	for i := 0; i < len(files); i += 2 {
		fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", files[i], len(files[i+1]), files[i+1])
	}
	cmd := exec.Command("git", "fast-import", "--quiet", "--force")
	cmd.Dir, cmd.Env, cmd.Stdin = s.dir, s.environ(), &in
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("%v\n%s", err, out)
	}
	return s
}

// numbered are n files in folders of fifty, two levels down.
func numbered(n int) (files, paths []string) {
	for i := range n {
		path := fmt.Sprintf("src/part%d/file%d.txt", i/50, i)
		files = append(files, path, strings.Repeat(fmt.Sprintf("line of file %d\n", i), 10+i%90))
		paths = append(paths, path)
	}
	return files, paths
}

// tally counts what is written to git: queries and the requests in them.
type tally struct {
	io.WriteCloser
	queries, requests int
}

func (c *tally) Write(p []byte) (int, error) {
	c.queries++
	c.requests += bytes.Count(p, []byte{'\n'})
	return c.WriteCloser.Write(p)
}

func tallied(t testing.TB, r *Repo) *tally {
	t.Helper()
	ok[Commit](t)(r.Head(context.Background()))
	r.objects.mu.Lock()
	defer r.objects.mu.Unlock()
	p := r.objects.procs[contents]
	c := &tally{WriteCloser: p.in}
	p.in = c
	return c
}

// reading is all that can be read of a path, in a form that compares.
type reading struct {
	entry   Entry
	size    int64
	content string
	err     string
}

func readingOf(s *Snapshot, path string) reading {
	ctx := context.Background()
	e, err := s.Entry(ctx, path)
	if err != nil {
		return reading{entry: e, err: err.Error()}
	}
	if e.Mode == folder || e.Mode == submodule {
		return reading{entry: e}
	}
	size, failed := s.Size(ctx, e.ID)
	content, err := s.Blob(ctx, e.ID)
	if err = errors.Join(failed, err); err != nil {
		return reading{entry: e, err: err.Error()}
	}
	return reading{e, size, string(content), ""}
}

// afterwards holds every path, read after a Prefetch by a Repo that was closed
// and so can ask git nothing more, against what another Repo reads.
func afterwards(t *testing.T, s *scratch, tree ID, prefetched *Repo, paths []string) {
	t.Helper()
	if err := prefetched.Close(); err != nil {
		t.Error(err)
	}
	snap, plain := prefetched.Snapshot(tree), s.open().Snapshot(tree)
	if len(paths) == 0 {
		t.Error("no paths to compare")
	}
	for _, path := range paths {
		if got, want := readingOf(snap, path), readingOf(plain, path); got != want {
			t.Errorf("%q is %.200v, want %.200v", path, fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want))
		}
	}
}

func prefetch(t testing.TB, s *Snapshot, paths []string, maxBytes int64) {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(context.Background(), 20*time.Second, errors.New("it hangs"))
	defer cancel()
	if err := s.Prefetch(ctx, paths, maxBytes); err != nil {
		t.Fatal(err)
	}
}

// assorted is a repository with everything that can stand at a path.
func assorted(t *testing.T) (s *scratch, paths []string) {
	s = newScratch(t)
	module := newScratch(t)
	module.commit("m", "m.txt", "m\n")
	for _, link := range [][2]string{{"dir/file.txt", "link"}, {"dir", "linked-dir"}, {"nowhere", "dir/dangling"}} {
		if err := errors.Join(os.MkdirAll(filepath.Join(s.dir, "dir"), 0o755), os.Symlink(link[0], filepath.Join(s.dir, link[1]))); err != nil {
			t.Fatal(err)
		}
	}
	s.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", module.url(), "dir/sub")
	s.commit("one", "dir/file.txt", "content\n", "top.txt", "1\n", "empty", "", "same/a", "twin\n", "same too/a", "twin\n",
		"ein Ordner/ä \"b\".txt", "5\n", "tab\tand\nline.txt", "6\n", "a:b", "8\n", "binary", "\x00\xff\n\nmissing\n", "d/e/e/p/e/r", "deep\n",
		"large", strings.Repeat("0123456789abcdef", 20_000))
	return s, []string{
		"dir/file.txt", "top.txt", "empty", "same/a", "same too/a", "ein Ordner/ä \"b\".txt", "tab\tand\nline.txt", "a:b", "binary",
		"d/e/e/p/e/r", "large", "link", "linked-dir", "dir/dangling", ".gitmodules",
		"dir/sub", "dir", "", "nope", "dir/nope", "nope/x/y", "/top.txt", "dir/", "dir//file.txt", "top.txt/x", "top.txt/", "link/x",
		"linked-dir/file.txt", "dir/sub/m.txt", "..", "./top.txt", "a\x00b", "d/e/e", "DIR/file.txt", strings.Repeat("x", 5000),
	}
}

func TestWhatWasPrefetchedIsReadAsWithout(t *testing.T) {
	t.Parallel()
	s, paths := assorted(t)
	tree := s.id("HEAD^{tree}")
	for _, packed := range []bool{false, true} {
		if packed {
			s.git("gc", "-q")
		}
		r := s.open()
		prefetch(t, r.Snapshot(tree), paths, 1<<20)
		afterwards(t, s, tree, r, paths)
	}
	r := s.open()
	prefetch(t, r.Snapshot(""), paths, 1<<20)
	afterwards(t, s, "", r, paths)
}

func TestLargeBlobsHaveOnlyTheirSizePrefetched(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t).stock("ten", "0123456789", "eleven", "0123456789a")
	r := s.open()
	snap := r.Snapshot(s.id("main^{tree}"))
	prefetch(t, snap, []string{"ten", "eleven"}, 10)
	eleven := s.id("main:eleven")
	if !r.holds(s.id("main:ten")) || r.holds(eleven) {
		t.Errorf("ten: %v, eleven: %v", r.holds(s.id("main:ten")), r.holds(eleven))
	}
	if b := ok[[]byte](t)(snap.Blob(ctx, eleven)); len(b) != 11 || r.holds(eleven) {
		t.Errorf("Blob alone is %q, kept: %v", b, r.holds(eleven))
	}
	r.Close()
	if n := ok[int64](t)(snap.Size(ctx, eleven)); n != 11 {
		t.Errorf("size is %d", n)
	}
}

func (r *Repo) holds(id ID) bool {
	_, held := r.blobs.get(id)
	return held
}

func TestRoundTripsDoNotGrowWithThePaths(t *testing.T) {
	t.Parallel()
	files, paths := numbered(3000)
	s := newScratch(t).stock(files...)
	tree := s.id("main^{tree}")
	for _, n := range []int{1, 10, 500, 3000} {
		r := s.open()
		c := tallied(t, r)
		some := paths[:n]
		prefetch(t, r.Snapshot(tree), append(some[:n:n], some...), 1<<20)
		// The root, src, its parts, sizes, contents.
		if folders := 2 + (n+49)/50; c.queries != 5 || c.requests != folders+2*n {
			t.Errorf("%d paths: %d queries with %d requests", n, c.queries, c.requests)
		}
		before := *c
		prefetch(t, r.Snapshot(tree), some, 1<<20)
		for _, path := range some {
			readingOf(r.Snapshot(tree), path)
		}
		if *c != before {
			t.Errorf("%d paths: %d more requests afterwards", n, c.requests-before.requests)
		}
	}
}

// Both pipes between Acta and git fill up here, git's many times over.
func TestAFlightLargerThanAllPipesEnds(t *testing.T) {
	t.Parallel()
	files, paths := numbered(6000)
	for i := range 8 {
		path := fmt.Sprintf("large/%d", i)
		files, paths = append(files, path, strings.Repeat(fmt.Sprint(i), 3<<20)), append(paths, path)
	}
	s := newScratch(t).stock(files...)
	tree := s.id("main^{tree}")
	r := s.open()
	prefetch(t, r.Snapshot(tree), paths, 4<<20)
	afterwards(t, s, tree, r, paths)
}

// An answer that is none ends a query while git still waits to be read, or to read.
func TestAFlightThatIsGivenUpStopsWriting(t *testing.T) {
	t.Parallel()
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	ended := make(chan error, 1)
	go func() {
		p := &process{in: in}
		ended <- p.roundTrip(strings.Repeat("x", 1<<20), func() error { return io.ErrUnexpectedEOF })
	}()
	if err := soon(t, "the query", ended); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v", err)
	}
}

func TestNothingIsAskedForTwiceOrInVain(t *testing.T) {
	t.Parallel()
	s, _ := assorted(t)
	for paths, requests := range map[string]int{
		"top.txt/x": 1, "link/x": 1, "linked-dir/file.txt": 1, "nope/x": 1, "": 1, "dir": 1, // the root alone
		"dir/sub": 2, "dir/sub/m.txt": 2, "dir/": 2, "dir/nope": 2, // dir too
		"link": 3, "top.txt": 3, "top.txt|top.txt": 3, // size and content
		"same/a|same too/a": 4, // one folder and one content under two names
	} {
		r := s.open()
		c := tallied(t, r)
		prefetch(t, r.Snapshot(s.id("HEAD^{tree}")), strings.Split(paths, "|"), 100)
		if c.requests != requests {
			t.Errorf("%q costs %d requests, want %d", paths, c.requests, requests)
		}
	}
}

func TestAPrefetchedBlobCannotBeSpoiledByAReader(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t).stock("a.txt", "right\n")
	id := s.id("main:a.txt")
	snap := s.open().Snapshot(s.id("main^{tree}"))
	prefetch(t, snap, []string{"a.txt"}, 100)
	copy(ok[[]byte](t)(snap.Blob(ctx, id)), "WRONG")
	if b := ok[[]byte](t)(snap.Blob(ctx, id)); string(b) != "right\n" {
		t.Errorf("it holds %q", b)
	}
}

func TestContentsAreKeptWithinTheBound(t *testing.T) {
	t.Parallel()
	s := newScratch(t).stock("a", "aaaa", "b", "bbbb", "c", "cccc", "d", "dd")
	r := s.open()
	if r.blobs.limit != 32<<20 {
		t.Errorf("the bound is %d bytes", r.blobs.limit)
	}
	r.blobs.limit = 10
	snap := r.Snapshot(s.id("main^{tree}"))
	held := func() string {
		kept := ""
		for _, name := range []string{"a", "b", "c", "d"} {
			if r.holds(s.id("main:" + name)) {
				kept += name
			}
		}
		return kept
	}
	for _, c := range []struct{ ask, held string }{
		{"abcd", "abd"},   // c would be too much
		{"abd", "abd"},    // nothing new
		{"bc", "bc"},      // b went with the rest, and came back
		{"bd", "bcd"},     // still room
		{"nope", "bcd"},   // nothing there
		{"cbaddd", "bcd"}, // the first of them
	} {
		prefetch(t, snap, strings.Split(c.ask, ""), 100)
		if got := held(); got != c.held || r.blobs.used > r.blobs.limit {
			t.Errorf("after %s it holds %s, %d bytes", c.ask, got, r.blobs.used)
		}
		for _, name := range []string{"a", "b", "c", "d"} {
			if got := readingOf(snap, name); got.err != "" || got.size != int64(len(got.content)) || got.content[:1] != name {
				t.Errorf("%s is %+v", name, got)
			}
		}
	}
}

func TestObjectsThatCannotBeReadFailNoPrefetch(t *testing.T) {
	const each = 6 // more than git may die
	for _, c := range []struct {
		name  string
		spoil func(s *scratch, id ID)
		what  string // "blob", "folder" or "root"
		dies  bool   // git does, of every one
	}{
		{"missing blobs", removeObject, "blob", false},
		{"corrupt blobs", func(s *scratch, id ID) { spoilObject(s, id, "not zlib") }, "blob", false},
		{"cut blobs", func(s *scratch, id ID) { spoilObject(s, id, "") }, "blob", true},
		{"missing folders", removeObject, "folder", false},
		{"corrupt folders", func(s *scratch, id ID) { spoilObject(s, id, "not zlib") }, "folder", false},
		{"cut folders", func(s *scratch, id ID) { spoilObject(s, id, "") }, "folder", true},
		{"a missing root", removeObject, "root", false},
		{"a cut root", func(s *scratch, id ID) { spoilObject(s, id, "") }, "root", true},
	} {
		for _, spoiled := range []int{1, 2, each} {
			t.Run(fmt.Sprint(c.name, " ", spoiled), func(t *testing.T) {
				t.Parallel()
				s := newScratch(t)
				var files, good, bad []string
				for i := range each {
					text := strings.Repeat(fmt.Sprintln("text", i), 300)
					files = append(files, fmt.Sprintf("good%d/f", i), text, fmt.Sprintf("bad%d/f", i), text+"bad")
					good, bad = append(good, fmt.Sprintf("good%d/f", i)), append(bad, fmt.Sprintf("bad%d/f", i))
				}
				s.commit("one", files...)
				tree := s.id("HEAD^{tree}")
				bad, good = bad[:spoiled], append(good, bad[spoiled:]...)
				if c.what == "root" {
					bad, good = append(bad, good...), nil
					c.spoil(s, tree)
				}
				for _, path := range bad {
					if c.what == "blob" {
						c.spoil(s, s.id("HEAD:"+path))
					} else if c.what == "folder" {
						c.spoil(s, s.id("HEAD:"+filepath.Dir(path)))
					}
				}
				r := s.open()
				snap := r.Snapshot(tree)
				prefetch(t, snap, append(bad[:len(bad):len(bad)], good...), 1<<20)
				for _, path := range bad {
					e, err := snap.Entry(context.Background(), path)
					if c.what == "blob" {
						if err != nil {
							t.Fatal(err)
						}
						_, err = snap.Blob(context.Background(), e.ID)
					}
					wants(t, err, ErrDamaged)
				}
				if len(good) == 0 {
					return
				}
				if c.dies && spoiled > maxRestarts {
					for _, path := range good { // read ahead or not: whole is whole
						if got := readingOf(snap, path); got.err != "" || got.size != int64(len(got.content)) {
							t.Errorf("%s is %+v", path, got)
						}
					}
					return
				}
				afterwards(t, s, tree, r, good)
			})
		}
	}
}

func removeObject(s *scratch, id ID) {
	s.t.Helper()
	if err := os.Remove(s.object(id)); err != nil {
		s.t.Fatal(err)
	}
}

// A tree can name a folder as a file, a file as a folder, and what is neither.
func TestModesThatLieArePassedOver(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.commit("one", "dir/a.txt", "1\n", "b.txt", "2\n")
	var raw bytes.Buffer
	for _, e := range []struct {
		entry string
		id    ID
	}{{"40000 blob-as-folder", s.id("HEAD:b.txt")}, {"100644 commit-as-file", s.id("HEAD")}, {"100644 good", s.id("HEAD:b.txt")}, {"100644 tree-as-file", s.id("HEAD:dir")}} {
		h := ok[[]byte](s.t)(hex.DecodeString(string(e.id)))
		fmt.Fprintf(&raw, "%s\x00%s", e.entry, h)
	}
	cmd := exec.Command("git", "hash-object", "-t", "tree", "-w", "--literally", "--stdin")
	cmd.Dir, cmd.Env, cmd.Stdin = s.dir, s.environ(), &raw
	tree := ID(strings.TrimSpace(string(ok[[]byte](t)(cmd.Output()))))
	paths := []string{"blob-as-folder/x", "commit-as-file", "tree-as-file", "tree-as-file/a.txt", "good"}
	r := s.open()
	snap, plain := r.Snapshot(tree), s.open().Snapshot(tree)
	prefetch(t, snap, paths, 100)
	for _, path := range paths {
		if got, want := readingOf(snap, path), readingOf(plain, path); got != want {
			t.Errorf("%s is %+v, want %+v", path, got, want)
		}
	}
	afterwards(t, s, tree, r, []string{"good"})
}

func TestPrefetchTellsWhatEveryReadWould(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(s *scratch)
		open  func(r *Repo)
		want  error
		says  string
	}{
		{name: "no repository", spoil: func(s *scratch) { os.RemoveAll(filepath.Join(s.dir, ".git")) }, want: ErrNotRepository},
		{name: "another owner's", spoil: func(s *scratch) { s.env = []string{"GIT_TEST_ASSUME_DIFFERENT_OWNER=1"} }, says: "dubious ownership"},
		{name: "closed", open: func(r *Repo) { r.Close() }, want: errClosed},
		{name: "no object name", says: "is not an object name"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newScratch(t)
			s.commit("one", "a.txt", "1\n")
			tree := s.id("HEAD^{tree}")
			if c.name == "no object name" {
				tree = "HEAD"
			}
			if c.spoil != nil {
				c.spoil(s)
			}
			r := s.open()
			if c.open != nil {
				c.open(r)
			}
			snap := r.Snapshot(tree)
			err := snap.Prefetch(context.Background(), []string{"a.txt"}, 100)
			_, single := snap.Entry(context.Background(), "a.txt")
			for _, err := range []error{err, single} {
				if c.want != nil {
					wants(t, err, c.want)
				}
				says(t, err, c.says)
			}
		})
	}
}

func TestABrokenRepositoryIsEntrysToTell(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	s.commit("one", "a.txt", "1\n")
	tree := s.id("HEAD^{tree}")
	s.write(".git/HEAD", "garbage\n")
	snap := s.open().Snapshot(tree)
	prefetch(t, snap, []string{"a.txt"}, 100)
	_, err := snap.Entry(ctx, "a.txt")
	wants(t, err, ErrDamaged)
}

func TestNoPathsAskNothing(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	r := s.open()
	for _, paths := range [][]string{nil, {}} {
		if err := r.Snapshot(ID(strings.Repeat("a", 40))).Prefetch(context.Background(), paths, 1); err != nil || serving(r) != 0 {
			t.Errorf("%v, process %d", err, serving(r))
		}
	}
}

func TestAProcessThatDiedBeforeAPrefetchIsReplaced(t *testing.T) {
	t.Parallel()
	s := newScratch(t).stock("dir/a", "a\n", "dir/b", "b\n", "c", "c\n")
	tree := s.id("main^{tree}")
	r := s.open()
	snap := r.Snapshot(tree)
	ok[Entry](t)(snap.Entry(context.Background(), ""))
	r.objects.mu.Lock()
	p := r.objects.procs[contents]
	r.objects.mu.Unlock()
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	paths := []string{"dir/a", "dir/b", "c"}
	prefetch(t, snap, paths, 100)
	plain := s.open().Snapshot(tree)
	for _, path := range paths {
		if got, want := readingOf(snap, path), readingOf(plain, path); got != want {
			t.Errorf("%s is %+v, want %+v", path, got, want)
		}
	}
}

// git hangs at the first of thousands of requests, so the rest cannot be written.
func TestCancellingAPrefetchEndsIt(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	files, paths := numbered(4000)
	for i := 0; i < len(files); i += 2 {
		s.write(files[i], files[i+1])
	}
	s.commit("many")
	tree := s.id("HEAD^{tree}")
	nine := s.id("HEAD:" + paths[9])
	r := s.open()
	ok[Entry](t)(r.Snapshot(tree).Entry(context.Background(), paths[0]))
	for mode, p := range r.objects.procs { // the next one hangs
		_ = p.end()
		delete(r.objects.procs, mode)
	}
	began := hanging(s)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	failed := make(chan error, 1)
	go func() { failed <- r.Snapshot(tree).Prefetch(ctx, paths, 100) }()
	pipe := began()
	cancel()
	if err := soon(t, "Prefetch", failed); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := pipe.WriteString("x"); !errors.Is(err, syscall.EPIPE) {
		t.Errorf("git still reads: %v", err)
	}
	gone := r.Snapshot(tree).Prefetch(ctx, paths, 100)
	if !errors.Is(gone, context.Canceled) {
		t.Errorf("once more: %v", gone)
	}
	// What came before it was given up is kept, and the Repo goes on.
	if e, err := r.Snapshot(tree).Entry(context.Background(), paths[9]); err != nil || e.ID != nine {
		t.Errorf("%s is %+v (%v)", paths[9], e, err)
	}
}

func TestPrefetchesFromSeveralGoroutinesDoNotMix(t *testing.T) {
	t.Parallel()
	files, paths := numbered(400)
	s := newScratch(t).stock(files...)
	tree := s.id("main^{tree}")
	r := s.open()
	r.blobs.limit = 40_000 // so that the cache is emptied again and again
	var wg sync.WaitGroup
	for g := range 6 {
		wg.Go(func() {
			snap := r.Snapshot(tree)
			for i := 0; i+20 <= len(paths); i += 20 {
				from := (i + g*60) % len(paths)
				if err := snap.Prefetch(context.Background(), paths[from:from+20], 1<<20); err != nil {
					t.Error(err)
				}
				for k := from; k < from+20; k++ {
					if got := readingOf(snap, paths[k]); got.content != files[2*k+1] || got.size != int64(len(got.content)) {
						t.Errorf("%s is %.80q (%s)", paths[k], got.content, got.err)
					}
				}
			}
		})
	}
	wg.Wait()
	if r.blobs.used > r.blobs.limit {
		t.Errorf("%d bytes are kept", r.blobs.used)
	}
}

// Not parallel: it changes PATH.
func TestPrefetchWithAnOlderGit(t *testing.T) {
	s, paths := assorted(t)
	tree := s.id("HEAD^{tree}")
	files, many := numbered(3000)
	large := newScratch(t).stock(files...)
	bin := t.TempDir()
	script := fmt.Sprintf(oldGit, ok[string](t)(exec.LookPath("git")))
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	r := s.open()
	prefetch(t, r.Snapshot(tree), paths, 1<<20)
	if !r.objects.isOldGit || len(r.objects.procs) != 2 {
		t.Errorf("old: %v, %d processes", r.objects.isOldGit, len(r.objects.procs))
	}
	afterwards(t, s, tree, r, paths)
	r = large.open()
	tree = large.id("main^{tree}")
	prefetch(t, r.Snapshot(tree), many, 1<<20)
	afterwards(t, large, tree, r, many)
}

// Ten files of 5,000, with a Repo that has read nothing: «cold» starts git as
// well, «warm» finds it running, as a hook does that has read HEAD.
func BenchmarkTenFiles(b *testing.B) {
	files, paths := numbered(5000)
	s := newScratch(b).stock(files...)
	tree := s.id("main^{tree}")
	var ten []string
	for i := range 10 {
		ten = append(ten, paths[i*499])
	}
	for _, c := range []struct {
		name           string
		warm, prefetch bool
	}{{"cold/single", false, false}, {"cold/prefetch", false, true}, {"warm/single", true, false}, {"warm/prefetch", true, true}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				r := s.open()
				if c.warm {
					ok[Commit](b)(r.Head(context.Background()))
				}
				b.StartTimer()
				snap := r.Snapshot(tree)
				if c.prefetch {
					if err := snap.Prefetch(context.Background(), ten, 1<<20); err != nil {
						b.Fatal(err)
					}
				}
				for _, path := range ten {
					if got := readingOf(snap, path); got.err != "" {
						b.Fatal(got.err)
					}
				}
				b.StopTimer()
				r.Close()
				b.StartTimer()
			}
		})
	}
}
