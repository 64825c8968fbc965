package check

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
)

// amendments is the folder of what people asked for since, with a slash at its end.
func (p *Pass) amendments() string { return path.Join(p.Policy.Intent, "amendments") + "/" }

func ruleAmendmentModified() *Rule {
	return &Rule{
		ID: AmendmentModified, Since: "0.1", OfCommit: true, Severity: always,
		Title: "an amendment of what people asked for is changed, or comes with an ACT or ADAPT",
		Doc: "`user_intent/amendments/` holds what people asked for since the start. It only grows: a file there is never changed\n" +
			"or removed, but for lines added at its end. And it never grows in an ACT or ADAPT: whoever does the work does not\n" +
			"say what is asked for. Commit a new amendment by itself.",
		Example: Example{
			Base:    map[string]string{"user_intent/amendments/001.md": "Passwords have twelve characters or more.\n"},
			Files:   map[string]string{"user_intent/amendments/001.md": "Passwords have eight characters or more.\n"},
			Message: "Fix a typo\n",
		},
		Run: runAmendmentModified,
	}
}

func runAmendmentModified(ctx context.Context, p *Pass) error {
	defer p.comparing(len(p.findings))
	paths, err := p.changedAmendments(ctx)
	if err != nil {
		return err
	}
	act, adapt := p.kinds()
	works := (act || adapt) && !p.Message.Joined && !p.EvidenceOnly
	for _, name := range paths {
		before, after, altered, err := p.altered(ctx, name)
		if err != nil {
			return err
		}
		grows := altered && before.Kind != evidence.File
		if altered && !grows {
			if grows, err = p.grows(ctx, before, after); err != nil {
				return err
			}
		}
		f := diag.Finding{Path: name, Line: 1, Column: 1, EndLine: 1}
		switch {
		case !altered:
			continue
		case !grows:
			f.Message = "This file says what people asked for, and the commit changes or removes it"
			f.Hint = fmt.Sprintf("put it back as it was, and write what is asked for now to a new file in %s", p.amendments())
		case works:
			f.Message = "Whoever does the work does not say what is asked for: an amendment is no part of an ACT or ADAPT"
			f.Hint = "commit the amendment by itself"
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
	if p.Judge.Base == nil || p.Changed == nil {
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
func (p *Pass) grows(ctx context.Context, before, after evidence.Entry) (bool, error) {
	if after.Kind != evidence.File {
		return false, nil
	}
	was, err := p.Judge.Base.Read(ctx, before)
	if err != nil {
		return false, err
	}
	now, err := p.Judge.Tree.Read(ctx, after)
	return bytes.HasPrefix(now, was), err
}
