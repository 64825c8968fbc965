// Package snapshot reads policy and plan as they stand in one place: HEAD, a commit, a merge base, the work tree, or a
// tree at hand. A place goes in; a policy, a plan or the error that says why there is none comes out. No other package
// reads policy and plan from git. It must never import judge, history or hooks.
package snapshot
