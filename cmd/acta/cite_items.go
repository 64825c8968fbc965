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

// name makes items of the places: a definition is one by its name, the other lines of a file together by the file's.
// What is called the same in several files is told apart by its path.
func (out *citations) name(places []place) {
	files := map[string]string{} // where a name stands; "" for several files
	for _, p := range places {
		if at, known := files[p.name]; known && at != p.cited.Path {
			files[p.name] = ""
		} else {
			files[p.name] = p.cited.Path
		}
	}
	number := map[string]int{}
	for _, p := range places {
		item := p.name
		switch base := path.Base(p.cited.Path); {
		case files[p.name] != "":
		case p.name == base:
			item = p.cited.Path
		default:
			item += " in " + p.cited.Path
		}
		if p.removed {
			item = "Remove " + item
		}
		n, known := number[plan.ItemText(item)]
		if !known {
			n = len(out.Items)
			number[plan.ItemText(item)] = n
			out.Items = append(out.Items, citedItem{Item: item})
		}
		out.Items[n].cited = append(out.Items[n].cited, p.cited)
	}
}

// assign gives a place to the item whose words name it best.
func (out *citations) assign(p place) {
	best, most := -1, 0
	for i := range out.Items {
		if n := out.Items[i].agrees(p); n > most {
			best, most = i, n
		}
	}
	if best < 0 {
		out.Unmatched = append(out.Unmatched, p.cited.String())
		return
	}
	out.Items[best].cited = append(out.Items[best].cited, p.cited)
}

// sift asks the gate about each place, and keeps for each item what it would not refuse. An item that was made of its
// places goes with the last of them; one of a checklist stays, to be filled in.
func (o citing) sift(ctx context.Context, r *repo.Repo, out *citations, made bool) error {
	in, err := judge.ActInput(ctx, r, cmp.Or(out.Unit, "unit"), out.claims())
	if err != nil {
		return err
	}
	var kept []citedItem
	for _, i := range out.Items {
		i.Evidence = []string{}
		for _, e := range i.cited {
			e.Text.Value = e.String()
			if read := parser.ParseEvidence(e.Text.Value, report.Pos{}); len(read) != 1 ||
				read[0].String() != e.Text.Value || read[0].Path != e.Path {
				out.Unread = append(out.Unread, fmt.Sprintf("%q is no path that can be cited", e.Path))
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
		if len(i.Evidence) > 0 || !made {
			kept = append(kept, i)
		}
	}
	out.Items = append([]citedItem{}, kept...)
	return nil
}

// claims are the items as they would be reported.
func (out *citations) claims() []rules.Claim {
	var all []rules.Claim
	for _, i := range out.Items {
		all = append(all, rules.Claim{Claim: parser.Claim{Item: parser.Text{Value: i.Item}, Evidence: i.cited}})
	}
	return all
}

// agrees says how well an item names a place; 0 is not at all. An item that names
// symbols means those; else all words of the definition's own name must be in the item.
func (i *citedItem) agrees(p place) int {
	own := p.name[strings.LastIndexByte(p.name, '.')+1:]
	if p.name == path.Base(p.cited.Path) || strings.Contains(p.name, " ") {
		own = strings.TrimSuffix(p.name, path.Ext(p.name))
	}
	removes := i.kind == evidence.KindRemoval || slices.ContainsFunc(i.words, func(w string) bool {
		return slices.Contains(removal, w)
	})
	tests := i.kind == evidence.KindTest || slices.Contains(i.words, "test") || slices.Contains(i.words, "tests")
	if p.removed != removes || p.test != tests {
		return 0
	}
	for _, n := range parser.Names(i.Item) {
		if n.Text == p.name || n.Text == own || strings.HasSuffix(n.Text, "."+own) {
			return 1000
		}
	}
	score := 0
	for _, w := range lang.Words(own) {
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
var fillers = []string{
	"a", "add", "an", "and", "create", "for", "from", "implement", "in", "of", "on", "the", "to", "with", "write",
}

// itemWords are the words of an item that can name something.
func itemWords(item string) []string {
	return slices.DeleteFunc(lang.Words(item), func(w string) bool { return slices.Contains(fillers, w) })
}
