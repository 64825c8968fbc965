package serve

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
)

// planView is the plan of one repository.
type planView struct {
	Repo, Path string
	Root       *planNode
	Total      int
	Complete   int
}

// planNode is a unit.
type planNode struct {
	ID, Key, Text, Status, Owner string
	Threshold, Risk, Paths       string
	Escalated                    bool
	Items                        []planItem
	Children                     []*planNode
	// Open: it, or what stands below it, is being worked on, or was last.
	Open bool
}

// planItem is an item of a unit's checklist, and the last claim about it.
type planItem struct {
	Text     string
	Optional bool
	Claim    *claimLine
}

func (b *builder) planOf(r *Repository, p *planned, said map[string][]claimLine) planView {
	v := planView{Repo: r.Name, Path: p.path}
	if p.root == nil {
		return v
	}
	nodes := map[*plan.Unit]*planNode{}
	for _, n := range plan.NewIndex(p.root).Nodes {
		node := &planNode{
			ID: n.ID, Key: n.Key, Text: n.Description, Status: n.Status, Owner: p.held(n.Key, b.now), Escalated: n.IsEscalated(),
			Risk: n.Risk, Paths: strings.Join(n.Paths, ", "),
		}
		if n.FailureThreshold > 0 {
			node.Threshold = fmt.Sprintf("%.2g", n.FailureThreshold)
		}
		for _, item := range n.Checklist {
			node.Items = append(node.Items, planItem{Text: item.Text, Optional: item.IsOptional})
		}
		items := plan.NameItems(n.Checklist)
		name := cmp.Or(snapshot.BoxUnit(n), n.ID)
		for _, c := range said[name] {
			if i := items.Find(c.Item); i >= 0 {
				node.Items[i].Claim = &c
			}
		}
		nodes[n.Unit] = node
		if n.Parent == nil {
			v.Root = node
		} else {
			up := nodes[n.Parent.Unit]
			up.Children = append(up.Children, node)
		}
		if n.IsTask() {
			v.Total++
			if n.Status == plan.Complete {
				v.Complete++
			}
		}
		if n.Parent == nil || n.Status == plan.InProgress || node.Owner != "" {
			for up := n; up != nil; up = up.Parent {
				nodes[up.Unit].Open = true
			}
		}
	}
	return v
}

// claimsView is what has become of the claims.
type claimsView struct {
	States []stateCount
	// Worse are those that do not hold as they were made, the worst first.
	Worse []driftLine
	Total int
}

type stateCount struct {
	State string
	N     int
}

// driftLine is a claim whose code is not as it was.
type driftLine struct {
	claimLine
	Repo, Unit, Commit, CommitURL string
}

type claimKey struct {
	repo               *Repository
	commit, unit, item string
}

// followed notes what has become of claims, and lists it.
func (b *builder) followed(reports map[*Repository]*judge.ClaimsReport) claimsView {
	v, counts := claimsView{}, map[evidence.State]int{}
	b.states = map[claimKey]string{}
	type worse struct {
		state evidence.State
		line  driftLine
	}
	var all []worse
	for _, r := range b.repos {
		for _, c := range reports[r].Claims {
			v.Total++
			counts[c.State]++
			b.states[claimKey{r, c.Commit, c.Unit, plan.ItemText(c.Item)}] = c.State.String()
			if c.State < evidence.StateEdited {
				continue
			}
			line := driftLine{Repo: r.Name, Unit: c.Unit, Commit: shortID(c.Commit), CommitURL: b.links.commit(r, c.Commit)}
			line.claimLine = claimLine{Item: c.Item, Evidence: plainEvidence(c.Evidence), State: c.State.String(),
				Reason: c.Reason,
				URL:    b.links.claim(r, c.Commit, c.Unit, c.Item)}
			all = append(all, worse{c.State, line})
		}
	}
	slices.SortStableFunc(all, func(a, b worse) int { return cmp.Compare(b.state, a.state) })
	for _, w := range all {
		v.Worse = append(v.Worse, w.line)
	}
	for s := evidence.StateHolds; s <= evidence.StateHollowed; s++ {
		if counts[s] > 0 {
			v.States = append(v.States, stateCount{s.String(), counts[s]})
		}
	}
	return v
}

// said are the claims about a unit, by its id, those about a box by its file and id; the last one last.
func (b *builder) said(r *Repository, rec *record) map[string][]claimLine {
	said := map[string][]claimLine{}
	for _, s := range rec.sessions {
		for _, op := range s.Entries {
			for _, v := range rec.verdicts[op.Details.Commit] {
				id := v.Unit
				if file := parser.BoxFile(v.Unit); file == "" && v.Unit == op.Details.Unit {
					id = v.Unit[strings.LastIndexByte(v.Unit, '/')+1:]
				} else if file == "" || file != op.Details.Unit {
					continue
				}
				said[id] = append(said[id], b.line(r, op.Details.Commit, v))
			}
		}
	}
	return said
}
