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

// Source answers what is gathered of one commit for its rules. What is not known there, as in a shallow clone, is no
// answer.
type Source interface {
	// Changed lists the paths that the commit changes.
	Changed(ctx context.Context) ([]string, error)
	// Merged are the snapshots of a merge's further parents; none of another commit.
	Merged(ctx context.Context) ([]evidence.Tree, error)
	// Tests is what became of tests and gates; nil where nothing did. A merge answers for its own changes.
	Tests(ctx context.Context) (*weaker.Account, error)
	// RevertedCommits are the snapshots before and after each commit that the message reverts, as far as they are there.
	RevertedCommits(ctx context.Context) ([]RevertedCommit, error)
	// PathTier is how strictly one path is held in the commit.
	PathTier(ctx context.Context, path string) (policy.Tier, error)
	// PlanPath is where the plan lies under the policy that the commit leaves.
	PlanPath(ctx context.Context) (string, error)
	// AddsNoStub reports whether it is known in advance that no file gets a stub; false says nothing.
	AddsNoStub(ctx context.Context) (bool, error)

	// PlanBefore is the plan before the commit; nil without one, or where it cannot be read.
	PlanBefore(ctx context.Context) (*plan.Index, error)
	// LastPlanChange is the snapshot of the last commit before this one that changed the plan; nil where that is not
	// known.
	LastPlanChange(ctx context.Context) (*evidence.Tree, error)
	// LastAct tells of the last ACT of a unit, by its key: of this message, else of the commits behind.
	LastAct(ctx context.Context, key string) (plan.Act, error)
	// EarlierCitation is the earlier claim of another unit that cites the same lines, saying the same; nil without one.
	EarlierCitation(ctx context.Context, e parser.Evidence) (*Citation, error)
	// HasAncestor reports whether a commit has another one in its history.
	HasAncestor(ctx context.Context, commit, earlier string) bool

	// Owner says who holds a unit; nil where nobody does, or the commit has landed.
	Owner(ctx context.Context, unit string) (*Owner, error)
	// Runs are the commands that were run for the commit before it was made, in their order.
	Runs(ctx context.Context) ([]RecordedRun, error)
	// Proofs are those of the commit's tree, or of the end of its range, in their order.
	Proofs(ctx context.Context) ([]report.Proof, error)
	// CompareRun tells whether the commit has another tree than a run had, and which files differ as far as that is known.
	CompareRun(ctx context.Context, run *RecordedRun) (other bool, paths []string, err error)
}

// rangePlan answers what is asked of the plan at both ends of a range.
type rangePlan interface {
	// PlanPath is where the plan lies under the policy that the range leaves.
	PlanPath(ctx context.Context) (string, error)
	// PlanBefore is the plan that the range begins with; nil where there never was one.
	PlanBefore(ctx context.Context) (*plan.Index, error)
	// LastAct tells of the last ACT of a unit in the history that ends with the range, held against its checklist.
	LastAct(ctx context.Context, unit *plan.Node) (plan.Act, error)
}
