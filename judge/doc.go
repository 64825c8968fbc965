// Package judge judges a commit before it is made (StagedCommit), or the commits of a range (Range): revisions in,
// findings and verdicts out. It collects snapshot, plan, policy and changes in one rules.Input, so hook and CI agree.
// It does not print, and must never import hooks, record or a command.
package judge
