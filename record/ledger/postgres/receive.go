package postgres

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/score"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/ledger"
)

// writerLock is the advisory lock that writers hold to the end of their transaction: the points of a verdict depend on
// all others. The number is arbitrary.
const writerLock = 0x61637461

func (s *Store) change(ctx context.Context, f func(tx pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, writerLock); err != nil {
			return err
		}
		return f(tx)
	})
}

// receiveTimeout bounds the storing of a report: all others wait for it.
const receiveTimeout = time.Minute

// Receive implements ledger.Receiver.
func (s *Store) Receive(ctx context.Context, r *ledger.Report) (received ledger.Received, err error) {
	if err := r.Validate(); err != nil {
		return received, err
	}
	ctx, cancel := context.WithTimeout(ctx, receiveTimeout)
	defer cancel()
	return received, s.change(ctx, func(tx pgx.Tx) error {
		var landed []int64
		if received, landed, err = keepReport(ctx, tx, r); err != nil {
			return err
		}
		days, err := settle(ctx, tx, landed)
		if err != nil {
			return err
		}
		votes, err := keepVotes(ctx, tx, r)
		if err != nil {
			return err
		}
		return sumUp(ctx, tx, append(days, votes...))
	})
}

type verdictRecord struct {
	*ledger.ReportedVerdict
	ItemKey string `json:"item_key"`
	Worth   int    `json:"worth"`
}

// keepReport stores a report, and its verdicts that are new, or newly on the default branch. landed are the numbers of
// the rows that count from now on.
func keepReport(ctx context.Context, tx pgx.Tx, r *ledger.Report) (out ledger.Received, landed []int64, err error) {
	out.Verdicts = len(r.Verdicts)
	records := make([]verdictRecord, len(r.Verdicts))
	for i := range r.Verdicts {
		v := &r.Verdicts[i]
		records[i] = verdictRecord{v, plan.ItemKey(v.Item), v.Worth()}
	}
	data, err := json.Marshal(records)
	if err != nil {
		return out, nil, err
	}
	rows, err := tx.Query(ctx, query("receive"),
		r.Repository, r.Zone, r.IsLanded, r.Commit, r.PolicyHash, r.Range, r.Release, string(data))
	if err != nil {
		return out, nil, err
	}
	var id int64
	var counts, isNew bool
	_, err = pgx.ForEachRow(rows, []any{&id, &counts, &isNew}, func() error {
		if counts {
			landed = append(landed, id)
		}
		if isNew {
			out.New++
		}
		return nil
	})
	return out, landed, err
}

func keepVotes(ctx context.Context, tx pgx.Tx, r *ledger.Report) ([]actorDay, error) {
	zone, err := time.LoadLocation(r.Zone)
	if err != nil {
		return nil, err
	}
	var days []actorDay
	for _, v := range r.Votes() {
		kept, err := keepVote(ctx, tx, &v, score.DayOf(v.At.In(zone)))
		if err != nil {
			return nil, err
		}
		days = append(days, kept...)
	}
	return days, nil
}

// keepVote stores a vote, replacing an earlier one of its voter about the commit; no days if it is known, or not the
// latest.
func keepVote(ctx context.Context, tx pgx.Tx, v *ledger.Vote, day score.Day) (days []actorDay, err error) {
	rows, err := tx.Query(ctx, query("ballots"), v.Actor, v.Commit)
	if err != nil {
		return nil, err
	}
	type ballot struct {
		ID  string
		At  time.Time
		Day int
		By  string
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[ballot])
	if err != nil {
		return nil, err
	}
	for _, b := range all {
		if !policy.SameName(b.By, v.Voter) {
			continue
		}
		if cmp.Or(b.At.Compare(v.At), cmp.Compare(b.ID, v.ID)) >= 0 {
			return nil, nil
		}
		if _, err := tx.Exec(ctx, query("unvote"), b.ID); err != nil {
			return nil, err
		}
		days = append(days, actorDay{actor: v.Actor, day: score.Day(b.Day)})
	}
	tag, err := tx.Exec(ctx, query("vote"), v.ID, v.Word == ledger.Up, v.At, day.String(), v.Voter, v.Actor, v.Commit,
		v.Worth())
	if err != nil || tag.RowsAffected() == 0 {
		return nil, err
	}
	return append(days, actorDay{actor: v.Actor, day: day}), nil
}
