package score

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
