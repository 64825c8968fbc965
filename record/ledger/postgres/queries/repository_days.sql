-- Adds up the days $3 of the actors $2 in the repositories $1 again. What an actor did on a day is found by the index of
-- that, in whatever repository.
WITH summed AS (
    SELECT c.repository, c.day, c.actor, e.* FROM (
        SELECT DISTINCT repository, actor, date '1970-01-01' + day AS day
        FROM unnest($1::integer[], $2::text[], $3::integer[]) AS d (repository, actor, day)
    ) c CROSS JOIN LATERAL (
        SELECT count(*) AS n, sum(v.points) AS score, count(*) FILTER (WHERE v.verdict = 'verified') AS verified,
            count(*) FILTER (WHERE v.verdict = 'not_verified') AS not_verified,
            count(*) FILTER (WHERE v.verdict = 'unclear') AS unclear,
            count(*) FILTER (WHERE v.contradiction) AS contradictions
        FROM verdict v WHERE v.actor = c.actor AND v.day = c.day AND v.repository = c.repository
            AND v.landed AND NOT v.repeats
    ) e
), gone AS (
    DELETE FROM repository_day r USING summed c
    WHERE c.n = 0 AND r.repository = c.repository AND r.day = c.day AND r.actor = c.actor
)
INSERT INTO repository_day (repository, day, actor, score, verified, not_verified, unclear, contradictions)
SELECT repository, day, actor, score, verified, not_verified, unclear, contradictions FROM summed WHERE n > 0
ON CONFLICT (repository, day, actor) DO UPDATE SET score = excluded.score, verified = excluded.verified,
    not_verified = excluded.not_verified, unclear = excluded.unclear, contradictions = excluded.contradictions
