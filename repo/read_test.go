package repo

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func TestCommitHoldsWhatIsStored(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	root := s.commit("root", "a.txt", "1\n")
	s.git("checkout", "-q", "-b", "side")
	side := s.commit("side", "b.txt", "1\n")
	s.git("checkout", "-q", "main")
	one := s.commit("one", "c.txt", "1\n")
	merged := s.merge("side")
	r := s.open()
	c := ok[Commit](t)(r.Head(ctx))
	want := Commit{
		ID: merged, Tree: s.id("HEAD^{tree}"), Parents: []ID{one, side}, Message: []byte("merge\n"),
		Author:    Signature{"Ada Author", "ada@example.org", s.date},
		Committer: Signature{"Cleo Committer", "cleo@example.org", s.date},
	}
	if !c.Author.When.Equal(s.date) || c.Author.When.Format("-0700") != "+0200" {
		t.Errorf("written at %s", c.Author.When)
	}
	c.Author.When, c.Committer.When = s.date, s.date
	if fmt.Sprint(c) != fmt.Sprint(want) {
		t.Errorf("got  %v\nwant %v", c, want)
	}
	if c := ok[Commit](t)(r.Commit(ctx, string(root))); len(c.Parents) != 0 {
		t.Errorf("the root has parents %v", c.Parents)
	}
}

func TestMessagesAreNotReencoded(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.commit("one")
	tree := s.id("HEAD^{tree}")
	for _, c := range []struct{ header, message, encoding string }{
		{"encoding ISO-8859-1\n", "Gr\xf6\xdfe\n", "ISO-8859-1"},
		{"encoding utf-8\n", "x\n", ""},
		{"", "no line feed", ""},
		{"", "\n\nblank first\r\n\r\nCRLF\r\n", ""},
		{"", "nul \x00 after\n", ""},
		{"", "", ""},
		{"gpgsig -----BEGIN\n \n -----END\n", "signed\n", ""},
		{"", strings.Repeat("long ", 200_000), ""},
	} {
		raw := fmt.Sprintf("tree %s\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n%s\n%s", tree, c.header, c.message)
		cmd := exec.Command("git", "hash-object", "-t", "commit", "-w", "--literally", "--stdin")
		cmd.Dir, cmd.Env, cmd.Stdin = s.dir, s.environ(), strings.NewReader(raw)
		id := strings.TrimSpace(string(ok[[]byte](t)(cmd.Output())))
		got := ok[Commit](t)(s.open().Commit(context.Background(), id))
		if string(got.Message) != c.message || got.Encoding != c.encoding {
			t.Errorf("%.40q is read as %.40q, encoding %q", c.message, got.Message, got.Encoding)
		}
	}
}

func TestRevisionsNameCommits(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	first := s.commit("first words", "a.txt", "1\n")
	second := s.commit("second", "a.txt", "2\n")
	s.git("tag", "light", string(first))
	s.git("tag", "-a", "-m", "x", "annotated", string(first))
	s.git("tag", "-a", "-m", "x", "twice", "annotated")
	s.git("tag", "-a", "-m", "x", "of-tree", "HEAD^{tree}")
	s.git("branch", "feature/ä", string(first))
	s.git("pack-refs", "--all")
	r := s.open()
	for rev, want := range map[string]ID{
		"HEAD": second, "@": second, "main": second, "HEAD~1": first, "light": first, "annotated": first, "twice": first,
		"feature/ä": first, "refs/heads/main": second, string(first): first, string(first[:10]): first,
		":/first words": first, "HEAD^{/first}": first, "HEAD@{1}": first, "main@{0}": second,
	} {
		if c, err := r.Commit(ctx, rev); err != nil || c.ID != want {
			t.Errorf("%s is %s (%v), want %s", rev, c.ID, err, want)
		}
	}
	for _, rev := range []string{
		"nope", "", "-h", "--all", "--batch-all-objects", "main\nHEAD", "main\r", "main\x00", "HEAD:a.txt", "HEAD:no.txt",
		"HEAD^{tree}", "of-tree", "HEAD~7", "HEAD^2", "^HEAD", "HEAD..main", "HEAD main", strings.Repeat("a", 40), strings.Repeat("a", 64),
		"HEAD@{9}", "nope@{u}", "@{upstream}", ":/no such words", "a b c", "HEAD missing", strings.Repeat("x", 100_000),
	} {
		_, err := r.Commit(ctx, rev)
		if !errors.Is(err, ErrNotFound) {
			t.Errorf("%.40q: %v", rev, err)
		}
		// Whatever was asked, the next answer belongs to the next question.
		if c, err := r.Head(ctx); err != nil || c.ID != second {
			t.Fatalf("after %.40q HEAD is %s (%v)", rev, c.ID, err)
		}
	}
	s.git("checkout", "-q", "--detach", string(first))
	if c, err := r.Head(ctx); err != nil || c.ID != first {
		t.Errorf("detached HEAD is %s (%v)", c.ID, err)
	}
}

