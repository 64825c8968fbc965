INSERT INTO vote (id, up, at, day, by, actor, commit, points) VALUES ($1, $2, $3, $4::date, $5, $6, $7, $8)
ON CONFLICT (id) DO NOTHING
