package repo

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// hookCase makes one commit while the hook is installed. It gets a repository
// with two commits of a.txt, b.txt and dir/c.txt, and returns the scratch whose HEAD it moved.
type hookCase struct {
	name string
	do   func(s *scratch) *scratch
}

const lines = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n"

var hookCases = []hookCase{
	{"plain commit, with more changed than staged", func(s *scratch) *scratch {
		s.write("a.txt", "staged\n")
		s.git("add", "a.txt")
		s.write("a.txt", "not staged\n")
		s.git("commit", "-qm", "x")
		return s
	}},
	{"commit -a", func(s *scratch) *scratch {
		s.write("a.txt", "changed\n")
		s.write("untracked.txt", "u\n")
		s.git("commit", "-qam", "x")
		return s
	}},
	{"commit PATH leaves out what is staged", func(s *scratch) *scratch {
		s.write("a.txt", "only this\n")
		s.write("b.txt", "staged\n")
		s.git("add", "b.txt")
		s.git("commit", "-qm", "x", "a.txt")
		return s
	}},
	{"commit -i PATH takes both", func(s *scratch) *scratch {
		s.write("a.txt", "this\n")
		s.write("b.txt", "staged\n")
		s.git("add", "b.txt")
		s.git("commit", "-qm", "x", "-i", "a.txt")
		return s
	}},
	{"one hunk of two", func(s *scratch) *scratch {
		s.write("b.txt", strings.Replace(lines, "1\n", "one\n", 1))
		patch := filepath.Join(s.home, "patch")
		if err := os.WriteFile(patch, []byte(s.git("diff", "b.txt")+"\n"), 0o644); err != nil {
			s.t.Fatal(err)
		}
		s.git("apply", "--cached", patch)
		s.write("b.txt", strings.NewReplacer("1\n2", "one\n2", "12\n", "twelve\n").Replace(lines))
		s.git("commit", "-qm", "x")
		return s
	}},
	{"--amend", func(s *scratch) *scratch {
		s.write("a.txt", "amended\n")
		s.git("add", "a.txt")
		s.git("commit", "-q", "--amend", "-m", "x")
		return s
	}},
	{"intent to add", func(s *scratch) *scratch {
		s.write("later.txt", "not yet\n")
		s.git("add", "-N", "later.txt")
		s.write("a.txt", "now\n")
		s.git("add", "a.txt")
		s.git("commit", "-qm", "x")
		return s
	}},
	{"linked worktree", func(s *scratch) *scratch { return inWorktree(s) }},
	{"linked worktree with extensions.worktreeConfig", func(s *scratch) *scratch {
		s.git("config", "extensions.worktreeConfig", "true")
		return inWorktree(s)
	}},
	{"split index", func(s *scratch) *scratch {
		s.git("config", "core.splitIndex", "true")
		s.git("update-index", "--split-index")
		s.write("a.txt", "split\n")
		s.git("add", "a.txt")
		s.git("commit", "-qm", "x")
		return s
	}},
	{"sparse checkout with a sparse index", func(s *scratch) *scratch {
		s.git("sparse-checkout", "set", "--cone", "--sparse-index", "other")
		s.write("a.txt", "sparse\n")
		s.git("commit", "-qam", "x")
		return s
	}},
	{"submodule", func(s *scratch) *scratch {
		super := newScratch(s.t)
		super.env = s.env
		super.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", s.url(), "sub")
		sub := super.at(filepath.Join(super.dir, "sub"))
		installHook(sub)
		sub.write("a.txt", "inside\n")
		sub.git("commit", "-qam", "x")
		return sub
	}},
	{"spaces and letters beyond ASCII", func(s *scratch) *scratch {
		s.write("ein Ordner/Größe \"ü\".txt", "x\n")
		s.write("日本\t語.txt", "x\n")
		s.git("add", "-A")
		s.git("commit", "-qm", "x", "--", "ein Ordner/Größe \"ü\".txt")
		return s
	}},
	{"merge with a conflict resolved", func(s *scratch) *scratch {
		s.git("checkout", "-q", "-b", "side", "HEAD~1")
		s.write("a.txt", "side\n")
		s.git("commit", "-qam", "side", "--no-verify")
		s.git("checkout", "-q", "main")
		if _, err := s.try("merge", "-q", "side"); err == nil {
			s.t.Fatal("the merge had no conflict")
		}
		s.write("a.txt", "both\n")
		s.git("add", "a.txt")
		s.git("commit", "-qm", "x")
		return s
	}},
	{"clean merge", func(s *scratch) *scratch {
		s.git("checkout", "-q", "-b", "side", "HEAD~1")
		s.write("new.txt", "side\n")
		s.git("add", "-A")
		s.git("commit", "-qm", "side", "--no-verify")
		s.git("checkout", "-q", "main")
		s.git("merge", "-q", "--no-ff", "-m", "x", "side")
		return s
	}},
	{"from a sub-directory", func(s *scratch) *scratch {
		s.write("dir/c.txt", "changed\n")
		sub := s.at(filepath.Join(s.dir, "dir"))
		sub.git("commit", "-qm", "x", "c.txt")
		return sub
	}},
	{"--git-dir and --work-tree from elsewhere", func(s *scratch) *scratch {
		s.write("a.txt", "afar\n")
		s.at(s.home).git("--git-dir="+filepath.Join(s.dir, ".git"), "--work-tree="+s.dir, "commit", "-qam", "x")
		return s
	}},
	{"relative --git-dir and --work-tree", func(s *scratch) *scratch {
		s.write("a.txt", "near\n")
		s.git("--git-dir=.git", "--work-tree=.", "commit", "-qam", "x")
		return s
	}},
	{"first commit", func(s *scratch) *scratch {
		first := newScratch(s.t)
		first.env = s.env
		installHook(first)
		first.write("a.txt", "first\n")
		first.git("add", "-A")
		first.git("commit", "-qm", "x")
		return first
	}},
}

