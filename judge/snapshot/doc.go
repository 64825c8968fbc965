// Package snapshot reads the policy and the plan of HEAD, a commit, a merge base, the work tree, or a given tree. No
// other package reads them from git. It must never import judge, history or hooks.
package snapshot
