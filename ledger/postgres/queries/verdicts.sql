INSERT INTO verdict (repository, commit, place, at, rank, day, policy_hash, release, actor, unit, item, item_key,
    required, verdict, contradiction, evidence, reason, keys, picked, landed, worth)
SELECT $1, v.commit, v.index, v.time, v.rank, v.day, v.policy_hash, $3, v.actor, v.unit, v.item, v.item_key,
    v.required, v.verdict, v.contradiction, v.evidence, v.reason, coalesce(v.keys, '{}'), coalesce(v.picked, '{}'), $4,
        v.worth
FROM jsonb_to_recordset($2) AS v (commit text, index integer, "time" timestamptz, rank integer, day date,
    policy_hash text, actor text,
    unit text, item text, item_key text, required boolean, verdict text, contradiction boolean, evidence text,
        reason text,
    keys text[], picked text[], worth integer)
ON CONFLICT (commit, place) DO UPDATE SET landed = true WHERE excluded.landed AND NOT verdict.landed
RETURNING id, landed, xmax = 0
