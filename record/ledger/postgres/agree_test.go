package postgres

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/acta-git/acta/record/ledger"
	"github.com/acta-git/acta/repo/repotest"
)

// repository is one of a test's own.
type repository struct {
	*testing.T
	dir string
	at  time.Time // of the next commit
}

func newRepository(t *testing.T) *repository {
	r := &repository{t, t.TempDir(), noon}
	r.git("init", "-q", "-b", "main", "--template=")
	return r
}

func (r *repository) env() []string {
	date := fmt.Sprintf("%d +0000", r.at.Unix())
	return repotest.Env(r.dir, "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
}

func (r *repository) git(args ...string) string {
	r.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = r.dir, r.env()
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// act commits a file and a report on it.
func (r *repository) act(actor, content string, report ...string) {
	r.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, "work.py"), []byte(content), 0o666); err != nil {
		r.Fatal(err)
	}
	r.git("add", ".")
	r.git("commit", "-q", "--allow-empty", "-m", fmt.Sprintf("ACT: T01 work\n\n%s\nActor: %s\n", strings.Join(report, "\n"), actor))
}

// failing takes a warning for a fault.
type failing struct{ *repository }

func (f failing) Warn(message string) { f.Error(message) }

func (r *repository) store() *ledger.Repositories {
	return &ledger.Repositories{Dirs: []string{r.dir}, Env: r.env(), Warn: failing{r}}
}

// worked is a repository with work of several days: what holds, what is cited again, a stub, a pick, a branch that was merged.
func worked(t *testing.T) *repository {
	r := newRepository(t)
	const one = "def one(a, b):\n    if a > b:\n        return a - 1\n    return b * 2 + a\n"
	const two = "\n\ndef two(a, b):\n    if a < b:\n        return a + 7\n    return b * 3 - a\n"
	r.act("executor-01", one, "Done: Add one | work.py:1-4")
	r.git("checkout", "-q", "-b", "side")
	r.at = r.at.AddDate(0, 0, 1)
	r.act("executor-02", one+two, "Done: Add two | work.py:7-10", "Done: Add it again | work.py:1-4")
	r.git("checkout", "-q", "main")
	r.at = r.at.Add(time.Hour)
	r.act("executor-01", one+"\n\ndef three():\n    pass\n", "Done: Add three | work.py:7-8", "Done: Cite one again | work.py:1-4")
	r.git("merge", "-q", "-X", "ours", "-m", "Merge side", "side")
	r.at = r.at.AddDate(0, 0, 2)
	r.git("checkout", "-q", "-b", "release")
	r.git("commit", "-q", "--allow-empty", "-m", "ACT: T02 more\n\nDone: Nothing is there | missing.py:1-4\n")
	r.at = r.at.Add(time.Minute)
	r.git("checkout", "-q", "main")
	r.git("cherry-pick", "--allow-empty", "-x", "release")
	r.git("merge", "-q", "-m", "Merge release", "release")
	return r
}

// Reported range by range, as CI jobs do, or all at once: the same tests, and the same answers from both stores.
func TestStoresAgree(t *testing.T) {
	r := worked(t)
	local := r.store()
	for name, ranges := range map[string][][2]string{
		"at once":         {{"", "main"}},
		"the newest only": {{"main~1", "main"}, {"", "main"}},
		"by push":         {{"", "main~3"}, {"main~3", "main"}, {"main~3", "main"}},
		"branches first":  {{"main~3", "side"}, {"", "release"}, {"", "main"}},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := newStore(t)
			for _, span := range ranges {
				report, err := local.Report(t.Context(), ledger.Range{Base: span[0], Head: span[1], Name: "acme/shop"})
				if err != nil {
					t.Fatal(err)
				}
				receive(t, s, report)
			}
			agree(t, local, s)
		})
	}
}

