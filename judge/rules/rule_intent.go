package rules

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
)

// amendments is the folder of later requests, with a slash at its end.
func (f *facts) amendments() string { return path.Join(f.Policy.Intent, "amendments") + "/" }

// changedAmendment is an amendment that a commit changes. isAppended: it only grows at its end, or is new.
type changedAmendment struct {
	path       string
	isAppended bool
}

func (f *gathering) gatherAmendments() {
	for _, name := range f.changedAmendments() {
		if before, after, isAltered := f.ownChange(name); isAltered {
			isAppend := before.Kind != evidence.File ||
				f.isAppended(version{f.Judge.Base, before}, version{&f.Judge.Tree, after})
			f.intent.amendments = append(f.intent.amendments, changedAmendment{name, isAppend})
		}
	}
}

func (p *pass) reportAmendment(a changedAmendment) {
	f := findingIn(a.path, "", "")
	f.IsRelative = true
	switch {
	case !a.isAppended:
		f.Message = "The commit changes or removes this file, which records what people asked for"
		f.Hint = fmt.Sprintf("restore it, and write the new request to a new file in %s", p.amendments())
	case p.Message.Has(parser.Act, parser.Adapt) && !p.Message.IsSquash && !p.isCherryPick():
		f.Message = "An ACT or ADAPT contains an amendment, but whoever does the work must not change what is asked for"
		f.Hint = "commit the amendment alone, in a commit of its own"
	default:
		return
	}
	p.report(f)
}

// changedAmendments lists the paths in the folder of amendments that the commit
// changes. Where both snapshots are at hand, an equal folder is answer enough.
func (f *gathering) changedAmendments() []string {
	base, tree := f.Judge.Base, &f.Judge.Tree
	if base == nil {
		return nil // every file is new
	}
	folder := strings.TrimSuffix(f.amendments(), "/")
	if base.Name != "" && tree.Name != "" && equalContent(f.Stat(base, folder), f.Stat(tree, folder)) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(f.changed()), func(name string) bool {
		return !strings.HasPrefix(name, f.amendments())
	})
}

// isAppended reports whether a file only has more at its end.
func (q *inquiry) isAppended(before, after version) bool {
	return after.Kind == evidence.File && bytes.HasPrefix(q.read(after), q.read(before))
}

// gatherAmendments finds amendments that were lost in the range: a merge may have taken another history's.
func (f *rangeGathering) gatherAmendments() {
	folder := path.Join(f.Policy.Intent, "amendments")
	before := f.Stat(f.Before, folder)
	if before.Kind != evidence.Folder || equalContent(before, f.Stat(f.After, folder)) {
		return
	}
	for _, name := range answer(f.inquiry, f.Before.Paths) {
		if strings.HasPrefix(name, folder+"/") && !f.isKept(name) {
			f.replacedIntent.amendments = append(f.replacedIntent.amendments, name)
		}
	}
}

// isKept reports whether a file of the beginning of the range is there at its end, with more at its end at the most.
func (f *rangeGathering) isKept(name string) bool {
	before, after := f.Stat(f.Before, name), f.Stat(f.After, name)
	return before.Kind != evidence.File || equalContent(before, after) ||
		f.isAppended(version{f.Before, before}, version{f.After, after})
}
