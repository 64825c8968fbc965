package rules

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

// exampleOf is the commit of a rule's example; false where the example needs the commits before it.
func exampleOf(r *Rule) (c commit, alone bool) {
	c = commit{base: files{}, files: files{}, reaches: []string{"HEAD"}}
	messages := 0
	for _, f := range r.Page().Example {
		kind, of, _ := strings.Cut(f.Name, " ")
		text := string(f.Data)
		switch kind {
		case "policy":
			c.policy = text
		case "plan":
			c.base = files(planOf(planUnit(strings.Split(strings.TrimSpace(text), "\n")))).over(c.base)
		case "leases":
			c.owners = map[string]string{}
			for line := range strings.Lines(text) {
				unit, agent, _ := strings.Cut(strings.TrimSpace(line), " by ")
				c.owners[unit] = agent
			}
		case "runs":
			for line := range strings.Lines(text) {
				command, exit, _ := strings.Cut(strings.TrimSpace(line), ", exit code ")
				code, _ := strconv.Atoi(exit)
				c.runs = append(c.runs, RecordedRun{Command: command, Exit: &code})
			}
		case "report":
			c.reports = map[string]string{of: text}
		case "before":
			c.base[of] = text
		case "commit":
			if messages == 0 {
				c.files[of] = text
			}
		case "message":
			if messages++; messages == 1 {
				c.message = text
			}
		}
	}
	return c, messages == 1
}

// worstOf is the worst severity of what a rule found, 0 for nothing.
func worstOf(id string, found []report.Finding) (worst report.Severity) {
	for _, f := range found {
		if f.Rule == id {
			worst = max(worst, f.Severity)
		}
	}
	return worst
}

var allTiers = []policy.Tier{policy.Exempt, policy.Light, policy.Standard, policy.Strict}

// What a rule finds of its own example weighs in each tier as much as its row of the table says, and is nothing where
// the row has it off. The milder findings of a rule weigh as its other row says.
func TestTheTierSaysHowMuchAFindingWeighs(t *testing.T) {
	asked := 0
	for _, r := range Rules() {
		c, alone := exampleOf(r)
		if !alone {
			continue
		}
		for _, tier := range allTiers {
			c.tier = tier
			out, err := c.ask(t, Rules())
			if err != nil {
				t.Fatal(err)
			}
			got, want := worstOf(r.ID, out.Findings), r.Severity.In(tier)
			if mild := r.MilderSeverity.In(tier); got != want && (r.MilderSeverity == (severities{}) || got != mild) {
				t.Errorf("%s is %v in %v, its table says %v", r.ID, got, tier, want)
			}
			asked++
		}
	}
	if asked < 180 {
		t.Errorf("only %d examples were asked", asked)
	}
}

// A policy's word on a rule counts in every tier that asks anything, for all of its findings. What plan and policy
// themselves say of a commit that edits the plan alone, or of who claims nothing, stays milder than that.
func TestAPolicySaysHowMuchAFindingWeighs(t *testing.T) {
	milder := []string{"report_unreadable", "plan_not_alone"}
	for _, r := range Rules() {
		c, alone := exampleOf(r)
		if !alone || c.policy != "" || r.Class != GuardsClaims || slices.Contains(milder, r.ID) {
			continue
		}
		for word, want := range map[string]report.Severity{"error": report.Error, "warning": report.Warning, "off": 0} {
			c.policy = "rules: {" + r.ID + ": " + word + "}\n"
			out, err := c.ask(t, Rules())
			if err != nil {
				t.Fatal(err)
			}
			if got := worstOf(r.ID, out.Findings); got != want {
				t.Errorf("%s under a policy's %s is %v", r.ID, word, got)
			}
		}
	}
}

// A rule that is asked alone finds what it finds beside all others, but for what those keep it from saying again.
func TestARuleNeedsNoOther(t *testing.T) {
	for _, r := range Rules() {
		c, alone := exampleOf(r)
		if !alone {
			continue
		}
		out, err := c.ask(t, []*Rule{r})
		if err != nil || worstOf(r.ID, out.Findings) == 0 {
			t.Errorf("%s alone finds %s, %v", r.ID, listed(out.Findings), err)
		}
	}
}

// Where git does not answer, a rule says that it cannot decide, by its name, or finds what it finds anyway: it never
// finds less, nor something else.
func TestARuleWithoutAnswerIsNeverSilent(t *testing.T) {
	undecided := map[string]bool{}
	for _, r := range Rules() {
		c, alone := exampleOf(r)
		if !alone || c.reports != nil {
			continue
		}
		whole, err := c.ask(t, []*Rule{r})
		if err != nil {
			t.Fatal(err)
		}
		c.fails = true
		out, err := c.ask(t, []*Rule{r})
		switch {
		case err != nil && strings.HasSuffix(err.Error(), "]"):
			if undecided[r.ID] = true; !strings.HasSuffix(err.Error(), " ["+r.ID+"]") || !errors.Is(err, errNoAnswer) {
				t.Errorf("%s cannot decide, and says %v", r.ID, err)
			}
		case err != nil:
			undecided[r.ID] = errors.Is(err, errNoAnswer)
			if !undecided[r.ID] {
				t.Errorf("%s: %v", r.ID, err)
			}
		case listed(out.Findings) != listed(whole.Findings):
			t.Errorf("%s finds %s without answers, and else %s", r.ID, listed(out.Findings), listed(whole.Findings))
		}
	}
	// Those whose whole question is the plan before, or who holds a unit.
	for _, id := range []string{plan.RuleActNotAllowed, plan.RuleUnitUnknown, UnitNotOwned, "run_contradicted",
		StubAdded} {
		if !undecided[id] {
			t.Errorf("%s decides without an answer", id)
		}
	}
	if len(undecided) < 20 {
		t.Errorf("only %d rules were without an answer: %v", len(undecided), slices.Sorted(maps.Keys(undecided)))
	}
}
