// Package snapshot reads the project's files as they stand in one place: HEAD, a commit,
// the work tree, or a tree that is at hand. Nobody else reads policy and plan from git.
package snapshot
