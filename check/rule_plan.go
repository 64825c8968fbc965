package check

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/plan"
)

// The rules of this file say who may change the plan, and what else the commit may change with it.

// planOf is a plan for examples, a unit a line.
func planOf(units ...string) map[string]string {
	return map[string]string{"working_plan/current.json": "{\"id\": \"ROOT\", \"type\": \"parent\", \"status\": " +
		"\"in_progress\", \"children\": [\n  " +
		strings.Join(units, ",\n  ") + "\n]}\n"}
}

// work is what an ACT of most examples does.
const work = `def login(session, user, password):
    if not user.check(password):
        raise PermissionError(user)
    session.user = user
`

func workFile() map[string]string { return map[string]string{"src/auth.py": work} }

// The units of most examples.
const (
	pendingT01  = `{"id": "T01", "type": "atomic", "status": "pending"}`
	completeT01 = `{"id": "T01", "type": "atomic", "status": "complete"}`
	pendingT02  = `{"id": "T02", "type": "atomic", "status": "pending"}`
	startedT02  = `{"id": "T02", "type": "atomic", "status": "in_progress"}`
)

// guardRule is a rule about moves of the plan; the guards of package plan ask the question.
func guardRule(id, title, doc string, example Example) *Rule {
	return &Rule{
		ID: id, Title: title, Doc: doc, Since: "0.1", Class: OfRecord, Scope: OfMessage, OnPlan: true,
		Severity: always, Example: example, Run: runGuard,
	}
}

// workRule is a rule that an ACT answers to and the moves of the plan as well.
func workRule(id, title, doc string, example Example) *Rule {
	return &Rule{
		ID: id, Title: title, Doc: doc, Since: "0.1", Class: OfRecord, Scope: OfBoth, OnPlan: true,
		Severity: always, Example: example,
		Run: func(ctx context.Context, p *Pass) error {
			if p.OfCommit {
				return runGuard(ctx, p)
			}
			return runActGuard(ctx, p)
		},
	}
}

// PlanUnitUnknown is the id of the rule below, for whoever asks about its findings.
const PlanUnitUnknown = plan.RuleUnitUnknown

func rulePlanUnitUnknown() *Rule {
	return workRule(PlanUnitUnknown, "an ACT or ADAPT names a unit that is not in the plan",
		"Where there is a plan, what is done is done for one of its units. A name with a slip in it would be work that no\n"+
			"unit gets, held against no checklist. Name the unit by its key, the ids from below the root joined by `/`, or by\n"+
			"its id alone; add a unit that is missing with an ADAPT first. An ACT is held against the plan before the commit,\n"+
			"an ADAPT may name a unit that it adds. The units of `Reopen:`, `Replan:` and `Reassess:` must be there too.",
		Example{
			Base: planOf(pendingT01), Files: workFile(),
			Message: "ACT: T10 login\n\nDone: Add login() | src/auth.py:1-4\n",
		})
}

func rulePlanOutsideAdapt() *Rule {
	return &Rule{
		ID: "plan_changed_outside_adapt", Since: "0.1", Class: OfRecord, Scope: OfMessage, OnPlan: true,
		Severity: always,
		Title:    "the plan changes in a commit that is no ADAPT",
		Doc: "The plan changes in ADAPT commits, so that its history says who changed it, when and why. Two commits\n" +
			"may do without the title: the one that brings the first plan, whatever else it brings, and one that\n" +
			"changes nothing but the plan, by moves that are legal and touch no status: people edit plans in web\n" +
			"pages. That one counts as an ADAPT of the root, with a warning. A revert may take back exactly what\n" +
			"the reverted commit did to the plan, and a merge answers only for what neither side had.",
		Example: Example{
			Base: planOf(pendingT01), Files: planOf(completeT01),
			Message: "Tidy up\n",
		},
		Run: runPlanOutsideAdapt,
	}
}

func runPlanOutsideAdapt(ctx context.Context, p *Pass) error {
	defer p.comparing(len(p.findings))
	c, err := p.planned(ctx)
	act, adapt := p.kinds()
	if err != nil || !c.altered || len(c.moves) == 0 || c.undone || adapt || p.picked() || act && !p.Message.Joined {
		return err
	}
	f := diag.Finding{
		Path: p.Policy.Plan, Line: 1, Column: 1, EndLine: 1,
		Message: "The plan changes in a commit that is no ADAPT",
		Hint:    quoted(plan.InWords(c.moves)) + "; commit the plan alone, as «ADAPT: <unit>»",
	}
	alone, err := p.changesPlanAlone(ctx)
	if err != nil {
		return err
	}
	status := slices.ContainsFunc(c.moves, func(m plan.Move) bool { return m.Kind == plan.StatusMoved })
	if !status && !c.gone && alone && len(p.Message.Reverts) == 0 {
		p.severity = diag.Warning
		f.Message += "; it counts as one of the root"
	}
	if len(p.Message.Reverts) > 0 {
		f.Hint = quoted(plan.InWords(c.moves)) +
			"; a revert takes back exactly what the reverted commit did to the plan, or leaves the plan alone"
	}
	p.report(f)
	return nil
}

