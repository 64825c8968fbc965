-- Adds up the days $1 of everyone.
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
SELECT true, '', day, score, verified, not_verified, unclear, contradictions FROM summed WHERE n > 0
