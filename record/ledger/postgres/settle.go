package postgres

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/acta-git/acta/judge/score"
)

// actorDay is a day of an actor that has to be added up again.
type actorDay struct {
	actor string
	day   score.Day
	// repository is where a verdict came from, 0 for a vote.
	repository int
}

// settle gives new verdicts their points, takes from others what these were first to earn, and returns the days
// that are concerned.
func settle(ctx context.Context, tx pgx.Tx, landed []int64) ([]actorDay, error) {
	if len(landed) == 0 {
		return nil, nil
	}
	concerned := slices.Clone(landed)
	for _, which := range []string{"payers", "repeats"} {
		rows, err := tx.Query(ctx, query(which), landed)
		if err != nil {
			return nil, err
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
		if err != nil {
			return nil, err
		}
		concerned = append(concerned, ids...)
	}
	rows, err := tx.Query(ctx, query("points"), concerned)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (d actorDay, err error) {
		return d, row.Scan(&d.actor, &d.day, &d.repository)
	})
}

// sumUp adds up days again, and replays who is concerned from the first of theirs on.
func sumUp(ctx context.Context, tx pgx.Tx, concerned []actorDay) error {
	if len(concerned) == 0 {
		return nil
	}
	var actors []string
	var days, repositories []int
	first := map[string]score.Day{}
	for _, c := range concerned {
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
	who := []since{{everyone: true, from: score.Day(slices.Min(days))}}
	for actor, day := range first {
		who = append(who, since{actor: actor, from: day})
	}
	if err := begin(ctx, tx, who); err != nil {
		return err
	}
	if err := carry(ctx, tx, who); err != nil {
		return err
	}
	return changed(ctx, tx)
}

// since is an actor, or everyone, whose days have changed from one on.
type since struct {
	everyone bool
	actor    string
	from     score.Day
}

// columns are those of actors for unnest.
func columns(who []since) (everyone []bool, actors []string, from []int) {
	for _, w := range who {
		everyone, actors, from = append(everyone, w.everyone), append(actors, w.actor), append(from, int(w.from))
	}
	return everyone, actors, from
}

// begin keeps on which day the history of each actor begins; one without any is none.
func begin(ctx context.Context, tx pgx.Tx, who []since) error {
	everyone, actors, _ := columns(who)
	_, err := tx.Exec(ctx, query("begin"), everyone, actors)
	return err
}

// carried is what the query of that name reads of one actor.
type carried struct {
	since
	at    score.Checkpoint
	sums  map[score.Day]score.Sum
	known map[score.Day]score.Checkpoint
}

// carry replays the days of actors, and keeps what goes over into each.
func carry(ctx context.Context, tx pgx.Tx, who []since) error {
	everyone, actors, from := columns(who)
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
		for _, at := range score.Checkpoints(c.sums, c.at) {
			at.Lifetime = score.Lifetime{} // whoever reads it adds it up
			if at != c.known[at.Day] {
				everyone, actors, days = append(everyone, c.everyone), append(actors, c.actor), append(days, int(at.Day))
				floors, streaks = append(floors, at.Floor), append(streaks, at.Streak)
			}
		}
	}
	_, err = tx.Exec(ctx, query("carry"), everyone, actors, days, floors, streaks)
	return err
}

func collectCarried(rows pgx.Rows) ([]*carried, error) {
	defer rows.Close()
	var all []*carried
	for rows.Next() {
		var w since
		var last *score.Day
		var floor, streak *int
		var day score.Day
		var points int
		var known score.Checkpoint
		if err := rows.Scan(&w.everyone, &w.actor, &w.from, &last, &floor, &streak, &day, &points, &known.Floor,
			&known.Streak); err != nil {
			return nil, err
		}
		if len(all) == 0 || all[len(all)-1].since != w {
			c := &carried{w, score.Beginning(w.from), map[score.Day]score.Sum{}, map[score.Day]score.Checkpoint{}}
			if last != nil {
				c.at = score.Checkpoint{Day: *last, Floor: *floor, Streak: *streak}
			}
			all = append(all, c)
		}
		c := all[len(all)-1]
		known.Day = day
		c.sums[day], c.known[day] = score.Sum{Score: points, Bar: points}, known
	}
	return all, rows.Err()
}
