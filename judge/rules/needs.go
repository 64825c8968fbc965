package rules

import (
	"context"

	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

// facts are all facts about a commit: the input, the verdicts, and gathered facts.
type facts struct {
	*Input
	registry      registry
	claims        []judgedClaim
	rules         []*Rule        // the rules that may run
	checkedClaims []checkedClaim // claims compared with test and coverage reports
	checkedRuns   []checkedRun   // claimed runs that the record knows
	hasRecord     bool           // there are runs to compare with

	gathered              map[*gatherer[*facts]]bool
	weaknesses                              // tests and gates that ask for less
	stubs                 []placedStub      // added in changed files
	nextPolicy            nextPolicy        // after the commit, if it changes
	planFile              planFile          // the form of a plan that the commit changes
	change                planChange        // of the plan
	changesOnlyPlan       bool              // there are no other changes
	otherFiles            []string          // changes beside the plan
	actViolations         []*plan.Violation // of guards that refuse an ACT
	unit                  *plan.Node        // of the part, in the plan before or after
	hasPlan               bool              // there is a plan before the commit
	outsideFiles          []string          // changed files that are in no unit's scope
	lastAct               plan.Act          // that an ADAPT follows
	intent                changedIntent     // of the requests
	missingIntent         missingIntent     // requests that a complete plan lacks
	ownedUnits            []ownedUnit       // that are worked on
	citations             map[citedPlace]*Citation
	unreferencedFunctions []unreferencedFunction
	proofs                []report.Proof // runs of the tests without the claimed code
	ownWorkPath           string         // a change of a merge's or revert's own
}

// gatherer finds out a fact of a commit or a range.
type gatherer[F any] func(F, context.Context) error

// gather runs those gatherers of a rule that have not run yet.
func gather[F any](ctx context.Context, facts F, all []*gatherer[F], gathered map[*gatherer[F]]bool) error {
	for _, g := range all {
		if gathered[g] {
			continue
		}
		if err := (*g)(facts, ctx); err != nil {
			return err
		}
		gathered[g] = true
	}
	return nil
}
