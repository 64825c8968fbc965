package ledger

import (
	"time"

	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/score"
)

// What follows is for a Store that keeps what has been counted, where Repositories counts anew each time.

// Replay turns rows and votes, in any order, into what they earned, the oldest first.
func Replay(rows []Row, votes []Vote, zone *time.Location) []score.Entry {
	return entries(rows, votes, zone)
}

// Scores are those of an actor, "" for all together, for the days from one to another.
func Scores(replayed []score.Entry, actor string, from, to score.Day) []Score {
	return standings(replayed, actor, from, to)
}

// Worth is what the row's verdict is worth, whether or not it pays.
func (r *Row) Worth() int { return r.worth() }

// ItemKey is equal for items that are the same, however written.
func (r *Row) ItemKey() string { return plan.ItemKey(r.Item) }

// Event is the row as score counts it.
func (r *Row) Event(zone *time.Location) score.Event { return r.event(zone) }

// Worth is what the vote is worth.
func (v *Vote) Worth() int { return v.points() }

// Event is the vote as score counts it.
func (v *Vote) Event(zone *time.Location) score.Event { return v.event(zone) }

// PointOf is what an entry adds to its day, for readers.
func PointOf(e *score.Entry) Point { return point(e) }

// Day is the day that is asked about, in the ledger's time zone. The error is a *DateError.
func (q *Query) Day(zone *time.Location) (score.Day, error) { return q.day(zone) }

// History are the sums of one actor's days, as a Store keeps that does not replay everything for an answer.
type History struct {
	// Actor is "" for all together.
	Actor string
	// First is the first day on which something happened.
	First score.Day
	// At is where the replay begins, and Sums are those of the days that it needs; see score.Resume.
	At   score.Checkpoint
	Sums map[score.Day]score.Sum
}

// Scores are those of the days from one to another, the oldest first.
func (h *History) Scores(from, to score.Day) []Score {
	var out []Score
	for _, s := range score.Resume(h.Sums, h.At, from, to) {
		out = append(out, scoreOf(s, h.Actor, len(h.Sums) > 0 && h.First <= s.Day))
	}
	return out
}
