package repo

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestMatchingListsWhatTheMessageSaysNewestFirst(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	var ids []ID
	for i, message := range []string{"ACT: T01", "Contract: none", "feat: x\n\nact : T02", "Fix", "ADAPT: T01", "Impact: none"} {
		ids = append(ids, s.commit(message, "a.txt", fmt.Sprint(i)))
	}
	r := s.open()
	find := func(o Search) ([]ID, error) {
		t.Helper()
		titled := regexp.MustCompile(`(^|[^[:alnum:]_-])(act|adapt)[[:space:]]*:`)
		found, cut, err := r.Matching(ctx, ids[len(ids)-1], o, titled.MatchString)
		if err != nil {
			t.Fatal(err)
		}
		return found, cut
	}
	for name, c := range map[string]struct {
		search Search
		want   []ID
		cut    error
	}{
		"all": {Search{}, []ID{ids[4], ids[2], ids[0]}, nil},
		"not": {Search{Exclude: []ID{ids[2]}}, []ID{ids[4]}, nil},
	} {
		if found, cut := find(c.search); !slices.Equal(found, c.want) || !errors.Is(cut, c.cut) || (cut == nil) != (c.cut == nil) {
			t.Errorf("%s: %v, %v; want %v, %v", name, found, cut, c.want, c.cut)
		}
	}
	if _, _, err := r.Matching(ctx, "--all", Search{}, nil); err == nil {
		t.Error("an option is taken for a commit")
	}
}

func holdsAct(line string) bool { return strings.Contains(line, "act") }

func TestMatchingListsCommitsThatChangeFiles(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	var ids []ID
	for i, file := range []string{"specs/001/tasks.md", "a.txt", "specs/deep/001/tasks.md", "TODO.md", "a.txt", "specs/002/tasks.md"} {
		message := "Fix"
		if i == 4 {
			message = "ACT: T01"
		}
		ids = append(ids, s.commit(message, file, fmt.Sprint(i)))
	}
	for glob, want := range map[string][]ID{
		"specs/*/tasks.md": {ids[5], ids[4], ids[0]}, "**/tasks.md": {ids[5], ids[4], ids[2], ids[0]},
		"TODO.md": {ids[4], ids[3]}, "none/*.md": {ids[4]},
	} {
		found, _, err := s.open().Matching(t.Context(), ids[5], Search{Paths: []string{glob}}, holdsAct)
		if err != nil || !slices.Equal(found, want) {
			t.Errorf("%s: %v, %v; want %v", glob, found, err, want)
		}
	}
}

func TestMatchingSaysThatAShallowCloneCutsIt(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	for i := range 4 {
		s.commit("ACT: T01", "a.txt", fmt.Sprint(i))
	}
	c := s.clone("--depth=2")
	found, cut, err := c.open().Matching(context.Background(), c.id("HEAD"), Search{}, holdsAct)
	if err != nil || len(found) != 2 || !errors.Is(cut, ErrShallow) || !strings.Contains(cut.Error(), "git fetch --unshallow") {
		t.Errorf("%v, %v, %v", found, cut, err)
	}
}

// A search goes no further back than it is told to, and says so.
func TestASearchOfTheNewestCommits(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	var ids []ID
	for i := range 4 {
		ids = append([]ID{s.commit(fmt.Sprintf("ACT: T0%d", i), "a.txt", strconv.Itoa(i))}, ids...)
	}
	r := s.open()
	for newest, want := range map[int]int{0: 4, 1: 1, 3: 3, 4: 4, 9: 4} {
		got, cut, err := r.Matching(t.Context(), ids[0], Search{MaxCommits: newest}, holdsAct)
		if err != nil || !slices.Equal(got, ids[:want]) || (cut == nil) != (want == 4) {
			t.Errorf("%d: %v, %v, %v, want %d of %v", newest, got, cut, err, want, ids)
		}
	}
}

