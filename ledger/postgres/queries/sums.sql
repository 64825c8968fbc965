-- Adds up the days $2 of the actors $1 again. Each is looked up by itself, so that no plan depends on what the
-- database has learnt of the tables, which are empty when it starts.
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
SELECT false, actor, day, score, verified, not_verified, unclear, contradictions FROM summed WHERE n > 0
