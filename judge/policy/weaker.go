package policy

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Loosenings lists what a policy asks for and the next one does not, as far as the two tell by themselves: whose
// commits must say their unit, the tiers of paths, what may be waived and what is accepted, how wide a span is judged.
// paths are those that are there; patterns stand for others.
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

// verifierLoosening says that completing needs no run any more, or another one: which of two asks for more nobody can
// tell.
func (p *Policy) verifierLoosening(next *Policy) []string {
	is, will := p.Verifiers[p.CompleteVerifier], next.Verifiers[next.CompleteVerifier]
	switch {
	case p.CompleteVerifier == "":
		return nil
	case p.CompleteVerifier != next.CompleteVerifier:
		return []string{fmt.Sprintf("complete.verifier: %s to %s", p.CompleteVerifier, cmp.Or(next.CompleteVerifier, "none"))}
	case !slices.Equal(is.Run, will.Run):
		return []string{fmt.Sprintf("the verifier %s, which completing needs, runs %q, not %q", p.CompleteVerifier, will.Run,
			is.Run)}
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

// addedEntries says what a list has that another one did not.
func addedEntries(what string, before, after []string) []string {
	added := slices.DeleteFunc(slices.Clone(after), func(s string) bool { return slices.Contains(before, s) })
	if len(added) == 0 {
		return nil
	}
	return []string{what + " " + strings.Join(added, ", ")}
}

// loweredTiers lists the paths that are held less strictly, those with the same tiers before and after as one.
func (p *Policy) loweredTiers(next *Policy, paths []string) []string {
	var all []string
	if next.DefaultTier < p.DefaultTier {
		all = append(all, fmt.Sprintf("default_tier: %s to %s", p.DefaultTier, next.DefaultTier))
	}
	type lowering struct{ from, to Tier }
	lowered := map[lowering][]string{}
	for _, path := range slices.Concat(p.samplePaths(), next.samplePaths(), paths) {
		for _, size := range sizes(p, next) {
			l := lowering{p.PathTier(path, size.files, size.lines), next.PathTier(path, size.files, size.lines)}
			if l.to < l.from && l != (lowering{p.DefaultTier, next.DefaultTier}) {
				lowered[l] = append(lowered[l], path)
				break
			}
		}
	}
	order := func(a, b lowering) int { return cmp.Or(cmp.Compare(b.from, a.from), cmp.Compare(a.to, b.to)) }
	for _, l := range slices.SortedFunc(maps.Keys(lowered), order) {
		found := lowered[l]
		more := ""
		if len(found) > 1 {
			more = fmt.Sprintf(" and %d more", len(found)-1)
		}
		all = append(all, fmt.Sprintf("the tier of %s%s: %s to %s", found[0], more, l.from, l.to))
	}
	return all
}

// samplePaths are paths that the patterns of the tiers match, one each, which stand for files that are not there yet.
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

// sizes are how large commits are on either side of every bound of two policies.
func sizes(policies ...*Policy) []struct{ files, lines int } {
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

// HasSameTiers reports whether two policies hold every path alike, without asking for any.
func (p *Policy) HasSameTiers(next *Policy) bool {
	return p.DefaultTier == next.DefaultTier && slices.EqualFunc(p.TierRules, next.TierRules, func(a, b TierRule) bool {
		return a.Tier == b.Tier && a.MaxFiles == b.MaxFiles && a.MaxLines == b.MaxLines && slices.Equal(a.Paths, b.Paths)
	})
}
