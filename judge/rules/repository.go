package rules

import (
	"context"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/weaker"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

// Source answers questions about one commit. Facts that a shallow clone cut off are left out.
type Source interface {
	// Changed lists the paths that the commit changes.
	Changed(ctx context.Context) ([]string, error)
	// Merged are the snapshots of a merge's further parents; none for another commit.
	Merged(ctx context.Context) ([]evidence.Tree, error)
	// Tests says how the commit changes tests and gates; nil if it does not. A merge answers for its own changes.
	Tests(ctx context.Context) (*weaker.Account, error)
	// RevertedCommits are the snapshots before and after each commit that the message reverts, if they are here.
	RevertedCommits(ctx context.Context) ([]RevertedCommit, error)
	// PathTier is the tier of one path in the commit.
	PathTier(ctx context.Context, path string) (policy.Tier, error)
	// PlanPath is the plan's path in the policy after the commit.
	PlanPath(ctx context.Context) (string, error)
	// AddsNoStub reports whether it is known in advance that no file gets a stub; false says nothing.
	AddsNoStub(ctx context.Context) (bool, error)

	// PlanBefore is the plan before the commit; nil if it is missing or unreadable.
	PlanBefore(ctx context.Context) (*plan.Index, error)
	// LastPlanChange is the snapshot of the last earlier commit that changed the plan; nil if unknown.
	LastPlanChange(ctx context.Context) (*evidence.Tree, error)
	// LastAct is the last ACT of a unit, by its key: in this message, else in the history.
	LastAct(ctx context.Context, key string) (plan.Act, error)
	// EarlierCitation is the earlier claim of another unit that cites the same lines, saying the same; nil without one.
	EarlierCitation(ctx context.Context, e parser.Evidence) (*Citation, error)
	// HasAncestor reports whether a commit has another one in its history.
	HasAncestor(ctx context.Context, commit, earlier string) bool

	// Owner is the owner of a unit; nil if it has none, or the commit has landed.
	Owner(ctx context.Context, unit string) (*Owner, error)
	// Runs are the commands that were run for the commit before it was made, in their order.
	Runs(ctx context.Context) ([]RecordedRun, error)
	// Proofs are those of the commit's tree, or of the end of its range, in order.
	Proofs(ctx context.Context) ([]report.Proof, error)
	// CompareRun reports whether the commit's tree differs from a run's, and lists the files that differ, if known.
	CompareRun(ctx context.Context, run *RecordedRun) (other bool, paths []string, err error)
}

// rangePlan reads the plan at both ends of a range.
type rangePlan interface {
	// PlanPath is the plan's path in the policy after the range.
	PlanPath(ctx context.Context) (string, error)
	// PlanBefore is the plan before the range; nil if there never was one.
	PlanBefore(ctx context.Context) (*plan.Index, error)
	// LastAct is the last ACT of a unit in the history up to the end of the range, compared with the unit's checklist.
	LastAct(ctx context.Context, unit *plan.Node) (plan.Act, error)
}
