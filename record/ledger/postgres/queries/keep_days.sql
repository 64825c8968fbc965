-- Keeps the days that a query before it has summed, none where nothing happened any more, and adds what they were not
-- before to what all days add up to. All parts of a statement see the tables as they were before it.
total AS (
    INSERT INTO actor (everyone, name, first_day, score, verified, not_verified, contradictions)
    SELECT c.everyone, c.actor, min(c.day), sum(c.score - coalesce(o.score, 0)),
        sum(c.verified - coalesce(o.verified, 0)), sum(c.not_verified - coalesce(o.not_verified, 0)),
        sum(c.contradictions - coalesce(o.contradictions, 0))
    FROM summed c LEFT JOIN LATERAL (
        SELECT * FROM standing s WHERE s.everyone = c.everyone AND s.actor = c.actor AND s.day = c.day
    ) o ON true
    GROUP BY c.everyone, c.actor
    ON CONFLICT (everyone, name) DO UPDATE SET score = actor.score + excluded.score,
        verified = actor.verified + excluded.verified, not_verified = actor.not_verified + excluded.not_verified,
        contradictions = actor.contradictions + excluded.contradictions
), gone AS (
    DELETE FROM standing s USING summed c
    WHERE c.n = 0 AND s.everyone = c.everyone AND s.actor = c.actor AND s.day = c.day
)
INSERT INTO standing (everyone, actor, day, score, verified, not_verified, unclear, contradictions)
SELECT everyone, actor, day, score, verified, not_verified, unclear, contradictions FROM summed WHERE n > 0
ON CONFLICT (everyone, actor, day) DO UPDATE SET score = excluded.score, verified = excluded.verified,
    not_verified = excluded.not_verified, unclear = excluded.unclear, contradictions = excluded.contradictions
