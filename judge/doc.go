// Package judge takes a commit, or a range of them, and gives findings and
// verdicts. It gathers what the rules may know (snapshot, plan, policy, changes)
// into check.Input, the same for a commit that is about to be made (Staged) and
// for those that are there (Range), so that a hook and CI cannot disagree.
package judge
