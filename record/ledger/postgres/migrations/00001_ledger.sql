-- +goose Up

CREATE TABLE repository (
    id       integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name     text COLLATE "C" NOT NULL UNIQUE,
    timezone text NOT NULL
);

-- What was reported, once for each commit and the policy that judged what it brings.
CREATE TABLE report (
    repository  integer NOT NULL REFERENCES repository,
    commit      text COLLATE "C" NOT NULL,
    policy_hash text NOT NULL,
    range       text NOT NULL,
    release     text NOT NULL,
    landed      boolean NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (repository, commit, policy_hash)
);

-- A row a verdict. A claim is the same in every repository that holds its commit.
CREATE TABLE verdict (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    repository    integer NOT NULL REFERENCES repository, -- that first reported it
    commit        text COLLATE "C" NOT NULL,
    place         integer NOT NULL, -- among the claims of the commit
    at            timestamptz NOT NULL,
    rank          integer NOT NULL, -- orders commits of one second
    day           date NOT NULL,
    policy_hash   text NOT NULL,
    release       text NOT NULL,
    actor         text COLLATE "C" NOT NULL,
    unit          text COLLATE "C" NOT NULL,
    item          text NOT NULL,
    item_key      text COLLATE "C" NOT NULL, -- equal for one item, however written
    required      boolean NOT NULL,
    verdict       text NOT NULL CHECK (verdict IN ('verified', 'not_verified', 'unclear', 'skipped')),
    contradiction boolean NOT NULL,
    evidence      text NOT NULL,
    reason        text NOT NULL,
    keys          text[] COLLATE "C" NOT NULL,
    picked        text[] COLLATE "C" NOT NULL, -- the commits that this one was cherry-picked from
    landed        boolean NOT NULL,
    worth         integer NOT NULL, -- by itself
    repeats       boolean NOT NULL DEFAULT false, -- says again what a commit says that it was picked from
    points        integer NOT NULL DEFAULT 0, -- what it earned
    UNIQUE (commit, place)
);
CREATE INDEX verdict_actor_day ON verdict (actor, day);
CREATE INDEX verdict_day ON verdict (day);
CREATE INDEX verdict_order ON verdict (at, rank, commit, place) WHERE landed;
CREATE INDEX verdict_picked ON verdict USING gin (picked) WHERE picked <> '{}';

-- Of each key the first verdict that rests on it, which alone it pays.
CREATE TABLE proof (
    key     text COLLATE "C" PRIMARY KEY,
    verdict bigint NOT NULL,
    at      timestamptz NOT NULL,
    rank    integer NOT NULL,
    commit  text COLLATE "C" NOT NULL,
    place   integer NOT NULL
);
CREATE INDEX proof_verdict ON proof (verdict);

CREATE TABLE vote (
    id     text COLLATE "C" PRIMARY KEY,
    up     boolean NOT NULL,
    at     timestamptz NOT NULL,
    day    date NOT NULL,
    by     text NOT NULL,
    actor  text COLLATE "C" NOT NULL,
    commit text COLLATE "C" NOT NULL, -- '' for no commit in particular
    points integer NOT NULL
);
CREATE INDEX vote_actor_day ON vote (actor, day);
CREATE INDEX vote_day ON vote (day);

-- What each day of an actor adds up to, and that of everyone together; kept true by what changes a verdict or a vote.
CREATE TABLE standing (
    everyone       boolean NOT NULL,
    actor          text COLLATE "C" NOT NULL, -- '' for everyone
    day            date NOT NULL,
    score          integer NOT NULL,
    verified       integer NOT NULL,
    not_verified   integer NOT NULL,
    unclear        integer NOT NULL,
    contradictions integer NOT NULL,
    floor          integer NOT NULL DEFAULT 0, -- of the days before
    streak         integer NOT NULL DEFAULT 0, -- of the days before
    PRIMARY KEY (everyone, actor, day)
);
CREATE INDEX standing_day ON standing (day) WHERE NOT everyone;

CREATE TABLE actor (
    everyone  boolean NOT NULL,
    name      text COLLATE "C" NOT NULL,
    first_day date NOT NULL,
    PRIMARY KEY (everyone, name)
);

-- One row: how often something has changed.
CREATE TABLE change (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    n   bigint NOT NULL
);
INSERT INTO change (n) VALUES (0);

-- +goose Down

DROP TABLE change, actor, standing, vote, proof, verdict, report, repository;
