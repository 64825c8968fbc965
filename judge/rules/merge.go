package rules

import (
	"bytes"

	"github.com/acta-git/acta/evidence"
)

// gatherOwnWork finds the first path at which a merge or revert that names no task has changes of its own: a line that
// no parent and no reverted version has, or the loss of a line that all have.
func (f *gathering) gatherOwnWork() {
	lacksTask, _ := f.lacksTask()
	if !lacksTask || !f.IsMerge && f.Message.Reverts == nil || f.Judge.Base == nil {
		return
	}
	parents := append([]evidence.Tree{*f.Judge.Base}, f.merged()...)
	for _, r := range answer(f.inquiry, f.Source.RevertedCommits) {
		if r.IsUnknown {
			return
		}
		if r.Before != nil {
			parents = append(parents, *r.Before)
		}
	}
	for _, path := range f.changed() {
		if path == f.Policy.Plan {
			continue // it has guards of its own
		}
		if _, after, isAltered := f.ownChange(path); isAltered && f.hasOwnLine(after, parents) {
			f.ownWorkPath = path
			return
		}
	}
}

// hasOwnLine reports whether a merged file has a line that no parent has, or lacks one that all have.
func (f *gathering) hasOwnLine(after evidence.Entry, parents []evidence.Tree) bool {
	lines, isReadable := f.lines(version{&f.Judge.Tree, after})
	if !isReadable {
		return false
	}
	kept := map[string]bool{}
	removals := map[string]int{} // how many parents have a line that is not there any more
	for i := range parents {
		origin, err := evidence.Origin(f.Ctx, &parents[i], &f.Judge.Tree, after.Path)
		f.Note(err)
		before, isReadable := f.lines(version{&parents[i], origin})
		if !isReadable {
			return false
		}
		for line := range before {
			if lines[line] {
				kept[line] = true
			} else if removals[line]++; removals[line] == len(parents) {
				return true
			}
		}
	}
	return len(kept) < len(lines)
}

// lines are the lines of a version that say something, without the white space around them.
func (f *gathering) lines(v version) (found map[string]bool, isReadable bool) {
	s, isReadable := f.source(v)
	found = map[string]bool{}
	for line := range bytes.Lines(s.Bytes) {
		if line = bytes.TrimSpace(line); len(line) > 2 {
			found[string(line)] = true
		}
	}
	return found, isReadable
}
