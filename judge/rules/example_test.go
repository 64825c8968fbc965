package rules

import (
	"slices"
	"testing"

	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

// Every rule finds something in its own example, where that is one commit. Those of a range, and those that take the
// commits before, are judged with the page that is made of them.
func TestRulesFindWhatTheirExamplesShow(t *testing.T) {
	found := 0
	for _, r := range Rules() {
		c, alone := exampleOf(r)
		if !alone {
			continue
		}
		out, err := c.ask(t, Rules())
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(out.Findings, func(f report.Finding) bool { return f.Rule == r.ID }) {
			t.Errorf("%s: found %s", r.ID, listed(out.Findings))
		}
		found++
	}
	if found < 45 {
		t.Errorf("only %d examples were asked", found)
	}
}

// planUnit is a unit with a checklist, as a plan has it.
func planUnit(items []string) string {
	unit := &plan.Unit{ID: "T01", Type: plan.Atomic}
	for _, i := range items {
		unit.Checklist = append(unit.Checklist, plan.Item{Text: i})
	}
	return string(plan.Write(unit))
}

func TestTheKindOfAnItemDecides(t *testing.T) {
	docs := files{"docs/login.md": "# Login\n\nHow to log in.\n"}
	prose := func(kind string) commit {
		c := citing("Describe the login", "docs/login.md:1-3", planOf(`{"id": "T01", "type": "atomic", "checklist": [
  {"item": "Describe the login"`+kind+`}]}`), docs)
		return c
	}
	testRule(t, "evidence_unclear", []row{
		{"prose for text", prose(`, "kind": "text"`), nil, ""},
		{"prose for code", prose(`, "kind": "code"`), one("warning docs/login.md:1"), "it is prose"},
	})
	out, err := prose(`, "kind": "text"`).ask(t, Rules())
	if err != nil || len(out.Verdicts) != 1 || out.Verdicts[0].Kind != "text" {
		t.Errorf("verdicts are %v, %v", out.Verdicts, err)
	}
}

func TestOptionalItemsAreTold(t *testing.T) {
	out, err := registering("Done: Add login() | src/auth.py:5-8\nSkipped: Add logout | Nobody needs it\nDone: Sing | src/auth.py:5-8\n",
		twoItems).ask(t, Rules())
	if err != nil || len(out.Verdicts) != 3 {
		t.Fatalf("%+v, %v", out, err)
	}
	for i, want := range []bool{false, true, true} { // what is not registered is not asked for
		if out.Verdicts[i].IsOptional != want {
			t.Errorf("%s is optional: %v", out.Verdicts[i].Item, !want)
		}
	}
}
