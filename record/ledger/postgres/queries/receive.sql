-- Keeps a report with its repository, and its verdicts that are not known yet.
WITH place AS (
    INSERT INTO repository (name, timezone) VALUES ($1, $2)
    ON CONFLICT (name) DO UPDATE SET timezone = CASE WHEN $3 THEN excluded.timezone ELSE repository.timezone END
    RETURNING id
), told AS (
    INSERT INTO report (repository, commit, policy_hash, range, release, landed) SELECT id, $4, $5, $6, $7, $3 FROM place
    ON CONFLICT (repository, commit, policy_hash) DO UPDATE SET landed = true WHERE excluded.landed
        AND NOT report.landed
)
INSERT INTO verdict (repository, commit, place, at, rank, day, policy_hash, release, actor, unit, item, item_key,
    required, verdict, contradiction, evidence, reason, keys, picked, landed, worth)
SELECT place.id, v.commit, v.index, v.time, v.rank, v.day, v.policy_hash, $7, v.actor, v.unit, v.item, v.item_key,
    v.required, v.verdict, v.contradiction, v.evidence, v.reason, coalesce(v.keys, '{}'), coalesce(v.picked, '{}'), $3,
    v.worth
FROM place, jsonb_to_recordset($8) AS v (commit text, index integer, "time" timestamptz, rank integer, day date,
    policy_hash text, actor text, unit text, item text, item_key text, required boolean, verdict text,
    contradiction boolean, evidence text, reason text, keys text[], picked text[], worth integer)
ON CONFLICT (commit, place) DO UPDATE SET landed = true WHERE excluded.landed AND NOT verdict.landed
RETURNING id, landed, xmax = 0
