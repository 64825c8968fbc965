package postgres

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/acta-git/acta/score"
)

// actorDay is a day of an actor that has to be added up again.
type actorDay struct {
	actor string
	day   score.Day
}

// payersSQL makes the new verdicts $1 the ones that a key pays, where no earlier one rests on it, and
// returns those that it paid before.
const payersSQL = `
WITH fresh AS (
    SELECT DISTINCT ON (k.key) k.key, v.id, v.at, v.rank, v.commit, v.place
    FROM verdict v CROSS JOIN LATERAL unnest(v.keys) AS k (key)
    WHERE v.id = ANY ($1) AND v.verdict = 'verified'
    ORDER BY k.key, v.at, v.rank, v.commit, v.place
), paid AS (
    SELECT p.verdict FROM proof p JOIN fresh f USING (key)
    WHERE (f.at, f.rank, f.commit, f.place) < (p.at, p.rank, p.commit, p.place)
), kept AS (
    INSERT INTO proof (key, verdict, at, rank, commit, place) SELECT key, id, at, rank, commit, place FROM fresh
    ON CONFLICT (key) DO UPDATE SET verdict = excluded.verdict, at = excluded.at, rank = excluded.rank,
        commit = excluded.commit, place = excluded.place
    WHERE (excluded.at, excluded.rank, excluded.commit, excluded.place) < (proof.at, proof.rank, proof.commit,
        proof.place)
)
SELECT DISTINCT verdict FROM paid`

// repeatsSQL finds the claims that do not hold and say again what the commit says that theirs was picked from, held no
// better there: among the new ones $1, and among those picked from them.
const repeatsSQL = `
WITH candidate AS (
    SELECT id FROM verdict WHERE id = ANY ($1) AND worth < 0 AND picked <> '{}'
    UNION
    SELECT id FROM verdict WHERE landed AND worth < 0 AND picked <> '{}'
        AND picked && (SELECT coalesce(array_agg(DISTINCT n.commit), '{}') FROM verdict n WHERE n.id = ANY ($1)
            AND n.worth < 0)
)
UPDATE verdict v SET repeats = true FROM candidate c
WHERE v.id = c.id AND NOT v.repeats AND EXISTS (
    SELECT 1 FROM verdict o WHERE o.landed AND o.commit = ANY (v.picked) AND o.unit = v.unit
        AND o.item_key = v.item_key AND o.worth <= v.worth)
RETURNING v.id`

// pointsSQL gives verdicts their points.
const pointsSQL = `
UPDATE verdict v SET points = CASE
    WHEN v.repeats THEN 0
    WHEN v.verdict = 'verified' AND NOT EXISTS (SELECT 1 FROM proof p WHERE p.verdict = v.id) THEN 0
    ELSE v.worth END
WHERE v.id = ANY ($1)
RETURNING v.actor, v.day - date '1970-01-01'`

// settle gives new verdicts their points, takes from others what these were first to earn, and returns the days
// that are concerned.
func settle(ctx context.Context, tx pgx.Tx, landed []int64) ([]actorDay, error) {
	if len(landed) == 0 {
		return nil, nil
	}
	concerned := slices.Clone(landed)
	for _, sql := range []string{payersSQL, repeatsSQL} {
		rows, err := tx.Query(ctx, sql, landed)
		if err != nil {
			return nil, err
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
		if err != nil {
			return nil, err
		}
		concerned = append(concerned, ids...)
	}
	rows, err := tx.Query(ctx, pointsSQL, concerned)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (d actorDay, err error) {
		return d, row.Scan(&d.actor, &d.day)
	})
}

// sumsSQL adds up the days $2 of the actors $1 again. Each is looked up by itself, so that no plan depends on what the
// database has learnt of the tables, which are empty when it starts.
const sumsSQL = `
WITH summed AS (
    SELECT c.actor, c.day, e.* FROM (
        SELECT DISTINCT actor, date '1970-01-01' + day AS day FROM unnest($1::text[], $2::integer[]) AS d (actor, day)
    ) c CROSS JOIN LATERAL (
        SELECT count(*) AS n, sum(points) AS score, count(*) FILTER (WHERE verdict = 'verified') AS verified,
            count(*) FILTER (WHERE verdict = 'not_verified') AS not_verified,
                count(*) FILTER (WHERE verdict = 'unclear') AS unclear,
            count(*) FILTER (WHERE contradiction) AS contradictions
        FROM (
            SELECT v.points, v.verdict, v.contradiction FROM verdict v WHERE v.actor = c.actor AND v.day = c.day
                AND v.landed AND NOT v.repeats
            UNION ALL
            SELECT v.points, '', false FROM vote v WHERE v.actor = c.actor AND v.day = c.day
        ) entry
    ) e
), gone AS (
    DELETE FROM standing s USING summed c WHERE c.n = 0 AND NOT s.everyone AND s.actor = c.actor AND s.day = c.day
)
INSERT INTO standing (everyone, actor, day, score, verified, not_verified, unclear, contradictions)
SELECT false, actor, day, score, verified, not_verified, unclear, contradictions FROM summed WHERE n > 0` + orUpdate

