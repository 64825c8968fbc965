-- Adds up the days $1 of everyone.
WITH summed AS (
    SELECT true AS everyone, '' AS actor, c.day, e.* FROM (
        SELECT DISTINCT date '1970-01-01' + day AS day FROM unnest($1::integer[]) AS d (day)
    ) c CROSS JOIN LATERAL (
        SELECT count(*) AS n, coalesce(sum(score), 0) AS score, coalesce(sum(verified), 0) AS verified,
            coalesce(sum(not_verified), 0) AS not_verified, coalesce(sum(unclear), 0) AS unclear,
            coalesce(sum(contradictions), 0) AS contradictions
        FROM standing s WHERE NOT s.everyone AND s.day = c.day
    ) e
),
