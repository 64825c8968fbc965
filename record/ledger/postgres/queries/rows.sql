-- Reads verdicts that have landed, with what they earned.
SELECT commit, at, rank, place, actor, unit, item, required, verdict, contradiction, evidence, reason, keys, picked,
    points, day - date '1970-01-01'
FROM verdict WHERE landed
