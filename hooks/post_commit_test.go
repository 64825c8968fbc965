package hooks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/record/lease"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
)

// begin begins a session in the work tree.
func begin(t *testing.T, r *repo.Repo) *worklog.LocalSession {
	t.Helper()
	gitDir, common, err := r.Dirs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	l, _, err := worklog.Begin(t.Context(), r, gitDir, common, time.Date(2026, 1, 26, 15, 0, 0, 0, time.UTC),
		worklog.Beginning{})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// recorded are the contexts of what a session has recorded of ACTs and ADAPTs.
func recordedIn(t *testing.T, l *worklog.LocalSession) (titles []string) {
	t.Helper()
	s, _, err := l.Session()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range s.Entries {
		if e.Action == worklog.ActDone || e.Action == worklog.AdaptDone {
			titles = append(titles, e.Context)
		}
	}
	return titles
}

func TestPostCommitRecordsWhatLandedInItsSession(t *testing.T) {
	w, r := newRepository(t)
	ask := func(env map[string]string) {
		t.Helper()
		a, err := PostCommit(t.Context(), open(t, w.Dir), call(w, env))
		if err != nil || a.Code() != 0 {
			t.Errorf("%+v, %v", a, err)
		}
	}
	w.Write("f.py", written)
	w.Commit(claim)
	ask(nil)
	l := begin(t, r)
	if got := recordedIn(t, l); got != nil {
		t.Errorf("before the session: %q", got)
	}
	w.Write("f.py", written+"# once more\n")
	w.Commit(strings.Replace(claim, "T01 add f", "T01 once more", 1))
	w.Write(".git/rebase-merge/done", "")
	ask(nil)
	if got := recordedIn(t, l); got != nil {
		t.Errorf("what a rebase commits again: %q", got)
	}
	if err := os.RemoveAll(filepath.Join(w.CommonDir(), "rebase-merge")); err != nil {
		t.Fatal(err)
	}
	ask(map[string]string{"ACTA_SESSION": "20260126T150000Z-ffff"})
	if got := recordedIn(t, l); got != nil {
		t.Errorf("of another session: %q", got)
	}
	ask(nil)
	if got := recordedIn(t, l); len(got) != 1 {
		t.Errorf("of the session that runs here: %q", got)
	}
	w.Commit("Work")
	ask(nil)
	if got := recordedIn(t, l); len(got) != 1 {
		t.Errorf("with a plain commit there are %q", got)
	}
}

func TestRunsAreThoseOfTheSessionThatIsMeant(t *testing.T) {
	w, r := newRepository(t)
	l := begin(t, r)
	recorder := &worklog.Recorder{LocalSession: l, Repo: r}
	exit := 0
	run := worklog.Operation{Action: worklog.Bash, Status: worklog.Completed, Context: "go test ./...",
		Details: worklog.Details{ExitCode: &exit}}
	if _, err := recorder.Record(t.Context(), time.Date(2026, 1, 26, 15, 1, 0, 0, time.UTC), run); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		given, named string
		want         int
	}{
		"the one that runs here": {"", "", 1},
		"the one that is named":  {"", l.ID, 1},
		"the environment's":      {l.ID, "", 1},
		"another that is named":  {l.ID, "20260126T150000Z-ffff", 0},
		"a name that is none":    {"", "../elsewhere", 0},
	} {
		runs, err := Runs(open(t, w.Dir), c.given)(t.Context(), c.named)
		if err != nil || len(runs) != c.want || c.want > 0 && (runs[0].Command != "go test ./..." || *runs[0].Exit != 0) {
			t.Errorf("%s: %+v, %v", name, runs, err)
		}
	}
}

func TestOwnersAreThoseOfTheLeases(t *testing.T) {
	w, r := newRepository(t)
	if got, err := (&Leases{Repo: r}).Owner(t.Context(), "R/T01"); err != nil || got != nil {
		t.Errorf("where nobody holds any: %v, %v", got, err)
	}
	if _, err := lease.Take(t.Context(), w.CommonDir(), "R/T01", "ada", 0, time.Now()); err != nil {
		t.Fatal(err)
	}
	leases := &Leases{Repo: r}
	for unit, want := range map[string]string{"R/T01": "ada", "R/T01/S": "ada", "R/T02": "", "R": ""} {
		got, err := leases.Owner(t.Context(), unit)
		if err != nil {
			t.Fatal(err)
		}
		if (got == nil) != (want == "") || got != nil &&
			(got.Agent != want || got.Unit != unit || got.LeasedUnit != "R/T01") {
			t.Errorf("%s: %+v, want %q", unit, got, want)
		}
	}
	w.Write(".git/acta/unit-claims.json", "{")
	if _, err := (&Leases{Repo: r}).Owner(t.Context(), "R/T01"); err == nil {
		t.Error("leases that cannot be read are no free pass")
	}
	var _ judge.Leases = leases
}

func TestAnswersHaveTheWorstCode(t *testing.T) {
	if got := (&Answer{}).Code(); got != 0 {
		t.Errorf("nothing to say has code %d", got)
	}
	if a := answerFor(nil, []byte("m")); a.Code() != 0 || a.Results != nil || string(a.Message) != "m" {
		t.Errorf("%+v", a)
	}
	if got := gitDir(nil); got != ".git" {
		t.Errorf("in the folder in which hooks run git's is %q", got)
	}
}
