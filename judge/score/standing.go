package score

import (
	"maps"
	"math"
	"slices"

	"github.com/acta-git/acta/report"
)

// The bounds of a target, and how many days its average looks back, that day included.
const (
	MinTarget = 50
	MaxTarget = 500
	Window    = 7
)

// Standing is an actor's score and target at the end of a day.
type Standing struct {
	Day Day
	// HasScore: something happened that day. Otherwise there is no score.
	HasScore bool
	Sum
	// Target is the score to reach, 50 to 500. Floor is the highest target so far, including this day's.
	Target, Floor int
	Penalty       Penalty
	Reward        Reward
	// Interval is that of the heartbeat, in minutes.
	Interval int
	// Streak counts the days in a row before this one that each reached 70% of their own target.
	Streak int
	// Lifetime sums up all days so far.
	Lifetime Lifetime
}

// Lifetime sums up all days of an actor.
type Lifetime struct {
	Points         int `json:"points"`
	Verified       int `json:"verified"`
	NotVerified    int `json:"not_verified"`
	Contradictions int `json:"contradictions"`
}

// SumByDay sums up the days of one actor, or of all together where actor is "".
//
// What is local raises no target, tasks of the heartbeat excepted, which are never anything else:
// so every repository with the same branch has the same targets, and a lie that was refused does not lower the bar.
// Neither does an edited log: its tasks earn nothing, and the target stays as if they did.
func SumByDay(entries []Entry, actor string) map[Day]Sum {
	days := map[Day]Sum{}
	for i := range entries {
		e := &entries[i]
		if actor != "" && e.Actor != actor {
			continue
		}
		s := days[e.Day]
		s.add(e)
		days[e.Day] = s
	}
	return days
}

func (s *Sum) add(e *Entry) {
	s.Score += e.Points
	if e.IsLocal {
		s.Local += e.Points
	}
	switch {
	case e.Kind == Task && e.IsVoid: // it earns nothing, but keeps its share of the target
		s.Bar += e.Worth()
	case e.Kind == Task, !e.IsLocal:
		s.Bar += e.Points
	}
	switch e.Verdict {
	case report.Verified:
		if !e.IsVoid {
			s.Verified++
		}
	case report.NotVerified:
		s.NotVerified++
	case report.Unclear:
		s.Unclear++
	}
	if e.IsContradiction {
		s.Contradictions++
	}
}

// replay turns from day to day. It has the state before the next one.
type replay struct {
	Checkpoint
	days map[Day]Sum
}

// daysToReplay lists the days that can change something, in order: the days in question, and days with events in their
// window; none before the checkpoint. Dates may be centuries apart.
func (r *replay) daysToReplay(from, to Day) []Day {
	all := map[Day]bool{}
	for day := max(from, r.Day); day <= to; day++ {
		all[day] = true
	}
	for active := range r.days {
		for day := max(active, r.Day); day < active+Window && day <= to; day++ {
			all[day] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// next is the standing of the next day. A day without a score ends a streak, for no target is 0; one is turned before
// any gap.
func (r *replay) next(day Day) Standing {
	sum, scored := r.days[day]
	s := Standing{Day: day, HasScore: scored, Sum: sum, Streak: r.Streak}
	s.Target = min(MaxTarget, max(MinTarget, r.Floor, r.average(day)))
	r.Floor = max(r.Floor, s.Target)
	s.Floor = r.Floor
	l := &r.Lifetime
	l.Points, l.Verified, l.NotVerified = l.Points+s.Score, l.Verified+s.Verified, l.NotVerified+s.NotVerified
	l.Contradictions += s.Contradictions
	s.Lifetime = *l
	s.Interval = Interval(0, 0)
	if s.HasScore {
		s.Penalty, s.Reward = PenaltyOf(s.Score, s.Target), RewardOf(s.Score, s.Target, s.Streak)
		s.Interval = Interval(s.Penalty, s.Reward)
	}
	if r.Streak++; !atLeast(s.Score, s.Target, ExcellentFrom) {
		r.Streak = 0
	}
	return s
}

// average is that of the positive days in the window, rounded half to even; 0 without any.
func (r *replay) average(day Day) int {
	all, n := 0, 0
	for d := day - Window + 1; d <= day; d++ {
		if bar := r.days[d].Bar; bar > 0 {
			all, n = all+bar, n+1
		}
	}
	if n == 0 {
		return 0
	}
	return int(math.RoundToEven(float64(all) / float64(n)))
}
