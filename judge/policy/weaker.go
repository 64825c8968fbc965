package policy

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/acta-git/acta/report"
)

// Loosenings lists requirements that the next policy drops, as far as the policies alone show it: required units, tiers
// of paths, waivable rules, accepted commits, the width of spans. paths are the existing ones; patterns represent
// others.
func (p *Policy) Loosenings(next *Policy, paths []string) []string {
	var all []string
	order := []Require{RequireNone, RequireAgents, RequireAll}
	if slices.Index(order, next.Require) < slices.Index(order, p.Require) {
		all = append(all, fmt.Sprintf("require: %s to %s", p.Require, next.Require))
	}
	if p.Require == RequireAgents && next.Require == RequireAgents {
		all = append(all, addedEntries("actors.agents no longer has", next.Agents, p.Agents)...)
	}
	if p.Require != RequireNone && next.Require != RequireNone {
		all = append(all, addedEntries("actors.exempt has", p.ExemptActors, next.ExemptActors)...)
	}
	all = append(all, p.loweredTiers(next, paths)...)
	all = append(all, addedEntries("waivable has", p.Waivable, next.Waivable)...)
	all = append(all, addedEntries("accepted has", commitsOf(p.AcceptedCommits), commitsOf(next.AcceptedCommits))...)
	all = append(all, addedEntries("plan.working no longer has", next.Boxes, p.Boxes)...)
	all = append(all, p.verifierLoosening(next)...)
	all = append(all, p.Results.loosenings(&next.Results)...)
	all = append(all, addedEntries("prove.require no longer has", next.Prove.Require, p.Prove.Require)...)
	if next.MaxLines > p.MaxLines {
		all = append(all, fmt.Sprintf("evidence.max_lines: %d to %d", p.MaxLines, next.MaxLines))
	}
	return all
}

// verifierLoosening reports that completing needs no verifier any more, or another one, which may be weaker.
func (p *Policy) verifierLoosening(next *Policy) []string {
	current, following := p.Verifiers[p.CompleteVerifier], next.Verifiers[next.CompleteVerifier]
	switch {
	case p.CompleteVerifier == "":
		return nil
	case p.CompleteVerifier != next.CompleteVerifier:
		return []string{fmt.Sprintf("complete.verifier: %s to %s", p.CompleteVerifier, cmp.Or(next.CompleteVerifier, "none"))}
	case !slices.Equal(current.Run, following.Run):
		return []string{fmt.Sprintf("the verifier %s, which completing needs, runs %q, not %q",
			p.CompleteVerifier, following.Run, current.Run)}
	}
	return nil
}

func commitsOf(all []AcceptedCommit) []string {
	var commits []string
	for _, a := range all {
		commits = append(commits, fmt.Sprintf("%.12s", a.Commit))
	}
	return commits
}

func addedEntries(label string, before, after []string) []string {
	added := slices.DeleteFunc(slices.Clone(after), func(s string) bool { return slices.Contains(before, s) })
	if len(added) == 0 {
		return nil
	}
	return []string{label + " " + strings.Join(added, ", ")}
}

// loweredTiers lists the paths whose tier is lower, one entry for each pair of tiers.
func (p *Policy) loweredTiers(next *Policy, paths []string) []string {
	var all []string
	if next.DefaultTier < p.DefaultTier {
		all = append(all, fmt.Sprintf("default_tier: %s to %s", p.DefaultTier, next.DefaultTier))
	}
	type lowering struct{ from, to Tier }
	lowered := map[lowering][]string{}
	for _, path := range slices.Concat(p.samplePaths(), next.samplePaths(), paths) {
		for _, size := range commitSizes(p, next) {
			l := lowering{p.PathTier(path, size.files, size.lines), next.PathTier(path, size.files, size.lines)}
			if l.to < l.from && l != (lowering{p.DefaultTier, next.DefaultTier}) {
				lowered[l] = append(lowered[l], path)
				break
			}
		}
	}
	order := func(a, b lowering) int { return cmp.Or(cmp.Compare(b.from, a.from), cmp.Compare(a.to, b.to)) }
	for _, l := range slices.SortedFunc(maps.Keys(lowered), order) {
		all = append(all, fmt.Sprintf("the tier of %s: %s to %s", report.EnumerateFirst(1, lowered[l]), l.from, l.to))
	}
	return all
}

// samplePaths are one path for each pattern of the tiers, to represent files that do not exist yet.
func (p *Policy) samplePaths() []string {
	var all []string
	plain := strings.NewReplacer("**", "x", "*", "x", "?", "x")
	for _, r := range p.TierRules {
		for _, glob := range r.Paths {
			if path := plain.Replace(glob); (TierRule{Paths: []string{glob}}).matches(path, 0, 0) {
				all = append(all, path)
			}
		}
		if len(r.Paths) == 0 {
			all = append(all, "any file")
		}
	}
	return all
}

// commitSizes are how large commits are on either side of every bound of two policies.
func commitSizes(policies ...*Policy) []struct{ files, lines int } {
	files, lines := []int{1}, []int{1}
	for _, p := range policies {
		for _, r := range p.TierRules {
			files, lines = append(files, max(1, r.MaxFiles), r.MaxFiles+1), append(lines, max(1, r.MaxLines), r.MaxLines+1)
		}
	}
	slices.Sort(files)
	slices.Sort(lines)
	var all []struct{ files, lines int }
	for _, f := range slices.Compact(files) {
		for _, l := range slices.Compact(lines) {
			all = append(all, struct{ files, lines int }{f, l})
		}
	}
	return all
}

// HasSameTiers reports whether two policies have equal tier rules.
func (p *Policy) HasSameTiers(next *Policy) bool {
	return p.DefaultTier == next.DefaultTier && reflect.DeepEqual(p.TierRules, next.TierRules)
}
