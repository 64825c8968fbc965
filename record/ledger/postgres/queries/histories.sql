-- Reads of the actors that the condition at its end names what their scores of the days $1 to $2 need:
-- those days, the last before them on which something happened, where the replay resumes, the $3 days before that one,
-- and what all days before it add up to: all that there are without those since. OFFSET 0 keeps PostgreSQL from joining
-- all days first: each actor's few are found by the index.
SELECT a.name, a.first_day - date '1970-01-01', b.start - date '1970-01-01', s.day - date '1970-01-01',
       s.score, s.verified, s.not_verified, s.unclear, s.contradictions, s.floor, s.streak, l.score, l.verified,
           l.not_verified, l.contradictions
FROM actor a
CROSS JOIN LATERAL (
    SELECT coalesce((SELECT max(day) FROM standing s
        WHERE s.everyone = a.everyone AND s.actor = a.name
            AND s.day < date '1970-01-01' + $1::integer), a.first_day) AS start OFFSET 0
) b
CROSS JOIN LATERAL (
    SELECT a.score - coalesce(sum(s.score), 0) AS score, a.verified - coalesce(sum(s.verified), 0) AS verified,
        a.not_verified - coalesce(sum(s.not_verified), 0) AS not_verified,
        a.contradictions - coalesce(sum(s.contradictions), 0) AS contradictions
    FROM standing s WHERE s.everyone = a.everyone AND s.actor = a.name AND s.day >= b.start
) l
LEFT JOIN LATERAL (
    SELECT * FROM standing s WHERE s.everyone = a.everyone AND s.actor = a.name
        AND s.day BETWEEN b.start - $3::integer AND date '1970-01-01' + $2::integer OFFSET 0
) s ON true
WHERE
