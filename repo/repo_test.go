package repo

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestLayout(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	s.commit("one", "dir/a.txt", "1\n")
	git := filepath.Join(s.dir, ".git")
	linked := s.at(filepath.Join(t.TempDir(), "linked"))
	s.git("worktree", "add", "-q", "--detach", linked.dir)
	hooked := newScratch(t)
	hooked.write("dir/x", "")
	hooked.git("config", "core.hooksPath", ".our hooks")
	bare := s.clone("--bare")
	shallow := s.clone("--depth=1")
	inGit := s.at(git)
	sub := filepath.Join(s.dir, "dir")
	given := s.at(s.home)
	given.env = []string{"GIT_DIR=" + git, "GIT_WORK_TREE=" + s.dir}
	for name, c := range map[string]struct {
		at   *scratch
		want Layout
	}{
		"top":           {s, Layout{s.dir, git, git, git + "/hooks", false, objectFormat()}},
		"sub-directory": {s.at(sub), Layout{s.dir, git, git, git + "/hooks", false, objectFormat()}},
		"inside .git":   {inGit, Layout{"", git, git, git + "/hooks", false, objectFormat()}},
		"linked":        {linked, Layout{linked.dir, git + "/worktrees/linked", git, git + "/hooks", false, objectFormat()}},
		"hooks elsewhere": {hooked.at(hooked.dir + "/dir"), Layout{hooked.dir, hooked.dir + "/.git", hooked.dir + "/.git",
			hooked.dir + "/.our hooks", false, objectFormat()}},
		"bare":          {bare, Layout{"", bare.dir, bare.dir, bare.dir + "/hooks", true, objectFormat()}},
		"shallow":       {shallow, Layout{shallow.dir, shallow.dir + "/.git", shallow.dir + "/.git", shallow.dir + "/.git/hooks", false, objectFormat()}},
		"GIT_DIR given": {given, Layout{s.dir, git, git, git + "/hooks", false, objectFormat()}},
	} {
		r := c.at.open()
		if g, err := r.Layout(ctx); err != nil || g != c.want {
			t.Errorf("%s: got  %+v (%v)\nwant %+v", name, g, err, c.want)
		}
		if index, err := r.indexFile(ctx); err != nil || index != c.want.GitDir+"/index" {
			t.Errorf("%s: the index is %s (%v)", name, index, err)
		}
		if is, err := r.isShallow(ctx); err != nil || is != (c.at == shallow) {
			t.Errorf("%s: shallow: %v, %v", name, is, err)
		}
	}
	_, err := s.at(s.home).open().Layout(ctx)
	wants(t, err, ErrNotRepository)
}

func TestARelativeDirectoryGivesAbsolutePlaces(t *testing.T) {
	s := newScratch(t)
	s.write("dir/x", "")
	t.Chdir(s.dir)
	r := ok[*Repo](t)(Open(context.Background(), "dir", Options{Env: s.environ()}))
	g := ok[Layout](t)(r.Layout(context.Background()))
	if g.Top != s.dir || g.GitDir != s.dir+"/.git" || g.HooksDir != s.dir+"/.git/hooks" {
		t.Errorf("got %+v", g)
	}
}

func TestConfig(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	s.git("config", "acta.anchor", "false")
	s.git("config", "--add", "acta.anchor", "last")
	s.git("config", "branch.Main.Line.merge", "refs/heads/x")
	s.git("config", "acta.text", "two\nlines = here")
	s.git("config", "acta.empty", "")
	s.write("more", "[acta]\n\tflag\n\tincluded = yes\n")
	s.git("config", "include.path", "../more")
	r := s.open()
	got := ok[map[string]string](t)(r.Config(ctx, "ACTA.Anchor", "Branch.Main.Line.Merge", "acta.text", "acta.empty", "acta.flag",
		"acta.included", "acta.nothing", "acta.a.c", "a.", "acta.(x"))
	want := map[string]string{
		"acta.anchor": "last", "branch.Main.Line.merge": "refs/heads/x", "acta.text": "two\nlines = here", "acta.empty": "",
		"acta.flag": "true", "acta.included": "yes",
	}
	if !maps.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if none := ok[map[string]string](t)(r.Config(ctx, "acta.nothing")); len(none) != 0 {
		t.Errorf("got %q", none)
	}
	if all := ok[map[string]string](t)(r.Config(ctx, "core.BARE")); all["core.bare"] != "false" {
		t.Errorf("got %q", all)
	}
	s.env = []string{"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=acta.anchor", "GIT_CONFIG_VALUE_0=of the command"}
	if got := ok[map[string]string](t)(s.open().Config(ctx, "acta.anchor")); got["acta.anchor"] != "of the command" {
		t.Errorf("got %q", got)
	}
	s.env = nil
	s.git("config", "--unset", "core.repositoryFormatVersion")
	if got := ok[map[string]string](t)(r.Config(ctx, "acta.flag")); got["acta.flag"] != "true" {
		t.Errorf("without a format version: %q", got)
	}
	_, err := s.at(s.home).open().Config(ctx, "acta.anchor")
	wants(t, err, ErrNotRepository)
	s.write(".git/config", "[core\n")
	_, err = r.Config(ctx, "acta.anchor")
	says(t, err, "bad config line 1")
}

