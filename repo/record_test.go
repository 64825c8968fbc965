package repo

import (
	"bytes"
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
	"time"
)

func TestALogIsOfTheCommitsThatTipsReach(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	first := s.commit("ACT: T01 One\n\nDone: It", "a", "1")
	second := s.commit("Contract: none", "a", "2")
	s.git("checkout", "-qb", "side", string(first))
	side := s.commit("act: T03 (a+b)*[c]\n\nAct: again\n\nÜBER", "b", "1")
	r := s.open()
	texts := func(tips, exclude []ID, keeps func([]byte) bool) (all []string) {
		t.Helper()
		l, err := r.Log(t.Context(), tips, exclude, 0, keeps)
		if err != nil || l.End != nil {
			t.Fatal(err, l)
		}
		for _, c := range l.Commits {
			all = append(all, strings.TrimSpace(string(c.ID)+" "+string(c.Text)))
		}
		return all
	}
	one, two, three := string(first)+" act: t01 one\n\ndone: it", string(second)+" contract: none", string(side)+" act: t03 (a+b)*[c]\n\nact: again\n\nüber"
	for name, c := range map[string]struct {
		tips, exclude []ID
		keeps         func([]byte) bool
		want          []string
	}{
		"one tip":    {[]ID{second}, nil, all, []string{two, one}},
		"two tips":   {[]ID{second, side}, nil, all, []string{three, two, one}},
		"no tip":     {},
		"not all":    {[]ID{side}, []ID{first}, all, []string{three}},
		"some texts": {[]ID{second, side}, nil, regexp.MustCompile(`done|again\n\nÜber`).Match, []string{three, string(second), one}},
	} {
		if got := texts(c.tips, c.exclude, c.keeps); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if _, err := r.Log(t.Context(), []ID{"--all"}, nil, 0, all); err == nil {
		t.Error("an option is taken for a commit")
	}
}

// A log made of a longer one is the one that git makes.
func TestALogBehindIsTheLogOfItsTips(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	root := s.commit("ACT: root", "a", "1")
	s.git("checkout", "-qb", "side")
	side := s.commit("ACT: side", "b", "1")
	s.git("checkout", "-q", "main")
	main := s.commit("ACT: main", "a", "2")
	merge := s.merge("side")
	head := s.commit("ACT: head", "a", "3")
	r := s.open()
	for _, exclude := range [][]ID{nil, {root}} {
		whole, err := r.Log(t.Context(), []ID{head}, exclude, 9, all)
		if err != nil {
			t.Fatal(err)
		}
		for _, tips := range [][]ID{nil, {head}, {merge}, {main, side}, {side}} {
			want, err := r.Log(t.Context(), tips, exclude, 9, all)
			got := whole.Behind(tips)
			if err != nil || got == nil || !slices.EqualFunc(got.Commits, want.Commits, sameCommit) {
				t.Errorf("behind %v: %v, want %v, %v", tips, got, want, err)
				continue
			}
			touching, err := got.Where(t.Context(), []string{"a"}, func([]byte) bool { return false })
			wanted, err2 := want.Where(t.Context(), []string{"a"}, func([]byte) bool { return false })
			if err != nil || err2 != nil || !slices.Equal(touching, wanted) {
				t.Errorf("behind %v, of one file: %v, want %v, %v, %v", tips, touching, wanted, err, err2)
			}
		}
		if l := whole.Behind([]ID{main, s.commit("ACT: later", "a", "4")}); l != nil {
			t.Errorf("of a commit that it lacks: %v", l)
		}
	}
	if cut, err := r.Log(t.Context(), []ID{head}, nil, 2, all); err != nil || cut.Behind([]ID{merge}) != nil {
		t.Errorf("of a log that is cut: %v, %v", cut, err)
	}
}

func sameCommit(a, b LoggedCommit) bool { return a.ID == b.ID && bytes.Equal(a.Text, b.Text) }

func holdsAct(text []byte) bool { return bytes.Contains(text, []byte("act")) }

func all([]byte) bool { return true }

// where lists the commits of a log that hold «act», or change files.
func (s *scratch) where(tip ID, most int, globs ...string) (*Log, []ID) {
	s.t.Helper()
	l, err := s.open().Log(s.t.Context(), []ID{tip}, nil, most, all)
	if err != nil {
		s.t.Fatal(err)
	}
	ids, err := l.Where(s.t.Context(), globs, holdsAct)
	if err != nil {
		s.t.Fatal(err)
	}
	return l, ids
}

func TestALogKnowsTheCommitsThatChangeFiles(t *testing.T) {
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
		if _, found := s.where(ids[5], 0, glob); !slices.Equal(found, want) {
			t.Errorf("%s: %v; want %v", glob, found, want)
		}
	}
	if _, found := s.where(ids[5], 3, "**/tasks.md"); !slices.Equal(found, []ID{ids[5], ids[4]}) {
		t.Errorf("of the newest three: %v", found)
	}
}

