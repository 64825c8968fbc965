// Package ledger keeps the basis of scores: verdicts of claims on the branch, verdicts of refused claims, and people's
// votes on the work.
//
// No edit can improve a score: claims are read from the repositories each time, and judged from git alone. A cache
// saves judging old commits, and is checked against git on every use; see branchReader.
//
// A Store keeps it. Repositories is the Store that needs only git.
package ledger

import (
	"context"
	"time"

	"github.com/acta-git/acta/judge/score"
)

// Store answers the questions of pages, commands and other programs. Several goroutines may use it.
type Store interface {
	// Days are the scores of one actor, or of all together, on the day of the query and so many days before it, the
	// oldest first.
	Days(ctx context.Context, q Query) ([]Score, error)
	// Leaderboard are the Days of all together, and of every actor with a history, by name.
	Leaderboard(ctx context.Context, q Query) (total []Score, actors [][]Score, err error)
	// Points are the points of the day of the query, in the order in which they count.
	Points(ctx context.Context, q Query) ([]Point, error)
	// AddFeedback stores a person's vote, and returns its effect on today's score.
	AddFeedback(ctx context.Context, v Vote) (Effect, error)
}

// SharedStore is a Store of all repositories that send reports to it.
type SharedStore interface {
	Store
	// Version changes whenever an answer may.
	Version(ctx context.Context) (int64, error)
	// Repositories are the totals of the query's days in each repository with a verdict on one of them, by name.
	Repositories(ctx context.Context, q Query) ([]RepositoryDays, error)
	// Receive stores a report that Validate accepts.
	Receive(ctx context.Context, r *Report) (Received, error)
}

// RepositoryDays are the days of one repository with a verdict, the oldest first.
type RepositoryDays struct {
	Repository string          `json:"repository"`
	Days       []RepositoryDay `json:"days"`
}

// RepositoryDay is the totals of a day's verdicts. Votes belong to no repository.
type RepositoryDay struct {
	Date           string `json:"date"`
	Points         int    `json:"points"`
	Verified       int    `json:"verified"`
	NotVerified    int    `json:"not_verified"`
	Unclear        int    `json:"unclear"`
	Contradictions int    `json:"contradictions"`
}

// Query is a question to a Store.
type Query struct {
	// Actor is the actor; "" is all together, which have a floor of their own.
	Actor string
	// Ref is the branch that counts, any revision; "" is the default branch, else HEAD.
	Ref string
	// Now is the time of the question; its day in the ledger's time zone is today.
	Now time.Time
	// Date is the day of the query, as YYYY-MM-DD; "" is today.
	Date string
	// PastDays is how many earlier days the answer includes.
	PastDays int
}

// Score is one day of an actor, as `acta score --format json` prints it.
type Score struct {
	// Actor is "" for all together.
	Actor string `json:"actor"`
	// Date is the day, YYYY-MM-DD.
	Date string `json:"date"`
	// Score is nil without history up to the day: that is no score, not 0.
	Score *int `json:"score"`
	// Target is the day's goal; Floor is the highest target up to it.
	Target int `json:"target"`
	Floor  int `json:"floor"`
	// Penalty and Reward are tiers.
	Penalty string `json:"penalty"`
	Reward  string `json:"reward"`
	// Interval is the time between two heartbeats, in minutes.
	Interval int `json:"interval_minutes"`
	// Streak counts the consecutive earlier days that reached 70% of their target.
	Streak int `json:"streak"`
	// Verified to Contradictions count the claims of the day by verdict, including those that pay nothing.
	Verified       int `json:"verified"`
	NotVerified    int `json:"not_verified"`
	Unclear        int `json:"unclear"`
	Contradictions int `json:"contradictions"`
	// Local are the points that only this machine's logs know.
	Local int `json:"local"`
	// Lifetime is the totals of all days up to this one.
	Lifetime score.Lifetime `json:"lifetime"`
}

// Row is a verdict. Only rows of kind score.Landed are the same on every machine.
type Row = score.Event

// Vote is a person's feedback. Its JSON is that of a report, of a note, and of the log's params.
type Vote struct {
	// ID identifies the vote everywhere; see NewVoteID.
	ID string `json:"id"`
	// Word is Up or Down.
	Word  string    `json:"vote"`
	At    time.Time `json:"at"`
	Voter string    `json:"by"`
	// Actor is the actor concerned, Commit the full id of the commit concerned, "" for none.
	Actor  string `json:"actor"`
	Commit string `json:"commit,omitempty"`
	// IsLocal: only this machine's log has it.
	IsLocal bool `json:"-"`
	// IsVoid is that of score.Event.
	IsVoid bool `json:"-"`
}

// Effect is the effect of a vote.
type Effect struct {
	// Delta is its points.
	Delta int
	// Score is the actor's score of today, with the vote.
	Score Score
	// Warnings say what was not stored.
	Warnings []string
}

// Point is what one row or vote adds to a day.
type Point struct {
	Date   string    `json:"date"`
	Time   time.Time `json:"time"`
	Points int       `json:"points"`
	// IsLocal: only this machine knows of it.
	IsLocal bool   `json:"local"`
	Actor   string `json:"actor"`
	// Commit, Unit and Item may be "".
	Commit string `json:"commit"`
	Unit   string `json:"unit"`
	Item   string `json:"item"`
	// Label is the verdict, or «thumbs up» or «thumbs down».
	Label           string `json:"what"`
	IsContradiction bool   `json:"contradiction"`
	// Reason says why it pays nothing, why it is not verified, or who voted.
	Reason string `json:"why"`
}
