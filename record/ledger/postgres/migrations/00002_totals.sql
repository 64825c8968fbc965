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

-- What each actor's day adds up to in a repository, without votes, which are about an actor alone.
CREATE TABLE repository_day (
    repository     integer NOT NULL REFERENCES repository,
    day            date NOT NULL,
    actor          text COLLATE "C" NOT NULL,
    score          integer NOT NULL,
    verified       integer NOT NULL,
    not_verified   integer NOT NULL,
    unclear        integer NOT NULL,
    contradictions integer NOT NULL,
    PRIMARY KEY (repository, day, actor)
);
CREATE INDEX repository_day_day ON repository_day (day);
INSERT INTO repository_day
SELECT repository, day, actor, sum(points), count(*) FILTER (WHERE verdict = 'verified'),
    count(*) FILTER (WHERE verdict = 'not_verified'), count(*) FILTER (WHERE verdict = 'unclear'),
    count(*) FILTER (WHERE contradiction)
FROM verdict WHERE landed AND NOT repeats GROUP BY repository, day, actor;

-- +goose Down

DROP TABLE repository_day;
ALTER TABLE actor DROP COLUMN score, DROP COLUMN verified, DROP COLUMN not_verified, DROP COLUMN contradictions;
