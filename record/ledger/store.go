package ledger

import (
	"context"
	"time"

	"github.com/acta-git/acta/judge/score"
	"github.com/acta-git/acta/report"
)

// Store answers what pages, commands and other programs ask of a ledger. It is
// safe for use by several goroutines.
type Store interface {
	// Days are the scores of one actor, or of all together, for the day of the
	// query and so many before it, the oldest first.
	Days(ctx context.Context, q Query) ([]Score, error)
	// Leaderboard are the Days of every actor that has a history, by name.
	Leaderboard(ctx context.Context, q Query) ([][]Score, error)
	// Points are what the day of the query is made of, in the order in which it counts.
	Points(ctx context.Context, q Query) ([]Point, error)
	// AddFeedback keeps a person's vote, and tells what it does to the score of today.
	AddFeedback(ctx context.Context, v Vote) (Effect, error)
}

// Versioned is a Store whose answers may change for another reason than a repository.
type Versioned interface {
	// Version changes whenever an answer may.
	Version(ctx context.Context) (int64, error)
}

// ByRepository is a Store that tells one repository from another.
type ByRepository interface {
	// Repositories are what the days of the query add up to in each repository that had a verdict on one of them, by name.
	Repositories(ctx context.Context, q Query) ([]RepositoryDays, error)
}

// RepositoryDays are the days of one repository on which it had a verdict, the oldest first.
type RepositoryDays struct {
	Repository string          `json:"repository"`
	Days       []RepositoryDay `json:"days"`
}

// RepositoryDay is what the verdicts of a day add up to. Votes are about an actor and in no repository.
type RepositoryDay struct {
	Date           string `json:"date"`
	Points         int    `json:"points"`
	Verified       int    `json:"verified"`
	NotVerified    int    `json:"not_verified"`
	Unclear        int    `json:"unclear"`
	Contradictions int    `json:"contradictions"`
}

// Query says what is asked of a Store.
type Query struct {
	// Actor is whose score; "" is that of all together, which has a floor of its own.
	Actor string
	// Ref is the branch that work lands on, any revision; "" is the default branch, else HEAD.
	Ref string
	// Now is the time of the question: its day, in the ledger's time zone, is today.
	Now time.Time
	// Date is the day that is asked about, as YYYY-MM-DD; "" is today.
	Date string
	// Before is how many days before that one are asked for.
	Before int
}

// Score is one day of an actor, as `acta score --format json` prints it.
type Score struct {
	// Actor is "" for all together.
	Actor string `json:"actor"`
	// Date is the day, YYYY-MM-DD.
	Date string `json:"date"`
	// Score is nil where there is no history up to the day: that is no score, not 0.
	Score *int `json:"score"`
	// Target is what the day is measured by; Floor is the highest target up to it.
	Target int `json:"target"`
	Floor  int `json:"floor"`
	// Penalty and Reward are tiers.
	Penalty string `json:"penalty"`
	Reward  string `json:"reward"`
	// Interval is the time between two heartbeats, in minutes.
	Interval int `json:"interval_minutes"`
	// Streak counts the days in a row before this one that each reached 70% of their target.
	Streak int `json:"streak"`
	// Verified to Contradictions count the claims of the day by verdict, those that pay nothing included.
	Verified       int `json:"verified"`
	NotVerified    int `json:"not_verified"`
	Unclear        int `json:"unclear"`
	Contradictions int `json:"contradictions"`
	// Local are those of the points that only this machine's logs know of.
	Local int `json:"local"`
	// Lifetime is what all days up to this one add up to.
	Lifetime score.Lifetime `json:"lifetime"`
}

// Source is where a row comes from.
type Source string

// The sources. Only what has landed is the same on every machine.
const (
	Landed    Source = "landed"
	Refused   Source = "refused"
	Heartbeat Source = "heartbeat"
)

// Row is one verdict.
type Row struct {
	Source Source
	// Commit is a full id; "" for what is no commit.
	Commit string
	// Time is when it counts: of what landed the committer's time, else when it was recorded.
	Time time.Time
	// Rank orders commits of one second, parents before children; Index orders the rows of a commit.
	Rank, Index   int
	Actor         string
	Unit, Item    string
	Required      bool
	Verdict       report.Verdict
	Contradiction bool
	// Evidence is the list as cited, Reason why it is not verified.
	Evidence, Reason string
	// Keys identify what a verified claim cites. What is paid for once is not paid for again.
	Keys []string
	// Picked are the commits that the row's was cherry-picked from.
	Picked []string
	// Void is that of score.Event.
	Void bool
}

// Vote is a person's feedback.
type Vote struct {
	// ID tells the vote from others, wherever it is kept; see NewVoteID.
	ID string
	Up bool
	At time.Time
	// By is who gave it, Actor whose work it is about, Commit the full id of what it is about, "" for nothing in
	// particular.
	By, Actor, Commit string
	// Local: only this machine's log has it.
	Local bool
	// Void is that of score.Event.
	Void bool
}

// Effect is what a vote did.
type Effect struct {
	// Delta are its points.
	Delta int
	// Score is the actor's, today, after it.
	Score Score
	// Warnings say what is not kept as it should be.
	Warnings []string
}

// Point is what one row or vote adds to a day.
type Point struct {
	Date   string    `json:"date"`
	Time   time.Time `json:"time"`
	Points int       `json:"points"`
	// Local: only this machine knows of it.
	Local bool   `json:"local"`
	Actor string `json:"actor"`
	// Commit, Unit and Item are "" where there is none.
	Commit string `json:"commit"`
	Unit   string `json:"unit"`
	Item   string `json:"item"`
	// What is the verdict, or «thumbs up» or «thumbs down».
	What          string `json:"what"`
	Contradiction bool   `json:"contradiction"`
	// Why says why it pays nothing, or why it is not verified, or who gave the vote.
	Why string `json:"why"`
}
