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

// amendments is the folder of what people asked for since, with a slash at its end.
func (p *Pass) amendments() string { return path.Join(p.Policy.Intent, "amendments") + "/" }

// amendmentsModified reports amendments that are changed, or come with an ACT or ADAPT.
func (p *Pass) amendmentsModified(ctx context.Context) error {
	paths, err := p.changedAmendments(ctx)
	if err != nil {
		return err
	}
	act, adapt := p.kinds()
	works := (act || adapt) && !p.Message.Joined && !p.picked()
	for _, name := range paths {
		before, after, altered, err := p.altered(ctx, name)
		if err != nil {
			return err
		}
		more := altered && before.Kind != evidence.File
		if altered && !more {
			if more, err = grows(ctx, version{p.Judge.Base, before}, version{&p.Judge.Tree, after}); err != nil {
				return err
			}
		}
		f := report.Finding{Path: name, Line: 1, Column: 1, EndLine: 1}
		switch {
		case !altered:
			continue
		case !more:
			f.Message = "The commit changes or removes this file, which records what people asked for"
			f.Hint = fmt.Sprintf("restore it, and write the new request to a new file in %s", p.amendments())
		case works:
			f.Message = "An ACT or ADAPT brings an amendment: whoever does the work must not change what is asked for"
			f.Hint = "commit the amendment alone, in a commit of its own"
		default:
			continue
		}
		p.report(f)
	}
	return nil
}

// changedAmendments lists the paths in the folder of amendments that the commit
// changes. Where both snapshots are at hand, an equal folder is answer enough.
func (p *Pass) changedAmendments(ctx context.Context) ([]string, error) {
	if p.Judge.Base == nil {
		return nil, nil // what is there now has only come
	}
	if p.Judge.Base.Name != "" && p.Judge.Tree.Name != "" {
		folder := strings.TrimSuffix(p.amendments(), "/")
		before, err := p.Judge.Base.Stat(ctx, folder)
		if err != nil {
			return nil, err
		}
		if after, err := p.Judge.Tree.Stat(ctx, folder); err != nil || sameContent(before, after) {
			return nil, err
		}
	}
	all, err := p.Changed(ctx)
	var found []string
	for _, name := range all {
		if strings.HasPrefix(name, p.amendments()) {
			found = append(found, name)
		}
	}
	return found, err
}

// grows reports whether a file only has more at its end.
func grows(ctx context.Context, before, after version) (bool, error) {
	if after.Kind != evidence.File {
		return false, nil
	}
	was, err := before.tree.Read(ctx, before.Entry)
	if err != nil {
		return false, err
	}
	now, err := after.tree.Read(ctx, after.Entry)
	return bytes.HasPrefix(now, was), err
}

// amendmentsReplaced finds amendments that a range began with and does not end with: a merge may have taken
// another history's, and answers for none of it.
func (p *RangePass) amendmentsReplaced(ctx context.Context, severity report.Severity) error {
	folder := path.Join(p.Policy.Intent, "amendments")
	before, err := p.Before.Stat(ctx, folder)
	if err != nil || before.Kind != evidence.Folder {
		return err
	}
	if after, err := p.After.Stat(ctx, folder); err != nil || sameContent(before, after) {
		return err
	}
	all, err := p.Before.Paths(ctx)
	if err != nil {
		return err
	}
	for _, name := range all {
		if !strings.HasPrefix(name, folder+"/") {
			continue
		}
		kept, err := p.keeps(ctx, name)
		if err != nil {
			return err
		}
		if !kept {
			p.repeats = append(p.repeats, report.Finding{
				Rule: p.rule.ID, Severity: severity, Commit: p.Head, Path: name, Line: 1, Column: 1, EndLine: 1,
				Message: "The range changes or removes this file, which records what people asked for",
				Hint:    fmt.Sprintf("restore it, and write the new request to a new file in %s/", folder),
			})
		}
	}
	return nil
}

// keeps reports whether a file of the beginning of the range is there at its end, with more at its end at the most.
func (p *RangePass) keeps(ctx context.Context, name string) (bool, error) {
	before, err := p.Before.Stat(ctx, name)
	if err != nil || before.Kind != evidence.File {
		return true, err
	}
	after, err := p.After.Stat(ctx, name)
	if err != nil || sameContent(before, after) {
		return true, err
	}
	return grows(ctx, version{p.Before, before}, version{p.After, after})
}