func TestRenamedToFollowsFilesFromNameToName(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	long := strings.Repeat("a line of some length\n", 20)
	first := s.commit("one", "a.py", long, "b.py", "b"+long, "c.py", "c\n", "d[1].py", "d"+long, "kept.py", "k\n", ":!weird.py", "w"+long, "e.py", "e"+long)
	s.git("--literal-pathspecs", "mv", ":!weird.py", "tame.py")
	s.git("commit", "-qm", "one and a half")
	s.git("mv", "e.py", "e2.py")
	s.git("mv", "a.py", "a2.py")
	s.git("mv", "d[1].py", "d?.py")
	s.git("rm", "-q", "c.py")
	s.git("commit", "-qm", "two")
	s.git("checkout", "-qb", "side")
	if err := os.MkdirAll(filepath.Join(s.dir, "lib"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.git("mv", "a2.py", "lib/a3.py")
	s.write("lib/a3.py", long+"and one more\n")
	s.git("commit", "-qam", "three")
	s.git("checkout", "-q", "main")
	s.commit("four", "x.txt", "x")
	s.git("mv", "b.py", "b2.py")
	s.git("commit", "-qm", "five")
	s.commit("another e", "e.py", "another "+long)
	s.git("mv", "e.py", "e3.py")
	s.git("commit", "-qm", "and it goes, too")
	s.git("rm", "-q", "b2.py")
	s.git("commit", "-qm", "six")
	tip := s.merge("side")
	got := ok[map[string]string](t)(s.open().RenameTargets(ctx, first, tip, []string{"a.py", "b.py", "c.py", "d[1].py", "kept.py", "never.py", ":!weird.py", "e.py"}))
	if want := map[string]string{":!weird.py": "tame.py", "e.py": "e3.py", "a.py": "lib/a3.py", "d[1].py": "d?.py"}; !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := ok[map[string]string](t)(s.open().RenameTargets(ctx, tip, tip, []string{"a.py"})); len(got) != 0 {
		t.Errorf("nothing was renamed after the tip, and yet %v", got)
	}
}

func TestTouchingListsTheCommitsOfThePathsOldestFirst(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	s.commit("zero", "a.py", "0")
	base := s.commit("one", "a.py", "1", "b.py", "1")
	two := s.commit("two", "a.py", "2")
	s.commit("three", "b.py", "3")
	four := s.commit("four", "a.py", "4", "b.py", "4")
	s.git("checkout", "-qb", "side", string(base)+"~1")
	side := s.commit("side", "a.py", "of the side")
	s.git("checkout", "-q", "main")
	if _, err := s.try("merge", "-q", "side"); err == nil {
		t.Fatal("no conflict")
	}
	merge := s.commit("merge", "a.py", "of both")
	r := s.open()
	if got := ok[[]ID](t)(r.CommitsTouching(ctx, base, merge, []string{"a.py"})); !slices.Equal(got, []ID{two, four, merge}) {
		t.Errorf("got %v, want no %v: it does not descend from the base", got, side)
	}
	if got := ok[[]ID](t)(r.CommitsTouching(ctx, "", four, []string{"a.py"})); len(got) != 4 {
		t.Errorf("without a base: %v", got)
	}
	if got := ok[[]ID](t)(r.CommitsTouching(ctx, base, four, nil)); len(got) > 0 {
		t.Errorf("no paths are all paths: %v", got)
	}
}

func TestPrefetchedCommitsAreReadInOneRoundTrip(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	var ids []ID
	for i := range 5 {
		ids = append(ids, s.commit(fmt.Sprint(i), "a", fmt.Sprint(i)))
	}
	r := s.open()
	missing := ID(strings.Repeat("ab", 20))
	if err := r.PrefetchCommits(ctx, append([]ID{missing}, ids...)); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	for i, id := range ids { // git is gone: what is told now was read before
		if c, err := r.Commit(ctx, string(id)); err != nil || string(c.Message) != fmt.Sprint(i)+"\n" {
			t.Errorf("%d: %q, %v", i, c.Message, err)
		}
	}
}
