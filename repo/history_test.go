package repo

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestRangeIsReachability(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	root := s.commit("root")
	a := s.commit("a")
	s.git("checkout", "-q", "-b", "side", string(root))
	s.date = s.date.Add(-time.Hour) // a clock that is slow: older than their parent
	x := s.commit("x")
	y := s.commit("y")
	s.date = s.date.Add(time.Hour)
	s.git("checkout", "-q", "main")
	m := s.merge("side")
	b := s.commit("b")
	s.git("tag", "-a", "-m", "x", "tagged", string(a))
	s.git("checkout", "-q", "--orphan", "island")
	i := s.commit("island")
	s.git("checkout", "-q", "main")
	r := s.open()
	for name, c := range map[string]struct {
		base, head string
		want       []ID
	}{
		"straight":                   {"main~1", "main", []ID{b}},
		"a side branch comes with":   {"tagged", "main", []ID{x, y, m, b}},
		"base on the side branch":    {"side", "HEAD", []ID{a, m, b}},
		"everything":                 {"", "HEAD", []ID{root, a, x, y, m, b}},
		"root alone":                 {"", string(root), []ID{root}},
		"nothing":                    {"HEAD", "HEAD", []ID{}},
		"base ahead of head":         {"HEAD", "tagged", []ID{}},
		"base only by second parent": {string(x), string(b), []ID{a, y, m, b}},
		"unrelated":                  {"island", "tagged", []ID{root, a}},
		"unrelated, the other way":   {"main", "island", []ID{i}},
	} {
		got, err := r.Range(ctx, c.base, c.head)
		if err != nil || len(got) != len(c.want) || got == nil {
			t.Errorf("%s: got %v (%v), want %v", name, got, err, c.want)
			continue
		}
		for j, id := range got {
			if !slices.Contains(c.want, id) {
				t.Errorf("%s: %s is not of the range", name, id)
			}
			for _, p := range ok[Commit](t)(r.Commit(ctx, string(id))).Parents {
				if slices.Index(got, p) > j {
					t.Errorf("%s: %s comes before its parent", name, id)
				}
			}
		}
	}
	for _, ends := range [][2]string{{"nope", "HEAD"}, {"HEAD", "nope"}, {"--all", "HEAD"}, {"", "--all"}, {"", "^HEAD"}, {"", "HEAD~1..HEAD"}, {"", ""}, {"-n1", "main"}} {
		_, err := r.Range(ctx, ends[0], ends[1])
		wants(t, err, ErrNotFound)
	}
}

func TestCrissCrossRangeAndMergeBase(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	s.commit("root")
	s.git("branch", "other")
	a := s.commit("a")
	s.git("checkout", "-q", "other")
	b := s.commit("b")
	s.merge("main")
	s.git("checkout", "-q", "main")
	m := s.merge(string(b))
	c := s.commit("c")
	r := s.open()
	if got := ok[[]ID](t)(r.Range(ctx, "other", "main")); !slices.Equal(got, []ID{m, c}) {
		t.Errorf("got %v", got)
	}
	if base := ok[ID](t)(r.MergeBase(ctx, "main", "other")); base != a && base != b {
		t.Errorf("the merge base is %s", base)
	}
}

func TestTheCommandToFetchIsSafeToPaste(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.git("config", "remote.origin.url", "/nowhere")
	r := s.open()
	for rev, want := range map[string]string{
		"origin/a-b/c.d": unshallow + " origin +refs/heads/a-b/c.d:refs/remotes/origin/a-b/c.d", "refs/remotes/origin/x": unshallow + " origin +refs/heads/x:refs/remotes/origin/x",
		"origin/$(x)": unshallow, "origin/a;b": unshallow, "origin/a~1": unshallow, "other/a": unshallow, "main": unshallow,
	} {
		if got := r.fetchCommand(context.Background(), rev); got != want {
			t.Errorf("%s: got %q", rev, got)
		}
	}
}

func TestMergeBase(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	s.commit("root")
	fork := s.commit("fork")
	s.git("checkout", "-q", "-b", "side")
	s.commit("x")
	s.git("checkout", "-q", "main")
	s.commit("a")
	s.git("checkout", "-q", "--orphan", "island")
	s.commit("island")
	r := s.open()
	if base := ok[ID](t)(r.MergeBase(ctx, "main", "side")); base != fork {
		t.Errorf("got %s", base)
	}
	_, err := r.MergeBase(ctx, "main", "island")
	wants(t, err, ErrNotFound)
	says(t, err, "main and island share no commit")
	_, err = r.MergeBase(ctx, "main", "nope")
	wants(t, err, ErrNotFound)
}

// heed runs the command that an error tells to run.
func heed(s *scratch, err error) {
	s.t.Helper()
	m := regexp.MustCompile(`run: git (fetch [^;)]*)$`).FindStringSubmatch(err.Error())
	if m == nil {
		s.t.Fatalf("%v names no command to run at its end", err)
	}
	s.git(strings.Fields(m[1])...)
}

