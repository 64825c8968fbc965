-- Finds the claims that do not hold and say again what the commit says that theirs was picked from, held no
-- better there: among the new ones $1, and among those picked from them.
WITH candidate AS (
    SELECT id FROM verdict WHERE id = ANY ($1) AND worth < 0 AND picked <> '{}'
    UNION
    SELECT id FROM verdict WHERE landed AND worth < 0 AND picked <> '{}'
        AND picked && (SELECT coalesce(array_agg(DISTINCT n.commit), '{}') FROM verdict n WHERE n.id = ANY ($1)
            AND n.worth < 0)
)
UPDATE verdict v SET repeats = true FROM candidate c
WHERE v.id = c.id AND NOT v.repeats AND EXISTS (
    SELECT 1 FROM verdict o WHERE o.landed AND o.commit = ANY (v.picked) AND o.unit = v.unit
        AND o.item_key = v.item_key AND o.worth <= v.worth)
RETURNING v.id
