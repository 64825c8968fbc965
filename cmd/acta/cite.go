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

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/lease"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
	"github.com/urfave/cli/v2"
)

func (c command) runCite(ctx context.Context, call *cli.Context, r *repo.Repo) error {
	by, err := c.identify(ctx, call, r)
	if err != nil {
		return err
	}
	leases, err := readLeases(ctx, r)
	if err != nil {
		return err
	}
	found, err := citeOptions{call.String("unit"), by.Name, leases, call.String("since")}.cite(ctx, r)
	if err != nil {
		return err
	}
	if call.String("unit") == "" && found.Unit != "" {
		c.Stderr.Printf("acta: these are the items of %s; choose another task with --unit\n", found.Unit)
	}
	if call.String("format") == "json" {
		return json.NewEncoder(c.Stdout).Encode(found)
	}
	c.printCitations(found)
	return nil
}

func (c command) printCitations(found *citeResult) {
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
		c.record.addMessage(failure, fmt.Sprintf("not read: %s", u))
	}
	if evidence == 0 {
		c.Stderr.Printf("acta: nothing citable is staged; stage your work with git add, or compare with an " +
			"earlier commit by --since\n")
		return
	}
	fmt.Fprint(c.Stdout, b.String())
}

type citeOptions struct {
	// unit is the unit whose checklist is matched; "" is the actor's current one in HEAD's plan, if any.
	unit   string
	actor  string
	leases lease.Leases
	// since is the revision to compare the index with; "": HEAD.
	since string
}

type citeResult struct {
	// Unit is the unit whose items these are, "" without a checklist.
	Unit string `json:"unit"`
	// Items are the unit's items in order, each with its evidence, possibly none. Without a checklist they are the
	// definitions themselves.
	Items []citedItem `json:"items"`
	// Unmatched is evidence that matches no item.
	Unmatched []string `json:"unmatched"`
	// Stubs are definitions of the change that are no evidence, and the reason.
	Stubs []string `json:"stubs"`
	// Unread are unreadable files of the change, and the reason.
	Unread []string `json:"unread"`

	plan string // the path of the plan, which is not evidence
}

type citedItem struct {
	Item      string   `json:"item"`
	Evidence  []string `json:"evidence"`
	citations []parser.Evidence
	kind      evidence.Kind
}

type citablePlace struct {
	evidence parser.Evidence
	name     string // a symbol, a title, or a file's name
	isTest   bool
}

func (o citeOptions) cite(ctx context.Context, r *repo.Repo) (*citeResult, error) {
	out := &citeResult{Items: []citedItem{}, Unmatched: []string{}, Stubs: []string{}, Unread: []string{}}
	reads := &evidence.Reads{Ctx: ctx}
	before := evidence.ReadOf(reads, func() (repo.ID, error) { return o.base(ctx, r) })
	tree := evidence.ReadOf(reads, func() (repo.ID, error) { return r.IndexTree(ctx) })
	checklist := evidence.ReadOf(reads, func() ([]citedItem, error) { return o.checklist(ctx, r, out) })
	changes := evidence.ReadOf(reads, func() ([]repo.Change, error) {
		return r.Changes(ctx, before, tree, repo.DiffOptions{Renames: true})
	})
	if reads.Err != nil {
		return nil, reads.Err
	}
	out.Items = append(out.Items, checklist...)
	base, now := snapshot.Tree(r, before), snapshot.Tree(r, tree)
	var places []citablePlace
	for _, withComments := range []bool{false, true} {
		for _, c := range changes {
			if c.Path == out.plan {
				continue
			}
			found, err := o.places(ctx, &base, &now, c, withComments, out)
			if err != nil {
				return nil, err
			}
			places = append(places, found...)
		}
		if len(places)+len(out.Stubs)+len(out.Unread) > 0 {
			break // else cite the changed comments
		}
	}
	if len(checklist) == 0 {
		out.nameItems(places)
	} else {
		for _, p := range places {
			out.assign(p)
		}
	}
	return out, o.judgePlaces(ctx, r, out, len(checklist) == 0)
}

// currentTask is the actor's task: the leased one, the one in progress, else the next.
func (o citeOptions) currentTask(root *plan.Unit) string {
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

// base is the tree to compare the index with; "" before the first commit.
func (o citeOptions) base(ctx context.Context, r *repo.Repo) (repo.ID, error) {
	c, err := r.Commit(ctx, cmp.Or(o.since, "HEAD"))
	if o.since == "" && errors.Is(err, repo.ErrUnborn) {
		err = nil
	}
	return c.Tree, err
}

func (o citeOptions) checklist(ctx context.Context, r *repo.Repo, out *citeResult) ([]citedItem, error) {
	path, root, err := snapshot.Head(r).Plan(ctx)
	if err != nil {
		return nil, err
	}
	out.plan = path
	name := o.unit
	if name == "" && root != nil {
		name = o.currentTask(root)
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
	return report.Map(unit.Checklist, func(i plan.Item) citedItem {
		return citedItem{Item: i.Text, Evidence: []string{}, kind: evidence.Kind(i.Kind)}
	}), nil
}

func (o citeOptions) places(
	ctx context.Context, base, now *evidence.Tree, c repo.Change, withComments bool, out *citeResult,
) ([]citablePlace, error) {
	whole := citablePlace{evidence: parser.Evidence{Path: c.Path}, name: path.Base(c.Path)}
	if c.NewID == "" {
		whole.evidence.IsRemoved = true
		return []citablePlace{whole}, nil
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
		return []citablePlace{whole}, nil
	}
	found, err := evidence.Alterations(ctx, c.Path, old, src, withComments)
	if err != nil {
		out.Unread = append(out.Unread, fmt.Sprintf("%s: %v", c.Path, err))
		if n := evidence.Lines(src); n > 0 {
			whole.evidence.Start, whole.evidence.End = 1, n
		}
		return []citablePlace{whole}, nil
	}
	var places []citablePlace
	for _, a := range found {
		p := citablePlace{
			evidence: parser.Evidence{Path: c.Path, Start: a.Line, End: a.EndLine, Symbol: a.Symbol,
				IsRemoved: a.IsRemoved},
			name:   nameOf(c.Path, a),
			isTest: isTest(c.Path) || slices.Contains(lang.Words(a.Symbol), "test"),
		}
		if a.Stub != "" {
			out.Stubs = append(
				out.Stubs, fmt.Sprintf("%s is a stub (%s)", p.evidence, strings.ReplaceAll(string(a.Stub), "_", " ")),
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
