package serve

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/acta-git/acta/record/ledger"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// resultOf is a report of a repository's HEAD without a verdict; of nil, of a commit that nobody has.
func resultOf(w *world) string {
	commit := strings.Repeat("a", 40)
	if w != nil {
		commit = w.git(nil, "rev-parse", "HEAD")
	}
	return fmt.Sprintf(`{"acta": "0.1.0", "repository": "acme/shop", "commit": %q, "policy_hash": "builtin", "landed": true, "timezone": "UTC", "verdicts": []}`, commit)
}

// keeper is a store that counts what it is told.
type keeper struct {
	shared
	mu      sync.Mutex
	reports []*ledger.Report
	down    error
	asked   []int // Before of each leaderboard
}

func (k *keeper) Receive(_ context.Context, r *ledger.Report) (ledger.Received, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.down != nil {
		return ledger.Received{}, k.down
	}
	k.reports = append(k.reports, r)
	return ledger.Received{Verdicts: len(r.Verdicts), New: len(r.Verdicts)}, nil
}

// Days has a point for each report.
func (k *keeper) Days(_ context.Context, q ledger.Query) ([]ledger.Score, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	n := len(k.reports)
	return []ledger.Score{{Actor: q.Actor, Date: "2026-01-26", Score: &n, Target: 50, Floor: 50, Penalty: "none", Reward: "none", Interval: 15}}, k.down
}

func (k *keeper) Leaderboard(ctx context.Context, q ledger.Query) ([]ledger.Score, [][]ledger.Score, error) {
	total, err := k.Days(ctx, q)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.asked = append(k.asked, q.PastDays)
	return total, nil, err
}

func (k *keeper) Version(context.Context) (int64, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return int64(len(k.reports)), k.down
}

func kept(k *keeper) func(*Options) {
	return func(o *Options) {
		o.Scores, o.ReportToken = &Scores{Shared: k, Voter: "Olga Operator"}, "only-reports"
	}
}

// AddFeedback knows what a commit is by its full id alone.
func (k *keeper) AddFeedback(_ context.Context, v ledger.Vote) (ledger.Effect, error) {
	if v.Commit != "" && !repo.IsID(v.Commit) {
		return ledger.Effect{}, repo.ErrNotFound
	}
	return ledger.Effect{Delta: 3, Score: ledger.Score{Actor: v.Commit}}, nil
}

// One ledger for all knows ids; the repositories that are served know what HEAD is.
func TestVotesOnCommitsOfALedger(t *testing.T) {
	w := newWorld(t, "shop")
	first := w.commit("executor-01", "2026-01-26T10:00", "First")
	head := w.commit("executor-01", "2026-01-26T11:00", "Second")
	other := strings.Repeat("a", 40)
	s := serve(t, kept(&keeper{}), w)
	for commit, want := range map[string]string{"HEAD": head, "main~1": first, first[:12]: first, other: other, "nothing": ""} {
		answer := s.request("POST", "/api/score/feedback", fmt.Sprintf(`{"vote": "up", "commit": %q}`, commit), "Authorization", bearer, "Content-Type", isJSON)
		var got voteResult
		if err := json.NewDecoder(answer.Body).Decode(&got); err != nil || got.Actor != want || (answer.StatusCode == 200) != (want != "") {
			t.Errorf("%s: %s, %+v, %v", commit, answer.Status, got, err)
		}
	}
}

func longReport(verdicts int) *ledger.Report {
	r := &ledger.Report{Release: "0.1.0", Repository: "acme/shop", Commit: strings.Repeat("a", 40), PolicyHash: "builtin", IsLanded: true, Zone: "UTC"}
	for i := range verdicts {
		r.Verdicts = append(r.Verdicts, ledger.ReportedVerdict{
			Row: ledger.Row{Commit: fmt.Sprintf("%040x", i), Time: testNow, Actor: "executor-01", Item: fmt.Sprint("Add item ", i), Verdict: report.Verified, Keys: []string{fmt.Sprint(i)}},
			Day: "2026-01-26",
		})
	}
	return r
}

