// Package repo is the only importer of go-git and, with the exceptions that docs/architecture.md names, the only
// caller of the git executable. Names of revisions and paths go in; commits, trees, changes and bytes come out.
//
// git serves the bytes, through one `cat-file --batch` process behind go-git's storer.EncodedObjectStorer; go-git
// decodes them; rev-list, diff-tree and write-tree answer the rest. So worktrees, split indexes, alternates,
// quarantines and reference backends work as they do in git. The package knows nothing of commit messages, plans or
// rules, and must never import parser, plan or policy.
package repo
