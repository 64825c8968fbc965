package ledger

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/score"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

// Replay turns rows and votes, in any order, into their points, the oldest first.
func Replay(rows []Row, votes []Vote, zone *time.Location) []score.Entry {
	events := make([]score.Event, 0, len(rows)+len(votes))
	isRepeated := repetitions(rows)
	for i := range rows {
		if e := rows[i]; !isRepeated(&e) {
			e.Day, e.IsLocal = score.DayOf(e.Time.In(zone)), e.Kind != score.Landed
			events = append(events, e)
		}
	}
	for _, v := range uniqueVotes(votes) {
		events = append(events, v.Event(zone))
	}
	return score.Entries(events)
}

// sortRows sorts rows into the order in which they count, without duplicates: by time, then by rank and id of the
// commit. The order of arrival does not matter.
func sortRows(rows []Row) []Row {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Time.Unix(), b.Time.Unix()), cmp.Compare(a.Rank, b.Rank),
			cmp.Compare(a.Commit, b.Commit), cmp.Compare(a.Index, b.Index), cmp.Compare(a.Kind, b.Kind))
	})
	return slices.CompactFunc(rows, func(a, b Row) bool {
		return a.Kind == score.Landed && b.Kind == score.Landed && a.Commit == b.Commit && a.Index == b.Index
	})
}

type claimKey struct{ commit, unit, item string }

func keyOf(r *Row, commit string) claimKey { return claimKey{commit, r.Unit, plan.ItemKey(r.Item)} }

// repetitions returns a function that reports rows that repeat another: a failed claim that was cherry-picked from a
// commit in which it failed at least as badly; and a refused commit that is on the branch after all.
func repetitions(rows []Row) func(*Row) bool {
	landed, failed := map[string]bool{}, map[claimKey]int{}
	for i := range rows {
		if r := &rows[i]; r.Kind == score.Refused {
			landed[r.Commit] = false
		}
	}
	for i := range rows {
		r := &rows[i]
		if r.Kind != score.Landed {
			continue
		}
		if _, refused := landed[r.Commit]; refused {
			landed[r.Commit] = true
		}
		if n := r.Worth(); n < 0 {
			key := keyOf(r, r.Commit)
			failed[key] = min(failed[key], n)
		}
	}
	return func(r *Row) bool {
		if r.Kind == score.Refused {
			return landed[r.Commit]
		}
		return r.Worth() < 0 &&
			slices.ContainsFunc(r.PickedFrom, func(from string) bool { return failed[keyOf(r, from)] <= r.Worth() })
	}
}

// Event is the vote as score counts it.
func (v *Vote) Event(zone *time.Location) score.Event {
	return score.Event{
		Kind: score.Thumb, Actor: v.Actor, Day: score.DayOf(v.At.In(zone)), Time: v.At, Commit: v.Commit,
		IsUp: v.Word == Up, ID: v.ID, IsLocal: v.IsLocal, IsVoid: v.IsVoid, Reason: "by " + v.Voter,
	}
}

// uniqueVotes are the votes without duplicates: notes come before the log. The last vote of a voter about a commit
// counts.
func uniqueVotes(votes []Vote) []Vote {
	votes = slices.Clone(votes)
	slices.SortFunc(votes, func(a, b Vote) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), score.CompareBool(a.IsLocal, b.IsLocal), score.CompareBool(a.IsVoid, b.IsVoid),
			a.At.Compare(b.At), cmp.Compare(a.Commit, b.Commit),
			cmp.Compare(a.Actor, b.Actor), cmp.Compare(a.Voter, b.Voter), cmp.Compare(a.Word, b.Word))
	})
	votes = slices.CompactFunc(votes, func(a, b Vote) bool { return a.ID == b.ID })
	type ballot struct{ by, actor, about string }
	of := func(v *Vote) ballot {
		return ballot{strings.ToLower(policy.PlainName(v.Voter)), v.Actor, cmp.Or(v.Commit, v.ID)}
	}
	last := map[ballot]Vote{}
	slices.SortStableFunc(votes, func(a, b Vote) int { return a.At.Compare(b.At) })
	for _, v := range votes {
		last[of(&v)] = v
	}
	return slices.DeleteFunc(votes, func(v Vote) bool { return last[of(&v)].ID != v.ID })
}

// PointOf is the entry as readers see it.
func PointOf(e *score.Entry) Point {
	p := Point{
		Date: e.Day.String(), Time: e.Time.UTC().Truncate(time.Second), Points: e.Points, IsLocal: e.IsLocal, Actor: e.Actor,
		Commit: e.Commit, Unit: e.Unit, Item: e.Item,
		Label: "thumbs down", IsContradiction: e.IsContradiction, Reason: cmp.Or(e.ZeroReason, e.Reason),
	}
	switch {
	case e.Kind == score.Thumb && e.IsUp:
		p.Label = "thumbs up"
	case e.Kind != score.Thumb:
		p.Label = e.Verdict.String()
	}
	return p
}

func actorsOf(all []score.Entry) []string {
	known := map[string]bool{}
	for i := range all {
		known[all[i].Actor] = true
	}
	delete(known, "") // a heartbeat without an actor
	return slices.Sorted(maps.Keys(known))
}

// Scores are those of an actor, "" for all together, from one day to another.
func Scores(all []score.Entry, actor string, from, to score.Day) []Score {
	h := History{Actor: actor, Checkpoint: score.Beginning(math.MinInt), Sums: score.SumByDay(all, actor)}
	if len(h.Sums) > 0 {
		h.First = slices.Min(slices.Collect(maps.Keys(h.Sums)))
	}
	return h.Scores(from, to)
}

// scoreOf is a standing as readers see it. A day without events scores 0, with its consequences; without any history
// there is no score.
func scoreOf(s score.Standing, actor string, hasHistory bool) Score {
	if hasHistory && !s.HasScore {
		s.Penalty, s.Reward = score.PenaltyOf(0, s.Target), score.RewardOf(0, s.Target, s.Streak)
		s.Interval = score.Interval(s.Penalty, s.Reward)
	}
	out := Score{
		Actor: actor, Date: s.Day.String(), Target: s.Target, Floor: s.Floor, Penalty: s.Penalty.String(),
		Reward:   s.Reward.String(),
		Interval: s.Interval, Streak: s.Streak, Verified: s.Verified, NotVerified: s.NotVerified, Unclear: s.Unclear,
		Contradictions: s.Contradictions, Local: s.Local, Lifetime: s.Lifetime,
	}
	if hasHistory {
		out.Score = &s.Score
	}
	return out
}

// History is the totals of one actor's days, for a Store that does not replay everything.
type History struct {
	// Actor is "" for all together.
	Actor string
	First score.Day
	// Checkpoint is where the replay begins; Sums are the totals of the days that it needs; see score.Resume.
	Checkpoint score.Checkpoint
	Sums       map[score.Day]score.Sum
}

// Scores are those from one day to another, the oldest first.
func (h *History) Scores(from, to score.Day) []Score {
	return report.Map(score.Resume(h.Sums, h.Checkpoint, from, to), func(s score.Standing) Score {
		return scoreOf(s, h.Actor, len(h.Sums) > 0 && h.First <= s.Day)
	})
}
