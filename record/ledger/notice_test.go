package ledger

import (
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/score"
)

func TestTheNoticeSaysWhereAnAgentStandsAndWhatWouldChangeIt(t *testing.T) {
	if got := (&Score{Target: 50, Penalty: "none", Reward: "none"}).Notice(); got != "" {
		t.Errorf("without a score it says %q", got)
	}
	for points, want := range map[int]string{
		-35: "tier lockdown, -35 points today, target 50; the penalty ends at 13",
		-1:  "tier escalated, -1 points today, target 50; the penalty ends at 13",
		12:  "tier warning, 12 points today, target 50; the penalty ends at 13",
		13:  "tier normal, 13 points today, target 50; on track, good begins at 25",
		25:  "tier good, 25 points today, target 50; on track, excellent begins at 35",
		35:  "tier excellent, 35 points today, target 50; on track, outstanding begins at 45",
		45:  "tier outstanding, 45 points today, target 50; on track, keep it up",
	} {
		s := scoreOf(score.Standing{
			HasScore: true, Sum: score.Sum{Score: points}, Target: 50, Penalty: score.PenaltyOf(points, 50), Reward: score.RewardOf(points, 50, 0),
		}, "executor-01", true)
		got := s.Notice()
		if !strings.HasPrefix(got, "acta score: "+want+". A verified item earns 10,") || strings.Contains(got, "\n") {
			t.Errorf("%d points: %q, want %q", points, got, want)
		}
	}
}

func TestLeastIsTheBoundaryOfATier(t *testing.T) {
	for target := 50; target <= 500; target++ {
		if n := score.MinScore(target, score.NoPenaltyFrom); score.PenaltyOf(n, target) != score.NoPenalty || score.PenaltyOf(n-1, target) == score.NoPenalty {
			t.Fatalf("target %d: %d is not where the penalty ends", target, n)
		}
	}
}
