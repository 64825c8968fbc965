package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/lease"
	"github.com/acta-git/acta/repo"
)

func (c command) runCite(ctx context.Context, call *cli.Context, r *repo.Repo) error {
	by, err := c.identify(ctx, call, r)
	if err != nil {
		return err
	}
	leases, err := claimsOf(ctx, r)
	if err != nil {
		return err
	}
	found, err := citing{call.String("unit"), by.Name, leases, call.String("since")}.find(ctx, r)
	if err != nil {
		return err
	}
	if call.String("unit") == "" && found.Unit != "" {
		c.Stderr.Printf("acta: these are the items of %s; choose another task with --unit\n", found.Unit)
	}
	if call.String("format") == "json" {
		return json.NewEncoder(c.Stdout).Encode(found)
	}
	return c.printCitations(found)
}

func (c command) printCitations(found *citations) error {
	var b strings.Builder
	evidence := len(found.Unmatched)
	for _, i := range found.Items {
		fmt.Fprintf(&b, "Done: %s | %s\n", i.Item, strings.Join(i.Evidence, ", "))
		evidence += len(i.Evidence)
	}
	if len(found.Unmatched) > 0 && b.Len() > 0 {
		b.WriteByte('\n')
	}
	for _, e := range found.Unmatched {
		fmt.Fprintln(&b, e)
	}
	for _, s := range found.Stubs {
		c.Stderr.Printf("acta: %s, and no evidence\n", s)
	}
	for _, u := range found.Unread {
		c.Stderr.Printf("acta: not read: %s\n", u)
		c.record.say(failure, fmt.Sprintf("not read: %s", u))
	}
	if evidence == 0 {
		c.Stderr.Printf("acta: nothing is staged that can be cited; stage your work with git add, or compare with an " +
			"earlier commit by --since\n")
		return nil
	}
	_, err := c.Stdout.Write([]byte(b.String()))
	return err
}

// citing describes what evidence is looked for.
type citing struct {
	// unit is the unit whose checklist is matched; "" is the one of HEAD's plan that the actor works on, if any.
	unit   string
	actor  string
	leases lease.Leases
	// since is the revision that the index is compared with; "": HEAD.
	since string
}

// citations are report lines for a change.
type citations struct {
	// Unit is the unit whose items these are, "" without a checklist.
	Unit string `json:"unit"`
	// Items are the unit's items in the order of its checklist, each with the evidence found for it, perhaps none. Without
	// a checklist they are the definitions themselves.
	Items []citedItem `json:"items"`
	// Unmatched is evidence that no item's words name.
	Unmatched []string `json:"unmatched"`
	// Stubs are definitions of the change that are no evidence, and why.
	Stubs []string `json:"stubs"`
	// Unread are files of the change that could not be read, and why.
	Unread []string `json:"unread"`

	plan string // the path of the plan, which is no evidence
}

// citedItem is an item with its evidence.
type citedItem struct {
	Item     string   `json:"item"`
	Evidence []string `json:"evidence"`
	cited    []parser.Evidence
	words    []string
	kind     evidence.Kind
}

// place is something that can be cited.
type place struct {
	cited   parser.Evidence
	name    string // a symbol, a title, or a file's name
	test    bool
	removed bool
}

// find lists what the index changes as evidence, and matches it with the items of a unit.
func (o citing) find(ctx context.Context, r *repo.Repo) (*citations, error) {
	before, base, err := o.base(ctx, r)
	if err != nil {
		return nil, err
	}
	tree, err := r.IndexTree(ctx)
	if err != nil {
		return nil, err
	}
	out := &citations{Items: []citedItem{}, Unmatched: []string{}, Stubs: []string{}, Unread: []string{}}
	checklist, err := o.checklist(ctx, r, out)
	if err != nil {
		return nil, err
	}
	out.Items = append(out.Items, checklist...)
	changes, err := r.Changes(ctx, before, tree, repo.DiffOptions{Renames: true})
	if err != nil {
		return nil, err
	}
	now := snapshot.Tree(r, tree)
	var places []place
	for _, all := range []bool{false, true} {
		for _, c := range changes {
			if c.Path == out.plan {
				continue
			}
			found, err := o.places(ctx, base, &now, c, all, out)
			if err != nil {
				return nil, err
			}
			places = append(places, found...)
		}
		if len(places)+len(out.Stubs)+len(out.Unread) > 0 {
			break // else the change is one of comments: all of its lines are asked about
		}
	}
	if len(checklist) == 0 {
		out.name(places)
	} else {
		for _, p := range places {
			out.assign(p)
		}
	}
	return out, o.sift(ctx, r, out, len(checklist) == 0)
}

