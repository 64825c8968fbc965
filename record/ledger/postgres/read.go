package postgres

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/acta-git/acta/judge/score"
	"github.com/acta-git/acta/record/ledger"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

const rowsOrder = ` ORDER BY at, rank, commit, place`

func scanVerdict(row pgx.CollectableRow) (e score.Entry, err error) {
	var verdict string
	err = row.Scan(&e.Commit, &e.Time, &e.Rank, &e.Index, &e.Actor, &e.Unit, &e.Item, &e.IsRequired, &verdict,
		&e.IsContradiction, &e.Evidence, &e.Reason, &e.Keys, &e.PickedFrom, &e.Points, &e.Day)
	if err != nil {
		return e, err
	}
	e.Kind, e.Time = score.Landed, e.Time.UTC()
	if err = e.Verdict.UnmarshalText([]byte(verdict)); e.Verdict == report.Verified && e.Points == 0 {
		e.ZeroReason = score.ZeroReason(e.Keys)
	}
	return e, err
}

// Points implements ledger.Store.
func (s *Store) Points(ctx context.Context, q ledger.Query) ([]ledger.Point, error) {
	_, day, err := s.days(ctx, q)
	if err != nil {
		return nil, err
	}
	const ofDay = ` AND NOT repeats AND day = date '1970-01-01' + $1::integer AND ($2 = '' OR actor = $2)`
	rows, _ := s.pool.Query(ctx, query("rows")+ofDay+rowsOrder, int(day), q.Actor)
	entries, err := pgx.CollectRows(rows, scanVerdict)
	if err != nil {
		return nil, err
	}
	votes, err := s.votes(ctx, day, q.Actor)
	if err != nil {
		return nil, err
	}
	entries = append(entries, votes...)
	slices.SortStableFunc(entries, func(a, b score.Entry) int { return cmp.Compare(a.Time.Unix(), b.Time.Unix()) })
	return report.Map(entries, func(e score.Entry) ledger.Point { return ledger.PointOf(&e) }), nil
}

// Repositories implements ledger.SharedStore.
func (s *Store) Repositories(ctx context.Context, q ledger.Query) ([]ledger.RepositoryDays, error) {
	from, to, err := s.days(ctx, q)
	if err != nil {
		return nil, err
	}
	rows, _ := s.pool.Query(ctx, query("by_repository"), int(from), int(to))
	var all []ledger.RepositoryDays
	var repository string
	var day score.Day
	var d ledger.RepositoryDay
	_, err = pgx.ForEachRow(rows, []any{
		&repository, &day, &d.Points, &d.Verified, &d.NotVerified, &d.Unclear, &d.Contradictions,
	}, func() error {
		d.Date = day.String()
		if n := len(all); n == 0 || all[n-1].Repository != repository {
			all = append(all, ledger.RepositoryDays{Repository: repository})
		}
		last := &all[len(all)-1]
		last.Days = append(last.Days, d)
		return nil
	})
	return all, err
}

func (s *Store) votes(ctx context.Context, day score.Day, actor string) ([]score.Entry, error) {
	rows, _ := s.pool.Query(ctx, query("votes"), int(day), actor)
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (e score.Entry, err error) {
		v, isUp := ledger.Vote{Word: ledger.Down}, false
		if err := row.Scan(&v.ID, &isUp, &v.At, &v.Voter, &v.Actor, &v.Commit); err != nil {
			return e, err
		}
		if isUp {
			v.Word = ledger.Up
		}
		e = score.Entry{Event: v.Event(time.UTC), Points: v.Worth()}
		e.Day = day
		return e, nil
	})
}

// AddFeedback implements ledger.Store. The vote's commit is the id of a reported commit, or its beginning.
func (s *Store) AddFeedback(ctx context.Context, v ledger.Vote) (ledger.Effect, error) {
	if err := v.CheckActor(); err != nil {
		return ledger.Effect{}, err
	}
	zone, err := s.zone(ctx)
	if err != nil {
		return ledger.Effect{}, err
	}
	if v.ID == "" {
		v.ID = ledger.NewVoteID()
	}
	v.At = v.At.UTC().Truncate(time.Second)
	day := score.DayOf(v.At.In(zone))
	err = s.change(ctx, func(tx pgx.Tx) error {
		if err := fillActor(ctx, tx, &v); err != nil {
			return err
		}
		days, err := keepVote(ctx, tx, &v, day)
		if err != nil {
			return err
		}
		return sumUp(ctx, tx, days)
	})
	effect := ledger.Effect{Delta: v.Worth()}
	if err != nil {
		return effect, err
	}
	scores, err := s.Days(ctx, ledger.Query{Actor: v.Actor, Date: day.String()})
	if err != nil {
		return effect, err
	}
	effect.Score = scores[len(scores)-1]
	return effect, nil
}

// fillActor sets the actor whose work a vote is about: the author of the commit, else of the last ACT.
func fillActor(ctx context.Context, tx pgx.Tx, v *ledger.Vote) error {
	name := "about"
	if v.Commit == "" {
		name = "last"
	}
	rows, _ := tx.Query(ctx, query(name), v.Commit)
	var commit, actor string
	n := 0
	if _, err := pgx.ForEachRow(rows, []any{&commit, &actor}, func() error { n++; return nil }); err != nil {
		return err
	}
	if v.Commit != "" && n != 1 {
		return fmt.Errorf("%w: %d commits that were reported begin with %q", repo.ErrNotFound, n, v.Commit)
	}
	v.Commit, v.Actor = commit, cmp.Or(strings.TrimSpace(v.Actor), actor)
	if v.Actor == "" {
		return ledger.ErrNobody
	}
	return nil
}