func TestRangesOfAShallowClone(t *testing.T) {
	for name, c := range map[string]struct {
		base, head string
		known      bool
	}{
		"inside":                       {"HEAD~2", "HEAD", true},
		"down to the edge":             {"HEAD~3", "HEAD", true},
		"nothing":                      {"HEAD", "HEAD", true},
		"base ahead":                   {"HEAD", "HEAD~3", true},
		"everything":                   {"", "HEAD", false},
		"base beyond, by id":           {"@old", "HEAD", false},
		"base beyond, by ancestry":     {"HEAD~5", "HEAD", false},
		"head beyond":                  {"HEAD~1", "@old", false},
		"a branch that is not fetched": {"origin/side", "HEAD", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			s := newScratch(t)
			s.commit("0")
			old := s.commit("1")
			s.git("checkout", "-q", "-b", "side")
			s.commit("side")
			s.git("checkout", "-q", "main")
			for _, m := range []string{"2", "3", "4", "5", "6"} {
				s.commit(m)
			}
			base, head := strings.ReplaceAll(c.base, "@old", string(old)), strings.ReplaceAll(c.head, "@old", string(old))
			shallow := s.clone("--depth=4", "--single-branch")
			want := shallow.whole(s, base, head)
			got, err := shallow.open().Range(ctx, base, head)
			if !c.known {
				wants(t, err, ErrShallow)
				heed(shallow, err)
				got, err = shallow.open().Range(ctx, base, head)
			}
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("got %v (%v), want %v", got, err, want)
			}
		})
	}
}

// whole is the range as the whole repository has it.
func (s *scratch) whole(origin *scratch, base, head string) []ID {
	s.t.Helper()
	args := []string{"rev-list", "--reverse", "--topo-order", head}
	if base != "" {
		args = append(args, "^"+strings.TrimPrefix(base, "origin/"))
	}
	ids := []ID{}
	for _, id := range strings.Fields(origin.git(args...)) {
		ids = append(ids, ID(id))
	}
	return ids
}

// What CI often does: one commit of the target branch, then another branch as a
// whole. Everything since the first commit then looks new.
func TestABaseWhoseHistoryIsCutDoesNotMakeOldCommitsNew(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	s.commit("0")
	s.commit("1")
	s.git("checkout", "-q", "-b", "feature")
	work := s.commit("work")
	s.git("checkout", "-q", "main")
	s.commit("2")
	c := s.clone("--depth=1", "--single-branch")
	c.git("fetch", "-q", "origin", "feature:refs/remotes/origin/feature")
	if n := len(strings.Fields(c.git("rev-list", "main..origin/feature"))); n != 3 {
		t.Fatalf("the case is not the case: git counts %d", n)
	}
	_, err := c.open().Range(ctx, "main", "origin/feature")
	wants(t, err, ErrShallow)
	_, mergeBase := c.open().MergeBase(ctx, "main", "origin/feature")
	wants(t, mergeBase, ErrShallow)
	heed(c, err)
	if got := ok[[]ID](t)(c.open().Range(ctx, "main", "origin/feature")); !slices.Equal(got, []ID{work}) {
		t.Errorf("got %v", got)
	}
}

func TestCommitsOfOneSecondInAShallowCloneAreTold(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	for _, m := range []string{"0", "1", "2", "3"} {
		s.date = s.date.Add(-time.Minute) // as a rebase of one second does it
		s.commit(m)
	}
	c := s.clone("--depth=3")
	want := s.whole(s, "HEAD~2", "HEAD")
	if got := ok[[]ID](t)(c.open().Range(context.Background(), "HEAD~2", "HEAD")); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestWhatLiesBeyondAShallowCloneIsNotTakenForNothing(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	s.commit("0", "a.txt", "0\n")
	s.git("checkout", "-q", "-b", "side")
	s.commit("x", "x.txt", "x\n")
	s.git("checkout", "-q", "main")
	s.commit("1", "b.txt", "1\n")
	m := s.merge("side")
	c := s.clone("--depth=1")
	r := c.open()
	head := ok[Commit](t)(r.Head(ctx))
	if head.ID != m || len(head.Parents) != 2 {
		t.Fatalf("HEAD is %+v: the stored parents must show", head)
	}
	for what, ask := range map[string]func() error{
		"parent":  func() error { _, err := r.Commit(ctx, string(head.Parents[0])); return err },
		"HEAD^":   func() error { _, err := r.Commit(ctx, "HEAD^"); return err },
		"changes": func() error { _, err := r.Changes(ctx, head.Parents[0], head.ID, DiffOptions{}); return err },
	} {
		err := ask()
		if !errors.Is(err, ErrShallow) || errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %v", what, err)
		}
		says(t, err, "git fetch --unshallow")
	}
	// A name has nothing to do with depth.
	_, err := r.Commit(ctx, "nope")
	wants(t, err, ErrNotFound)
}

func TestAHoleInHistoryIsDamage(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	s.commit("0")
	hole := s.commit("1")
	s.commit("2")
	spoilObject(s, hole, "not zlib")
	r := s.open()
	_, err := r.Range(ctx, "", "HEAD")
	wants(t, err, ErrDamaged)
	_, err = r.Commit(ctx, "HEAD~2")
	wants(t, err, ErrDamaged)
	_, err = r.Commit(ctx, string(hole))
	wants(t, err, ErrDamaged)
}

