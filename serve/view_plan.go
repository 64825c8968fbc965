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

type planView struct {
	Repo            string
	Root            *planNode
	Total, Complete int
}

type planNode struct {
	*plan.Node
	Owner, Threshold, Paths string
	Items                   []planItem
	Children                []*planNode
	// IsOpen: the unit, or one below it, is in progress, or was last.
	IsOpen bool
}

type planItem struct {
	Text       string
	IsOptional bool
	Claim      *claimLine
}

func (b *builder) planOf(r repositoryData) planView {
	p, claims := r.plan, b.claimsByUnit(r)
	v := planView{Repo: r.Name}
	if p.root == nil {
		return v
	}
	nodes := map[*plan.Unit]*planNode{}
	for _, n := range plan.NewIndex(p.root).Nodes {
		node := &planNode{Node: n, Owner: p.holder(n.Key, b.now), Paths: strings.Join(n.Paths, ", ")}
		if n.FailureThreshold > 0 {
			node.Threshold = fmt.Sprintf("%.2g", n.FailureThreshold)
		}
		for _, item := range n.Checklist {
			node.Items = append(node.Items, planItem{Text: item.Text, IsOptional: item.IsOptional})
		}
		items := plan.NameItems(n.Checklist)
		name := cmp.Or(snapshot.BoxUnit(n), n.ID)
		for _, c := range claims[name] {
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
				nodes[up.Unit].IsOpen = true
			}
		}
	}
	return v
}

type claimsView struct {
	States []stateCount
	// Drift are the claims that no longer hold as made, the worst first.
	Drift []claimLine
	Total int
}

type stateCount struct {
	State string
	Count int
}

type claimKey struct {
	repo               *Repository
	commit, unit, item string
}

// indexClaims makes the claims of all repositories known to the builder, and sums them up.
func (b *builder) indexClaims() claimsView {
	v, counts, drift := claimsView{}, map[evidence.State]int{}, map[evidence.State][]claimLine{}
	b.claims = map[claimKey]*judge.Claim{}
	for _, r := range b.repos {
		for i := range r.claims.Claims {
			c := &r.claims.Claims[i]
			v.Total++
			counts[c.State]++
			b.claims[claimKey{r.Repository, c.Commit, c.Unit, plan.ItemText(c.Item)}] = c
			if c.State >= evidence.StateEdited {
				drift[c.State] = append(drift[c.State], claimLine{
					Item: c.Item, Evidence: plainEvidence(c.Evidence), State: c.State.String(), Reason: c.Reason,
					URL: b.links.claim(r.Repository, c.Commit, c.Unit, c.Item),
				})
			}
		}
	}
	for s := evidence.StateHolds; s <= evidence.StateHollowed; s++ {
		if counts[s] > 0 {
			v.States = append(v.States, stateCount{s.String(), counts[s]})
		}
		v.Drift = slices.Concat(drift[s], v.Drift)
	}
	return v
}

// claimsByUnit are the claims about each unit, by its id, and about each box, by its file and id; the last claim last.
func (b *builder) claimsByUnit(r repositoryData) map[string][]claimLine {
	claims := map[string][]claimLine{}
	for _, s := range r.record.sessions {
		for _, op := range s.Entries {
			for _, v := range r.record.verdicts[op.Details.Commit] {
				id := v.Unit
				if file := parser.BoxFile(v.Unit); file == "" && v.Unit == op.Details.Unit {
					id = v.Unit[strings.LastIndexByte(v.Unit, '/')+1:]
				} else if file == "" || file != op.Details.Unit {
					continue
				}
				claims[id] = append(claims[id], b.line(r.Repository, op.Details.Commit, v))
			}
		}
	}
	return claims
}
