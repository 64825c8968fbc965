package rules

import (
	"context"
	"slices"

	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

// Needs are facts that a rule rests on besides the message, the policy, and the verdicts on claims and runs.
type Needs uint32

// What a rule may need to know of a commit, or of a range.
const (
	needsStubs         Needs = 1 << iota // stubs: added in changed files
	needsWeakenings                      // weaknesses: tests and gates that ask for less
	needsPolicy                          // nextPolicy: the policy after the commit, if it changes
	needsPlanFile                        // planFile: the form of a plan that the commit changes
	needsChange                          // change: the commit's change of the plan
	needsOtherFiles                      // changesOnlyPlan and otherFiles: changes beside the plan
	needsActViolations                   // actViolations: guards that refuse an ACT
	needsUnit                            // unit: that of the part in the plans before and after
	needsScope                           // outsideFiles: changed files that are in no unit's scope
	needsLastAct                         // lastAct: the ACT that an ADAPT follows
	needsIntent                          // intent: changes of the requests
	needsMissingIntent                   // missingIntent: requests that a complete plan lacks
	needsOwners                          // ownedUnits: owners of the units that are worked on
	needsCitations                       // citations: earlier claims that cite the same lines
	needsReferences                      // unreferencedFunctions: cited private functions that nothing names
	needsProofs                          // proofs: runs of the tests without the claimed code
	needsOwnWork                         // ownWorkPath: changes of a merge's or revert's own
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

	gathered Needs
	weaknesses
	stubs                 []placedStub
	nextPolicy            nextPolicy
	planFile              planFile
	change                planChange
	changesOnlyPlan       bool
	otherFiles            []string
	actViolations         []*plan.Violation
	unit                  *plan.Node
	hasPlan               bool // there is a plan before the commit
	outsideFiles          []string
	lastAct               plan.Act
	intent                changedIntent
	missingIntent         missingIntent
	ownedUnits            []ownedUnit
	citations             map[citedPlace]*Citation
	unreferencedFunctions []unreferencedFunction
	proofs                []report.Proof
	ownWorkPath           string
}

// gatherer finds out a fact of a commit or a range, once the facts are known that it rests on.
type gatherer[F any] struct {
	fact, basis Needs
	gather      func(F, context.Context) error
}

// gatherers gather the facts for rules over commits. Each fact comes after those that it needs.
func gatherers() []gatherer[*facts] {
	return []gatherer[*facts]{
		{needsStubs, 0, (*facts).gatherStubs},
		{needsWeakenings, 0, (*facts).gatherWeakenings},
		{needsPolicy, 0, (*facts).gatherPolicy},
		{needsPlanFile, 0, (*facts).gatherPlanFile},
		{needsChange, 0, (*facts).gatherChange},
		{needsOtherFiles, needsChange, (*facts).gatherOtherFiles},
		{needsActViolations, 0, (*facts).gatherActViolations},
		{needsUnit, 0, (*facts).gatherUnit},
		{needsScope, needsUnit, (*facts).gatherOutside},
		{needsLastAct, 0, (*facts).gatherLastAct},
		{needsIntent, 0, (*facts).gatherIntent},
		{needsMissingIntent, needsChange, (*facts).gatherMissingIntent},
		{needsOwners, 0, (*facts).gatherOwners},
		{needsCitations, 0, (*facts).gatherCitations},
		{needsReferences, 0, (*facts).gatherReferences},
		{needsProofs, 0, (*facts).gatherProofs},
		{needsOwnWork, 0, (*facts).gatherOwnWork},
	}
}

// gather gathers the facts that a rule needs and that are missing.
func gather[F any](ctx context.Context, facts F, gatherers func() []gatherer[F], needs Needs, gathered *Needs) error {
	if needs&^*gathered == 0 {
		return nil
	}
	all := gatherers()
	for _, g := range slices.Backward(all) {
		if g.fact&needs != 0 {
			needs |= g.basis
		}
	}
	for _, g := range all {
		if g.fact&needs&^*gathered == 0 {
			continue
		}
		if err := g.gather(facts, ctx); err != nil {
			return err
		}
		*gathered |= g.fact
	}
	return nil
}