func TestUpstream(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	first := s.commit("one")
	c := s.clone()
	c.commit("two")
	if got := ok[string](t)(c.open().Upstream(ctx)); got != string(first) {
		t.Errorf("got %s", got)
	}
	for _, step := range []struct {
		name string
		args [][]string
	}{
		{"none", [][]string{{"checkout", "-q", "-b", "new"}}},
		{"detached", [][]string{{"checkout", "-q", "--detach"}}},
		{"never fetched", [][]string{{"checkout", "-q", "main"}, {"update-ref", "-d", "refs/remotes/origin/main"}}},
		{"of a lost remote", [][]string{{"config", "branch.main.remote", "lost"}}},
		{"unborn", [][]string{{"checkout", "-q", "--orphan", "unborn"}}},
	} {
		for _, args := range step.args {
			c.git(args...)
		}
		_, err := c.open().Upstream(ctx)
		if !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %v", step.name, err)
		}
		says(t, err, "no upstream", "--set-upstream-to")
	}
}

func TestBeyondIsWhatIsNotKnown(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	root := s.commit("root")
	a := s.commit("a")
	s.git("checkout", "-q", "-b", "side", string(root))
	x := s.commit("x")
	s.git("update-ref", "refs/remotes/odd/side", string(x))
	y := s.commit("y", "file", "content")
	s.git("checkout", "-q", "main")
	m := s.merge("side")
	s.git("tag", "-a", "-m", "tagged", "v1", string(a))
	s.git("checkout", "-q", "--detach")
	d := s.commit("detached")
	s.git("update-ref", "refs/odd/deep/er", string(d))
	r := s.open()
	for name, c := range map[string]struct {
		tips  []ID
		known KnownCommits
		want  []ID
	}{
		"everything":                    {[]ID{x}, KnownCommits{}, []ID{root, x}},
		"beyond a commit":               {[]ID{m}, KnownCommits{IDs: []ID{x}}, []ID{a, y, m}},
		"beyond a tag":                  {[]ID{m}, KnownCommits{IDs: []ID{s.id("v1")}}, []ID{x, y, m}},
		"beyond what is not here":       {[]ID{x}, KnownCommits{IDs: []ID{ID(strings.Repeat("1", 40)), root}}, []ID{x}},
		"beyond branches":               {[]ID{d}, KnownCommits{Refs: []string{"refs/heads/*"}}, []ID{d}},
		"HEAD is no ref":                {[]ID{d}, KnownCommits{Refs: []string{"refs/*"}, Except: []string{"refs/odd/*"}}, []ID{d}},
		"beyond a remote":               {[]ID{y}, KnownCommits{Refs: []string{"refs/remotes/odd/*"}}, []ID{y}},
		"nothing":                       {[]ID{a, x}, KnownCommits{Refs: []string{"refs/*"}}, nil},
		"except some refs":              {[]ID{d}, KnownCommits{Refs: []string{"refs/heads/*", "refs/odd/*"}, Except: []string{"refs/odd/*"}}, []ID{d}},
		"several tips":                  {[]ID{a, x}, KnownCommits{IDs: []ID{root}}, []ID{a, x}},
		"a pattern that matches no ref": {[]ID{a}, KnownCommits{Refs: []string{"refs/none/*"}}, []ID{root, a}},
	} {
		got := ok[[]ID](t)(r.NewCommits(ctx, c.tips, c.known))
		if len(got) != len(c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
			continue
		}
		for i, id := range got {
			if !slices.Contains(c.want, id) {
				t.Errorf("%s: got %v, want %v", name, got, c.want)
			}
			for _, p := range ok[Commit](t)(r.Commit(ctx, string(id))).Parents {
				if slices.Index(got, p) > i {
					t.Errorf("%s: %s comes before its parent", name, id)
				}
			}
		}
	}
	if _, err := r.NewCommits(ctx, []ID{"--all"}, KnownCommits{}); err == nil {
		t.Error("an option passes for a commit")
	}
	if _, err := r.NewCommits(ctx, []ID{ID(strings.Repeat("1", 40))}, KnownCommits{}); err == nil {
		t.Error("a tip that is not here has no commits")
	}
}

func TestReflogIsWhatARefNamedBefore(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	a := s.commit("a")
	b := s.commit("b")
	s.git("reset", "-q", "--hard", "HEAD~1")
	r := s.open()
	if got := ok[[]ID](t)(r.Reflog(ctx, "refs/heads/main")); !slices.Equal(got, []ID{a, b}) {
		t.Errorf("got %v", got)
	}
	s.git("update-ref", "refs/odd/x", string(b))
	if got, err := r.Reflog(ctx, "refs/odd/x"); err == nil && len(got) > 0 {
		t.Errorf("a ref without reflog named %v", got)
	}
	if _, err := r.Reflog(ctx, "refs/heads/none"); err == nil {
		t.Error("a ref that is not there has a reflog")
	}
}
