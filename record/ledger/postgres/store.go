// Package postgres keeps the ledger of many repositories in PostgreSQL: a row for each verdict that `acta verify
// --report` sends.
//
// Points of a verdict and totals of a day are computed in the transaction that receives it, however late it arrives. A
// query reads a few of those days and resumes the replay there. The numbers equal those of ledger.Repositories for the
// same verdicts; a test checks this.
//
// The error of a query is ignored where its rows are read, because reading them returns it again: see pgx.Conn.Query.
package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/acta-git/acta/judge/score"
	"github.com/acta-git/acta/record/ledger"
	"github.com/acta-git/acta/report"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// Store is a ledger in a PostgreSQL database, version 14 or later. Several goroutines and several processes may use it.
type Store struct {
	pool *pgxpool.Pool
}

var _ ledger.SharedStore = (*Store)(nil)

//go:embed migrations/*.sql
var migrations embed.FS

//go:embed queries/*.sql
var queries embed.FS

func query(name string) string {
	text, err := queries.ReadFile("queries/" + name + ".sql")
	if err != nil {
		panic(err)
	}
	return string(text)
}

// Open connects to the database of dsn, a URL or keywords and values as in libpq, and migrates its tables to this
// release. Missing values come from PGPASSWORD and the like, and from ~/.pgpass.
func Open(ctx context.Context, dsn string) (*Store, error) {
	config, err := pgxpool.ParseConfig(dsn) // its errors contain no password
	if err != nil {
		return nil, fmt.Errorf("the database cannot be used: %w", err)
	}
	config.ConnConfig.RuntimeParams["application_name"] = "acta"
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("the database cannot be used: %w", err)
	}
	if err := migrate(ctx, pool); err != nil {
		pool.Close()
		return nil, fmt.Errorf("the tables of the database cannot be made: %w", err)
	}
	return &Store{pool: pool}, nil
}

// Close ends all connections once they are unused.
func (s *Store) Close() { s.pool.Close() }

// migrate migrates the tables. Of several servers at once one does it; the others try every second for a minute.
func migrate(ctx context.Context, pool *pgxpool.Pool) (err error) {
	db := stdlib.OpenDBFromPool(pool)
	defer func() { err = errors.Join(err, db.Close()) }()
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 60))
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithSessionLocker(locker))
	if err != nil {
		return err
	}
	_, err = provider.Up(ctx)
	return err
}

// Version changes whenever an answer may.
func (s *Store) Version(ctx context.Context) (n int64, err error) {
	return n, s.pool.QueryRow(ctx, `SELECT n FROM change`).Scan(&n)
}

// zone is the time zone of all repositories, UTC if they differ.
func (s *Store) zone(ctx context.Context) (*time.Location, error) {
	rows, _ := s.pool.Query(ctx, `SELECT DISTINCT timezone FROM repository LIMIT 2`)
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(names) != 1 {
		return time.UTC, err
	}
	zone, err := time.LoadLocation(names[0])
	if err != nil {
		return time.UTC, nil // known to another machine only
	}
	return zone, nil
}

func (s *Store) days(ctx context.Context, q ledger.Query) (from, to score.Day, err error) {
	zone := time.UTC
	if q.Date == "" {
		if zone, err = s.zone(ctx); err != nil {
			return 0, 0, err
		}
	}
	to, err = q.Day(zone)
	return to - score.Day(q.PastDays), to, err
}

// Days implements ledger.Store.
func (s *Store) Days(ctx context.Context, q ledger.Query) ([]ledger.Score, error) {
	from, to, err := s.days(ctx, q)
	if err != nil {
		return nil, err
	}
	all, err := s.histories(ctx, `a.everyone = $4 AND a.name = $5`, from, to, q.Actor == "", q.Actor)
	if err != nil {
		return nil, err
	}
	h := &ledger.History{Actor: q.Actor, Checkpoint: score.Beginning(from)}
	if len(all) > 0 {
		h = all[0]
	}
	return h.Scores(from, to), nil
}

// Leaderboard implements ledger.Store.
func (s *Store) Leaderboard(
	ctx context.Context, q ledger.Query,
) (total []ledger.Score, actors [][]ledger.Score, err error) {
	from, to, err := s.days(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	all, err := s.histories(ctx, `NOT a.everyone`, from, to)
	if err != nil {
		return nil, nil, err
	}
	actors = report.Map(all, func(h *ledger.History) []ledger.Score { return h.Scores(from, to) })
	q.Actor = ""
	total, err = s.Days(ctx, q)
	return total, actors, err
}

func (s *Store) histories(
	ctx context.Context, where string, from, to score.Day, args ...any,
) ([]*ledger.History, error) {
	rows, _ := s.pool.Query(ctx, query("histories")+where+` ORDER BY a.name, s.day`,
		append([]any{int(from), int(to), score.Window - 1}, args...)...)
	var all []*ledger.History
	var name string
	var first, start score.Day
	var day *score.Day
	var points, verified, not, unclear, contradictions, floor, streak *int
	var life score.Lifetime
	_, err := pgx.ForEachRow(rows, []any{
		&name, &first, &start, &day, &points, &verified, &not, &unclear, &contradictions, &floor, &streak, &life.Points,
		&life.Verified, &life.NotVerified, &life.Contradictions,
	}, func() error {
		if len(all) == 0 || all[len(all)-1].Actor != name {
			all = append(all, &ledger.History{
				Actor: name, First: first, Checkpoint: score.Beginning(min(from, start)), Sums: map[score.Day]score.Sum{},
			})
		}
		if day == nil {
			return nil
		}
		h := all[len(all)-1]
		h.Sums[*day] = score.Sum{
			Score: *points, Bar: *points, Verified: *verified, NotVerified: *not, Unclear: *unclear,
			Contradictions: *contradictions,
		}
		if *day == start && start <= from {
			h.Checkpoint = score.Checkpoint{Day: start, Floor: *floor, Streak: *streak, Lifetime: life}
		}
		return nil
	})
	return all, err
}