// What is sent arrives as it was, in however many parts, and shows at once; no repository is needed.
func TestReportsArrive(t *testing.T) {
	k := &keeper{}
	s := serve(t, kept(k))
	total := func() int { return *get[allScores](t, s, "/api/score").Total.Score }
	if total() != 0 {
		t.Error("there are reports already")
	}
	d := &ledger.Delivery{URL: s.URL, Token: "only-reports", Timeout: 15 * time.Second}
	whole := longReport(12_000)
	got, err := d.Send(t.Context(), whole)
	if err != nil || got != (ledger.Received{Verdicts: 12_000, New: 12_000}) || len(k.reports) < 2 {
		t.Fatalf("%+v in %d parts: %v", got, len(k.reports), err)
	}
	var arrived []ledger.ReportedVerdict
	for _, r := range k.reports {
		arrived = append(arrived, r.Verdicts...)
	}
	if a, b := asJSON(t, arrived), asJSON(t, whole.Verdicts); a != b {
		t.Error("what arrived is not what was sent")
	}
	if total() != len(k.reports) {
		t.Errorf("the score is still %d", total())
	}
	if health := s.request("GET", "/healthz", ""); health.StatusCode != 200 {
		t.Error(health.Status)
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A token for reports reads nothing, votes for nobody and signs nobody in.
func TestATokenForReportsDoesNothingElse(t *testing.T) {
	for _, loopback := range []bool{true, false} {
		k := &keeper{}
		s := serve(t, func(o *Options) { kept(k)(o); o.IsLoopback = loopback })
		body := asJSON(t, longReport(1))
		with := func(token string) []string {
			return []string{"Authorization", "Bearer " + token, "Content-Type", isJSON}
		}
		for _, c := range []struct {
			method, path, body, token string
			code                      int
		}{
			{"POST", "/api/reports", body, "only-reports", 200},
			{"POST", "/api/reports", body, testToken, 401},
			{"POST", "/api/reports", body, "other", 401},
			{"POST", "/api/reports", body, "", 401},
			{"POST", "/api/score/feedback", `{"vote": "up", "actor": "executor-01"}`, "only-reports", 401},
			{"GET", "/api/score", "", "only-reports", map[bool]int{true: 200, false: 401}[loopback]},
		} {
			if got := s.request(c.method, c.path, c.body, with(c.token)...); got.StatusCode != c.code {
				t.Errorf("loopback %t, %s %s as %q: %s", loopback, c.method, c.path, c.token, got.Status)
			}
		}
		if len(k.reports) != 1 {
			t.Errorf("%d reports", len(k.reports))
		}
	}
	// Without such a token no bearer is one.
	s := serve(t, nil, newWorld(t, "shop"))
	if got := s.request("POST", "/api/reports", "{}", "Authorization", "Bearer ", "Content-Type", isJSON); got.StatusCode != 401 {
		t.Error(got.Status)
	}
}

func TestReportsThatDoNotFit(t *testing.T) {
	s := serve(t, kept(&keeper{}))
	var bomb, torn bytes.Buffer
	z := gzip.NewWriter(&bomb)
	if _, err := io.CopyN(z, spaces{}, ledger.MaxReportText+1); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	torn.Write(bomb.Bytes()[:bomb.Len()/2])
	for name, c := range map[string]struct {
		body string
		code int
	}{
		"4 MiB and a byte": {bomb.String(), http.StatusRequestEntityTooLarge},
		"torn":             {torn.String(), http.StatusBadRequest},
		"not zipped":       {"{}", http.StatusBadRequest},
	} {
		got := s.request("POST", "/api/reports", c.body, "Authorization", "Bearer only-reports", "Content-Type", isJSON, "Content-Encoding", "gzip")
		if got.StatusCode != c.code {
			t.Errorf("%s: %s", name, got.Status)
		}
	}
}

type spaces struct{}

func (spaces) Read(p []byte) (int, error) { return copy(p, strings.Repeat(" ", len(p))), nil }

// A report that no store can keep is refused at the door.
func TestAnInvalidReportReachesNoStore(t *testing.T) {
	k := &keeper{}
	r := longReport(1)
	r.Commit = "main"
	got := serve(t, kept(k)).request("POST", "/api/reports", asJSON(t, r), "Authorization", "Bearer only-reports", "Content-Type", isJSON)
	if got.StatusCode != http.StatusBadRequest || len(k.reports) != 0 {
		t.Errorf("%s, and %d reports are kept", got.Status, len(k.reports))
	}
}

// A server without a token takes none for it: who sends no token stays unknown.
func TestNoTokenIsNoToken(t *testing.T) {
	s := serve(t, func(o *Options) { o.Token = "" }, newWorld(t, "shop"))
	for _, headers := range [][]string{{}, {"Authorization", "Bearer "}} {
		got := s.request("POST", "/api/score/feedback", `{"vote": "up", "actor": "executor-01"}`, append(headers, "Content-Type", isJSON)...)
		if got.StatusCode != http.StatusUnauthorized {
			t.Errorf("with %q: %s", headers, got.Status)
		}
	}
}

// A database that is away is no answer, and no reason to end.
func TestALedgerThatIsAway(t *testing.T) {
	k := &keeper{down: errors.New("connection refused")}
	s := serve(t, kept(k))
	for path, code := range map[string]int{"/healthz": 503, "/api/score": 503, "/openapi.json": 200} {
		if got := s.request("GET", path, ""); got.StatusCode != code {
			t.Errorf("%s: %s", path, got.Status)
		}
	}
	if got := s.request("POST", "/api/reports", asJSON(t, longReport(1)), "Authorization", "Bearer only-reports", "Content-Type", isJSON); got.StatusCode != 500 {
		t.Error(got.Status)
	}
	k.mu.Lock()
	k.down = nil
	k.mu.Unlock()
	if got := s.request("GET", "/healthz", ""); got.StatusCode != 200 {
		t.Error(got.Status)
	}
}

// A database that hangs is away after two seconds.
func TestALedgerThatHangs(t *testing.T) {
	k := &keeper{}
	s := serve(t, kept(k))
	k.mu.Lock() // every question waits for this
	defer k.mu.Unlock()
	began := time.Now()
	if got := s.request("GET", "/healthz", ""); got.StatusCode != 503 || time.Since(began) > 10*healthTime {
		t.Errorf("%s after %v", got.Status, time.Since(began))
	}
}

// The server is well while HEAD can be read and the store answers, and says within its time that it is not.
func TestHealthIsARealRead(t *testing.T) {
	w := story(t)
	s := serve(t, nil, w)
	head := filepath.Join(w.dir, ".git", "HEAD")
	was, err := os.ReadFile(head)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text string
		code int
	}{{string(was), 200}, {"junk\n", 503}, {"ref: refs/heads/unborn\n", 200}, {string(was), 200}} {
		if err := os.WriteFile(head, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := s.request("GET", "/healthz", ""); got.StatusCode != c.code {
			t.Errorf("HEAD is %q: %s", c.text, got.Status)
		}
	}
}
