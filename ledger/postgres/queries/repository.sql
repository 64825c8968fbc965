INSERT INTO repository (name, timezone) VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET timezone = CASE WHEN $3 THEN excluded.timezone ELSE repository.timezone END
RETURNING id
