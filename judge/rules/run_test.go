package rules

import (
	"strconv"
	"strings"
	"testing"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// recordedRuns reads runs written as «command => code», ? being a code that is not known.
func recordedRuns(t *testing.T, lines []string) []RecordedRun {
	t.Helper()
	var all []RecordedRun
	for _, line := range lines {
		command, code, ok := strings.Cut(line, " => ")
		if !ok {
			t.Fatalf("no code in %q", line)
		}
		run := RecordedRun{Command: command}
		if n, err := strconv.Atoi(code); err == nil {
			run.Exit = &n
		}
		all = append(all, run)
	}
	return all
}

const silent = report.Verdict(0)

func TestClaimedRunsAreHeldToRecordedOnes(t *testing.T) {
	type runs []string
	for _, c := range []struct {
		name, claimed string
		exit          int
		recorded      runs
		want          report.Verdict
	}{
		{"as it was", "pytest -q", 0, runs{"pytest -q => 0"}, report.Verified},
		{"otherwise", "pytest -q", 0, runs{"pytest -q => 1"}, report.NotVerified},
		{"a failure that was none", "pytest -q", 1, runs{"pytest -q => 0"}, report.NotVerified},
		{"another failure", "pytest -q", 1, runs{"pytest -q => 2"}, report.NotVerified},
		{"the last counts, which passed", "pytest -q", 0, runs{"pytest -q => 1", "pytest -q => 0"}, report.Verified},
		{"the last counts, which failed", "pytest -q", 0, runs{"pytest -q => 0", "pytest -q => 1"}, report.NotVerified},
		{"a failure before it passed", "pytest -q", 1, runs{"pytest -q => 1", "pytest -q => 0"}, report.Unclear},
		{"nothing recorded", "pytest -q", 0, nil, silent},
		{"something else recorded", "pytest -q", 0, runs{"go test ./... => 1"}, silent},
		{"no code", "pytest -q", 0, runs{"pytest -q => ?"}, silent},
		{"no code for the last", "pytest -q", 0, runs{"pytest -q => 1", "pytest -q => ?"}, report.Unclear},
		{"nothing claimed", "", 0, runs{" => 1"}, silent},

		{"further option", "pytest", 0, runs{"pytest -q => 1"}, silent},
		{"in a folder", "pytest -q", 0, runs{"cd src && pytest -q => 1"}, silent},
		{"in the folder", "cd src && pytest -q", 0, runs{"cd src && pytest -q => 1"}, report.NotVerified},
		{"a pipe", "pytest -q", 0, runs{"pytest -q | tee log => 1"}, silent},
		{"the same pipe", "pytest -q | tee log", 0, runs{"pytest -q | tee log => 1"}, report.NotVerified},
		{"other quotes", `pytest -k "not slow"`, 0, runs{`pytest -k 'not slow' => 1`}, silent},

		{"later, another way, with the code", "pytest -q", 0, runs{"pytest -q => 1", "pytest -q tests/test_a.py => 0"},
			report.Unclear},
		{"later, another way, with the code that there was", "pytest -q", 0,
			runs{"pytest -q => 1", "pytest -q tests/test_a.py => 1"}, report.NotVerified},
		{"later, another way, with a code that is not known", "pytest -q", 0, runs{"pytest -q => 1", "uv run pytest => ?"},
			report.Unclear},
		{"later, another program", "pytest -q", 0, runs{"pytest -q => 1", "go test ./... => 0"}, report.NotVerified},
		{"before, another way", "pytest -q", 0, runs{"pytest -q --lf => 0", "pytest -q => 1"}, report.NotVerified},

		{"blanks", "pytest   -q ", 0, runs{" pytest  -q => 1"}, report.NotVerified},
		{"no-break blanks", "pytest\u00a0-q", 0, runs{"pytest -q => 1"}, report.NotVerified},
		{"case", "PyTest -q", 0, runs{"pytest -q => 1"}, silent},
		{"backticks", "`pytest -q`", 0, runs{"pytest -q => 1"}, report.NotVerified},
		{"a prompt", "$ pytest -q", 0, runs{"pytest -q => 1"}, report.NotVerified},
		{"a prompt in backticks", "` $ pytest -q `", 0, runs{"pytest -q => 1"}, report.NotVerified},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := compareRun(claimedCommand(c.claimed), c.exit, recordedRuns(t, c.recorded))
			if got.verdict != c.want {
				t.Errorf("%q | exit %d against %q: got %v (%s), want %v", c.claimed, c.exit, c.recorded, got.verdict, got.reason,
					c.want)
			}
			if decided := got.verdict == report.NotVerified || got.verdict == report.Verified; decided != (got.last != nil) {
				t.Errorf("%v, decided by %v", got.verdict, got.last)
			}
		})
	}
}

func TestARunReportedTwiceTellsOfTwoRuns(t *testing.T) {
	ran := parser.Parse([]byte("ACT: T01\n\nRan: pytest | exit 0\nRan: `pytest` | exit 1\nRan: make\nRan: go vet | exit 0\n")).Parts[0].Runs
	held := checkRuns(ran, recordedRuns(t, []string{"pytest => 0", "pytest => 1"}))
	if len(held) != 2 || held[0].verdict != report.Unclear || held[1].verdict != report.Verified {
		t.Errorf("got %+v", held)
	}
	held = checkRuns(ran[:1], recordedRuns(t, []string{"pytest => 0", "pytest => 1"}))
	if len(held) != 1 || held[0].verdict != report.NotVerified {
		t.Errorf("got %+v", held)
	}
}
