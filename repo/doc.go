// Package repo is the only importer of go-git and, with the exceptions that docs/architecture.md names, the only caller
// of git. Names of revisions and paths go in; commits, trees, changes and bytes come out.
//
// One `git cat-file --batch` process serves objects; go-git decodes commits; rev-list, diff-tree and write-tree answer
// the rest. So work trees, split indexes, alternates, quarantines and ref backends work as they do in git. The package
// knows nothing of commit messages, plans or rules, and must never import parser, plan or policy.
package repo
