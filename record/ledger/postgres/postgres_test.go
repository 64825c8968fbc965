package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/acta-git/acta/judge/score"
	"github.com/acta-git/acta/record/ledger"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/program/peer"
	"github.com/acta-git/acta/report"
)

// server is the PostgreSQL of this package's tests; nil where the machine has none.
var server *peer.Postgres

func TestMain(m *testing.M) { os.Exit(withServer(m.Run)) }

func withServer(run func() int) (code int) {
	var err error
	server, err = peer.StartPostgres(context.Background(), "fsync=off", "full_page_writes=off", "synchronous_commit=off", "shared_buffers=32MB")
	if errors.Is(err, peer.ErrNoPostgres) && os.Getenv("ACTA_REQUIRE") != "all" {
		server = nil
		return run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() {
		if err := server.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}()
	return run()
}

// newStore is an empty ledger in a database of its own, and that database's name.
func newStore(t *testing.T) (*Store, string) {
	t.Helper()
	if server == nil {
		t.Skip("this machine has no PostgreSQL")
	}
	dsn, err := server.Database(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return open(t, dsn), dsn
}

func open(t *testing.T, dsn string) *Store {
	t.Helper()
	s, err := Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

var noon = time.Date(2026, 1, 26, 12, 0, 0, 0, time.UTC)

// id is the full id of the nth commit of a test.
func id(n int) string { return fmt.Sprintf("%040x", n+1) }

func row(commit, index int, verdict report.Verdict, keys ...string) ledger.Row {
	return ledger.Row{
		Kind: score.Landed, Commit: id(commit), Time: noon.Add(time.Duration(commit) * time.Minute), Index: index, Actor: "executor-01",
		Unit: "M01/T01", Item: fmt.Sprint("Add item ", index), IsRequired: true, Verdict: verdict, Keys: keys,
	}
}

func reportOf(landed bool, rows ...ledger.Row) *ledger.Report {
	r := &ledger.Report{Release: "0.1.0", Repository: "acme/shop", Commit: id(0), PolicyHash: "builtin", IsLanded: landed, Zone: "UTC"}
	for _, row := range rows {
		r.Verdicts = append(r.Verdicts, ledger.ReportedVerdict{Row: row, Day: score.DayOf(row.Time).String(), PolicyHash: "builtin"})
	}
	return r
}

func receive(t *testing.T, s *Store, r *ledger.Report) ledger.Received {
	t.Helper()
	got, err := s.Receive(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// landed are all verdicts that count, in the order in which they do.
func landed(t *testing.T, s *Store) (all []ledger.Row) {
	t.Helper()
	rows, err := s.pool.Query(t.Context(), query("rows")+rowsOrder)
	if err != nil {
		t.Fatal(err)
	}
	found, err := pgx.CollectRows(rows, scanVerdict)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range found {
		e.Day = 0 // as a report has it
		all = append(all, e.Event)
	}
	return all
}

func today(t *testing.T, s ledger.Store, actor string) int {
	t.Helper()
	days, err := s.Days(t.Context(), ledger.Query{Actor: actor, Now: noon})
	if err != nil {
		t.Fatal(err)
	}
	if days[0].Score == nil {
		return -1000
	}
	return *days[0].Score
}

func TestASecondReportChangesNothing(t *testing.T) {
	s, _ := newStore(t)
	r := reportOf(true, row(0, 0, report.Verified, "a"), row(0, 1, report.NotVerified), row(1, 0, report.Unclear))
	if got := receive(t, s, r); got != (ledger.Received{Verdicts: 3, New: 3}) {
		t.Errorf("at first %+v", got)
	}
	version, err := s.Version(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := receive(t, s, r); got != (ledger.Received{Verdicts: 3}) {
		t.Errorf("again %+v", got)
	}
	again, err := s.Version(t.Context())
	if err != nil || again != version {
		t.Errorf("version %d became %d: %v", version, again, err)
	}
	if got := today(t, s, ""); got != 10-15-2 {
		t.Errorf("score %d", got)
	}
}

func TestOnlyWhatHasLandedCounts(t *testing.T) {
	s, _ := newStore(t)
	claims := []ledger.Row{row(0, 0, report.Verified, "a"), row(0, 1, report.NotVerified)}
	receive(t, s, reportOf(false, claims...))
	if got := today(t, s, ""); got != -1000 {
		t.Errorf("a branch scores %d", got)
	}
	if rows := landed(t, s); len(rows) != 0 {
		t.Error(rows)
	}
	if got := receive(t, s, reportOf(true, claims...)); got.New != 0 {
		t.Errorf("landed as %+v", got)
	}
	receive(t, s, reportOf(false, claims...)) // a job that was late
	if got := today(t, s, ""); got != 10-15 {
		t.Errorf("score %d", got)
	}
}

// history is a random one, in which claims meet often: few actors, keys, items and days.
type history struct {
	rows  []ledger.Row
	votes []ledger.Vote
}

func randomHistory(random *rand.Rand) history {
	var h history
	commits := 8 + random.IntN(16)
	for c := range commits {
		at, rank := noon.Add(time.Duration(random.IntN(12*24))*time.Hour), random.IntN(2)
		var picked []string
		if random.IntN(2) == 0 {
			picked = []string{id(random.IntN(commits))}
		}
		bad := random.IntN(4) / 3 // some commits hold many claims that pay, so that targets rise
		for i := range 2 + random.IntN(14) {
			r := row(c, i, report.Verified+report.Verdict(bad*random.IntN(4)))
			r.Time, r.Rank, r.PickedFrom, r.Actor = at, rank, picked, fmt.Sprint("executor-", random.IntN(3))
			r.Item, r.IsRequired = fmt.Sprint("item ", random.IntN(2)), random.IntN(3) > 0
			r.IsContradiction = r.Verdict == report.NotVerified && random.IntN(2) == 0
			if r.Verdict == report.Verified {
				for range random.IntN(4) {
					r.Keys = append(r.Keys, fmt.Sprint(random.IntN(200)))
				}
			}
			h.rows = append(h.rows, r)
		}
	}
	for i := range random.IntN(5) {
		h.votes = append(h.votes, ledger.Vote{
			ID: fmt.Sprint(i), Word: []string{"up", "down"}[random.IntN(2)], At: noon.Add(time.Duration(random.IntN(12*24)) * time.Hour), Voter: "Ada",
			Actor: fmt.Sprint("executor-", random.IntN(4)), Commit: id(random.IntN(commits)),
		})
	}
	return h
}

// reports are how a history may arrive: in parts, in any order, some of them twice, and some at first from a branch.
func (h *history) reports(random *rand.Rand) []*ledger.Report {
	var all []*ledger.Report
	order := random.Perm(len(h.rows))
	for len(order) > 0 {
		n := 1 + random.IntN(len(order))
		var rows []ledger.Row
		for _, i := range order[:n] {
			rows = append(rows, h.rows[i])
		}
		order = order[n:]
		r := reportOf(true, rows...)
		for _, v := range h.votes {
			if random.IntN(2) == 0 {
				r.Feedback = append(r.Feedback, v)
			}
		}
		all = append(all, r)
		if random.IntN(3) == 0 {
			all = append(all, r, reportOf(false, rows...))
		}
	}
	last := reportOf(true)
	last.Feedback = h.votes
	all = append(all, last)
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// replayed is a Store of what is given: every answer counted anew, as Repositories does.
type replayed struct {
	ledger.Store
	rows    []ledger.Row
	entries []score.Entry
}

func (h *history) replay() *replayed {
	votes := (&ledger.Report{Feedback: h.votes}).Votes()
	return &replayed{rows: h.rows, entries: ledger.Replay(h.rows, votes, time.UTC)}
}

func (r *replayed) Days(_ context.Context, q ledger.Query) ([]ledger.Score, error) {
	to, err := q.Day(time.UTC)
	return ledger.Scores(r.entries, q.Actor, to-score.Day(q.PastDays), to), err
}

func (r *replayed) Points(_ context.Context, q ledger.Query) ([]ledger.Point, error) {
	day, err := q.Day(time.UTC)
	var points []ledger.Point
	for i := range r.entries {
		if e := &r.entries[i]; e.Day == day && (q.Actor == "" || q.Actor == e.Actor) {
			points = append(points, ledger.PointOf(e))
		}
	}
	return points, err
}

// In whatever parts and order reports arrive, and however many at once, the score is that of the replay of what they tell.
func TestTheScoreIsThatOfTheReplay(t *testing.T) {
	s, _ := newStore(t)
	compared, raised := 0, 0
	for seed := range uint64(25) {
		random := rand.New(rand.NewPCG(seed, 5))
		h := randomHistory(random)
		if _, err := s.pool.Exec(t.Context(), `TRUNCATE repository, report, verdict, proof, vote, standing, actor, repository_day`); err != nil {
			t.Fatal(err)
		}
		reports := h.reports(random)
		next := make(chan *ledger.Report)
		var jobs sync.WaitGroup
		for range 3 {
			jobs.Go(func() {
				for r := range next {
					if _, err := s.Receive(t.Context(), r); err != nil {
						t.Error(err)
					}
				}
			})
		}
		for _, r := range reports {
			next <- r
		}
		close(next)
		jobs.Wait()
		want := h.replay()
		for _, actor := range []string{"", "executor-0", "executor-1", "executor-2", "executor-3", "nobody"} {
			q := ledger.Query{Actor: actor, Now: noon.AddDate(0, 0, random.IntN(30)-3), PastDays: random.IntN(20)}
			same(t, fmt.Sprintf("seed %d, %+v", seed, q), q, want, s)
			compared++
		}
		var target, off int
		err := s.pool.QueryRow(t.Context(), `SELECT max(floor), (SELECT sum(points) FROM verdict) + coalesce((SELECT sum(points) FROM vote), 0)
			- (SELECT sum(score) FROM standing WHERE everyone) FROM standing`).Scan(&target, &off)
		if err != nil || off != 0 {
			t.Fatalf("seed %d: the points of the verdicts and votes are off by %d from those of the days: %v", seed, off, err)
		}
		var wrong int
		err = s.pool.QueryRow(t.Context(), `SELECT count(*) FROM actor a WHERE ROW(score, verified, not_verified, contradictions)
			IS DISTINCT FROM (SELECT (sum(score)::integer, sum(verified)::integer, sum(not_verified)::integer,
			sum(contradictions)::integer) FROM standing s WHERE s.everyone = a.everyone AND s.actor = a.name)`).Scan(&wrong)
		if err != nil || wrong != 0 {
			t.Fatalf("seed %d: the totals of %d actors are not those of their days: %v", seed, wrong, err)
		}
		err = s.pool.QueryRow(t.Context(), `SELECT coalesce(sum(points), 0) - (SELECT coalesce(sum(score), 0) FROM repository_day)
			FROM verdict`).Scan(&wrong)
		if err != nil || wrong != 0 {
			t.Fatalf("seed %d: the points of the verdicts are off by %d from those of repositories: %v", seed, wrong, err)
		}
		if target > score.MinTarget {
			raised++
		}
		if rows := landed(t, s); len(rows) != len(want.rows) {
			t.Fatalf("seed %d: %d rows of %d", seed, len(rows), len(want.rows))
		}
	}
	if raised < 10 {
		t.Errorf("%d targets above the least; the test asks too little", raised)
	}
	if compared < 100 {
		t.Errorf("%d answers; the test asks too little", compared)
	}
}

// same holds the answers of two stores to be equal.
func same(t *testing.T, about string, q ledger.Query, want, got ledger.Store) {
	t.Helper()
	days, err := want.Days(t.Context(), q)
	gotDays, gotErr := got.Days(t.Context(), q)
	if err := errors.Join(err, gotErr); err != nil || !reflect.DeepEqual(days, gotDays) {
		t.Fatalf("%s: %v\n%s\nis not\n%s", about, err, shown(gotDays), shown(days))
	}
	points, err := want.Points(t.Context(), q)
	gotPoints, gotErr := got.Points(t.Context(), q)
	if err := errors.Join(err, gotErr); err != nil || !slices.Equal(points, gotPoints) {
		t.Fatalf("%s: %v\n%+v\nis not\n%+v", about, err, gotPoints, points)
	}
}

func shown(days []ledger.Score) string {
	text := ""
	for _, d := range days {
		points := "no score"
		if d.Score != nil {
			points = fmt.Sprint(*d.Score)
		}
		d.Score = nil
		text += fmt.Sprintf("%s %+v\n", points, d)
	}
	return text
}

func TestEachRepositoryHasDaysOfItsOwn(t *testing.T) {
	s, _ := newStore(t)
	receive(t, s, reportOf(true, row(0, 0, report.Verified, "a"), row(0, 1, report.NotVerified)))
	other := row(1, 0, report.Verified, "a", "b") // a was paid before, in the first repository
	other.Actor = "executor-02"
	r := reportOf(true, other, row(2, 0, report.Unclear))
	r.Repository = "acme/forge"
	receive(t, s, r)
	receive(t, s, reportOf(false, row(3, 0, report.Verified, "c"))) // has not landed
	q := ledger.Query{Now: noon, PastDays: 7}
	all, err := s.Repositories(t.Context(), q)
	got := ""
	for _, r := range all {
		got += fmt.Sprintf("%s: %v\n", r.Repository, r.Days)
	}
	if want := "acme/forge: [{2026-01-26 8 1 0 1 0}]\nacme/shop: [{2026-01-26 -5 1 1 0 0}]\n"; err != nil || got != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}

// Two jobs that report the same at once keep it once, and a server that starts meanwhile is in nobody's way.
func TestJobsReportAtOnce(t *testing.T) {
	s, dsn := newStore(t)
	var jobs sync.WaitGroup
	var mu sync.Mutex
	fresh := 0
	for job := range 8 {
		jobs.Go(func() {
			mine := s
			if job%2 == 0 {
				var err error
				if mine, err = Open(t.Context(), dsn); err != nil {
					t.Error(err)
					return
				}
				defer mine.Close()
			}
			got, err := mine.Receive(t.Context(), reportOf(true, row(0, 0, report.Verified, "a"), row(0, 1, report.Verified, "a"), row(1, 0, report.NotVerified)))
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			fresh += got.New
			mu.Unlock()
		})
	}
	jobs.Wait()
	if got := today(t, s, ""); got != 10-15 || fresh != 3 {
		t.Errorf("score %d, %d new", got, fresh)
	}
}

func TestOfServersThatStartAtOnceOneMakesTheTables(t *testing.T) {
	if server == nil {
		t.Skip("this machine has no PostgreSQL")
	}
	dsn, err := server.Database(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var starting sync.WaitGroup
	for range 3 {
		starting.Go(func() {
			s, err := Open(t.Context(), dsn)
			if err != nil {
				t.Error(err)
				return
			}
			s.Close()
		})
	}
	starting.Wait()
}

func TestFeedback(t *testing.T) {
	s, _ := newStore(t)
	if _, err := s.AddFeedback(t.Context(), ledger.Vote{Word: ledger.Up, At: noon, Voter: "Ada"}); !errors.Is(err, ledger.ErrNobody) {
		t.Errorf("about nobody: %v", err)
	}
	other := row(1, 0, report.Verified, "b")
	other.Actor = "executor-02"
	receive(t, s, reportOf(true, row(0, 0, report.Verified, "a"), other))
	for _, c := range []struct {
		vote        ledger.Vote
		actor       string
		delta, then int
	}{
		{ledger.Vote{Word: ledger.Up}, "executor-02", 3, 13},
		{ledger.Vote{Word: ledger.Down, Commit: id(0)}, "executor-01", -10, 0},
		{ledger.Vote{Word: ledger.Down, Commit: id(1)[:40], Actor: "executor-03"}, "executor-03", -10, -10},
		{ledger.Vote{Word: ledger.Up, Actor: "executor-01"}, "executor-01", 3, 3},
	} {
		c.vote.At, c.vote.Voter = noon, "Ada"
		effect, err := s.AddFeedback(t.Context(), c.vote)
		if err != nil || effect.Delta != c.delta || effect.Score.Actor != c.actor || *effect.Score.Score != c.then {
			t.Errorf("%+v: %v\n%+v", c, err, effect)
		}
	}
	for _, actor := range []string{"a\x00b", "a\nb", "\xff", strings.Repeat("x", 257)} {
		if _, err := s.AddFeedback(t.Context(), ledger.Vote{Word: ledger.Down, At: noon, Voter: "Ada", Actor: actor}); !errors.Is(err, ledger.ErrActor) {
			t.Errorf("%.10q: %v", actor, err)
		}
	}
	for _, commit := range []string{id(7), "main", "0000"} { // none, no id, and how two begin
		if _, err := s.AddFeedback(t.Context(), ledger.Vote{Word: ledger.Down, At: noon, Voter: "Ada", Commit: commit}); !errors.Is(err, repo.ErrNotFound) {
			t.Errorf("%s: %v", commit, err)
		}
	}
	if got := today(t, s, ""); got != 20+3-10-10+3 {
		t.Errorf("score %d", got)
	}
}

// Days are those of the zone that the reports name; where they do not agree, those of UTC.
func TestTodayIsTheRepositoriesDay(t *testing.T) {
	s, _ := newStore(t)
	date := func() string {
		days, err := s.Days(t.Context(), ledger.Query{Now: noon})
		if err != nil {
			t.Fatal(err)
		}
		return days[0].Date
	}
	east := reportOf(true)
	east.Zone = "Pacific/Kiritimati" // 14 hours ahead
	receive(t, s, east)
	if got := date(); got != "2026-01-27" {
		t.Errorf("there it is %s", got)
	}
	other := reportOf(true)
	other.Repository = "acme/other"
	receive(t, s, other)
	if got := date(); got != "2026-01-26" {
		t.Errorf("between them it is %s", got)
	}
}

func TestADatabaseThatCannotBeUsed(t *testing.T) {
	for _, dsn := range []string{"postgres://u:hunter2@/x?host=/nonexistent", "postgres://u:hunter2@[bad"} {
		_, err := Open(t.Context(), dsn)
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%v", err)
		}
	}
}