// agree asks two stores the same, and then votes in both.
func agree(t *testing.T, want *ledger.Repositories, got *Store) {
	t.Helper()
	asked := 0
	for _, actor := range []string{"", "executor-01", "executor-02", "nobody"} {
		for _, day := range []int{1, 4, 8} {
			q := ledger.Query{Actor: actor, Now: noon.AddDate(0, 0, day-2), PastDays: day}
			same(t, fmt.Sprintf("%+v", q), q, want, got)
			asked++
		}
	}
	q := ledger.Query{Now: noon.AddDate(0, 0, 5), PastDays: 9}
	total, board, err := want.Leaderboard(t.Context(), q)
	gotTotal, gotBoard, gotErr := got.Leaderboard(t.Context(), q)
	if err != nil || gotErr != nil || len(board) < 2 || !reflect.DeepEqual(board, gotBoard) || !reflect.DeepEqual(total, gotTotal) {
		t.Fatalf("%v, %v: leaderboard\n%+v of %+v\nis not\n%+v of %+v", err, gotErr, gotBoard, gotTotal, board, total)
	}
	report, err := want.Report(t.Context(), ledger.Range{Head: "main", Name: "acme/shop"})
	if err != nil {
		t.Fatal(err)
	}
	var rows []ledger.Row
	for i := range report.Verdicts {
		rows = append(rows, report.Verdicts[i].Row)
	}
	gotRows := landed(t, got)
	if len(rows) < 4 || len(rows) != len(gotRows) {
		t.Fatalf("rows\n%+v\nare not\n%+v", gotRows, rows)
	}
	for i := range rows {
		a, b := fmt.Sprintf("%+v", rows[i]), fmt.Sprintf("%+v", gotRows[i])
		if rows[i].Time = rows[i].Time.UTC(); fmt.Sprintf("%+v", rows[i]) != b {
			t.Errorf("row %d: %s\nis not %s", i, b, a)
		}
	}
	if asked == 0 {
		t.Error("nothing was asked")
	}
}

// A vote on a commit counts the same, given here or there, and one that lies in the notes is reported.
func TestStoresAgreeOnFeedback(t *testing.T) {
	r := worked(t)
	local := r.store()
	s, _ := newStore(t)
	report := func() {
		t.Helper()
		out, err := local.Report(t.Context(), ledger.Range{Head: "main", Name: "acme/shop"})
		if err != nil {
			t.Fatal(err)
		}
		receive(t, s, out)
	}
	report()
	vote := ledger.Vote{ID: "v1", Word: ledger.Up, At: r.at, Voter: "Ada", Commit: r.git("rev-parse", "side")}
	want, err := local.AddFeedback(t.Context(), vote)
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.AddFeedback(t.Context(), vote)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v: %+v is not %+v", err, got, want)
	}
	vote.ID, vote.Word = "v2", ledger.Down
	if _, err := local.AddFeedback(t.Context(), vote); err != nil {
		t.Fatal(err)
	}
	report()
	report()
	agree(t, local, s)
}

func TestAnUnmergedBranchHasNotLanded(t *testing.T) {
	r := worked(t)
	r.git("checkout", "-q", "-b", "open")
	r.act("executor-03", "x = 1\n", "Done: Add x | work.py:1")
	for _, c := range []struct {
		span   ledger.Range
		landed bool
		acts   int
	}{
		{ledger.Range{Base: "main", Head: "open"}, false, 1},
		{ledger.Range{Base: "main", Head: "open", IsLanded: new(true)}, true, 1},
		{ledger.Range{Head: "release"}, true, 0},
		{ledger.Range{Base: "HEAD", Head: "HEAD"}, false, 0},
	} {
		report, err := r.store().Report(t.Context(), c.span)
		if err != nil || report.IsLanded != c.landed || c.acts > 0 && len(report.Verdicts) != c.acts || report.PolicyHash != "builtin" {
			t.Errorf("%+v: %v\n%+v", c.span, err, report)
		}
	}
}