func inWorktree(s *scratch) *scratch {
	w := s.at(filepath.Join(s.t.TempDir(), "linked"))
	s.git("worktree", "add", "-q", "-b", "other", w.dir)
	w.write("a.txt", "linked\n")
	w.write("b.txt", "staged\n")
	w.git("add", "b.txt")
	w.git("commit", "-qm", "x", "a.txt")
	return w
}

// installHook makes the test binary the repository's commit-msg hook.
func installHook(s *scratch) {
	s.t.Helper()
	exe := ok[string](s.t)(os.Executable())
	hooks := s.git("rev-parse", "--git-path", "hooks")
	if !filepath.IsAbs(hooks) {
		hooks = filepath.Join(s.dir, hooks)
	}
	script := fmt.Sprintf("#!/bin/sh\nACTA_TEST_AS=hook exec '%s'\n", exe)
	if err := os.MkdirAll(hooks, 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(hooks, "commit-msg"), []byte(script), 0o755); err != nil {
		s.t.Fatal(err)
	}
}

func TestIndexTreeInAHookIsTheTreeOfTheCommit(t *testing.T) {
	for _, c := range hookCases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newScratch(t)
			s.commit("one", "a.txt", "old\n", "b.txt", lines, "dir/c.txt", "c\n", "other/d.txt", "d\n")
			s.commit("two", "a.txt", "older\n")
			out := filepath.Join(t.TempDir(), "out")
			s.env = []string{"ACTA_TEST_OUT=" + out}
			installHook(s)
			at := c.do(s)
			got, err := os.ReadFile(out)
			if err != nil {
				t.Fatalf("the hook did not run: %v", err)
			}
			// When the hook runs, HEAD is where the reflog says it was before.
			before, err := at.try("rev-parse", "--verify", "--quiet", "HEAD@{1}")
			if err != nil {
				before = ""
			}
			if want := string(at.id("HEAD^{tree}")) + " " + before; string(got) != want {
				t.Errorf("the hook saw %q, git committed %q", got, want)
			}
		})
	}
}

