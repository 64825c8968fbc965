package worklog

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// statistics measures a clone.
func (c *clone) statistics() *Stats {
	c.Helper()
	s, warnings, err := Statistics(context.Background(), c.repo, c.common(), "")
	if err != nil || len(warnings) > 0 {
		c.Fatal(err, warnings)
	}
	return s
}

func equal(v *float64, want float64) bool { return v != nil && *v > want-1e-9 && *v < want+1e-9 }

// Where nothing is known no measure has a value, and every target is said.
func TestNothingKnownIsNoFigure(t *testing.T) {
	c := newClone(t)
	var got map[string]struct{ Value, Target any }
	if err := json.Unmarshal(printedStats(t, c.statistics(), "json"), &got); err != nil {
		t.Fatal(err)
	}
	for key, target := range map[string]float64{"capture_rate": 0.95, "verification_success_rate": 0.98, "course_correction_rate": 0.10, "skip_rate": 0.12} {
		if m, ok := got[key]; !ok || m.Value != nil || m.Target != target {
			t.Errorf("%s: %+v", key, m)
		}
	}
	values, _ := got["token_overhead"].Value.(map[string]any)
	targets, _ := got["token_overhead"].Target.(map[string]any)
	for tier, target := range map[string]float64{"STRICT": 750, "STANDARD": 300, "LIGHT": 60, "EXEMPT": 0} {
		if v, ok := values[tier]; !ok || v != nil || targets[tier] != target {
			t.Errorf("%s: %v of %v", tier, v, targets[tier])
		}
	}
	if len(got) != 5 {
		t.Errorf("%d measures", len(got))
	}
}

func printedStats(t *testing.T, s *Stats, format string) []byte {
	t.Helper()
	var b strings.Builder
	if err := s.Write(&b, format); err != nil {
		t.Fatal(err)
	}
	return []byte(b.String())
}

// commit commits files and a message.
func (c *clone) commit(message string, files map[string]string) {
	c.Helper()
	for path, content := range files { // "" takes one away
		path = filepath.Join(c.dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			c.Fatal(err)
		}
		if content == "" {
			if err := os.Remove(path); err != nil {
				c.Fatal(err)
			}
			continue
		}
		write(c.T, path, []byte(content))
	}
	c.git("add", "--all")
	c.git("commit", "-q", "--allow-empty", "-m", message)
}

// What git shows of a session and its record lacks is missed: each kind once.
func TestWhatGitShowsBesidesIsMissed(t *testing.T) {
	for name, test := range map[string]struct {
		tier             string
		entries          []Operation
		message          string // SESSION stands for the id
		files            map[string]string
		corrupt          bool
		captured, missed int
	}{
		"nothing":  {tier: "STRICT", message: "Ordinary"},
		"recorded": {"STRICT", []Operation{{Action: Edit, Context: "x", Details: Details{Files: []string{"a.go", "/home/x/r/b.go"}}}, {Action: Bash, Context: "go  test ./..."}}, "For: T01\n\nFor: T01\nRan: go test ./... | exit 0\nSession: SESSION", map[string]string{"a.go": "a", "b.go": "b"}, false, 2, 0},
		"an ACT":   {"LIGHT", nil, "ACT: T01 x\n\nSkipped: X | nobody needs it any more\nSession: SESSION", map[string]string{"a.go": "a"}, false, 0, 1},
		// The files of an ADAPT are the plan's, which a command writes.
		"an ADAPT": {"STRICT", nil, "ADAPT: T01 x\n\nSession: SESSION", map[string]string{"plan.json": "{}"}, false, 0, 1},
		"an edit":  {"STANDARD", []Operation{{Action: Edit, Context: "x", Details: Details{Files: []string{"a.go"}}}}, "x\n\nFor: T01\nSession: SESSION", map[string]string{"a.go": "a", "c.go": "c"}, false, 1, 1},
		// A rename changes no content.
		"a rename":        {"STANDARD", nil, "x\n\nFor: T01\nSession: SESSION", map[string]string{"new.go": strings.Repeat("base\n", 20), "old.go": ""}, false, 0, 0},
		"a run":           {"STANDARD", nil, "ACT: T01 x\n\nRan: go test ./... | exit 0\nRan: ls -l | exit 0\nSession: SESSION", nil, false, 0, 2},
		"another session": {"STRICT", nil, "ACT: T01 x\n\nSkipped: X | nobody needs it any more\nSession: 20260126_143315-ffff", map[string]string{"a.go": "a"}, false, 0, 0},
		"nothing asked":   {"EXEMPT", nil, "ACT: T01 x\n\nSkipped: X | nobody needs it any more\nSession: SESSION", map[string]string{"a.go": "a"}, false, 0, 0},
		"a torn line":     {"STRICT", []Operation{{Action: Edit, Context: "x"}}, "Ordinary", nil, true, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			c := newClone(t)
			l := c.begin()
			l.Tier = test.tier
			data, err := marshal(l.Beginning)
			if err != nil {
				t.Fatal(err)
			}
			write(t, l.file(".json"), data)
			if len(test.entries) > 0 {
				c.record(l, test.entries...)
			}
			if test.corrupt {
				write(t, l.file(".jsonl"), append(read(t, l.file(".jsonl")), "garbage\n"...))
			}
			c.commit("Before", map[string]string{"old.go": strings.Repeat("base\n", 20)})
			c.commit(strings.ReplaceAll(test.message, "SESSION", l.ID), test.files)
			s := c.statistics()
			if s.Capture.Recorded != test.captured || s.Capture.Missed != test.missed {
				t.Errorf("%d are recorded and %d missed, want %d and %d", s.Capture.Recorded, s.Capture.Missed, test.captured, test.missed)
			}
			if n := test.captured + test.missed; n > 0 && !equal(s.Capture.Value, float64(test.captured)/float64(n)) || n == 0 && s.Capture.Value != nil {
				t.Errorf("the rate is %v", s.Capture.Value)
			}
		})
	}
}