// changesPlanAlone reports a commit that changes nothing but the plan. A squash or
// a merge brings with it what others did.
func (p *Pass) changesPlanAlone(ctx context.Context) (bool, error) {
	if p.Message.Joined {
		return true, nil
	}
	if merged, err := p.Merged(ctx); err != nil || len(merged) > 0 {
		return true, err
	}
	paths, err := p.Changed(ctx)
	return !slices.ContainsFunc(paths, func(path string) bool { return path != p.Policy.Plan }), err
}

func rulePlanStatusElsewhere() *Rule {
	return guardRule(plan.RuleStatusElsewhere, "an ADAPT changes the status of a unit that is not its own",
		"An ADAPT may change the whole tree, but statuses only of its own unit, of the units above that, and of those that\n"+
			"it names with `Reopen:`. Each status then stands in the history of its unit. Commit one ADAPT a unit.",
		Example{
			Base: planOf(pendingT01, pendingT02), Files: planOf(pendingT01, startedT02),
			Message: "ADAPT: T01 go on with T02\n",
		})
}

// ActTouchesPlan is the id of the rule below, for whoever asks about its findings.
const ActTouchesPlan = "act_touches_plan"

func ruleActTouchesPlan() *Rule {
	return &Rule{
		ID: ActTouchesPlan, Since: "0.1", Class: OfRecord, Scope: OfMessage, OnPlan: true,
		Severity: always,
		Title:    "an ACT changes the plan",
		Doc: "An ACT changes the environment and reports it; what follows from it for the plan is said afterwards,\n" +
			"in an ADAPT of the same unit. Whoever does the work must not change in the same breath what it is\n" +
			"measured by. A squash of both is fine, and so is the commit that brings the first plan.",
		Example: Example{
			Base: planOf(pendingT01), Files: with(workFile(), planOf(completeT01)),
			Message: "ACT: T01 login\n\nDone: Add login() | src/auth.py:1-4\n",
		},
		Run: runActTouchesPlan,
	}
}

// with joins the files of an example.
func with(a, b map[string]string) map[string]string {
	for path, text := range b {
		a[path] = text
	}
	return a
}

func runActTouchesPlan(ctx context.Context, p *Pass) error {
	defer p.comparing(len(p.findings))
	act, adapt := p.kinds()
	if !act || adapt || p.Message.Joined || p.picked() {
		return nil
	}
	c, err := p.planned(ctx)
	if err != nil || !c.altered || len(c.moves) == 0 {
		return err
	}
	p.report(diag.Finding{
		Path: p.Policy.Plan, Line: 1, Column: 1, EndLine: 1,
		Message: "An ACT leaves the plan as it is, and this one changes it",
		Hint:    quoted(plan.InWords(c.moves)) + "; take the plan out of this commit and change it in an ADAPT afterwards",
	})
	return nil
}

func ruleAdaptTouchesEnv() *Rule {
	return &Rule{
		ID: "adapt_touches_environment", Since: "0.1", Class: OfRecord, Scope: OfMessage, OnPlan: true,
		Severity: always,
		Title:    "an ADAPT changes something else than the plan",
		Doc: "An ADAPT looks at what an ACT did and changes the plan, nothing else: work that came with it would be in no\n" +
			"report. Commit the other files first, in an ACT or with `For: <unit>`. A squash is exempt, and so is the commit\n" +
			"that brings the first plan.",
		Example: Example{
			Base: planOf(pendingT01), Files: with(workFile(), planOf(pendingT01, pendingT02)),
			Message: "ADAPT: T01 logout is a task of its own\n",
		},
		Run: runAdaptTouchesEnv,
	}
}

func runAdaptTouchesEnv(ctx context.Context, p *Pass) error {
	defer p.comparing(len(p.findings))
	act, adapt := p.kinds()
	if !adapt || act || p.Message.Joined || p.picked() {
		return nil
	}
	if before, err := p.PlanBefore(ctx); err != nil || before == nil {
		return err
	}
	paths, err := p.Changed(ctx)
	if err != nil {
		return err
	}
	var others []string
	for _, path := range paths {
		if path == p.Policy.Plan || strings.HasPrefix(path, p.amendments()) {
			continue
		}
		_, _, altered, err := p.altered(ctx, path)
		if err != nil {
			return err
		}
		if altered {
			others = append(others, path)
		}
	}
	if others == nil {
		return nil
	}
	more := ""
	if n := len(others) - 1; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	p.report(diag.Finding{
		Path: others[0], Line: 1, Column: 1, EndLine: 1,
		Message: fmt.Sprintf("An ADAPT changes only the plan, and this one changes %s%s", others[0], more),
		Hint:    "commit the other files first, in an ACT or with «For: <unit>», and the plan alone afterwards",
	})
	return nil
}
