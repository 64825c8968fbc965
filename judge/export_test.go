package judge

import (
	"context"

	"github.com/acta-git/acta/judge/rules"
)

const MaxEarlier = maxEarlier

// Excused reports whether what is hollowed or gone is no finding.
func (c Claim) Excused() bool { return c.isExcused }

// FollowRange follows the claims of a range, and counts the commits that were read for it and those that were judged.
func (h *History) FollowRange(ctx context.Context, base, head string) (
	followed []rules.FollowedClaim, commits, judged int, err error,
) {
	g, err := h.rangeReader(ctx, base, head)
	if err != nil {
		return nil, 0, 0, err
	}
	followed, err = g.follow(ctx)
	for _, c := range g.commits {
		if commits++; c.isJudged {
			judged++
		}
	}
	return followed, commits, judged, err
}
