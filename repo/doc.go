// Package repo is where git is: the only importer of go-git and the only caller
// of the git executable. git serves the bytes (one `cat-file --batch` process
// behind go-git's storer.EncodedObjectStorer), go-git gives them meaning, and
// rev-list, diff-tree and write-tree answer the rest, so that worktrees, split
// indexes, alternates, quarantines and reference backends work as git has them.
package repo
