package worklog

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/acta-git/acta/repo"
)

func TestWhatHEADNamesIsJudgedOnce(t *testing.T) {
	l := &Baseline{}
	for _, commit := range []string{"a", "", "b", "a"} {
		l.AddJudged(repo.ID(commit))
	}
	if got := fmt.Sprint(l.JudgedCommits); got != "[a b]" {
		t.Errorf("judged %q", got)
	}
	for i := range maxJudged {
		l.AddJudged(repo.ID(fmt.Sprint(i)))
	}
	if n := len(l.JudgedCommits); n != maxJudged || l.JudgedCommits[0] != "0" || l.JudgedCommits[n-1] != repo.ID(fmt.Sprint(maxJudged-1)) {
		t.Errorf("%d commits are remembered, from %s to %s: the oldest go", n, l.JudgedCommits[0], l.JudgedCommits[n-1])
	}
}

func TestWhereHEADWasIsRememberedOfSoManyWorkTrees(t *testing.T) {
	l := &Baseline{}
	for i := range maxTrees {
		l.SetHead(fmt.Sprint(i), "one")
	}
	l.SetHead("0", "two")
	if len(l.Heads) != maxTrees || l.Heads["0"] != "two" {
		t.Errorf("%d work trees, and of the first %q", len(l.Heads), l.Heads["0"])
	}
	if l.SetHead("one more", "one"); len(l.Heads) != 1 {
		t.Errorf("with one more there are %d: they begin anew", len(l.Heads))
	}
}

// What could not be judged is judged at the next look, a few times.
func TestALookIsTakenBack(t *testing.T) {
	look := func(l *Baseline) string {
		l.SetHead("tree", "now")
		l.AddJudged("a")
		l.UndoJudged("tree", "now", "before", "a")
		return fmt.Sprint(l.Heads["tree"], l.JudgedCommits)
	}
	l := &Baseline{Heads: map[string]string{"tree": "before"}}
	for try := 1; try < maxTries; try++ {
		if got := look(l); got != "before[]" {
			t.Errorf("try %d leaves %s", try, got)
		}
	}
	if got := look(l); got != "now[a]" {
		t.Errorf("the last try leaves %s", got)
	}
	l.SetHead("tree", "later")
	l.AddJudged("b")
	if l.UndoJudged("tree", "later", "", "b"); l.Tries != 1 || len(l.Heads) != 0 || !slices.Equal(l.JudgedCommits, []repo.ID{"a"}) {
		t.Errorf("another HEAD is tried anew, and of none before nothing is left: %+v", l)
	}
	l.SetHead("tree", "somebody looked since")
	if l.UndoJudged("tree", "later", "x", "a"); l.Heads["tree"] != "somebody looked since" || len(l.JudgedCommits) != 1 {
		t.Errorf("what somebody saw since goes: %+v", l)
	}
}

func TestWhatOtherSessionsWereToldOf(t *testing.T) {
	dir := t.TempDir()
	mine, unlock := openedHost(t, dir)
	mine.Baseline = &Baseline{}
	mine.Baseline.AddJudged("mine")
	if err := mine.Save(); err != nil {
		t.Fatal(err)
	}
	others := filepath.Dir(mine.file)
	for name, text := range map[string]string{
		"other.json": `{"looks": {"judged": ["a", "b"]}}`, "torn.json": "{", "note.txt": `{"looks": {"judged": ["c"]}}`,
		"earlier.json": `{"looks": {"judged": ["d"]}}`,
	} {
		file := filepath.Join(others, name)
		write(t, file, []byte(text))
		at := when
		if name == "earlier.json" {
			at = when.Add(-time.Hour)
		}
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	if got := fmt.Sprint(mine.JudgedByOthers(when)); got != "[a b]" {
		t.Errorf("others were told of %q", got)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(others); err != nil {
		t.Fatal(err)
	}
	if got := mine.JudgedByOthers(when); got != nil {
		t.Errorf("without a folder of them: %q", got)
	}
}
