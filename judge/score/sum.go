// Package score turns verdicts into points, and points into a standing: the day's
// score, the target that it is held to, the tiers of penalty and reward, the
// interval of the heartbeat.
//
// It is a replay and nothing else: events in, numbers out, integers only, no
// clock, no files. In which order events arrive, and how often the same one does, makes no difference.
// The same content pays once, whoever cites it and however often; the target never falls.
//
// Where events come from (landed ACT commits, the audit log, feedback, the
// heartbeat), which actor they belong to, and how content gets its key are the business of packages above.
package score

import (
	"time"

	"github.com/acta-git/acta/report"
)

// Sum sums up a day of an actor, for callers that keep sums instead of entries.
type Sum struct {
	// Local is the part of Score that only this repository knows of, Bar the part that raises the target; see SumByDay.
	Score, Local, Bar int
	// What was found of claims and tasks that day, whether or not it earned.
	Verified, NotVerified, Unclear, Contradictions int
}

// Checkpoint is the state before a day, so that a replay can begin there.
type Checkpoint struct {
	Day Day
	// Floor is that of the days before, Streak the one that Standing has of the day.
	Floor, Streak int
	// Lifetime sums up the days before.
	Lifetime Lifetime
}

// Beginning is the checkpoint of a day before which nothing happened.
func Beginning(day Day) Checkpoint { return Checkpoint{Day: day, Floor: MinTarget} }

// Resume replays the sums of days, and tells of each day from one to another, both included. What comes after the last
// is not known yet. at is a checkpoint of a day no later than from; sums holds the days from Window-1 before it.
func Resume(sums map[Day]Sum, at Checkpoint, from, to Day) []Standing {
	r := &replay{at, sums}
	var out []Standing
	for _, day := range r.daysToReplay(from, to) {
		if s := r.next(day); day >= from {
			out = append(out, s)
		}
	}
	return out
}

// Checkpoints are those of the days of sums since a checkpoint, itself included, in order. As for Resume, sums holds
// the days from Window-1 before it.
func Checkpoints(sums map[Day]Sum, at Checkpoint) []Checkpoint {
	last := at.Day
	for day := range sums {
		last = max(last, day)
	}
	r := &replay{at, sums}
	var out []Checkpoint
	for _, day := range r.daysToReplay(last+1, last) {
		r.Day = day
		if _, happened := sums[day]; happened {
			out = append(out, r.Checkpoint)
		}
		r.next(day)
	}
	return out
}

// Day is a calendar day, counted from 1970-01-01, which is 0. Which day a moment
// belongs to depends on the time zone, which the policy names.
type Day int

const secondsOfDay = 24 * 60 * 60

// DayOf is the day of a moment in its own location.
func DayOf(t time.Time) Day {
	year, month, day := t.Date()
	return Day(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / secondsOfDay)
}

// ParseDay reads a day written as YYYY-MM-DD.
func ParseDay(s string) (Day, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return 0, err
	}
	return DayOf(t), nil
}

// String writes the day as YYYY-MM-DD.
func (d Day) String() string {
	return time.Unix(int64(d)*secondsOfDay, 0).UTC().Format(time.DateOnly)
}

// What events are worth.
const (
	VerifiedRequired = 10
	VerifiedOptional = 5
	NotVerified      = -15
	Contradiction    = -30 // beside NotVerified
	Unclear          = -2
	ThumbUp          = 3
	ThumbDown        = -10
)

// Points are the points of a verdict, before checking whether its proof was already counted.
func Points(v report.Verdict, isContradiction, isRequired bool) int {
	switch {
	case v == report.Verified && isRequired:
		return VerifiedRequired
	case v == report.Verified:
		return VerifiedOptional
	case v == report.NotVerified && isContradiction:
		return NotVerified + Contradiction
	case v == report.NotVerified:
		return NotVerified
	case v == report.Unclear:
		return Unclear
	}
	return 0
}

// Penalty follows from a low score. The zero value is none.
type Penalty uint8

// The penalties, each harder than the one before.
const (
	NoPenalty Penalty = iota
	Warning           // below 25% of the target
	Tightened         // below 15%
	Escalated         // below 0
	Lockdown          // below −20%
)

// The tiers begin at these percents of the day's target.
const (
	NoLockdownFrom  = -20
	NoTightenedFrom = 15
	NoPenaltyFrom   = 25
	GoodFrom        = 50
	ExcellentFrom   = 70
	OutstandingFrom = 90
)

// MinScore is the least score that is at least so many percent of a target.
func MinScore(target, percent int) int {
	n := target * percent / 100
	if !atLeast(n, target, percent) {
		n++
	}
	return n
}

// PenaltyOf is the penalty of a score against the day's target.
func PenaltyOf(score, target int) Penalty {
	switch {
	case !atLeast(score, target, NoLockdownFrom):
		return Lockdown
	case score < 0:
		return Escalated
	case !atLeast(score, target, NoTightenedFrom):
		return Tightened
	case !atLeast(score, target, NoPenaltyFrom):
		return Warning
	}
	return NoPenalty
}

// String is the name of the penalty in JSON.
func (p Penalty) String() string {
	return [...]string{"none", "warning", "tightened", "escalated", "lockdown"}[min(p, Lockdown)]
}

// Reward follows from a high score. The zero value is none.
type Reward uint8

// The rewards, each higher than the one before.
const (
	NoReward    Reward = iota
	Good               // at least 50% of the target
	Excellent          // at least 70%
	Outstanding        // at least 90%, or 70% after a streak of three days
)

// minStreak is how many days in a row make 70% outstanding.
const minStreak = 3

// RewardOf is the reward of a score against the day's target, after a streak of days.
func RewardOf(score, target, streak int) Reward {
	switch {
	case atLeast(score, target, OutstandingFrom), atLeast(score, target, ExcellentFrom) && streak >= minStreak:
		return Outstanding
	case atLeast(score, target, ExcellentFrom):
		return Excellent
	case atLeast(score, target, GoodFrom):
		return Good
	}
	return NoReward
}

// String is the name of the reward in JSON.
func (r Reward) String() string {
	return [...]string{"none", "good", "excellent", "outstanding"}[min(r, Outstanding)]
}

// Interval is the time between two heartbeats, in minutes. It applies to one cycle and is never stored.
func Interval(p Penalty, r Reward) int {
	switch {
	case p == Lockdown:
		return 8
	case p == Escalated:
		return 10
	case p == Tightened:
		return 12
	case r >= Excellent:
		return 20
	case r == Good:
		return 17
	}
	return 15
}

// atLeast reports whether a score is at least so many percent of a target.
func atLeast(score, target, percent int) bool { return score*100 >= target*percent }
