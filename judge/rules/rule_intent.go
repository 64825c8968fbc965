package rules

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/report"
)

// amendments is the folder of later requests, with a slash at its end.
func (f *facts) amendments() string { return path.Join(f.Policy.Intent, "amendments") + "/" }

// changedAmendment is an amendment that a commit changes. isAppended: it only grows at its end, or is new.
type changedAmendment struct {
	path       string
	isAppended bool
}

// gatherAmendments looks for amendments that the commit changes.
func (f *facts) gatherAmendments(ctx context.Context) error {
	paths, err := f.changedAmendments(ctx)
	if err != nil {
		return err
	}
	for _, name := range paths {
		before, after, altered, err := f.ownChange(ctx, name)
		if err != nil {
			return err
		}
		isAppend := altered && before.Kind != evidence.File
		if altered && !isAppend {
			if isAppend, err = isAppended(ctx, version{f.Judge.Base, before}, version{&f.Judge.Tree, after}); err != nil {
				return err
			}
		}
		if altered {
			f.intent.amendments = append(f.intent.amendments, changedAmendment{name, isAppend})
		}
	}
	return nil
}

// reportAmendment reports an amendment that is changed, or comes with an ACT or ADAPT.
func (p *pass) reportAmendment(a changedAmendment) {
	hasAct, hasAdapt := p.partKinds()
	f := findingIn(a.path, "", "")
	switch {
	case !a.isAppended:
		f.Message = "The commit changes or removes this file, which records what people asked for"
		f.Hint = fmt.Sprintf("restore it, and write the new request to a new file in %s", p.amendments())
	case (hasAct || hasAdapt) && !p.Message.IsSquash && !p.isCherryPick():
		f.Message = "An ACT or ADAPT contains an amendment, but whoever does the work must not change what is asked for"
		f.Hint = "commit the amendment alone, in a commit of its own"
	default:
		return
	}
	p.report(f)
}

// changedAmendments lists the paths in the folder of amendments that the commit
// changes. Where both snapshots are at hand, an equal folder is answer enough.
func (f *facts) changedAmendments(ctx context.Context) ([]string, error) {
	if f.Judge.Base == nil {
		return nil, nil // every file is new
	}
	if f.Judge.Base.Name != "" && f.Judge.Tree.Name != "" {
		folder := strings.TrimSuffix(f.amendments(), "/")
		before, err := f.Judge.Base.Stat(ctx, folder)
		if err != nil {
			return nil, err
		}
		if after, err := f.Judge.Tree.Stat(ctx, folder); err != nil || equalContent(before, after) {
			return nil, err
		}
	}
	all, err := f.Source.Changed(ctx)
	var found []string
	for _, name := range all {
		if strings.HasPrefix(name, f.amendments()) {
			found = append(found, name)
		}
	}
	return found, err
}

// isAppended reports whether a file only has more at its end.
func isAppended(ctx context.Context, before, after version) (bool, error) {
	if after.Kind != evidence.File {
		return false, nil
	}
	oldData, err := before.tree.Read(ctx, before.Entry)
	if err != nil {
		return false, err
	}
	newData, err := after.tree.Read(ctx, after.Entry)
	return bytes.HasPrefix(newData, oldData), err
}

// gatherAmendments finds amendments that were lost in the range: a merge may have taken another history's.
func (f *rangeFacts) gatherAmendments(ctx context.Context) error {
	folder := path.Join(f.Policy.Intent, "amendments")
	before, err := f.Before.Stat(ctx, folder)
	if err != nil || before.Kind != evidence.Folder {
		return err
	}
	if after, err := f.After.Stat(ctx, folder); err != nil || equalContent(before, after) {
		return err
	}
	all, err := f.Before.Paths(ctx)
	if err != nil {
		return err
	}
	for _, name := range all {
		if !strings.HasPrefix(name, folder+"/") {
			continue
		}
		isKept, err := f.isKept(ctx, name)
		if err != nil {
			return err
		}
		if !isKept {
			f.replacedIntent.amendments = append(f.replacedIntent.amendments, name)
		}
	}
	return nil
}

func (p *rangePass) reportReplacedAmendment(name string, severity report.Severity) {
	f := findingIn(name, "The range changes or removes this file, which records what people asked for",
		"restore it, and write the new request to a new file in "+path.Join(p.Policy.Intent, "amendments")+"/")
	f.Rule, f.Severity, f.Commit = p.rule.ID, severity, p.Head
	p.repeats = append(p.repeats, f)
}

// isKept reports whether a file of the beginning of the range is there at its end, with more at its end at the most.
func (f *rangeFacts) isKept(ctx context.Context, name string) (bool, error) {
	before, err := f.Before.Stat(ctx, name)
	if err != nil || before.Kind != evidence.File {
		return true, err
	}
	after, err := f.After.Stat(ctx, name)
	if err != nil || equalContent(before, after) {
		return true, err
	}
	return isAppended(ctx, version{f.Before, before}, version{f.After, after})
}
