package ledger

import (
	"fmt"

	"github.com/acta-git/acta/score"
)

// Tier is the penalty of the day, else its reward, else «normal».
func (s *Score) Tier() string {
	switch {
	case s.Penalty != score.NoPenalty.String():
		return s.Penalty
	case s.Reward != score.NoReward.String():
		return s.Reward
	}
	return "normal"
}

// Notice tells an agent in one line where it stands: tier, score, target, and what would change it. "" without a score.
func (s *Score) Notice() string {
	if s.Score == nil {
		return ""
	}
	return fmt.Sprintf("acta score: tier %s, %d points today, target %d; %s. %s", s.Tier(), *s.Score, s.Target,
		s.outlook(), worths)
}

// worths is what an agent can do about its score.
var worths = fmt.Sprintf("A verified item earns %d, one that does not hold costs %d, a stub reported as done %d.",
	score.VerifiedRequired, -score.NotVerified, -score.NotVerified-score.Contradiction)

// outlook says where the penalty ends, or the next reward begins.
func (s *Score) outlook() string {
	begins := func(tier string, percent int) string {
		return fmt.Sprintf("on track, %s begins at %d", tier, score.Least(s.Target, percent))
	}
	switch {
	case s.Penalty != score.NoPenalty.String():
		return fmt.Sprintf("the penalty ends at %d", score.Least(s.Target, score.NoPenaltyFrom))
	case s.Reward == score.Outstanding.String():
		return "on track, keep it up"
	case s.Reward == score.Excellent.String():
		return begins(score.Outstanding.String(), score.OutstandingFrom)
	case s.Reward == score.Good.String():
		return begins(score.Excellent.String(), score.ExcellentFrom)
	}
	return begins(score.Good.String(), score.GoodFrom)
}