func TestAuthorIsTheOneOfTheCommitToCome(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	if got := ok[[]string](t)(s.open().Author(ctx)); !slices.Equal(got, []string{"Ada Author", "ada@example.org"}) {
		t.Errorf("told: %q", got)
	}
	s.git("config", "user.name", "Ümit <Configured>")
	s.git("config", "user.email", "u@example.org")
	env := slices.DeleteFunc(s.environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_AUTHOR_") })
	r := ok[*Repo](t)(Open(ctx, s.dir, Options{Env: env}))
	if got := ok[[]string](t)(r.Author(ctx)); !slices.Equal(got, []string{"Ümit Configured", "u@example.org"}) {
		t.Errorf("configured: %q", got)
	}
}

func TestForeignEnv(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	named := strings.Fields(s.git("rev-parse", "--local-env-vars"))
	if len(named) < 10 {
		t.Fatalf("git names %q", named)
	}
	env := []string{"HOME=/h", "GIT_AUTHOR_NAME=a", "GIT_CONFIG_KEY_0=k", "GIT_CONFIG_VALUE_0=v", "GIT_SSH_COMMAND=ssh", "odd"}
	for _, name := range named {
		env = append(env, name+"=x")
	}
	want := []string{"HOME=/h", "GIT_AUTHOR_NAME=a", "GIT_SSH_COMMAND=ssh", "odd"}
	if got := ForeignEnv(env); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if got := ForeignEnv(nil); len(got) == 0 {
		t.Error("nil is not the process's environment")
	}
}

// A hook of a linked worktree has GIT_DIR set; asked with it, another repository is never seen.
func TestAnotherRepositoryNeedsForeignEnv(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s, other := newScratch(t), newScratch(t)
	mine := s.commit("mine")
	theirs := other.commit("theirs", "a.txt", "1\n")
	env := append(s.environ(), "GIT_DIR="+filepath.Join(s.dir, ".git"))
	for want, env := range map[ID][]string{mine: env, theirs: ForeignEnv(env)} {
		r := ok[*Repo](t)(Open(ctx, other.dir, Options{Env: env}))
		if c := ok[Commit](t)(r.Head(ctx)); c.ID != want {
			t.Errorf("HEAD is %s, want %s", c.ID, want)
		}
		r.Close()
	}
}

func TestErrorsRepeatGitsFirstLinesAndNoMore(t *testing.T) {
	t.Parallel()
	e := &commandError{command: "git x", dir: "/d", stderr: strings.Repeat("a line\n", 40) + "last", causes: []error{errors.New("exit status 1")}}
	if got := e.Error(); strings.Count(got, "a line") != maxLines || strings.Contains(got, "last") || !strings.HasPrefix(got, "git x in /d: a line") {
		t.Errorf("got %q", got)
	}
	e.stderr = strings.Repeat("ä", 5000)
	if got := e.Error(); len(got) > maxLine+50 || strings.ToValidUTF8(got, "!") != got {
		t.Errorf("got %d bytes", len(got))
	}
	e.stderr = ""
	if got := e.Error(); got != "git x in /d: exit status 1" {
		t.Errorf("got %q", got)
	}
	h := &headBuffer{}
	for range 100 {
		if n, err := fmt.Fprint(h, strings.Repeat("x", 1000)); n != 1000 || err != nil {
			t.Fatal(n, err)
		}
	}
	if len(h.String()) != maxStderr {
		t.Errorf("%d bytes are kept", len(h.String()))
	}
}

func TestTheCacheIsBounded(t *testing.T) {
	t.Parallel()
	c := cache[ID, int]{limit: 10}
	key := func(i int) ID { return ID(fmt.Sprint(i)) }
	for i := range 100 {
		c.put(key(i), i, 3)
		if v, ok := c.get(key(i)); !ok || v != i {
			t.Fatalf("%d is not kept", i)
		}
		if len(c.values) > 3 {
			t.Fatalf("%d values are kept", len(c.values))
		}
	}
}

// BenchmarkReads is what a hook reads of a repository of 5,000 files: HEAD, one
// entry and its content. Cold starts git; warm has it running.
func BenchmarkReads(b *testing.B) {
	s := newScratch(b)
	for i := range 5000 {
		s.write(fmt.Sprintf("pkg%d/sub%d/file%d.go", i%50, i%10, i), fmt.Sprintf("package p%d\n", i))
	}
	s.commit("many")
	s.git("gc", "-q")
	env := s.environ()
	read := func(b *testing.B, r *Repo) {
		ctx := context.Background()
		c := ok[Commit](b)(r.Head(ctx))
		snap := r.Snapshot(c.Tree)
		e := ok[Entry](b)(snap.Entry(ctx, "pkg7/sub7/file4957.go"))
		if blob := ok[[]byte](b)(snap.Blob(ctx, e.ID)); len(blob) == 0 {
			b.Fatal("nothing read")
		}
	}
	open := func() *Repo { return ok[*Repo](b)(Open(context.Background(), s.dir, Options{Env: env})) }
	b.Run("cold", func(b *testing.B) {
		for b.Loop() {
			r := open()
			read(b, r)
			r.Close()
		}
	})
	b.Run("warm", func(b *testing.B) {
		r := open()
		defer r.Close()
		for b.Loop() {
			read(b, r)
		}
	})
	b.Run("index tree", func(b *testing.B) {
		r := open()
		for b.Loop() {
			ok[ID](b)(r.IndexTree(context.Background()))
		}
	})
	b.Run("changes", func(b *testing.B) {
		r, head := open(), s.id("HEAD")
		for b.Loop() {
			ok[[]Change](b)(r.Changes(context.Background(), noTree(), head, DiffOptions{}))
		}
	})
}