// ownTask is the task that who asks works on: the one that is claimed, the one in progress, else the one to take next.
func (o citing) ownTask(root *plan.Unit) string {
	now := time.Now()
	if n := o.leases.HeldTask(root, o.actor, now); n != nil {
		return n.Key
	}
	if u := root.Current(); u != nil {
		return u.ID
	}
	if n, _ := o.leases.NextTask(root, o.actor, now); n != nil {
		return n.Key
	}
	return ""
}

// base is the tree that the index is compared with; nil and "" before the first commit.
func (o citing) base(ctx context.Context, r *repo.Repo) (repo.ID, *evidence.Tree, error) {
	c, err := r.Commit(ctx, cmp.Or(o.since, "HEAD"))
	if o.since == "" && errors.Is(err, repo.ErrUnborn) {
		return "", nil, nil
	}
	if err != nil {
		return "", nil, err
	}
	t := snapshot.Tree(r, c.Tree)
	return c.Tree, &t, nil
}

// checklist reads the unit's items from HEAD's plan.
func (o citing) checklist(ctx context.Context, r *repo.Repo, out *citations) ([]citedItem, error) {
	path, root, err := snapshot.Head(r).Plan(ctx)
	if err != nil {
		return nil, err
	}
	out.plan = path
	name := o.unit
	if name == "" && root != nil {
		name = o.ownTask(root)
	}
	unit := root.Find(name)
	switch {
	case unit == nil && o.unit == "":
		return nil, nil
	case root == nil:
		return nil, &policy.ConfigError{Err: fmt.Errorf("HEAD has no plan, so it has no task %s", name)}
	case unit == nil:
		return nil, &policy.ConfigError{Err: fmt.Errorf("HEAD's plan has no task %s; `acta plan show` lists those of the "+
			"work tree", name)}
	}
	out.Unit = unit.ID
	var items []citedItem
	for _, i := range unit.Checklist {
		items = append(
			items, citedItem{Item: i.Text, Evidence: []string{}, words: itemWords(i.Text), kind: evidence.Kind(i.Kind)},
		)
	}
	return items, nil
}

// places lists what one changed file gives to cite; all: its comments too.
func (o citing) places(
	ctx context.Context, base, now *evidence.Tree, c repo.Change, all bool, out *citations,
) ([]place, error) {
	whole := place{cited: parser.Evidence{Path: c.Path}, name: path.Base(c.Path)}
	if c.NewID == "" {
		whole.cited.IsRemoved, whole.removed = true, true
		return []place{whole}, nil
	}
	src, err := snapshot.File(ctx, *now, c.Path)
	if err != nil {
		return nil, err
	}
	var old []byte
	if c.OldID != "" {
		if old, err = snapshot.File(ctx, *base, cmp.Or(c.OldPath, c.Path)); err != nil {
			return nil, err
		}
	}
	if len(src) == 0 || string(src) == string(old) { // empty, a link, a submodule, a rename or a new mode
		return []place{whole}, nil
	}
	found, err := evidence.Alterations(ctx, c.Path, old, src, all)
	if err != nil {
		out.Unread = append(out.Unread, fmt.Sprintf("%s: %v", c.Path, err))
		if n := evidence.Lines(src); n > 0 {
			whole.cited.Start, whole.cited.End = 1, n
		}
		return []place{whole}, nil
	}
	var places []place
	for _, a := range found {
		p := place{
			cited: parser.Evidence{Path: c.Path, Start: a.Line, End: a.EndLine, Symbol: a.Symbol, IsRemoved: a.IsRemoved},
			name:  nameOf(c.Path, a), removed: a.IsRemoved,
			test: isTest(c.Path) || slices.Contains(lang.Words(a.Symbol), "test"),
		}
		if a.Stub != "" {
			out.Stubs = append(
				out.Stubs, fmt.Sprintf("%s is a stub (%s)", p.cited, strings.ReplaceAll(string(a.Stub), "_", " ")),
			)
			continue
		}
		places = append(places, p)
	}
	return places, nil
}

func nameOf(name string, a evidence.Alteration) string {
	switch {
	case a.Symbol != "":
		return a.Symbol
	case a.Title != "":
		return strings.Join(strings.Fields(a.Title), " ")
	}
	return path.Base(name)
}

func isTest(name string) bool {
	return slices.ContainsFunc(lang.Words(name), func(w string) bool {
		return w == "test" || w == "tests" || w == "spec"
	})
}