func TestAShortNameOfSeveralObjectsIsRefused(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	var files []string
	for i := range 600 { // of 65,536 beginnings of four digits; the contents are always the same
		files = append(files, fmt.Sprint("f/", i), fmt.Sprint("content ", i))
	}
	s.commit("many", files...)
	names := strings.Fields(s.git("cat-file", "--batch-all-objects", "--batch-check=%(objectname)"))
	slices.Sort(names)
	twin := ""
	for i := 1; i < len(names); i++ {
		if names[i][:4] == names[i-1][:4] {
			twin = names[i][:4]
		}
	}
	if twin == "" {
		t.Fatal("no two objects begin alike")
	}
	_, err := s.open().Commit(context.Background(), twin)
	wants(t, err, ErrNotFound)
	says(t, err, "more digits")
}

func TestUnbornAndBrokenHeadsAreToldApart(t *testing.T) {
	const nobody = "1234567890123456789012345678901234567890"
	for _, c := range []struct {
		name  string
		spoil func(s *scratch)
		want  error
	}{
		{"unborn", func(s *scratch) { s.git("checkout", "-q", "--orphan", "new") }, ErrUnborn},
		{"branch of garbage", func(s *scratch) { s.write(".git/refs/heads/main", "garbage\n") }, ErrDamaged},
		{"empty branch", func(s *scratch) { s.write(".git/refs/heads/main", "") }, ErrDamaged},
		{"branch of a missing commit", func(s *scratch) { s.write(".git/refs/heads/main", nobody+"\n") }, ErrDamaged},
		{"detached at a missing commit", func(s *scratch) { s.write(".git/HEAD", nobody+"\n") }, ErrDamaged},
		{"HEAD of garbage", func(s *scratch) { s.write(".git/HEAD", "garbage\n") }, ErrDamaged},
		{"HEAD to a name that cannot be", func(s *scratch) { s.write(".git/HEAD", "ref: refs/heads/..\n") }, ErrDamaged},
		{"no HEAD", func(s *scratch) { os.Remove(filepath.Join(s.dir, ".git/HEAD")) }, ErrDamaged},
		{"corrupt commit", func(s *scratch) { spoilObject(s, s.id("HEAD"), "not zlib") }, ErrDamaged},
		{"cut commit", func(s *scratch) { spoilObject(s, s.id("HEAD"), "") }, ErrDamaged},
		{"HEAD names a tree", func(s *scratch) { s.write(".git/HEAD", string(s.id("HEAD^{tree}"))) }, ErrNotFound},
		{"no repository", func(s *scratch) { os.RemoveAll(filepath.Join(s.dir, ".git")) }, ErrNotRepository},
		{"GIT_DIR to nowhere", func(s *scratch) { s.env = []string{"GIT_DIR=nowhere"} }, ErrNotRepository},
		{"not trusted", func(s *scratch) { s.env = []string{"GIT_TEST_ASSUME_DIFFERENT_OWNER=1"} }, nil},
		{"broken configuration", func(s *scratch) { s.write(".git/config", "[core\n") }, nil},
		{"newer repository", func(s *scratch) { s.git("config", "core.repositoryFormatVersion", "9") }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newScratch(t)
			s.commit("one", "a.txt", "1\n")
			c.spoil(s)
			r := s.open()
			for range 2 {
				_, err := r.Head(context.Background())
				if c.want != nil {
					wants(t, err, c.want)
				} else if err == nil || errors.Is(err, ErrNotFound) || errors.Is(err, ErrNotRepository) || errors.Is(err, ErrUnborn) {
					t.Errorf("got %v", err)
				}
			}
			if c.want == ErrUnborn {
				_, err := r.Range(context.Background(), "", "HEAD")
				wants(t, err, ErrUnborn)
				return
			}
			// The others must see it too.
			for what, ask := range map[string]func() error{
				"Range":    func() error { _, err := r.Range(context.Background(), "", "HEAD"); return err },
				"Upstream": func() error { _, err := r.Upstream(context.Background()); return err },
			} {
				if ask() == nil {
					t.Errorf("%s sees nothing wrong", what)
				}
			}
		})
	}
}

