-- +goose Up

-- What all days of an actor add up to, so that nobody has to read them all.
ALTER TABLE actor
    ADD COLUMN score          integer NOT NULL DEFAULT 0,
    ADD COLUMN verified       integer NOT NULL DEFAULT 0,
    ADD COLUMN not_verified   integer NOT NULL DEFAULT 0,
    ADD COLUMN contradictions integer NOT NULL DEFAULT 0;
UPDATE actor a SET score = s.score, verified = s.verified, not_verified = s.not_verified,
    contradictions = s.contradictions
FROM (
    SELECT everyone, actor, sum(score) AS score, sum(verified) AS verified, sum(not_verified) AS not_verified,
        sum(contradictions) AS contradictions
    FROM standing GROUP BY everyone, actor
) s
WHERE a.everyone = s.everyone AND a.name = s.actor;

-- +goose Down

ALTER TABLE actor DROP COLUMN score, DROP COLUMN verified, DROP COLUMN not_verified, DROP COLUMN contradictions;
