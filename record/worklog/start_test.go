package worklog

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Many sessions that begin in one second, in two work trees at once: of so many some draw the same four digits.
func TestEverySessionHasAnIDOfItsOwn(t *testing.T) {
	common := t.TempDir()
	const each = 400
	var trees sync.WaitGroup
	for _, tree := range []string{"/r/.git", "/r/.git/worktrees/other"} {
		trees.Go(func() {
			for range each {
				if _, err := Start(t.Context(), common, Beginning{Tier: "STRICT", Started: when, WorkTree: tree}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	trees.Wait()
	all, err := LocalSessions(common)
	if err != nil || len(all) != 2*each {
		t.Fatalf("%d sessions of %d, %v", len(all), 2*each, err)
	}
	if n := len(slices.DeleteFunc(all, func(l *LocalSession) bool { return l.WorkTree != "/r/.git" })); n != each {
		t.Errorf("%d in one of the work trees, want %d", n, each)
	}
}

func TestAnIDIsTakenOnce(t *testing.T) {
	common := t.TempDir()
	b := Beginning{ID: "20260126_143215-aaaa", Tier: "STRICT", Started: when}
	l, err := Start(t.Context(), common, b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Start(t.Context(), common, b); err == nil || !strings.Contains(err.Error(), "a session 20260126_143215-aaaa exists already") {
		t.Errorf("while it runs: %v", err)
	}
	if _, err := l.End(t.Context(), when, Success); err != nil {
		t.Fatal(err)
	}
	if _, err := Start(t.Context(), common, b); err == nil {
		t.Error("once it has ended")
	}
}

// What a start left that was killed is gone after the next one, and what others need is not.
func TestTheNextStartCleansUpAfterOneThatWasKilled(t *testing.T) {
	common := t.TempDir()
	runs, err := Start(t.Context(), common, Beginning{Tier: "STRICT", Started: when})
	if err != nil {
		t.Fatal(err)
	}
	lost, err := Start(t.Context(), common, Beginning{Tier: "STRICT", Started: when})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lost.add(t.Context(), logLines([]Operation{{Time: FormatTime(when), Action: Task, Status: Completed, Context: "look"}})...); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(lost.file(".json")); err != nil { // its entries are still to be had
		t.Fatal(err)
	}
	for _, name := range []string{"20260126_143215-aaaa.running", "20260126_143215-aaaa.json.new", "20260126_143215-bbbb.running"} {
		write(t, filepath.Join(runs.dir, name), nil)
	}
	next, err := Start(t.Context(), common, Beginning{Tier: "STRICT", Started: when})
	if err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(runs.dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{runs.file(".json"), runs.file(".running"), next.file(".json"), next.file(".running"),
		lost.file(".jsonl"), lost.file(".jsonl.head"), lost.file(".jsonl.lock"), lost.file(".running"), filepath.Join(runs.dir, "beginnings.lock")}
	slices.Sort(want)
	if !slices.Equal(left, want) {
		t.Errorf("left are\n%s\nwant\n%s", strings.Join(left, "\n"), strings.Join(want, "\n"))
	}
}
