package postgres

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/score"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/ledger"
	"github.com/jackc/pgx/v5"
)

// actorDay is an actor's day whose totals must be computed again.
type actorDay struct {
	actor string
	day   score.Day
	// repository is the verdict's source, 0 for a vote.
	repository int
}

// settle sets the points of new verdicts, removes those of others that the new ones precede, and returns the affected
// days.
func settle(ctx context.Context, tx pgx.Tx, landed []int64) ([]actorDay, error) {
	if len(landed) == 0 {
		return nil, nil
	}
	affected := slices.Clone(landed)
	for _, name := range []string{"payers", "repeats"} {
		rows, _ := tx.Query(ctx, query(name), landed)
		ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
		if err != nil {
			return nil, err
		}
		affected = append(affected, ids...)
	}
	rows, _ := tx.Query(ctx, query("points"), affected)
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (d actorDay, err error) {
		return d, row.Scan(&d.actor, &d.day, &d.repository)
	})
}

// sumUp computes days again, and replays each affected actor from its first such day on.
func sumUp(ctx context.Context, tx pgx.Tx, affected []actorDay) error {
	if len(affected) == 0 {
		return nil
	}
	var actors []string
	var days, repositories []int
	first := map[string]score.Day{}
	for _, c := range affected {
		actors, days, repositories = append(actors, c.actor), append(days, int(c.day)), append(repositories, c.repository)
		if d, ok := first[c.actor]; !ok || c.day < d {
			first[c.actor] = c.day
		}
	}
	if _, err := tx.Exec(ctx, query("sums")+query("keep_days"), actors, days); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, query("everyone")+query("keep_days"), days); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, query("repository_days"), repositories, actors, days); err != nil {
		return err
	}
	everyone, names, from := []bool{true}, []string{""}, []int{slices.Min(days)}
	for actor, day := range first {
		everyone, names, from = append(everyone, false), append(names, actor), append(from, int(day))
	}
	// The first day of each actor's history is stored; actors without days are removed.
	if _, err := tx.Exec(ctx, query("begin"), everyone, names); err != nil {
		return err
	}
	if err := carryCheckpoints(ctx, tx, everyone, names, from); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `UPDATE change SET n = n + 1`)
	return err
}

// actorSince is an actor, or everyone, whose days since one are replayed.
type actorSince struct {
	everyone bool
	actor    string
	from     score.Day
}

type carriedActor struct {
	actorSince
	checkpoint score.Checkpoint
	sums       map[score.Day]score.Sum
	stored     map[score.Day]score.Checkpoint
}

// carryCheckpoints replays the days of actors, and stores the checkpoint of each day.
func carryCheckpoints(ctx context.Context, tx pgx.Tx, everyone []bool, actors []string, from []int) error {
	rows, _ := tx.Query(ctx, query("carried"), everyone, actors, from, score.Window-1)
	all, err := collectCarried(rows)
	if err != nil {
		return err
	}
	everyone, actors = nil, nil
	var days, floors, streaks []int
	for _, c := range all {
		for _, at := range score.Checkpoints(c.sums, c.checkpoint) {
			at.Lifetime = score.Lifetime{} // readers add it up
			if at != c.stored[at.Day] {
				everyone, actors, days = append(everyone, c.everyone), append(actors, c.actor), append(days, int(at.Day))
				floors, streaks = append(floors, at.Floor), append(streaks, at.Streak)
			}
		}
	}
	_, err = tx.Exec(ctx, query("carry"), everyone, actors, days, floors, streaks)
	return err
}

func collectCarried(rows pgx.Rows) ([]*carriedActor, error) {
	var all []*carriedActor
	var w actorSince
	var last *score.Day
	var floor, streak *int
	var day score.Day
	var points int
	var known score.Checkpoint
	_, err := pgx.ForEachRow(rows, []any{
		&w.everyone, &w.actor, &w.from, &last, &floor, &streak, &day, &points, &known.Floor, &known.Streak,
	}, func() error {
		if len(all) == 0 || all[len(all)-1].actorSince != w {
			c := &carriedActor{w, score.Beginning(w.from), map[score.Day]score.Sum{}, map[score.Day]score.Checkpoint{}}
			if last != nil {
				c.checkpoint = score.Checkpoint{Day: *last, Floor: *floor, Streak: *streak}
			}
			all = append(all, c)
		}
		c := all[len(all)-1]
		known.Day = day
		c.sums[day], c.stored[day] = score.Sum{Score: points, Bar: points}, known
		return nil
	})
	return all, err
}

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

// Receive implements ledger.SharedStore.
func (s *Store) Receive(ctx context.Context, r *ledger.Report) (received ledger.Received, err error) {
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
	rows, _ := tx.Query(ctx, query("receive"),
		r.Repository, r.Zone, r.IsLanded, r.Commit, r.PolicyHash, r.Range, r.Release, string(data))
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
	rows, _ := tx.Query(ctx, query("ballots"), v.Actor, v.Commit)
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
