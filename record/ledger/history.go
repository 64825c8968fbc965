package ledger

import (
	"github.com/acta-git/acta/judge/score"
	"github.com/acta-git/acta/plan"
)

// ItemKey is equal for items that are the same, however written.
func (r *Row) ItemKey() string { return plan.ItemKey(r.Item) }

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
