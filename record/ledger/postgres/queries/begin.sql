-- Keeps on which day the history of each actor begins; one without any is none.
WITH first AS (
    SELECT c.everyone, c.actor, (SELECT min(day) FROM standing s WHERE s.everyone = c.everyone
        AND s.actor = c.actor) AS day
    FROM unnest($1::boolean[], $2::text[]) AS c (everyone, actor)
), gone AS (
    DELETE FROM actor a USING first f WHERE a.everyone = f.everyone AND a.name = f.actor AND f.day IS NULL
)
INSERT INTO actor (everyone, name, first_day) SELECT everyone, actor, day FROM first WHERE day IS NOT NULL
ON CONFLICT (everyone, name) DO UPDATE SET first_day = excluded.first_day
    WHERE actor.first_day <> excluded.first_day
