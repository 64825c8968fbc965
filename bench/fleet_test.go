package bench

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/acta-git/acta/judge/score"
	"github.com/acta-git/acta/record/ledger"
	fleet "github.com/acta-git/acta/record/ledger/postgres"
	"github.com/acta-git/acta/repo/program/peer"
	"github.com/acta-git/acta/report"
)

const (
	fleetActors = 1000
	fleetRepos  = 1000
	fleetTeam   = 5    // actors of a repository, each of whom works in as many repositories
	fleetJobs   = 32   // that report at once
	fleetAtOnce = 3200 // reports of 20 verdicts that they send to the full ledger, at most as many verdicts as it has
	fleetDays   = 730
	fleetReport = 200 // verdicts of a report while the ledger fills
)

// BenchmarkFleet measures a ledger in a PostgreSQL of its own, of VERDICTS (in the environment; 1,000,000 where nobody says)
// verdicts of 1,000 actors and repositories over two years: how long reports take to be kept, and then how long answers
// take, each asked anew of the database and right after another report; first of the store, then over HTTP of the executable.
func BenchmarkFleet(b *testing.B) {
	verdicts := asked(b, "VERDICTS", 1_000_000)
	server, err := peer.StartPostgres(b.Context(), "max_wal_size=4GB")
	if errors.Is(err, peer.ErrNoPostgres) {
		b.Skip(err)
	}
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := server.Stop(); err != nil {
			b.Error(err)
		}
	}()
	dsn, err := server.Database(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	store, err := fleet.Open(b.Context(), dsn)
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	program := filepath.Join(b.TempDir(), "acta-serve")
	must(b, "..", nil, "go", "build", "-tags", "urfave_cli_no_docs,netgo,osusergo", "-o", program, "./cmd/acta-serve")
	url := startServer(b, program, "--db", dsn)
	client := &http.Client{Timeout: time.Minute}
	today := time.Now().UTC() // the server has no other clock
	took, days := map[string][]float64{}, 0
	timed := func(name string, f func() error) {
		start := time.Now()
		if err := f(); err != nil {
			b.Fatal(err)
		}
		took[name] = append(took[name], float64(time.Since(start).Microseconds())/1000)
	}
	receive := func(name string, r *ledger.Report) {
		timed(name, func() error {
			got, err := store.Receive(b.Context(), r)
			if err == nil && got.New == 0 {
				err = errors.New("nothing was new")
			}
			return err
		})
	}
	overHTTP := func(name, path string) {
		timed(name, func() error { return ask(client, url+path) })
	}
	random := rand.New(rand.NewPCG(1, 1))
	reports := min(fleetAtOnce, verdicts/20)
	filling := reportsASecond(b, store, func(yield func(*ledger.Report) bool) {
		for n := 0; n < verdicts; n += fleetReport {
			if !yield(fleetReportOf(random, today, n, min(fleetReport, verdicts-n), verdicts)) {
				return
			}
		}
	})
	atOnce := reportsASecond(b, store, func(yield func(*ledger.Report) bool) {
		for i := range reports {
			if !yield(fleetReportOf(random, today, verdicts+2*i*20, 20, verdicts)) {
				return
			}
		}
	})
	for i := reports; b.Loop(); i++ {
		r := fleetReportOf(random, today, verdicts+2*i*20, 20, verdicts)
		receive("report", r)
		q := ledger.Query{Actor: r.Verdicts[0].Actor, Now: today, PastDays: 7}
		timed("history", func() error {
			days, err := store.Days(b.Context(), q)
			if err == nil && (len(days) != 8 || days[7].Score == nil) {
				err = fmt.Errorf("%+v", days)
			}
			return err
		})
		q.Actor = ""
		timed("total", func() error { _, err := store.Days(b.Context(), q); return err })
		timed("leaderboard", func() error {
			_, board, err := store.Leaderboard(b.Context(), q)
			if err == nil && len(board) == 0 {
				err = fmt.Errorf("%d actors", len(board))
			}
			return err
		})
		timed("repositories", func() error { _, err := store.Repositories(b.Context(), q); return err })
		q.PastDays = 29
		timed("month", func() error { _, _, err := store.Leaderboard(b.Context(), q); return err })
		overHTTP("http-history", "/api/score/history")
		receive("report", fleetReportOf(random, today, verdicts+(2*i+1)*20, 20, verdicts))
		overHTTP("http-score", "/api/score")
	}
	_, board, err := store.Leaderboard(b.Context(), ledger.Query{Now: today, PastDays: fleetDays})
	if err != nil {
		b.Fatal(err)
	}
	for _, actor := range board {
		for _, day := range actor {
			if day.Verified+day.NotVerified+day.Unclear > 0 {
				days++
			}
		}
	}
	for name, all := range took {
		slices.Sort(all)
		b.ReportMetric(all[len(all)/2], name+"-ms")
		b.ReportMetric(all[len(all)*95/100], name+"-p95-ms")
	}
	b.ReportMetric(filling*fleetReport, "filling-verdicts-a-second")
	b.ReportMetric(atOnce, "reports-a-second")
	b.ReportMetric(float64(verdicts), "verdicts")
	b.ReportMetric(float64(days), "actor-days")
}

