package rules

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
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

// missingIntent are the requests that a plan lacks when the commit completes it.
type missingIntent struct {
	rootID         string
	units          []string // units of the intent
	lateAmendments []string // amendments newer than the plan's last change
}

// gatherMissingIntent compares a plan that the commit completes with the requests.
func (f *gathering) gatherMissingIntent() {
	c := &f.change
	if f.isCherryPick() || c.isRevert || c.isRemoved || !c.completesRoot() {
		return
	}
	current := f.planIn(&f.Judge.Tree)
	if current == nil {
		return
	}
	f.missingIntent.rootID = current.Nodes[0].ID
	for _, u := range f.intentUnits() {
		if !u.isIn(current) {
			f.missingIntent.units = append(f.missingIntent.units, u.name())
		}
	}
	f.findLateAmendments()
}

func runIntentUncovered(p *pass) {
	if u := &p.missingIntent; len(u.units) > 0 {
		f := findingIn(path.Join(p.Policy.Intent, intentFile),
			"The plan is complete but lacks what was asked for: "+strings.Join(u.units, ", "),
			"add the missing work to the plan with an ADAPT, or say in its `Reason:` why it will not be done")
		f.Unit = u.rootID
		p.report(f)
	}
	for _, name := range p.missingIntent.lateAmendments {
		f := findingIn(name, "The plan is complete, but has not changed since this was asked for",
			"first plan what it asks for with an ADAPT; if it asks for nothing new, ignore this warning")
		f.Unit = p.missingIntent.rootID
		p.report(f)
	}
}

func (c *planChange) completesRoot() bool {
	return slices.ContainsFunc(c.moves, func(m plan.Move) bool {
		return m.Kind == plan.StatusMoved && m.Unit == c.rootID && m.To == plan.Complete
	})
}

type intentUnit struct {
	ID          string       `json:"id"`
	Description string       `json:"description"`
	Children    []intentUnit `json:"children"`
}

// intentUnits are the requested units below the root. A file in another form has none.
func (f *gathering) intentUnits() []intentUnit {
	entry := f.Stat(&f.Judge.Tree, path.Join(f.Policy.Intent, intentFile))
	var root intentUnit
	if entry.Kind != evidence.File || json.Unmarshal(f.read(version{&f.Judge.Tree, entry}), &root) != nil {
		return nil
	}
	return root.descendants()
}

func (w intentUnit) descendants() []intentUnit {
	var all []intentUnit
	for _, c := range w.Children {
		if c.ID != "" {
			all = append(all, c)
		}
		all = append(all, c.descendants()...)
	}
	return all
}

// isIn reports whether a plan has the unit, under its id or in its words.
func (w intentUnit) isIn(x *plan.Index) bool {
	words := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
	return slices.ContainsFunc(x.Nodes, func(n *plan.Node) bool {
		return n.ID == w.ID || w.Description != "" && words(n.Description) == words(w.Description)
	})
}

func (w intentUnit) name() string {
	if w.Description == "" {
		return w.ID
	}
	return fmt.Sprintf("%s «%s»", w.ID, w.Description)
}

// findLateAmendments finds the amendments that came after the plan's last change before this one.
func (f *gathering) findLateAmendments() {
	if f.Message.IsSquash { // a squash may have planned with them
		return
	}
	planned := answer(f.inquiry, f.Source.LastPlanChange)
	if planned == nil {
		return
	}
	for _, name := range answer(f.inquiry, f.Judge.Tree.Paths) {
		if strings.HasPrefix(name, f.amendments()) &&
			!equalContent(f.Stat(planned, name), f.Stat(&f.Judge.Tree, name)) {
			f.missingIntent.lateAmendments = append(f.missingIntent.lateAmendments, name)
		}
	}
}
