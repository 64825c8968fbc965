package ledger

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/score"
	"github.com/acta-git/acta/plan"
)

// Replay turns rows and votes, in any order, into what they earned, the oldest first.
func Replay(rows []Row, votes []Vote, zone *time.Location) []score.Entry {
	events := make([]score.Event, 0, len(rows)+len(votes))
	again := repetitions(rows)
	for i := range rows {
		if !again(&rows[i]) {
			events = append(events, rows[i].Event(zone))
		}
	}
	for _, v := range uniqueVotes(votes) {
		events = append(events, v.Event(zone))
	}
	return score.Entries(events)
}

// arrange puts rows into the order in which they count, each once: by their time,
// commits of one second by rank and id. The order does not depend on that of arrival.
func arrange(rows []Row) []Row {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Time.Unix(), b.Time.Unix()), cmp.Compare(a.Rank, b.Rank),
			cmp.Compare(a.Commit, b.Commit), cmp.Compare(a.Index, b.Index), cmp.Compare(a.Source, b.Source))
	})
	return slices.CompactFunc(rows, func(a, b Row) bool {
		return a.Source == Landed && b.Source == Landed && a.Commit == b.Commit && a.Index == b.Index
	})
}

// claimKey is an item of a unit in a commit.
type claimKey struct{ commit, unit, item string }

func (r *Row) claimKey(commit string) claimKey { return claimKey{commit, r.Unit, plan.ItemKey(r.Item)} }

// repetitions returns what tells a row that says again what another one says: a claim that does not
// hold and was cherry-picked from a commit that counts, where it held no better; and a refused
// commit that has landed after all.
func repetitions(rows []Row) func(*Row) bool {
	landed, failed := map[string]bool{}, map[claimKey]int{}
	for i := range rows {
		if r := &rows[i]; r.Source == Refused {
			landed[r.Commit] = false
		}
	}
	for i := range rows {
		r := &rows[i]
		if r.Source != Landed {
			continue
		}
		if _, refused := landed[r.Commit]; refused {
			landed[r.Commit] = true
		}
		if n := r.Worth(); n < 0 {
			key := r.claimKey(r.Commit)
			failed[key] = min(failed[key], n)
		}
	}
	return func(r *Row) bool {
		if r.Source == Refused {
			return landed[r.Commit]
		}
		return r.Worth() < 0 &&
			slices.ContainsFunc(r.Picked, func(from string) bool { return failed[r.claimKey(from)] <= r.Worth() })
	}
}

// Worth is what the row's verdict is worth, whether or not it pays.
func (r *Row) Worth() int { return score.Points(r.Verdict, r.Contradiction, r.Required) }

// Event is the row as score counts it.
func (r *Row) Event(zone *time.Location) score.Event {
	kind := score.Landed
	switch r.Source {
	case Refused:
		kind = score.Refused
	case Heartbeat:
		kind = score.Task
	}
	return score.Event{
		Kind: kind, Actor: r.Actor, Day: score.DayOf(r.Time.In(zone)), At: r.Time.Unix(), Rank: r.Rank, Commit: r.Commit,
		Unit: r.Unit, Item: r.Item,
		Place: r.Index, IsRequired: r.Required, Verdict: r.Verdict, IsContradiction: r.Contradiction, Proofs: r.Keys,
		IsLocal: r.Source != Landed, IsVoid: r.Void, Reason: r.Reason,
	}
}

// Event is the vote as score counts it.
func (v *Vote) Event(zone *time.Location) score.Event {
	return score.Event{
		Kind: score.Thumb, Actor: v.Actor, Day: score.DayOf(v.At.In(zone)), At: v.At.Unix(), Commit: v.Commit, IsUp: v.Up,
		ID: v.ID, IsLocal: v.Local, IsVoid: v.Void,
		Reason: "by " + v.By,
	}
}

// uniqueVotes are the votes, each once: one that notes and the log hold is that of the notes. Of the votes of one voter
// about a commit the last counts.
func uniqueVotes(votes []Vote) []Vote {
	votes = slices.Clone(votes)
	slices.SortFunc(votes, func(a, b Vote) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), score.CompareBool(a.Local, b.Local), score.CompareBool(a.Void, b.Void),
			a.At.Compare(b.At), cmp.Compare(a.Commit, b.Commit),
			cmp.Compare(a.Actor, b.Actor), cmp.Compare(a.By, b.By), score.CompareBool(a.Up, b.Up))
	})
	votes = slices.CompactFunc(votes, func(a, b Vote) bool { return a.ID == b.ID })
	type ballot struct{ by, actor, about string }
	of := func(v *Vote) ballot {
		return ballot{strings.ToLower(policy.PlainName(v.By)), v.Actor, cmp.Or(v.Commit, v.ID)}
	}
	last := map[ballot]Vote{}
	slices.SortStableFunc(votes, func(a, b Vote) int { return a.At.Compare(b.At) })
	for _, v := range votes {
		last[of(&v)] = v
	}
	return slices.DeleteFunc(votes, func(v Vote) bool { return last[of(&v)].ID != v.ID })
}

// PointOf is an entry as readers see it.
func PointOf(e *score.Entry) Point {
	p := Point{
		Date: e.Day.String(), Time: time.Unix(e.At, 0).UTC(), Points: e.Points, Local: e.IsLocal, Actor: e.Actor,
		Commit: e.Commit, Unit: e.Unit, Item: e.Item,
		What: "thumbs down", Contradiction: e.IsContradiction, Why: cmp.Or(e.ZeroReason, e.Reason),
	}
	switch {
	case e.Kind == score.Thumb && e.IsUp:
		p.What = "thumbs up"
	case e.Kind != score.Thumb:
		p.What = e.Verdict.String()
	}
	return p
}

// actors lists whom entries are about, sorted.
func actors(all []score.Entry) []string {
	known := map[string]bool{}
	for i := range all {
		known[all[i].Actor] = true
	}
	delete(known, "") // a heartbeat of nobody in particular
	return slices.Sorted(maps.Keys(known))
}

// Scores are those of an actor, "" for all together, for the days from one to another.
func Scores(all []score.Entry, actor string, from, to score.Day) []Score {
	began := false
	first := to
	for i := range all {
		if e := &all[i]; (actor == "" || e.Actor == actor) && e.Day <= to {
			began, first = true, min(first, e.Day)
		}
	}
	var out []Score
	for _, s := range score.Standings(all, actor, from, to) {
		out = append(out, scoreOf(s, actor, began && first <= s.Day))
	}
	return out
}

// Unscored is the score of who has no history on a day.
func Unscored(actor string, day score.Day) Score {
	return Scores(nil, actor, day, day)[0]
}

// scoreOf is a standing as readers see it. A day on which nothing happened has the
// score 0, and what follows from that; without any history there is no score.
func scoreOf(s score.Standing, actor string, history bool) Score {
	if history && !s.HasScore {
		s.Penalty, s.Reward = score.PenaltyOf(0, s.Target), score.RewardOf(0, s.Target, s.Streak)
		s.Interval = score.Interval(s.Penalty, s.Reward)
	}
	out := Score{
		Actor: actor, Date: s.Day.String(), Target: s.Target, Floor: s.Floor, Penalty: s.Penalty.String(),
		Reward:   s.Reward.String(),
		Interval: s.Interval, Streak: s.Streak, Verified: s.Verified, NotVerified: s.NotVerified, Unclear: s.Unclear,
		Contradictions: s.Contradictions, Local: s.Local, Lifetime: s.Lifetime,
	}
	if history {
		out.Score = &s.Score
	}
	return out
}

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
