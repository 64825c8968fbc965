package ledger

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/score"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/report"
)

// chained are the lines of a log, each made to follow from the one before by whoever knows how.
func chained(lines ...string) []byte {
	var out bytes.Buffer
	last := ""
	for _, line := range lines {
		_, behind, _ := strings.Cut(line, `,"cmd"`)
		line = fmt.Sprintf(`{"prev":%q,"cmd"%s`, last, behind)
		last = fmt.Sprintf("%x", sha256.Sum256([]byte(line)))
		out.WriteString(line + "\n")
	}
	return out.Bytes()
}

// A log that is not as it was written has nothing that speaks for anybody; what speaks against them stays.
func TestABrokenLogSpeaksForNobody(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	by := journal.Caller{Actor: journal.Agent, Name: "ex1", Session: "s"}
	for _, verdict := range []string{"verified", "not_verified", "verified"} {
		params := map[string]any{"id": "a", "verdict": verdict, "required": true, "checked": true, "judged": true, "contradiction": verdict != "verified"}
		if _, err := journal.Heartbeats(dir).Append(ctx, by, noon, journal.Action{Cmd: "heartbeat verify", Params: params}); err != nil {
			t.Fatal(err)
		}
	}
	log := journal.Heartbeats(dir).Path()
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	lie := strings.Replace(lines[1], "not_verified", "verified", 1)
	other := strings.Replace(lines[1], "ex1", "ex2", 1)
	for name, c := range map[string]struct {
		data []byte
		sum  int
		line int // of the fault
	}{
		"as written":                         {data, -35, -1},
		"edited, and all that follows fits":  {chained(lines[0], lie, lines[2]), -45, 2},
		"another's, and all fits":            {chained(lines[0], other, lines[2]), -45, 3},
		"removed, and all that follows fits": {chained(lines[0], lines[2]), 0, 3},
		"twice":                              {append(bytes.Clone(data), lines[0]+"\n"...), -45, 4},
		"reordered":                          {[]byte(lines[2] + "\n" + lines[1] + "\n" + lines[0] + "\n"), -45, 1},
		"no entry":                           {append([]byte("{}\n"), data...), -45, 1},
		"a crash":                            {append(bytes.Clone(data), `{"prev`...), -35, -1},
		"cut where the head counts a line":   {data[:len(data)-3], -45, 3},
		"gone":                               {nil, 0, 1},
	} {
		if err := os.WriteFile(log, c.data, 0o666); err != nil {
			t.Fatal(err)
		}
		if c.data == nil {
			_ = os.Remove(log)
		}
		held := &contents{}
		state, err := held.addHeartbeats(dir)
		if err != nil {
			t.Fatal(err)
		}
		line := -1
		if state.Fault != nil {
			line = state.Fault.Line
		}
		if sum, _ := sumOf(held.rows); sum != c.sum || line != c.line {
			t.Errorf("%s: %d points, and line %d; want %d and %d: %+v", name, sum, line, c.sum, c.line, state.Fault)
		}
	}
}

func TestWhichTasksCount(t *testing.T) {
	for name, c := range map[string]struct {
		task loggedTask
		want bool
	}{
		"an optional one with a checked box": {loggedTask{Verdict: report.NotVerified, Checked: true, Judged: true}, true},
		"an optional one with an open box":   {loggedTask{Verdict: report.NotVerified, Judged: true}, false},
		"a required one":                     {loggedTask{Verdict: report.NotVerified, Required: true, Judged: true}, true},
		"a verified optional one":            {loggedTask{Verdict: report.Verified, Judged: true}, true},
		"one that was verified before":       {loggedTask{Verdict: report.Verified, Required: true, Judged: true, Again: true}, false},
		"one without an attempt left":        {loggedTask{Verdict: report.Verified, Required: true}, false},
		"one without a verdict":              {loggedTask{Required: true}, false},
	} {
		if got := c.task.isCounted(); got != c.want {
			t.Errorf("%s counts: %v", name, got)
		}
	}
}

// One of two repositories whose log is broken takes nothing from the other.
func TestWhatIsVoidHidesNothing(t *testing.T) {
	sound, void := claim(score.Task, "", report.Verified, ""), claim(score.Task, "", report.Verified, "")
	void.IsVoid, void.Time = true, noon.Add(-1)
	up := Vote{ID: "1", Word: Up, At: noon, Actor: "executor-01", IsLocal: true}
	voidUp := up
	voidUp.IsVoid = true
	for _, rows := range [][]Row{{sound, void}, {void, sound}} {
		if sum, _ := sumOf(rows, voidUp, up); sum != 13 {
			t.Errorf("%d points", sum)
		}
	}
}

// What a broken log makes of a score is said once.
func TestABrokenLogIsToldOfOnce(t *testing.T) {
	ctx := context.Background()
	s := newScratch(t)
	s.act("T01", "a.py", "def f():\n    return 1\n", "a.py:1-2")
	store := s.store()
	var said []string
	store.Warn = warnFunc(func(w string) { said = append(said, w) })
	vote := func(word string) {
		if _, err := store.AddFeedback(ctx, Vote{Word: word, At: noon, Voter: "Ada", Actor: "executor-01"}); err != nil {
			t.Fatal(err)
		}
	}
	score := func() int { return *s.scores(store)["executor-01"][1].Score }
	vote(Down)
	vote(Up)
	if n := score(); n != 3 || len(said) > 0 {
		t.Fatalf("%d %q", n, said)
	}
	log := journal.Feedback(filepath.Join(s.dir, ".git"))
	data, err := os.ReadFile(log.Path())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(log.Path(), bytes.Replace(data, []byte(`"down"`), []byte(`"up"`), 1), 0o666); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if n := score(); n != 0 {
			t.Errorf("edited it is %d", n)
		}
	}
	if len(said) != 1 || !strings.HasPrefix(said[0], log.Path()+":1: the line was edited") || !strings.HasSuffix(said[0], "run `acta audit verify`") {
		t.Errorf("%q", said)
	}
}

func TestAVoteThatABrokenLogTakesSaysWhatItCounts(t *testing.T) {
	s := newScratch(t)
	s.act("T01", "a.py", "def f():\n    return 1\n", "a.py:1-2")
	store := s.store()
	log := journal.Feedback(filepath.Join(s.dir, ".git"))
	for i, want := range []int{3, 0, -10} {
		effect, err := store.AddFeedback(context.Background(), Vote{Word: []string{Up, Up, Down}[i], At: noon, Voter: "Ada", Actor: "executor-01"})
		if err != nil || effect.Delta != want {
			t.Errorf("%d: %+d, %v; want %+d", i, effect.Delta, err, want)
		}
		_ = os.Remove(log.Path() + ".head")
	}
}
