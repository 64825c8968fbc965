package rules

import (
	"bytes"
	"context"

	"github.com/acta-git/acta/evidence"
)

// findOwnWork returns the first path at which a merge or revert has changes of its own, "" for none: a line that no
// parent and no reverted version has, or the loss of a line that all have.
func (f *facts) findOwnWork(ctx context.Context) (string, error) {
	merged, err := f.Source.Merged(ctx)
	if err != nil || f.Judge.Base == nil {
		return "", err
	}
	paths, err := f.Source.Changed(ctx)
	if err != nil {
		return "", err
	}
	parents := append([]evidence.Tree{*f.Judge.Base}, merged...)
	reverted, err := f.Source.RevertedCommits(ctx)
	for _, r := range reverted {
		if err != nil || r.IsUnknown {
			return "", err
		}
		if r.Before != nil {
			parents = append(parents, *r.Before)
		}
	}
	for _, path := range paths {
		if path == f.Policy.Plan {
			continue // it has guards of its own
		}
		_, after, altered, err := f.ownChange(ctx, path)
		if err != nil {
			return "", err
		}
		if !altered {
			continue
		}
		if hasOwn, err := f.hasOwnLine(ctx, after, parents); err != nil || hasOwn {
			return path, err
		}
	}
	return "", nil
}

// hasOwnLine reports whether a merged file has a line that no parent has, or lacks one that all have.
func (f *facts) hasOwnLine(ctx context.Context, after evidence.Entry, parents []evidence.Tree) (bool, error) {
	lines, readable, err := f.lines(ctx, version{&f.Judge.Tree, after})
	if err != nil || !readable {
		return false, err
	}
	kept := map[string]bool{}
	removals := map[string]int{} // how many parents have a line that is not there any more
	for i := range parents {
		origin, err := evidence.Origin(ctx, &parents[i], &f.Judge.Tree, after.Path)
		if err != nil {
			return false, err
		}
		before, readable, err := f.lines(ctx, version{&parents[i], origin})
		if err != nil || !readable {
			return false, err
		}
		for line := range before {
			if lines[line] {
				kept[line] = true
			} else if removals[line]++; removals[line] == len(parents) {
				return true, nil
			}
		}
	}
	return len(kept) < len(lines), nil
}

// lines are the lines of a version that say something, without the white space around them.
func (f *facts) lines(ctx context.Context, v version) (found map[string]bool, readable bool, err error) {
	s, readable, err := f.source(ctx, v)
	found = map[string]bool{}
	for line := range bytes.Lines(s.Bytes) {
		if line = bytes.TrimSpace(line); len(line) > 2 {
			found[string(line)] = true
		}
	}
	return found, readable, err
}
