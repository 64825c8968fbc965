package history

import (
	"context"
	"fmt"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/snapshot"
)

// shownIn are the places that the verified claims of a part rest on.
func shownIn(out *check.Output) []evidence.Claim {
	var all []evidence.Claim
	for i, v := range out.Verdicts {
		if v.Verdict != diag.Verified || v.Status != string(parser.Done) {
			continue
		}
		for _, e := range parser.ParseEvidence(v.Evidence, diag.Pos{}) {
			all = append(all, evidence.Claim{Evidence: e, Item: v.Item, Kind: out.Kinds[i]})
		}
	}
	return all
}

// hollowed tells of the first place that an ACT shows and that is a stub in a later snapshot, in words; "" where none
// is. Code that left its file is not looked for: only what stands where it stood, and is empty now, is sure not to
// hold.
func (p *Ancestors) hollowed(
	ctx context.Context, act repo.Commit, shown []evidence.Claim, now *evidence.Tree,
) (string, error) {
	if now == nil || len(shown) == 0 {
		return "", nil
	}
	then := &evidence.Judge{Tree: snapshot.Tree(p.repo, act.Tree), Cache: p.history.Evidence, Limits: limits(p.policy)}
	to := evidence.Follower{Judge: &evidence.Judge{Tree: *now, Cache: p.history.Evidence, Limits: limits(p.policy)}}
	for _, c := range shown {
		trace, err := to.Follow(ctx, then, c)
		if err != nil {
			return "", err
		}
		if trace.State == evidence.StateHollowed {
			return fmt.Sprintf("evidence '%s' does not hold any more: %s", c.Evidence.Place(), trace.Reason), nil
		}
	}
	return "", nil
}