// spoilObject replaces a loose object's file; "" cuts it in half.
func spoilObject(s *scratch, id ID, content string) {
	s.t.Helper()
	file := s.object(id)
	if content == "" {
		whole := ok[[]byte](s.t)(os.ReadFile(file))
		content = string(whole[:len(whole)/2])
	}
	if err := os.Remove(file); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func TestARepositoryOfAnotherOwnerIsNotAnEmptyOne(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	s.commit("one", "a.txt", "1\n")
	s.git("config", "acta.anchor", "false")
	s.env = []string{"GIT_TEST_ASSUME_DIFFERENT_OWNER=1"}
	r := s.open()
	for what, ask := range map[string]func() error{
		"Head":   func() error { _, err := r.Head(ctx); return err },
		"Layout": func() error { _, err := r.Layout(ctx); return err },
		"Config": func() error { _, err := r.Config(ctx, "acta.anchor"); return err },
		"Index":  func() error { _, err := r.IndexTree(ctx); return err },
		"Changes": func() error {
			_, err := r.Changes(ctx, "", noTree(), DiffOptions{})
			return err
		},
	} {
		says(t, ask(), "dubious ownership", "safe.directory")
		if errors.Is(ask(), ErrNotRepository) {
			t.Errorf("%s takes it for no repository", what)
		}
	}
}

// As root nothing is forbidden, so the reader runs as nobody there, on a copy
// of the test binary, in a repository that is nobody's.
func TestWhatMayNotBeReadIsAnError(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.commit("one", "a.txt", "1\n")
	reader := exec.Command(ok[string](t)(os.Executable()))
	// nobody may read the checkout either, where the tests' configuration lies
	reader.Dir, reader.Env = s.dir, append(s.environ(), "ACTA_TEST_AS=reader", "GIT_CONFIG_SYSTEM="+os.DevNull)
	if os.Getuid() == 0 {
		const nobody = 65534
		reader.Path = filepath.Join(t.TempDir(), "reader")
		reader.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		// Another process copies it: a file that this one has open to write is busy in a child that another test starts.
		if out, err := exec.Command("cp", reader.Args[0], reader.Path).CombinedOutput(); err != nil {
			t.Fatalf("%v, %s", err, out)
		}
		for _, dir := range []string{filepath.Dir(s.dir), filepath.Dir(reader.Path)} {
			for ; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
				if err := os.Chmod(dir, 0o755); err != nil {
					t.Fatal(err)
				}
			}
		}
		err := filepath.WalkDir(s.dir, func(path string, _ os.DirEntry, err error) error {
			return errors.Join(err, os.Lchown(path, nobody, nobody))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{"objects", "refs/heads", "HEAD", "config", "."} {
		path := filepath.Join(s.dir, ".git", dir)
		info := ok[os.FileInfo](t)(os.Stat(path))
		if err := os.Chmod(path, 0); err != nil {
			t.Fatal(err)
		}
		again := *reader
		again.Stdout, again.Stderr = nil, nil
		out, err := again.CombinedOutput()
		if err == nil || strings.Contains(string(out), "nothing there") {
			t.Errorf("%s: %v, %s", dir, err, out)
		}
		if err := os.Chmod(path, info.Mode()); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := reader.CombinedOutput(); err != nil {
		t.Errorf("with everything readable: %v, %s", err, out)
	}
}

func TestSnapshotEntries(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	module := newScratch(t)
	pinned := module.commit("m", "m.txt", "m\n")
	s.write("run.sh", "#!/bin/sh\n")
	if err := os.Chmod(filepath.Join(s.dir, "run.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("dir/file.txt", filepath.Join(s.dir, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("dir", filepath.Join(s.dir, "linked-dir")); err != nil {
		t.Fatal(err)
	}
	s.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", module.url(), "sub")
	s.commit("one", "dir/file.txt", "content\n", "dir-file.txt", "1\n", "dir.txt", "2\n", "empty", "",
		"-option", "3\n", "--help", "4\n", "ein Ordner/ä \"b\".txt", "5\n", "tab\tand\nline.txt", "6\n", "back\\slash", "7\n", "a:b", "8\n", "git~2", "9\n")
	tree := s.id("HEAD^{tree}")
	snap := s.open().Snapshot(tree)
	for path, want := range map[string]struct{ mode, content string }{
		"run.sh": {"100755", "#!/bin/sh\n"}, "link": {"120000", "dir/file.txt"}, "dir/file.txt": {"100644", "content\n"},
		"dir-file.txt": {"100644", "1\n"}, "dir.txt": {"100644", "2\n"}, "empty": {"100644", ""}, "-option": {"100644", "3\n"},
		"--help": {"100644", "4\n"}, "ein Ordner/ä \"b\".txt": {"100644", "5\n"}, "tab\tand\nline.txt": {"100644", "6\n"},
		"back\\slash": {"100644", "7\n"}, "a:b": {"100644", "8\n"}, "git~2": {"100644", "9\n"},
	} {
		e, err := snap.Entry(ctx, path)
		if err != nil || e.Mode != want.mode {
			t.Errorf("%q is %+v (%v)", path, e, err)
			continue
		}
		content := ok[[]byte](t)(snap.Blob(ctx, e.ID))
		size := ok[int64](t)(snap.Size(ctx, e.ID))
		if string(content) != want.content || size != int64(len(want.content)) {
			t.Errorf("%q holds %q, %d bytes", path, content, size)
		}
	}
	for path, want := range map[string]Entry{
		"": {"040000", tree}, "dir": {"040000", s.id("HEAD:dir")}, "sub": {"160000", pinned},
	} {
		if e, err := snap.Entry(ctx, path); err != nil || e != want {
			t.Errorf("%q is %+v (%v), want %+v", path, e, err, want)
		}
	}
	for _, path := range []string{
		"nope", "dir/nope", "/dir/file.txt", "dir/", "dir//file.txt", "./dir", "../x", "dir/../dir.txt", ".", ".git/config",
		"dir/file.txt/x", "link/x", "linked-dir/file.txt", "sub/m.txt", "DIR/file.txt", "dir\x00", "dir/file.txt\n",
	} {
		_, err := snap.Entry(ctx, path)
		wants(t, err, ErrNotFound)
	}
	_, err := snap.Blob(ctx, tree)
	wants(t, err, ErrDamaged)

	paths := ok[[]string](t)(snap.Paths(ctx))
	if !slices.IsSorted(paths) || len(paths) != 15 || slices.Contains(paths, "sub") || !slices.Contains(paths, "tab\tand\nline.txt") {
		t.Errorf("paths are %q", paths)
	}
}

func TestNamesThatGitRefusesToWriteCanBeRead(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	s.commit("one", "a.txt", "1\n")
	blob := s.id("HEAD:a.txt")
	var raw bytes.Buffer
	for _, name := range []string{"..", ".git", "git~1"} {
		fmt.Fprintf(&raw, "100664 %s\x00", name)
		h := ok[[]byte](s.t)(hex.DecodeString(string(blob)))
		raw.Write(h)
	}
	cmd := exec.Command("git", "hash-object", "-t", "tree", "-w", "--literally", "--stdin")
	cmd.Dir, cmd.Env, cmd.Stdin = s.dir, s.environ(), &raw
	tree := ID(strings.TrimSpace(string(ok[[]byte](t)(cmd.Output()))))
	snap := s.open().Snapshot(tree)
	for _, name := range []string{"..", ".git", "git~1"} {
		if e, err := snap.Entry(ctx, name); err != nil || e.ID != blob || e.Mode != "100644" {
			t.Errorf("%s is %+v (%v)", name, e, err)
		}
	}
}

func TestTheEmptyTreeIsEverywhere(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := newScratch(t).open()
	for _, id := range []ID{"", noTree()} {
		snap := r.Snapshot(id)
		if e, err := snap.Entry(ctx, ""); err != nil || e.ID != id {
			t.Errorf("root is %+v (%v)", e, err)
		}
		_, err := snap.Entry(ctx, "a")
		wants(t, err, ErrNotFound)
		if paths, err := snap.Paths(ctx); err != nil || paths == nil || len(paths) != 0 {
			t.Errorf("paths are %v (%v)", paths, err)
		}
	}
}

func TestMissingAndCorruptObjectsAreNotAbsentPaths(t *testing.T) {
	for _, c := range []struct{ name, rev, spoil string }{
		{"missing blob", "HEAD:dir/a.txt", "remove"}, {"corrupt blob", "HEAD:dir/a.txt", "not zlib"}, {"cut blob", "HEAD:dir/a.txt", ""},
		{"missing folder", "HEAD:dir", "remove"}, {"corrupt folder", "HEAD:dir", "not zlib"}, {"missing root", "HEAD^{tree}", "remove"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			s := newScratch(t)
			first := s.commit("one", "dir/a.txt", strings.Repeat("some text ", 100), "b.txt", "b\n")
			tree, blob := s.id("HEAD^{tree}"), s.id("HEAD:dir/a.txt")
			if id := s.id(c.rev); c.spoil == "remove" {
				if err := os.Remove(s.object(id)); err != nil {
					t.Fatal(err)
				}
			} else {
				spoilObject(s, id, c.spoil)
			}
			r := s.open()
			snap := r.Snapshot(tree)
			_, err := snap.Entry(ctx, "dir/a.txt")
			if strings.Contains(c.name, "blob") {
				if err != nil {
					t.Fatal(err)
				}
				_, err = snap.Blob(ctx, blob)
			}
			wants(t, err, ErrDamaged)
			_, err = r.Changes(ctx, noTree(), first, DiffOptions{Counts: true})
			wants(t, err, ErrDamaged)
			if c.rev != "HEAD^{tree}" {
				if e, err := snap.Entry(ctx, "b.txt"); err != nil || e.Mode != "100644" {
					t.Errorf("what is whole cannot be read any more: %v", err)
				}
			}
		})
	}
}

func TestAnIdThatIsNoneNeverReachesGit(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := newScratch(t).open()
	for _, id := range []ID{"HEAD", "--help", "", "main", ID(strings.Repeat("A", 40)), ID(strings.Repeat("a", 39) + "\n")} {
		snap := r.Snapshot(id)
		_, size := snap.Size(ctx, id)
		_, blob := snap.Blob(ctx, id)
		for _, err := range []error{size, blob} {
			says(t, err, "is not an object name")
		}
		if id != "" { // the empty tree there
			_, entry := snap.Entry(ctx, "a")
			_, paths := snap.Paths(ctx)
			_, changes := r.Changes(ctx, id, noTree(), DiffOptions{})
			for _, err := range []error{entry, paths, changes} {
				says(t, err, "is not an object name")
			}
		}
	}
}

func TestReplacedAndGraftedObjectsAreReadAsStored(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	first := s.commit("first", "a.txt", "real\n")
	second := s.commit("second", "b.txt", "b\n")
	real := s.id("HEAD:a.txt")
	s.write("forged", "forged\n")
	s.git("replace", string(real), s.git("hash-object", "-w", "forged"))
	forged := s.commit("forged", "c.txt", "c\n")
	s.git("reset", "-q", "--hard", string(second))
	s.git("replace", string(second), string(forged))
	s.write(".git/info/grafts", string(second)+"\n")
	r := s.open()
	c := ok[Commit](t)(r.Head(ctx))
	if string(c.Message) != "second\n" || !slices.Equal(c.Parents, []ID{first}) {
		t.Errorf("HEAD is %q with parents %v", c.Message, c.Parents)
	}
	if blob := ok[[]byte](t)(r.Snapshot(c.Tree).Blob(ctx, real)); string(blob) != "real\n" {
		t.Errorf("the blob is %q", blob)
	}
	if ids := ok[[]ID](t)(r.Range(ctx, "", "HEAD")); !slices.Equal(ids, []ID{first, second}) {
		t.Errorf("the range is %v", ids)
	}
}

func TestKindsOfRepository(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(s *scratch) *scratch
	}{
		{"plain", func(s *scratch) *scratch { return s }},
		{"sub-directory", func(s *scratch) *scratch { return s.at(filepath.Join(s.dir, "dir")) }},
		{"packed", func(s *scratch) *scratch {
			s.git("gc", "-q")
			return s
		}},
		{"bare", func(s *scratch) *scratch { return s.clone("--bare") }},
		{"linked worktree", func(s *scratch) *scratch {
			w := s.at(filepath.Join(s.t.TempDir(), "linked"))
			s.git("worktree", "add", "-q", "--detach", w.dir)
			return w
		}},
		{"linked worktree with its own configuration", func(s *scratch) *scratch {
			w := s.at(filepath.Join(s.t.TempDir(), "linked"))
			s.git("config", "extensions.worktreeConfig", "true")
			s.git("worktree", "add", "-q", "--detach", w.dir)
			w.git("config", "--worktree", "core.hooksPath", "/own/hooks")
			return w
		}},
		{"shared clone", func(s *scratch) *scratch {
			c := s.at(filepath.Join(s.t.TempDir(), "clone"))
			s.git("clone", "-q", "--shared", s.dir, c.dir)
			return c
		}},
		{"relative alternates", func(s *scratch) *scratch {
			c := s.at(s.dir + " 2")
			s.git("clone", "-q", "--shared", s.dir, c.dir)
			c.write(".git/objects/info/alternates", "../../../work tree/.git/objects\n")
			return c
		}},
		{"shallow", func(s *scratch) *scratch { return s.clone("--depth=1") }},
		{"submodule", func(s *scratch) *scratch {
			super := newScratch(s.t)
			super.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", s.url(), "sub")
			return super.at(filepath.Join(super.dir, "sub"))
		}},
		{"work tree with a git directory elsewhere", func(s *scratch) *scratch {
			s.git("init", "-q", "--separate-git-dir", filepath.Join(s.home, "elsewhere.git"))
			return s
		}},
		{"GIT_DIR and GIT_WORK_TREE", func(s *scratch) *scratch {
			c := s.at(s.home)
			c.env = []string{"GIT_DIR=" + filepath.Join(s.dir, ".git"), "GIT_WORK_TREE=" + s.dir}
			return c
		}},
		{"symlink to the git directory", func(s *scratch) *scratch {
			moved := filepath.Join(s.home, "moved")
			if err := errors.Join(os.Rename(filepath.Join(s.dir, ".git"), moved), os.Symlink(moved, filepath.Join(s.dir, ".git"))); err != nil {
				s.t.Fatal(err)
			}
			return s
		}},
		{"every index odd", func(s *scratch) *scratch {
			s.git("config", "feature.manyFiles", "true")
			s.git("config", "core.splitIndex", "true")
			s.git("sparse-checkout", "set", "--cone", "--sparse-index", "dir")
			return s
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			s := newScratch(t)
			s.commit("one", "a.txt", "1\n", "dir/b.txt", "b\n")
			head := s.commit("two", "a.txt", "2\n")
			at := c.make(s)
			r := at.open()
			got := ok[Commit](t)(r.Head(ctx))
			if got.ID != head {
				t.Fatalf("HEAD is %s", got.ID)
			}
			snap := r.Snapshot(got.Tree)
			e := ok[Entry](t)(snap.Entry(ctx, "a.txt"))
			if blob := ok[[]byte](t)(snap.Blob(ctx, e.ID)); string(blob) != "2\n" {
				t.Errorf("a.txt holds %q", blob)
			}
			if paths := ok[[]string](t)(snap.Paths(ctx)); !slices.Equal(paths, []string{"a.txt", "dir/b.txt"}) {
				t.Errorf("paths are %q", paths)
			}
			changes := ok[[]Change](t)(r.Changes(ctx, noTree(), head, DiffOptions{Counts: true, Renames: true}))
			if len(changes) != 2 || changes[0].Path != "a.txt" || changes[0].Added != 1 {
				t.Errorf("changes are %+v", changes)
			}
			if c.name == "shallow" {
				return
			}
			if ids := ok[[]ID](t)(r.Range(ctx, "HEAD~1", "HEAD")); !slices.Equal(ids, []ID{head}) {
				t.Errorf("the range is %v", ids)
			}
		})
	}
}

func TestAPartialCloneFetchesNothingAndSaysHowTo(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	s.git("config", "uploadpack.allowFilter", "true")
	s.commit("one", "a.txt", "far\n")
	c := s.clone("--filter=blob:none", "--no-checkout")
	a, tree := s.id("HEAD:a.txt"), s.id("HEAD^{tree}")
	if absent := c.git("rev-list", "--objects", "--missing=print", "HEAD"); !strings.Contains(absent, "?"+string(a)) {
		t.Fatalf("the clone is not partial: %s", absent)
	}
	_, err := c.open().Snapshot(tree).Blob(ctx, a)
	wants(t, err, ErrPartial)
	_, command, _ := strings.Cut(ErrPartial.Error(), "run: git ")
	c.git(strings.Fields(command)...)
	if blob := ok[[]byte](t)(c.open().Snapshot(tree).Blob(ctx, a)); string(blob) != "far\n" {
		t.Errorf("got %q", blob)
	}
}

func TestReftableIsReadWhereGitMakesIt(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	dir := filepath.Join(t.TempDir(), "r")
	out, err := s.try("init", "-q", "--ref-format=reftable", dir)
	if err != nil {
		// git before 2.45 knows nothing of it; then it must say just that.
		if !strings.Contains(out, "unknown option `ref-format=reftable'") {
			t.Fatalf("git can make no reftable, for a reason of its own: %s", out)
		}
		return
	}
	r := s.at(dir)
	head := r.commit("one", "a.txt", "1\n")
	if c := ok[Commit](t)(r.open().Head(context.Background())); c.ID != head {
		t.Errorf("HEAD is %s, want %s", c.ID, head)
	}
}

func TestASHA256RepositoryIsReadAsAnyOther(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t, "--object-format=sha256")
	first := s.commit("one", "a.txt", "1\n", "dir/b.txt", "2\n")
	head := s.commit("two", "dir/b.txt", "3\n")
	r := s.open()
	if g := ok[Layout](t)(r.Layout(ctx)); g.ObjectFormat != "sha256" || g.EmptyTree() != ID(s.git("hash-object", "-t", "tree", "/dev/null")) {
		t.Errorf("layout is %+v", g)
	}
	for _, rev := range []string{"HEAD", "main", string(head), string(head)[:12]} {
		c := ok[Commit](t)(r.Commit(ctx, rev))
		if c.ID != head || !slices.Equal(c.Parents, []ID{first}) || c.Tree != s.id("HEAD^{tree}") || string(c.Message) != "two\n" {
			t.Errorf("%s is %+v", rev, c)
		}
	}
	if ids := ok[[]ID](t)(r.Range(ctx, "", "HEAD")); !slices.Equal(ids, []ID{first, head}) {
		t.Errorf("the range is %v", ids)
	}
	snap := r.Snapshot(s.id("HEAD^{tree}"))
	e := ok[Entry](t)(snap.Entry(ctx, "dir/b.txt"))
	if e.ID != s.id("HEAD:dir/b.txt") || e.Mode != "100644" {
		t.Errorf("the entry is %+v", e)
	}
	if b := ok[[]byte](t)(snap.Blob(ctx, e.ID)); string(b) != "3\n" {
		t.Errorf("the content is %q", b)
	}
	for _, before := range []ID{"", first} {
		changes := ok[[]Change](t)(r.Changes(ctx, before, head, DiffOptions{}))
		tree := ID("")
		if before != "" {
			tree = s.id(string(first) + "^{tree}")
		}
		differ := ok[[]string](t)(r.ChangedPaths(ctx, tree, s.id("HEAD^{tree}")))
		var paths []string
		for _, c := range changes {
			paths = append(paths, c.Path)
		}
		if want := map[ID][]string{"": {"a.txt", "dir/b.txt"}, first: {"dir/b.txt"}}[before]; !slices.Equal(paths, want) || !slices.Equal(differ, want) {
			t.Errorf("since %q %v and %v differ, want %v", before, paths, differ, want)
		}
	}
	s.write("a.txt", "4\n")
	s.git("add", "a.txt")
	if id := ok[ID](t)(r.IndexTree(ctx)); id != s.id(s.git("write-tree")) || len(id) != sha256Digits {
		t.Errorf("the index is %s", id)
	}
	for _, base := range []ID{"", head} {
		if all := ok[[]Change](t)(r.WorkChanges(ctx, base, func(string) bool { return true })); len(all) == 0 {
			t.Errorf("nothing differs from %q", base)
		}
	}
}

// The end of the object is cut off: who reads the content must notice, who asks
// for the size alone must not.
func TestSizeIsToldWithoutReadingTheContent(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	content := strings.Repeat("a large file, line after line\n", 1<<20)
	s.commit("one", "large", content)
	blob := s.id("HEAD:large")
	r := s.open()
	if _, err := r.Commit(ctx, string(blob)); !errors.Is(err, ErrNotFound) {
		t.Errorf("a blob as commit: %v", err)
	}
	spoilObject(s, blob, "")
	snap := r.Snapshot(s.id("HEAD^{tree}"))
	if got := ok[int64](t)(snap.Size(ctx, blob)); got != int64(len(content)) {
		t.Errorf("size is %d", got)
	}
	_, err := snap.Blob(ctx, blob)
	wants(t, err, ErrDamaged)
}
