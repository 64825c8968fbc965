package postgres

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/acta-git/acta/judge/score"
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
		rows, err := tx.Query(ctx, query(name), landed)
		if err != nil {
			return nil, err
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
		if err != nil {
			return nil, err
		}
		affected = append(affected, ids...)
	}
	rows, err := tx.Query(ctx, query("points"), affected)
	if err != nil {
		return nil, err
	}
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
	rows, err := tx.Query(ctx, query("carried"), everyone, actors, from, score.Window-1)
	if err != nil {
		return err
	}
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
	defer rows.Close()
	var all []*carriedActor
	for rows.Next() {
		var w actorSince
		var last *score.Day
		var floor, streak *int
		var day score.Day
		var points int
		var known score.Checkpoint
		if err := rows.Scan(&w.everyone, &w.actor, &w.from, &last, &floor, &streak, &day, &points, &known.Floor,
			&known.Streak); err != nil {
			return nil, err
		}
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
	}
	return all, rows.Err()
}
