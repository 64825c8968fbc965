package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/acta-git/acta/ledger"
	"github.com/acta-git/acta/score"
)

// writers is the advisory lock that who changes the ledger holds to the end of the transaction: what a verdict
// pays depends on all others. The number means nothing.
const writers = 0x61637461

// change runs a transaction that changes the ledger, one after the other.
func (s *Store) change(ctx context.Context, f func(tx pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, writers); err != nil {
			return err
		}
		return f(tx)
	})
}

// changed says that answers may differ from now on.
func changed(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, `UPDATE change SET n = n + 1`)
	return err
}

// Receive is of ledger.Receiver. Reports that come while others are kept are kept together, in one transaction: what a
// verdict changes of scores is most of the work, and is done once for all of them.
func (s *Store) Receive(ctx context.Context, r *ledger.Report) (ledger.Received, error) {
	if err := r.Validate(); err != nil {
		return ledger.Received{}, err
	}
	w := &waiting{report: r, done: make(chan struct{})}
	if s.queue.add(w) {
		// Others wait for it as well, so that it goes on where this one goes away.
		go s.queue.work(func(all []*waiting) { s.keepAll(context.WithoutCancel(ctx), all) })
	}
	select {
	case <-w.done:
		return w.received, w.err
	case <-ctx.Done():
		return ledger.Received{}, context.Cause(ctx)
	}
}

// maxKeeping is how long the database may take to keep reports: behind one that hangs all others wait.
const maxKeeping = time.Minute

// keepAll keeps reports together, or each by itself where the database refuses that: what is wrong with one is no
// other's matter.
func (s *Store) keepAll(ctx context.Context, all []*waiting) {
	bounded, cancel := context.WithTimeout(ctx, maxKeeping)
	err := s.keepTogether(bounded, all)
	cancel()
	if refused := (*pgconn.PgError)(nil); errors.As(err, &refused) && len(all) > 1 {
		for i := range all {
			s.keepAll(ctx, all[i:i+1])
		}
		return
	}
	for _, w := range all {
		w.err = err
		close(w.done)
	}
}

// keepTogether keeps reports in one transaction.
func (s *Store) keepTogether(ctx context.Context, all []*waiting) error {
	return s.change(ctx, func(tx pgx.Tx) error {
		landed, err := keepReports(ctx, tx, all)
		if err != nil {
			return err
		}
		days, err := settle(ctx, tx, landed)
		if err != nil {
			return err
		}
		for _, w := range all {
			votes, err := keepVotes(ctx, tx, w.report)
			if err != nil {
				return err
			}
			days = append(days, votes...)
		}
		return sumUp(ctx, tx, days)
	})
}

// verdictRecord is a reported verdict with what score makes of it by itself.
type verdictRecord struct {
	*ledger.ReportedVerdict
	ItemKey string `json:"item_key"`
	Worth   int    `json:"worth"`
}

// keepReports keeps reports, those of their verdicts that are not known yet, and that others have landed; all are sent
// to the database before it answers. landed are the numbers of the rows that count from now on.
func keepReports(ctx context.Context, tx pgx.Tx, all []*waiting) (landed []int64, err error) {
	var batch pgx.Batch
	statement := query("receive")
	for _, w := range all {
		r := w.report
		records := make([]verdictRecord, len(r.Verdicts))
		for i := range r.Verdicts {
			row := r.Verdicts[i].Row()
			records[i] = verdictRecord{&r.Verdicts[i], row.ItemKey(), row.Worth()}
		}
		data, err := json.Marshal(records)
		if err != nil {
			return nil, err
		}
		w.received = ledger.Received{Verdicts: len(r.Verdicts)}
		batch.Queue(statement,
			r.Repository, r.Zone, r.Landed, r.Commit, r.PolicyHash, r.Range, r.Release, string(data),
		).Query(func(rows pgx.Rows) error {
			var id int64
			var counts, isNew bool
			_, err := pgx.ForEachRow(rows, []any{&id, &counts, &isNew}, func() error {
				if counts {
					landed = append(landed, id)
				}
				if isNew {
					w.received.New++
				}
				return nil
			})
			return err
		})
	}
	return landed, tx.SendBatch(ctx, &batch).Close()
}

// keepVotes keeps the votes that are not known yet.
func keepVotes(ctx context.Context, tx pgx.Tx, r *ledger.Report) ([]actorDay, error) {
	zone, err := time.LoadLocation(r.Zone)
	if err != nil {
		return nil, err
	}
	var days []actorDay
	for i := range r.Feedback {
		v, _ := r.Feedback[i].Kept() // Validate has asked
		kept, err := keepVote(ctx, tx, &v, score.DayOf(v.At.In(zone)))
		if err != nil {
			return nil, err
		}
		days = append(days, kept...)
	}
	return days, nil
}

// keepVote keeps a vote; no days where it is known.
func keepVote(ctx context.Context, tx pgx.Tx, v *ledger.Vote, day score.Day) ([]actorDay, error) {
	tag, err := tx.Exec(ctx, query("vote"), v.ID, v.Up, v.At, day.String(), v.By, v.Actor, v.Commit, v.Worth())
	if err != nil || tag.RowsAffected() == 0 {
		return nil, err
	}
	return []actorDay{{actor: v.Actor, day: day}}, nil
}