func TestIndexTree(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name string
		do   func(s *scratch)
	}{
		{"clean", func(s *scratch) {}},
		{"staged and not staged", func(s *scratch) {
			s.write("a.txt", "staged\n")
			s.git("add", "a.txt")
			s.write("a.txt", "not staged\n")
		}},
		{"intent to add", func(s *scratch) {
			s.write("later.txt", "x\n")
			s.git("add", "-N", "later.txt")
		}},
		{"split index", func(s *scratch) {
			s.git("config", "core.splitIndex", "true")
			s.git("update-index", "--split-index")
			s.write("a.txt", "split\n")
			s.git("add", "a.txt")
		}},
		{"index to be split", func(s *scratch) {
			s.write("a.txt", "split\n")
			s.git("add", "a.txt")
			s.git("config", "core.splitIndex", "true")
		}},
		{"sparse index", func(s *scratch) {
			s.git("sparse-checkout", "set", "--cone", "--sparse-index", "other")
			s.write("a.txt", "sparse\n")
			s.git("add", "a.txt")
		}},
		{"monitored index", func(s *scratch) {
			s.git("config", "core.untrackedCache", "true")
			s.git("update-index", "--force-untracked-cache")
			s.git("status", "--short")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newScratch(t)
			s.commit("one", "a.txt", "old\n", "b.txt", lines, "dir/c.txt", "c\n", "other/d.txt", "d\n")
			c.do(s)
			lock := filepath.Join(s.dir, ".git", "index.lock")
			if err := os.WriteFile(lock, []byte("another git's"), 0o644); err != nil {
				t.Fatal(err)
			}
			before := gitFiles(t, s)
			got := ok[ID](t)(s.open().IndexTree(ctx))
			if after := gitFiles(t, s); after != before {
				t.Errorf("the git directory changed\nfrom %s\nto   %s", before, after)
			}
			if err := os.Remove(lock); err != nil {
				t.Fatal(err)
			}
			if want := s.id(s.git("write-tree")); got != want {
				t.Errorf("got %s, git would commit %s", got, want)
			}
		})
	}
}

// gitFiles is every file of the git directory but the objects, with what it holds.
func gitFiles(t testing.TB, s *scratch) string {
	t.Helper()
	var b strings.Builder
	root := filepath.Join(s.dir, ".git")
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == "objects" {
			if err == nil {
				err = filepath.SkipDir
			}
			return err
		}
		if !d.Type().IsRegular() || strings.HasSuffix(path, ".sample") {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		// Whatever reads a split index marks the shared half as in use.
		when := info.ModTime().UnixNano()
		if strings.HasPrefix(d.Name(), "sharedindex.") {
			when = 0
		}
		content, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s %d %x\n", path, when, sha256.Sum256(content))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestIndexTreeOfALinkedWorktreeAndOfGitIndexFile(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.commit("one", "a.txt", "old\n")
	w := s.at(filepath.Join(t.TempDir(), "linked"))
	s.git("worktree", "add", "-q", "-b", "other", w.dir)
	w.write("a.txt", "linked\n")
	w.git("add", "a.txt")
	if got, want := ok[ID](t)(w.open().IndexTree(context.Background())), w.id(w.git("write-tree")); got != want || got == s.id("HEAD^{tree}") {
		t.Errorf("worktree: got %s, want %s", got, want)
	}
	s.env = []string{"GIT_INDEX_FILE=" + filepath.Join(s.home, "other index")}
	s.write("b.txt", "b\n")
	s.git("add", "b.txt")
	if got, want := ok[ID](t)(s.open().IndexTree(context.Background())), s.id(s.git("write-tree")); got != want {
		t.Errorf("GIT_INDEX_FILE: got %s, want %s", got, want)
	}
}

func TestIndexTreeWithoutAnIndexIsEmpty(t *testing.T) {
	t.Parallel()
	if got := ok[ID](t)(newScratch(t).open().IndexTree(context.Background())); got != noTree() {
		t.Errorf("got %s", got)
	}
}

func TestAnIndexThatCannotBeCommittedSaysWhy(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	s.commit("one", "a b.txt", "1\n", "c.txt", "1\n")
	s.git("checkout", "-q", "-b", "side")
	s.commit("side", "a b.txt", "side\n", "c.txt", "side\n")
	s.git("checkout", "-q", "main")
	s.commit("main", "a b.txt", "main\n", "c.txt", "main\n")
	if _, err := s.try("merge", "side"); err == nil {
		t.Fatal("no conflict")
	}
	r := s.open()
	_, err := r.IndexTree(ctx)
	wants(t, err, ErrUnmerged)
	says(t, err, "a b.txt, c.txt: resolve")

	s.git("merge", "--abort")
	s.write(".git/index", "DIRC broken")
	_, err = r.IndexTree(ctx)
	wants(t, err, ErrDamaged)
	says(t, err, "index file")
}