// A checkpoint led to a correction where what is to be done changes before the next one.
func TestCorrectionsAreChangesOfWhatIsToBeDone(t *testing.T) {
	check := func(phase string) Operation {
		return Operation{Action: Check, Context: "c", Details: Details{Phase: phase}}
	}
	todo := func(from, to string) Operation {
		return Operation{Action: TodoWrite, Context: "t", Details: Details{StatusChanges: []StatusChange{{"x", from, to}}}}
	}
	edit := Operation{Action: Edit, Context: "e"}
	for name, test := range map[string]struct {
		entries []Operation
		want    int
	}{
		"a new todo":              {[]Operation{check("execution"), todo("", "pending")}, 1},
		"a todo that is gone":     {[]Operation{check("execution"), edit, todo("pending", "deleted")}, 1},
		"progress":                {[]Operation{check("execution"), todo("pending", "in_progress"), todo("in_progress", "completed")}, 0},
		"before any":              {[]Operation{todo("", "pending"), check("execution")}, 0},
		"once a checkpoint":       {[]Operation{check("execution"), todo("", "pending"), todo("", "pending"), check("verification"), todo("", "pending")}, 2},
		"still the planning":      {[]Operation{todo("", "pending"), check("planning"), todo("", "pending"), edit, todo("pending", "completed")}, 0},
		"planning anew":           {[]Operation{check("planning"), edit, todo("", "pending")}, 1},
		"an ADAPT without a plan": {[]Operation{check("execution"), {Action: AdaptDone, Details: Details{Commit: strings.Repeat("0", 40)}}}, 0},
	} {
		o := &observer{repo: newClone(t).repo}
		if got := o.corrections(context.Background(), test.entries); got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
	}
}

// An ADAPT corrects where it changes what is to be done; completing a unit is the ordinary way.
func TestAnAdaptCorrectsThePlan(t *testing.T) {
	plan := func(status string, more string) map[string]string {
		return map[string]string{"working_plan/current.json": `{"id": "R", "type": "parent", "children": [{"id": "T01", "type": "atomic", "status": "` + status + `"}` + more + `]}`}
	}
	for name, test := range map[string]struct {
		before, after map[string]string
		want          int
	}{
		"complete":    {plan("pending", ""), plan("complete", ""), 0},
		"opened":      {plan("complete", ""), plan("pending", ""), 1},
		"a new unit":  {plan("pending", ""), plan("pending", `, {"id": "T02", "type": "atomic"}`), 1},
		"a unit less": {plan("pending", `, {"id": "T02", "type": "atomic"}`), plan("pending", ""), 1},
	} {
		c := newClone(t)
		c.commit("Plan", test.before)
		c.commit("ADAPT: T01 x", test.after)
		o := &observer{repo: c.repo}
		entries := []Operation{{Action: Check, Details: Details{Phase: "execution"}}, {Action: AdaptDone, Details: Details{Commit: c.git("rev-parse", "HEAD")}}}
		if got := o.corrections(context.Background(), entries); got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
	}
}

