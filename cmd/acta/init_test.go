package main

import (
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
)

// plan lint agrees with the planning guide: its good examples are concrete, its bad ones vague.
func TestTheGuideAndLintAgree(t *testing.T) {
	_, rest, _ := strings.Cut(string(initGuide), "\nGood,")
	good, rest, _ := strings.Cut(rest, "\nBad,")
	bad, _, _ := strings.Cut(rest, "\n`acta plan lint`")
	for text, vague := range map[string]bool{good: false, bad: true} {
		n := 0
		for line := range strings.Lines(text) {
			item, ok := strings.CutPrefix(line, "- ")
			if !ok {
				continue
			}
			n++
			item, _, _ = strings.Cut(strings.TrimSpace(item), " (")
			if plan.IsVague(item) != vague {
				t.Errorf("%q is vague: %v", item, !vague)
			}
		}
		if n < 3 {
			t.Errorf("only %d examples", n)
		}
	}
	if !strings.Contains(string(initGuide), "\n"+plan.Guide+"\n") {
		t.Error("the guide does not show the form of an item")
	}
}

// The report that the guide shows is read as one, of the items that the plan of its example has.
func TestTheGuideShowsAReport(t *testing.T) {
	_, rest, _ := strings.Cut(string(initGuide), "```\nACT: ")
	report, _, _ := strings.Cut(rest, "```")
	part := parser.Parse([]byte("ACT: " + report)).Parts[0]
	if len(part.Claims) != 5 || len(part.UnreadLines) > 0 || part.Unit.Value != "T01" {
		t.Errorf("%d claims, unread %v, task %q", len(part.Claims), part.UnreadLines, part.Unit.Value)
	}
	for _, c := range part.Claims {
		if !strings.Contains(string(initGuide), "item '"+c.Item.Value+"'") {
			t.Errorf("the plan of the example has no item %q", c.Item.Value)
		}
	}
}

// The policy that init writes says no more than the defaults, and what it has in comments can be read once it is none.
func TestTheFirstPolicyIsTheDefault(t *testing.T) {
	for _, key := range []string{"# verifiers:", "# score:", "# results:", "# prove:", "# env:"} {
		if !strings.Contains(string(initPolicy), "\n"+key) {
			t.Errorf("it does not mention %s", key)
		}
	}
	p, err := policy.Read(initPolicy, rules.IDs(), rules.IsWaivable)
	if err != nil || p.Plan != policy.Default().Plan || p.DefaultTier != policy.Default().DefaultTier {
		t.Errorf("got %+v (%v)", p, err)
	}
	var lines []string
	for line := range strings.Lines(string(initPolicy)) {
		if key, ok := strings.CutPrefix(line, "# "); ok && (strings.Contains(key, ": ") || strings.HasPrefix(key, " ")) && !strings.Contains(key, "{commit: …") && key[0] != 'H' && key[0] != 'W' && !strings.HasPrefix(key, "since") {
			line = key
		}
		lines = append(lines, line)
	}
	p, err = policy.Read([]byte(strings.Join(lines, "")), rules.IDs(), rules.IsWaivable)
	if err != nil || len(p.TierRules) != 2 || len(p.Agents) != 2 || p.MaxLines != policy.Default().MaxLines {
		t.Errorf("got %+v (%v)\n%s", p, err, strings.Join(lines, ""))
	}
}
