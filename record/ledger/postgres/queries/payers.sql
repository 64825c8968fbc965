-- Makes the new verdicts $1 the ones that a key pays, where no earlier one rests on it, and
-- returns those that it paid before.
WITH fresh AS (
    SELECT DISTINCT ON (k.key) k.key, v.id, v.at, v.rank, v.commit, v.place
    FROM verdict v CROSS JOIN LATERAL unnest(v.keys) AS k (key)
    WHERE v.id = ANY ($1) AND v.verdict = 'verified'
    ORDER BY k.key, v.at, v.rank, v.commit, v.place
), paid AS (
    SELECT p.verdict FROM proof p JOIN fresh f USING (key)
    WHERE (f.at, f.rank, f.commit, f.place) < (p.at, p.rank, p.commit, p.place)
), kept AS (
    INSERT INTO proof (key, verdict, at, rank, commit, place) SELECT key, id, at, rank, commit, place FROM fresh
    ON CONFLICT (key) DO UPDATE SET verdict = excluded.verdict, at = excluded.at, rank = excluded.rank,
        commit = excluded.commit, place = excluded.place
    WHERE (excluded.at, excluded.rank, excluded.commit, excluded.place) < (proof.at, proof.rank, proof.commit,
        proof.place)
)
SELECT DISTINCT verdict FROM paid
