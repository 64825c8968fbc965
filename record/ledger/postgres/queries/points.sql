-- Gives verdicts their points.
UPDATE verdict v SET points = CASE
    WHEN v.repeats THEN 0
    WHEN v.verdict = 'verified' AND NOT EXISTS (SELECT 1 FROM proof p WHERE p.verdict = v.id) THEN 0
    ELSE v.worth END
WHERE v.id = ANY ($1)
RETURNING v.actor, v.day - date '1970-01-01', v.repository
