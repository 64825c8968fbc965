package judge

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/language"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
)

// Cite describes what evidence is looked for.
type Cite struct {
	Release string
	// Unit is the unit whose checklist is matched. "": the one atomic unit that is in progress, if there is just one.
	Unit string
	// Since is the revision that the index is compared with; "": HEAD.
	Since string
}

// Citations are report lines for a change.
type Citations struct {
	// Unit is the unit whose items these are, "" without a checklist.
	Unit string `json:"unit"`
	// Items are the unit's items in the order of its checklist, each with the evidence found for it, perhaps none. Without
	// a checklist they are the definitions themselves.
	Items []CitedItem `json:"items"`
	// Unmatched is evidence that no item's words name.
	Unmatched []string `json:"unmatched"`
	// Stubs are definitions of the change that are no evidence, and why.
	Stubs []string `json:"stubs"`
	// Unread are files of the change that could not be read, and why.
	Unread []string `json:"unread"`

	plan string // the path of the plan, which is no evidence
}

// CitedItem is an item with its evidence.
type CitedItem struct {
	Item     string   `json:"item"`
	Evidence []string `json:"evidence"`
	words    []string
	kind     evidence.Kind
}

// place is something that can be cited.
type place struct {
	evidence string
	name     string // a symbol, a title, or a file's name
	test     bool
	removed  bool
}

// Find lists what the index changes as evidence, and matches it with the items of a unit.
func (o Cite) Find(ctx context.Context, r *repo.Repo) (*Citations, error) {
	before, base, err := o.base(ctx, r)
	if err != nil {
		return nil, err
	}
	tree, err := r.IndexTree(ctx)
	if err != nil {
		return nil, err
	}
	out := &Citations{Items: []CitedItem{}, Unmatched: []string{}, Stubs: []string{}, Unread: []string{}}
	checklist, err := o.checklist(ctx, r, out)
	if err != nil {
		return nil, err
	}
	out.Items = append(out.Items, checklist...)
	changes, err := r.Changes(ctx, before, tree, repo.DiffOptions{Renames: true})
	if err != nil {
		return nil, err
	}
	now := snapshot(r, tree)
	for _, c := range changes {
		if c.Path == out.plan {
			continue
		}
		places, err := o.places(ctx, base, &now, c, out)
		if err != nil {
			return nil, err
		}
		for _, p := range places {
			out.assign(p, len(checklist) > 0)
		}
	}
	return out, nil
}

// base is the tree that the index is compared with; nil and "" before the first commit.
func (o Cite) base(ctx context.Context, r *repo.Repo) (repo.ID, *evidence.Tree, error) {
	c, err := repo.Commit{}, error(nil)
	if o.Since == "" {
		if c, err = r.Head(ctx); isUnborn(err) {
			return "", nil, nil
		}
	} else {
		c, err = r.Commit(ctx, o.Since)
	}
	if err != nil {
		return "", nil, err
	}
	t := snapshot(r, c.Tree)
	return c.Tree, &t, nil
}

// checklist reads the unit's items from HEAD's plan.
func (o Cite) checklist(ctx context.Context, r *repo.Repo, out *Citations) ([]CitedItem, error) {
	path, root, err := HeadPlan(ctx, r, o.Release)
	if err != nil {
		return nil, err
	}
	out.plan = path
	if root == nil {
		return nil, o.unknown(nil)
	}
	unit := root.Find(o.Unit)
	if o.Unit == "" {
		unit = root.Current()
	}
	if unit == nil {
		return nil, o.unknown(root)
	}
	out.Unit = unit.ID
	var items []CitedItem
	for _, i := range unit.Checklist {
		items = append(items, CitedItem{Item: i.Text, Evidence: []string{}, words: itemWords(i.Text), kind: evidence.Kind(i.Kind)})
	}
	return items, nil
}

// unknown is the error for a unit that was asked for and is not in the plan.
func (o Cite) unknown(root *plan.Unit) error {
	switch {
	case o.Unit == "":
		return nil
	case root == nil:
		return &ConfigError{fmt.Errorf("there is no plan at HEAD that could hold the unit %s", o.Unit)}
	}
	return &ConfigError{fmt.Errorf("the plan at HEAD has no unit %s", o.Unit)}
}

