package snapshot

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
)

// IsBoxFile reports whether a path is one of the plans in Markdown that a policy names.
func IsBoxFile(p *policy.Policy, file string) bool {
	return slices.ContainsFunc(p.Boxes, func(pattern string) bool {
		ok, err := doublestar.Match(pattern, file)
		return err == nil && ok
	})
}

// BoxGlobs are the plans in Markdown that a policy names, as git reads globs; they may fit more files.
func BoxGlobs(p *policy.Policy) (all []string) {
	for _, pattern := range p.Boxes {
		if strings.ContainsAny(pattern, `{}\`) { // git knows no alternatives
			pattern = "**/*" + path.Ext(pattern)
		}
		all = append(all, pattern)
	}
	return all
}

// BoxUnit is the unit of a box in claims; "" for another task.
func BoxUnit(n *plan.Node) string {
	if n.Parent == nil || !strings.HasSuffix(strings.ToLower(n.Parent.Description), ".md") {
		return ""
	}
	return n.Parent.Description + "/" + strings.TrimPrefix(n.ID, n.Parent.ID+".")
}

// boxPlan is the task tree of the plans in Markdown: one unit for each file, below it one for each box. nil without
// boxes.
func (s Snapshot) boxPlan(ctx context.Context, tree *evidence.Tree, p *policy.Policy) (*plan.Unit, error) {
	if tree == nil || len(p.Boxes) == 0 {
		return nil, nil
	}
	files, err := tree.Paths(ctx)
	root := &plan.Unit{ID: "plan", Type: plan.Parent, Status: plan.InProgress}
	ids := map[string]bool{}
	for _, file := range files {
		if !IsBoxFile(p, file) {
			continue
		}
		data, err := File(ctx, *tree, file)
		if s.isWorkTree {
			data, err = s.workFile(ctx, file)
		}
		if err != nil {
			return nil, err
		}
		name := path.Base(path.Dir(file))
		if name == "." || ids[name] {
			name = strings.ReplaceAll(file, "/", ".")
		}
		ids[name] = true
		unit := &plan.Unit{ID: name, Type: plan.Parent, Description: file, Status: plan.InProgress}
		for _, b := range parser.ParseBoxes(data) {
			if !b.IsGroup {
				unit.Children = append(unit.Children, boxUnit(&b, ids, name))
			}
		}
		if len(unit.Children) > 0 {
			root.Children = append(root.Children, unit)
		}
	}
	if root.Children == nil {
		return nil, err
	}
	return root, nil
}

// boxUnit is the task of a box. Its id is that of the box, behind the name of its file where another file has it.
func boxUnit(b *parser.Box, ids map[string]bool, file string) *plan.Unit {
	id := strings.ReplaceAll(b.ID, "/", "-")
	if ids[id] {
		id = file + "." + id
	}
	ids[id] = true
	u := &plan.Unit{ID: id, Type: plan.Atomic, Description: b.Text.Value, Status: plan.Pending}
	u.Checklist = []plan.Item{{Text: b.Text.Value, Kind: parser.KindOf(b.Text.Value)}}
	if b.IsTicked {
		u.Status = plan.Complete
	}
	return u
}
