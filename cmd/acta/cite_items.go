package main

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// nameItems makes items of places: a definition's by its name, a file's other lines together by the file's. Equal names
// in several files get their path.
func (out *citeResult) nameItems(places []citablePlace) {
	files := map[string]string{} // the file of a name; "" for several files
	for _, p := range places {
		if at, known := files[p.name]; known && at != p.evidence.Path {
			files[p.name] = ""
		} else {
			files[p.name] = p.evidence.Path
		}
	}
	number := map[string]int{}
	for _, p := range places {
		item := p.name
		switch base := path.Base(p.evidence.Path); {
		case files[p.name] != "":
		case p.name == base:
			item = p.evidence.Path
		default:
			item += " in " + p.evidence.Path
		}
		if p.evidence.IsRemoved {
			item = "Remove " + item
		}
		n, known := number[plan.ItemText(item)]
		if !known {
			n = len(out.Items)
			number[plan.ItemText(item)] = n
			out.Items = append(out.Items, citedItem{Item: item})
		}
		out.Items[n].citations = append(out.Items[n].citations, p.evidence)
	}
}

func (out *citeResult) assign(p citablePlace) {
	best, most := -1, 0
	for i := range out.Items {
		if n := out.Items[i].score(p); n > most {
			best, most = i, n
		}
	}
	if best < 0 {
		out.Unmatched = append(out.Unmatched, p.evidence.String())
		return
	}
	out.Items[best].citations = append(out.Items[best].citations, p.evidence)
}

// judgePlaces judges each place, and keeps the evidence that would not be refused. Items made from places are dropped
// with their last evidence; those of a checklist stay.
func (o citeOptions) judgePlaces(ctx context.Context, r *repo.Repo, out *citeResult, isNamed bool) error {
	in, err := judge.ActInput(ctx, r, cmp.Or(out.Unit, "unit"), out.claims())
	if err != nil {
		return err
	}
	var items []citedItem
	for _, i := range out.Items {
		i.Evidence = []string{}
		for _, e := range i.citations {
			e.Text.Value = e.String()
			if read := parser.ParseEvidence(e.Text.Value, report.Pos{}); len(read) != 1 ||
				read[0].String() != e.Text.Value || read[0].Path != e.Path {
				out.Unread = append(out.Unread, fmt.Sprintf("the path %q cannot be cited", e.Path))
				continue
			}
			kind := cmp.Or(i.kind, evidence.Kind(parser.KindOf(i.Item)))
			found, err := in.Judge.Evidence(ctx, evidence.Claim{Evidence: e, Item: i.Item, Kind: kind})
			if err != nil {
				return err
			}
			refused := slices.ContainsFunc(found.Problems, func(f evidence.Problem) bool {
				return !f.IsNote && rules.Refuses(string(f.Code), in.Policy, in.Tier)
			})
			switch {
			case found.Verdict == report.NotVerified || refused:
				out.Stubs = append(out.Stubs, fmt.Sprintf("%s would be refused (%s)", e, found.Reason))
				continue
			case found.IsOutside:
				out.Stubs = append(out.Stubs, fmt.Sprintf("%s would be unclear (%s)", e, found.Reason))
				continue
			}
			i.Evidence = append(i.Evidence, e.Text.Value)
		}
		if len(i.Evidence) > 0 || !isNamed {
			items = append(items, i)
		}
	}
	out.Items = append([]citedItem{}, items...)
	return nil
}

func (out *citeResult) claims() []rules.Claim {
	return report.Map(out.Items, func(i citedItem) rules.Claim {
		return rules.Claim{Claim: parser.Claim{Item: parser.Text{Value: i.Item}, Evidence: i.citations}}
	})
}

// score says how well an item matches a place; 0 is not at all. An item with symbols means only those, an item with
// files only these; else all words of the definition's own name must be in the item.
func (i *citedItem) score(p citablePlace) int {
	name := p.name[strings.LastIndexByte(p.name, '.')+1:]
	if p.name == path.Base(p.evidence.Path) || strings.Contains(p.name, " ") {
		name = strings.TrimSuffix(p.name, path.Ext(p.name))
	}
	words := itemWords(i.Item)
	removes := i.kind == evidence.KindRemoval || slices.ContainsFunc(words, func(w string) bool {
		return slices.Contains(removalWords, w)
	})
	tests := i.kind == evidence.KindTest || slices.Contains(words, "test") || slices.Contains(words, "tests")
	if p.evidence.IsRemoved != removes || p.isTest != tests {
		return 0
	}
	namesFile, namesThis := false, false
	for _, n := range parser.Names(i.Item) {
		if n.Text == p.name || n.Text == name || strings.HasSuffix(n.Text, "."+name) {
			return 1000
		}
		namesFile = namesFile || n.IsFile
		namesThis = namesThis || n.IsFile && path.Base(n.Text) == path.Base(p.evidence.Path)
	}
	if namesFile && !namesThis {
		return 0
	}
	score := 0
	for _, w := range lang.Words(name) {
		switch {
		case slices.Contains(fillerWords, w):
		case slices.Contains(words, w):
			score++
		case w != "test":
			return 0
		}
	}
	return score
}

var removalWords = []string{"remove", "removed", "drop", "delete"}

var fillerWords = []string{
	"a", "add", "an", "and", "create", "for", "from", "implement", "in", "of", "on", "the", "to", "with", "write",
}

func itemWords(item string) []string {
	return slices.DeleteFunc(lang.Words(item), func(w string) bool { return slices.Contains(fillerWords, w) })
}