// everyoneSQL adds up the days $1 of everyone.
const everyoneSQL = `
WITH summed AS (
    SELECT c.day, e.* FROM (
        SELECT DISTINCT date '1970-01-01' + day AS day FROM unnest($1::integer[]) AS d (day)
    ) c CROSS JOIN LATERAL (
        SELECT count(*) AS n, sum(score) AS score, sum(verified) AS verified, sum(not_verified) AS not_verified,
            sum(unclear) AS unclear, sum(contradictions) AS contradictions
        FROM standing s WHERE NOT s.everyone AND s.day = c.day
    ) e
), gone AS (
    DELETE FROM standing s USING summed c WHERE c.n = 0 AND s.everyone AND s.actor = '' AND s.day = c.day
)
INSERT INTO standing (everyone, actor, day, score, verified, not_verified, unclear, contradictions)
SELECT true, '', day, score, verified, not_verified, unclear, contradictions FROM summed WHERE n > 0` + orUpdate

const orUpdate = `
ON CONFLICT (everyone, actor, day) DO UPDATE SET score = excluded.score, verified = excluded.verified,
    not_verified = excluded.not_verified,
    unclear = excluded.unclear, contradictions = excluded.contradictions`

// sumUp adds up days again, and replays who is concerned from the first of theirs on.
func sumUp(ctx context.Context, tx pgx.Tx, concerned []actorDay) error {
	if len(concerned) == 0 {
		return nil
	}
	var actors []string
	var days []int
	first := map[string]score.Day{}
	for _, c := range concerned {
		actors, days = append(actors, c.actor), append(days, int(c.day))
		if d, ok := first[c.actor]; !ok || c.day < d {
			first[c.actor] = c.day
		}
	}
	if _, err := tx.Exec(ctx, sumsSQL, actors, days); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, everyoneSQL, days); err != nil {
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
	_, err := tx.Exec(ctx, `
		WITH first AS (
			SELECT c.everyone, c.actor, (SELECT min(day) FROM standing s WHERE s.everyone = c.everyone
				AND s.actor = c.actor) AS day
			FROM unnest($1::boolean[], $2::text[]) AS c (everyone, actor)
		), gone AS (
			DELETE FROM actor a USING first f WHERE a.everyone = f.everyone AND a.name = f.actor AND f.day IS NULL
		)
		INSERT INTO actor (everyone, name, first_day) SELECT everyone, actor, day FROM first WHERE day IS NOT NULL
		ON CONFLICT (everyone, name) DO UPDATE SET first_day = excluded.first_day
			WHERE actor.first_day <> excluded.first_day`, everyone, actors)
	return err
}

// carriedSQL reads of the actors $1, $2 the days from $3 on, those before that a replay needs, and the last of these
// that something happened on, where it resumes.
const carriedSQL = `
SELECT c.everyone, c.actor, c.since, p.day - date '1970-01-01', p.floor, p.streak, s.day - date '1970-01-01', s.score,
    s.floor, s.streak
FROM unnest($1::boolean[], $2::text[], $3::integer[]) AS c (everyone, actor, since)
LEFT JOIN LATERAL (
    SELECT day, floor, streak FROM standing s
    WHERE s.everyone = c.everyone AND s.actor = c.actor AND s.day < date '1970-01-01' + c.since
        ORDER BY day DESC LIMIT 1
) p ON true
CROSS JOIN LATERAL (
    SELECT * FROM standing s WHERE s.everyone = c.everyone AND s.actor = c.actor
        AND s.day >= coalesce(p.day, date '1970-01-01' + c.since) - $4::integer OFFSET 0
) s
ORDER BY c.everyone, c.actor`

// carried is what carriedSQL reads of one actor.
type carried struct {
	since
	at    score.Checkpoint
	sums  map[score.Day]score.Sum
	known map[score.Day]score.Checkpoint
}

// carry replays the days of actors, and keeps what goes over into each.
func carry(ctx context.Context, tx pgx.Tx, who []since) error {
	everyone, actors, from := columns(who)
	rows, err := tx.Query(ctx, carriedSQL, everyone, actors, from, score.Window-1)
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
			at.Before = score.Lifetime{} // whoever reads it adds it up
			if at != c.known[at.Day] {
				everyone, actors, days = append(everyone, c.everyone), append(actors, c.actor), append(days, int(at.Day))
				floors, streaks = append(floors, at.Floor), append(streaks, at.Streak)
			}
		}
	}
	_, err = tx.Exec(ctx, `
		UPDATE standing s SET floor = c.floor, streak = c.streak
		FROM unnest($1::boolean[], $2::text[], $3::integer[], $4::integer[], $5::integer[]) AS c (everyone, actor, day,
			floor, streak)
		WHERE s.everyone = c.everyone AND s.actor = c.actor
			AND s.day = date '1970-01-01' + c.day`, everyone, actors, days, floors, streaks)
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
