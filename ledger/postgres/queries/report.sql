INSERT INTO report (repository, commit, policy_hash, range, release, landed) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (repository, commit, policy_hash) DO UPDATE SET landed = true WHERE excluded.landed
    AND NOT report.landed
