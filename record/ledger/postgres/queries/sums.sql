-- Adds up the days $2 of the actors $1 again. Each is looked up by itself, so that no plan depends on what the
-- database has learnt of the tables, which are empty when it starts.
WITH summed AS (
    SELECT false AS everyone, c.actor, c.day, e.* FROM (
        SELECT DISTINCT actor, date '1970-01-01' + day AS day FROM unnest($1::text[], $2::integer[]) AS d (actor, day)
    ) c CROSS JOIN LATERAL (
        SELECT count(*) AS n, coalesce(sum(points), 0) AS score, count(*) FILTER (WHERE verdict = 'verified') AS verified,
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
),
