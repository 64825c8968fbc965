package policy

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/acta-git/acta/report"
	"github.com/bmatcuk/doublestar/v4"
	"github.com/goccy/go-yaml/ast"
	"github.com/xrash/smetrics"
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

// maxNameLength bounds how long a name may be that is compared letter by letter.
const maxNameLength = 100

// nearest returns the known name that a misspelled name most likely means: at most one letter in three is wrong. "" if
// none is near.
func nearest(name string, known []string) string {
	best, limit := "", len(name)/3+1
	if len(name) > maxNameLength {
		return best
	}
	for _, k := range known {
		lowerName, lowerKnown := strings.ToLower(name), strings.ToLower(k)
		d := smetrics.WagnerFischer(lowerName, lowerKnown, 1, 1, 1)
		if d == 2 && slices.Equal(slices.Sorted(letters(lowerName)), slices.Sorted(letters(lowerKnown))) {
			d = 1 // two letters are swapped
		}
		if d < limit {
			best, limit = k, d
		}
	}
	return best
}

func letters(s string) iter.Seq[string] { return strings.SplitSeq(s, "") }

// DidYouMean continues a message about an unknown name; "" if no known one is near.
func DidYouMean(name string, known []string) string {
	if suggestion := nearest(name, known); suggestion != "" {
		return fmt.Sprintf("; did you mean %q?", suggestion)
	}
	return ""
}

// unknownKey says where an unknown key belongs, or which key may be meant.
func unknownKey(name string) string {
	message, owners := fmt.Sprintf("unknown key %q", name), map[string][]string{}
	keysOf(reflect.TypeFor[policyFile](), "", owners)
	if under := owners[name]; len(under) > 0 {
		return fmt.Sprintf("%s; it belongs under %s", message, strings.Join(under, " or "))
	}
	return message + DidYouMean(name, slices.Sorted(maps.Keys(owners)))
}

// keysOf adds the keys of a mapping that is read into t, each with its parent keys.
func keysOf(t reflect.Type, path string, into map[string][]string) {
	for slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Map}, t.Kind()) {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return
	}
	for f := range t.Fields() {
		key := f.Tag.Get("yaml")
		into[key] = append(into[key], cmp.Or(path, "the top"))
		keysOf(f.Type, strings.TrimPrefix(path+"."+key, "."), into)
	}
}

// Results names the test and coverage reports that are compared with claims, and what is required of them.
type Results struct {
	// JUnit and Coverage are patterns of paths from the top of the repository: reports of tests, and of coverage.
	JUnit    []string `yaml:"junit"`
	Coverage []string `yaml:"coverage"`
	// Require.Test is "ran" if findings about cited tests are errors, Require.Code "executed" if findings about code that
	// did not run are. "" for neither.
	Require struct {
		Test string `yaml:"test"`
		Code string `yaml:"code"`
	} `yaml:"require"`
}

// IsZero reports whether nothing is named.
func (r *Results) IsZero() bool {
	return len(r.JUnit)+len(r.Coverage) == 0 && !r.Requires()
}

// Requires reports whether anything is required.
func (r *Results) Requires() bool { return r.Require.Test != "" || r.Require.Code != "" }

func (r *reader) results() {
	e := &r.file.Results
	isPattern := func(glob string) bool { return glob != "" && doublestar.ValidatePattern(glob) }
	r.each("$.results.junit", e.JUnit, isPattern, "%q is not a path pattern")
	r.each("$.results.coverage", e.Coverage, isPattern, "%q is not a path pattern")
	q := &e.Require
	if q.Test != "" && q.Test != "ran" {
		r.fail("$.results.require.test", "test must be ran, not %q", q.Test)
	}
	if q.Code != "" && q.Code != "executed" {
		r.fail("$.results.require.code", "code must be executed, not %q", q.Code)
	}
	r.policy.Results = *e
}

// loosenings lists requirements that the next policy drops, and reports for remaining requirements that it no longer
// reads.
func (r *Results) loosenings(next *Results) []string {
	var all []string
	if r.Require.Test != "" && next.Require.Test == "" {
		all = append(all, fmt.Sprintf("results.require.test: %s to none", r.Require.Test))
	}
	if r.Require.Code != "" && next.Require.Code == "" {
		all = append(all, fmt.Sprintf("results.require.code: %s to none", r.Require.Code))
	}
	if r.Require.Test != "" {
		all = append(all, addedEntries("results.junit no longer has", next.JUnit, r.JUnit)...)
	}
	if r.Require.Code != "" {
		all = append(all, addedEntries("results.coverage no longer has", next.Coverage, r.Coverage)...)
	}
	return all
}

// Prove says by which command claims are proved, and which need a proof.
type Prove struct {
	Command []string `yaml:"command"`
	// Require are tasks, by key or id, and tiers.
	Require []string `yaml:"require"`
}

// Requires reports whether a proof is required of a unit, or in a tier.
func (p *Prove) Requires(unit string, tier Tier) bool {
	return slices.ContainsFunc(p.Require, func(name string) bool {
		return name == unit || name == path.Base(unit) || name == tier.String()
	})
}

func (r *reader) prove() {
	r.policy.Prove = r.file.Prove
	isEmpty := func(word string) bool { return strings.TrimSpace(word) == "" }
	if slices.ContainsFunc(slices.Concat(r.file.Prove.Command, r.file.Prove.Require), isEmpty) {
		r.fail("$.prove", "command and require are lists of words, and none may be empty")
	}
}
