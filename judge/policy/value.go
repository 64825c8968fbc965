package policy

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/acta-git/acta/report"
)

// Value is the value of a key, as text.
type Value struct {
	// Key is the path of the key, its parts joined by dots; an entry of a list has its number, from 0, in brackets.
	Key string `json:"key"`
	// Value is the value; "" for none.
	Value string `json:"value"`
	// Line is where the file says so; 0 for the default.
	Line int `json:"line"`
}

// Values are the values in force, in the order of the documentation; of rules only those that the policy sets.
func (p *Policy) Values() []Value {
	var all []Value
	add := func(key, value string) { all = append(all, Value{key, value, p.lines[key]}) }
	list := func(key string, values []string) { add(key, strings.Join(values, ", ")) }
	add("acta", p.Releases)
	add("since", p.Since)
	add("plan.intent", p.Intent)
	list("plan.working", append([]string{p.Plan}, p.Boxes...))
	add("require", string(p.Require))
	list("actors.agents", p.Agents)
	list("actors.exempt", p.ExemptActors)
	add("default_tier", p.DefaultTier.String())
	for i, r := range p.TierRules {
		add(fmt.Sprintf("tiers[%d]", i), r.String())
	}
	for _, id := range slices.Sorted(maps.Keys(p.overrides)) {
		add("rules."+id, levelsOf(p.overrides[id]))
	}
	list("waivable", p.Waivable)
	for i, a := range p.AcceptedCommits {
		add(fmt.Sprintf("accepted[%d]", i), a.Commit+": "+a.Reason)
	}
	add("evidence.max_lines", strconv.Itoa(p.MaxLines))
	add("evidence.max_file_bytes", strconv.FormatInt(p.MaxFileBytes, 10))
	add("worklog.record", map[bool]string{false: "on", true: "off"}[p.SkipRecord])
	add("worklog.keep_days", strconv.Itoa(p.KeepDays))
	list("tests", p.Tests)
	if res := &p.Results; !res.IsZero() {
		list("results.junit", res.JUnit)
		list("results.coverage", res.Coverage)
		add("results.require.test", res.Require.Test)
		add("results.require.code", res.Require.Code)
	}
	for _, name := range slices.Sorted(maps.Keys(p.Verifiers)) {
		v := p.Verifiers[name]
		add("verifiers."+name, fmt.Sprintf("%q, at most %s", v.Run, v.Timeout))
	}
	if p.CompleteVerifier != "" {
		add("complete.verifier", p.CompleteVerifier)
	}
	list("env", p.Env)
	if len(p.Prove.Command)+len(p.Prove.Require) > 0 {
		list("prove.command", p.Prove.Command)
		list("prove.require", p.Prove.Require)
	}
	add("score.timezone", p.Timezone.String())
	if n := p.Notify; n != nil {
		add("score.notify", fmt.Sprintf("%q, at most %s", n.Run, n.Timeout))
	}
	return all
}

// String is the rule as a reader sees it.
func (r TierRule) String() string {
	paths := "any file"
	if len(r.Paths) > 0 {
		paths = strings.Join(r.Paths, ", ")
	}
	text := fmt.Sprintf("%s for %s", r.Tier, paths)
	if r.MaxFiles > 0 {
		text += fmt.Sprintf(", in commits of at most %d files", r.MaxFiles)
	}
	if r.MaxLines > 0 {
		text += fmt.Sprintf(", in commits of at most %d lines", r.MaxLines)
	}
	return text
}

// levelsOf is a rule's levels: one word if all tiers have the same.
func levelsOf(by map[Tier]report.Severity) string {
	var each []string
	isSame := len(by) == len(tierNames)
	for _, t := range Tiers {
		if l, ok := by[t]; ok {
			each = append(each, fmt.Sprintf("%s in %s", LevelName(l), t))
			isSame = isSame && l == by[Strict]
		}
	}
	if isSame {
		return LevelName(by[Strict])
	}
	return strings.Join(each, ", ")
}

// linesOf adds the line of every key below a node, under its path.
func linesOf(node ast.Node, path string, into map[string]int) {
	switch n := node.(type) {
	case *ast.SequenceNode:
		for i, v := range n.Values {
			at := fmt.Sprintf("%s[%d]", path, i)
			into[at] = v.GetToken().Position.Line
			linesOf(v, at, into)
		}
	case ast.MapNode:
		for entries := n.MapRange(); entries.Next(); {
			key := entries.Key().GetToken()
			at := strings.TrimPrefix(path+"."+key.Value, ".")
			into[at] = key.Position.Line
			linesOf(entries.Value(), at, into)
		}
	}
}