// places lists what one changed file gives to cite.
func (o Cite) places(ctx context.Context, base, now *evidence.Tree, c repo.Change, out *Citations) ([]place, error) {
	whole := place{evidence: c.Path, name: path.Base(c.Path)}
	if c.NewID == "" {
		whole.evidence, whole.removed = "-"+c.Path, true
		return []place{whole}, nil
	}
	src, err := readFile(ctx, *now, c.Path)
	if err != nil {
		return nil, err
	}
	var old []byte
	if c.OldID != "" {
		from := c.Path
		if c.OldPath != "" {
			from = c.OldPath
		}
		if old, err = readFile(ctx, *base, from); err != nil {
			return nil, err
		}
	}
	if len(src) == 0 || string(src) == string(old) { // empty, a link, a submodule, a rename or a new mode
		return []place{whole}, nil
	}
	found, err := evidence.Alterations(ctx, c.Path, old, src)
	if err != nil {
		out.Unread = append(out.Unread, fmt.Sprintf("%s: %v", c.Path, err))
		return []place{whole}, nil
	}
	var places []place
	for _, a := range found {
		if a.Stub != "" {
			out.Stubs = append(out.Stubs, fmt.Sprintf("%s is a stub (%s)", cite(c.Path, a), strings.ReplaceAll(string(a.Stub), "_", " ")))
			continue
		}
		places = append(places, place{
			evidence: cite(c.Path, a), name: nameOf(c.Path, a), removed: a.Removed,
			test: isTest(c.Path) || slices.Contains(language.Words(a.Symbol), "test"),
		})
	}
	return places, nil
}

func nameOf(name string, a evidence.Alteration) string {
	switch {
	case a.Symbol != "":
		return a.Symbol
	case a.Title != "":
		return a.Title
	}
	return path.Base(name)
}

// cite writes an alteration as evidence.
func cite(name string, a evidence.Alteration) string {
	sign, lines, anchor := "", fmt.Sprint(a.Line), ""
	if a.Removed {
		sign = "-"
	}
	if a.EndLine > a.Line {
		lines = fmt.Sprintf("%d-%d", a.Line, a.EndLine)
	}
	if a.Symbol != "" {
		anchor = "#" + a.Symbol
	}
	return sign + name + ":" + lines + anchor
}

func isTest(name string) bool {
	return slices.ContainsFunc(language.Words(name), func(w string) bool { return w == "test" || w == "tests" || w == "spec" })
}

// assign gives a place to the item whose words name it best; without a checklist it is an item of its own.
func (out *Citations) assign(p place, registered bool) {
	if !registered {
		if !p.removed {
			out.Items = append(out.Items, CitedItem{Item: p.name, Evidence: []string{p.evidence}})
			return
		}
		out.Items = append(out.Items, CitedItem{Item: "Remove " + p.name, Evidence: []string{p.evidence}})
		return
	}
	best, most := -1, 0
	for i := range out.Items {
		if n := out.Items[i].agrees(p); n > most {
			best, most = i, n
		}
	}
	if best < 0 {
		out.Unmatched = append(out.Unmatched, p.evidence)
		return
	}
	out.Items[best].Evidence = append(out.Items[best].Evidence, p.evidence)
}

// agrees says how well an item names a place; 0 is not at all. An item that names
// symbols means those; else all words of the definition's own name must be in the item.
func (i *CitedItem) agrees(p place) int {
	own := p.name[strings.LastIndexByte(p.name, '.')+1:]
	if p.name == path.Base(p.evidence) || strings.Contains(p.name, " ") {
		own = strings.TrimSuffix(p.name, path.Ext(p.name))
	}
	removes := i.kind == evidence.KindRemoval || slices.ContainsFunc(i.words, func(w string) bool { return slices.Contains(removal, w) })
	tests := i.kind == evidence.KindTest || slices.Contains(i.words, "test") || slices.Contains(i.words, "tests")
	if p.removed != removes || p.test != tests {
		return 0
	}
	for _, n := range evidence.Names(i.Item) {
		if n.Text == p.name || n.Text == own || strings.HasSuffix(n.Text, "."+own) {
			return 1000
		}
	}
	score := 0
	for _, w := range language.Words(own) {
		switch {
		case slices.Contains(fillers, w):
		case slices.Contains(i.words, w):
			score++
		case w != "test":
			return 0
		}
	}
	return score
}

// removal are the words by which an item says that something goes away.
var removal = []string{"remove", "removed", "drop", "delete"}

// fillers are words that name nothing by themselves.
var fillers = []string{"a", "add", "an", "and", "create", "for", "from", "implement", "in", "of", "on", "the", "to", "with", "write"}

// itemWords are the words of an item that can name something.
func itemWords(item string) []string {
	return slices.DeleteFunc(language.Words(item), func(w string) bool { return slices.Contains(fillers, w) })
}