// Every session counts once, wherever it stands, and a summary tells what its log did.
func TestStatisticsOutliveTheLogs(t *testing.T) {
	c := newClone(t)
	verify := func(status Status, result string, attempt int) Operation {
		return Operation{Action: Verify, Status: status, Context: "todos", Details: Details{Verification: result, Attempt: attempt}}
	}
	full := c.begin()
	c.record(full, verify(Failed, "fail", 0), verify(Retried, "pass", 2), verify(Completed, "pass", 0), verify(Failed, "fail", 0), verify(Failed, "fail", 2), verify(Skipped, "timeout", 0),
		Operation{Action: Check, Context: "c", Details: Details{Phase: "planning"}, Tokens: 30}, Operation{Action: Edit, Context: "e", Tokens: 10})
	c.end(full)
	used := Act{Cmd: "worklog switch", Params: map[string]any{"switch": "skip_verify", "source": "env", "session": full.ID}}
	elsewhere := Act{Cmd: "worklog switch", Params: map[string]any{"switch": "no_worklog", "source": "flag", "session": "20260126_140000-abcd"}}
	if _, err := Events(c.common()).Append(context.Background(), By{Actor: Agent}, c.at, used, used, elsewhere, Act{Cmd: "plan complete"}); err != nil {
		t.Fatal(err)
	}
	want := func(sessions int) {
		t.Helper()
		s := c.statistics()
		if s.Verified.Passed != 2 || s.Verified.Failed != 1 || s.Verified.Skipped != 1 || !equal(s.Verified.Value, 2.0/3) {
			t.Errorf("verified: %+v", s.Verified)
		}
		if s.Course.Checkpoints != 2*sessions || // that of the execution comes with the end
			!equal(s.Course.Value, 0) {
			t.Errorf("corrected: %+v", s.Course)
		}
		if s.Skip.Skipped != 2 || s.Skip.Sessions != sessions+1 || !equal(s.Skip.Value, 2/float64(sessions+1)) || !equal(s.Skip.ByFlag["skip_verify"], 1/float64(sessions+1)) || !equal(s.Skip.ByFlag["no_checkpoints"], 0) {
			t.Errorf("skipped: %+v", s.Skip)
		}
		if s.Overhead.Sessions["STRICT"] != sessions || !equal(s.Overhead.Value["STRICT"], 40/float64(sessions)) || !equal(s.Overhead.Weighted, 40/float64(sessions)) || s.Overhead.Value["LIGHT"] != nil {
			t.Errorf("overhead: %+v", s.Overhead)
		}
		if s.Capture.Recorded != 1+3*(sessions-1) || s.Capture.Missed != 0 {
			t.Errorf("captured: %+v", s.Capture)
		}
	}
	want(1) // running has ended, whole
	c.session()
	want(2) // the first is its summary
	c.session()
	c.collect()
	want(3) // the first is counts in refs/worklog-summary
	d := c.cloned()
	d.git("fetch", "-q", c.dir, "refs/worklog/*:refs/worklog/*", "refs/worklog-summary/*:refs/worklog-summary-of/c/*")
	if s := d.statistics(); s.Capture.Recorded != 7 || s.Skip.Sessions != 2 || s.Skip.Skipped != 1 {
		t.Errorf("in a clone: %+v, %+v", s.Capture, s.Skip)
	}
	text := string(printedStats(t, c.statistics(), "text"))
	for _, said := range []string{"operations recorded          100.0 %  (target: at least 95 %)", "tokens, LIGHT              not known", "tokens, all tiers", "divided by four"} {
		if !strings.Contains(text, said) {
			t.Errorf("the text lacks %q:\n%s", said, text)
		}
	}
}