// reportsASecond is how many reports one store takes in a second, from many jobs at once.
func reportsASecond(b *testing.B, store *fleet.Store, all iter.Seq[*ledger.Report]) float64 {
	b.Helper()
	reports := make(chan *ledger.Report)
	jobs, ctx := errgroup.WithContext(b.Context())
	for range fleetJobs {
		jobs.Go(func() error {
			for r := range reports {
				if _, err := store.Receive(ctx, r); err != nil {
					return err
				}
			}
			return nil
		})
	}
	start, sent := time.Now(), 0
	for r := range all {
		select {
		case reports <- r:
			sent++
		case <-ctx.Done():
		}
	}
	close(reports)
	if err := jobs.Wait(); err != nil {
		b.Fatal(err)
	}
	return float64(sent) / time.Since(start).Seconds()
}

// fleetReportOf is a report of verdicts from number first on, of so many in all, in the order of time; after the last
// they are of today. Half of what is verified is a definition that was cited before.
func fleetReportOf(random *rand.Rand, today time.Time, first, n, all int) *ledger.Report {
	repository := random.IntN(fleetRepos)
	r := &ledger.Report{
		Release: "0.1.0", Repository: fmt.Sprintf("acme/shop-%03d", repository), Commit: fmt.Sprintf("%040x", first/10), PolicyHash: "builtin", IsLanded: true, Zone: "UTC",
	}
	for i := first; i < first+n; i++ {
		at := today.Add(-time.Duration(max(0, all-1-i)) * (fleetDays * 24 * time.Hour / time.Duration(all)))
		v := ledger.ReportedVerdict{
			Day: score.DayOf(at).String(), PolicyHash: "builtin", Row: ledger.Row{Commit: fmt.Sprintf("%040x", i/10), Time: at, Index: i % 10,
				Actor: fmt.Sprintf("executor-%03d", (repository+random.IntN(fleetTeam))%fleetActors), Unit: fmt.Sprintf("M01/S%02d/T%02d", i/1000%100, i/10%100), Item: fmt.Sprintf("Add method %d to the service", i%500),
				IsRequired: random.IntN(4) > 0, Verdict: report.Verified, Evidence: fmt.Sprintf("src/service_%03d.py:%d-%d#Service.method", i%900, i%300, i%300+20),
				Keys: []string{fmt.Sprintf("%016x", random.IntN(all)), fmt.Sprintf("%016x", random.IntN(all))}},
		}
		switch random.IntN(20) {
		case 0:
			v.Verdict, v.Keys, v.Reason = report.Unclear, nil, "the cited lines are no part of the change"
		case 1:
			v.Verdict, v.Keys, v.IsContradiction, v.Reason = report.NotVerified, nil, random.IntN(2) == 0, "the body is a stub"
		}
		r.Verdicts = append(r.Verdicts, v)
	}
	return r
}
