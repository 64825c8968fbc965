// Package judge judges a commit that is about to be made (Staged), or the commits of a range (Range): revisions go in,
// findings and verdicts come out. It gathers what the rules may know (snapshot, plan, policy, changes) into one
// rules.Input. That is the same for both, so a hook and CI cannot disagree. It does not print, and must never import
// hooks, record or a command.
package judge
