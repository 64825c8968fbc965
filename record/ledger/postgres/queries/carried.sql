-- Reads of the actors $1, $2 the days from $3 on, those before that a replay needs, and the last of these
-- that something happened on, where it resumes.
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
ORDER BY c.everyone, c.actor