func TestALogSaysThatAShallowCloneCutsIt(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	for i := range 4 {
		s.commit("ACT: T01", "a.txt", fmt.Sprint(i))
	}
	c := s.clone("--depth=2")
	l, found := c.where(c.id("HEAD"), 0)
	if len(found) != 2 || !errors.Is(l.End, ErrShallow) || !strings.Contains(l.End.Error(), "git fetch --unshallow") {
		t.Errorf("%v, %v", found, l.End)
	}
	l, err := c.open().Log(t.Context(), []ID{c.id("HEAD")}, []ID{c.id("HEAD~1")}, 0, all)
	if err != nil || len(l.Commits) != 1 || l.End != nil {
		t.Errorf("of what was fetched: %v, %v", l, err)
	}
}

// A log goes no further back than it is told to, and says so.
func TestALogOfTheNewestCommits(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	var ids []ID
	for i := range 4 {
		ids = append([]ID{s.commit(fmt.Sprintf("ACT: T0%d", i), "a.txt", strconv.Itoa(i))}, ids...)
	}
	for newest, want := range map[int]int{0: 4, 1: 1, 3: 3, 4: 4, 9: 4} {
		if l, got := s.where(ids[0], newest); !slices.Equal(got, ids[:want]) || (l.End == nil) != (want == 4) {
			t.Errorf("%d: %v, %v, want %d of %v", newest, got, l.End, want, ids)
		}
	}
}

// A clock that is wrong does not put a parent before its child, though git lists the newest first.
func TestChildrenComeFirstWhateverTheClock(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	at := func(hour int, message string) ID {
		s.date = time.Date(2026, 1, 2, hour, 0, 0, 0, time.UTC)
		return s.commit(message)
	}
	root := at(9, "act: root")
	act := at(12, "act: T01")
	s.git("checkout", "-qb", "side")
	late := at(8, "act: on a slow clock")
	later := at(7, "act: on a slower one")
	s.git("checkout", "-q", "main")
	main := at(13, "act: T02")
	head := s.merge("side")
	for _, newest := range []int{0, 9} {
		if _, got := s.where(head, newest); !slices.Equal(got, []ID{main, later, late, act, root}) {
			t.Errorf("of %d: %v", newest, got)
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

func TestRenames(t *testing.T) {
	s := newScratch(t)
	ctx := context.Background()
	text := "one\ntwo\nthree\nfour\nfive\n"
	before := s.commit("before", "old.py", text, "kept.py", text+"six\n")
	s.git("mv", "old.py", "new.py")
	r := s.open()
	after := s.commit("after", "new.py", text+"more\n")
	if got, err := r.Renames(ctx, before, after); err != nil || len(got) != 1 || got["new.py"] != "old.py" {
		t.Errorf("%v, %v", got, err)
	}
	later := s.commit("later", "copy.py", text)
	if got, err := r.Renames(ctx, after, later); err != nil || len(got) != 0 {
		t.Errorf("a copy is no rename: %v, %v", got, err)
	}
	if _, err := r.Renames(ctx, "x", after); err == nil || errors.Is(err, ErrNotFound) {
		t.Errorf("no id: %v", err)
	}
}
