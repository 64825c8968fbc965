package serve

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

type claimPage struct {
	view
	claimCode
	Item, CommitURL, Actor, When, Reason string
	HasMoved                             bool
}

func (s *Server) getClaim(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	page := claimPage{view: s.newView(r, q.Get("item")), claimCode: claimCode{Unit: q.Get("unit")}, Item: q.Get("item")}
	s.showPage(w, r, q.Get("commit"), "claim", &page)
}

func (p *claimPage) fill(ctx context.Context, s *Server, git *repo.Repo, one *Repository, c repo.Commit) error {
	all, err := s.verdicts(ctx, git, one, string(c.ID))
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(v report.ClaimVerdict) bool {
		return v.Unit == p.Unit && plan.ItemText(v.Item) == plan.ItemText(p.Item)
	})
	if i < 0 {
		return &badRequest{http.StatusNotFound, fmt.Sprintf("%s claims no such item", shortID(string(c.ID))), ""}
	}
	v := &all[i]
	claims, err := one.readClaims(ctx)
	if err != nil {
		return err
	}
	b := s.builderOf(one, claims)
	p.Item, p.CommitURL = v.Item, b.links.commit(one, string(c.ID))
	p.Actor, p.When = c.Author.Name, c.Author.When.UTC().Format("2006-01-02 15:04 UTC")
	var now *judge.Claim
	if i := slices.IndexFunc(claims.Claims, func(o judge.Claim) bool {
		return o.Commit == string(c.ID) && o.Unit == p.Unit && plan.ItemText(o.Item) == plan.ItemText(p.Item)
	}); i >= 0 {
		now = &claims.Claims[i]
		p.Reason, p.HasMoved = now.Reason, now.Line > 0 && now.State != evidence.StateHolds
	}
	p.claimCode, err = b.code(ctx, git, c, v, now)
	return err
}

// code is a claim with the code that it cites and, if now says where that is, its present place.
func (b *builder) code(
	ctx context.Context, git *repo.Repo, c repo.Commit, v *report.ClaimVerdict, now *judge.Claim,
) (one claimCode, err error) {
	r := b.repos[0]
	one = claimCode{Unit: v.Unit, Short: shortID(string(c.ID)), Line: b.line(r.Repository, string(c.ID), *v)}
	if one.CitedCode, err = citedExcerpts(ctx, git, c, v); err != nil || now == nil || now.Line == 0 {
		return one, err
	}
	e, err := readExcerpt(ctx, git, endOf(r.claims.Range), now.Path, now.Line, now.EndLine)
	e.State = now.State.String()
	one.CurrentCode = &e
	return one, err
}

const maxPlaces = 20

// citedExcerpts reads the places that a claim cites; a run cites none. Removed code is read from the commit's parent.
func citedExcerpts(ctx context.Context, git *repo.Repo, c repo.Commit, v *report.ClaimVerdict) ([]excerpt, error) {
	if v.Status == rules.StatusRan {
		return []excerpt{{Path: v.Evidence, Missing: "It is checked against the recorded runs."}}, nil
	}
	var all []excerpt
	for _, e := range parser.ParseEvidence(v.Evidence, report.Pos{}) {
		if e.Err != "" {
			all = append(all, excerpt{Path: e.Text.Value, Missing: e.Err})
			continue
		}
		at := string(c.ID)
		if e.IsRemoved && len(c.Parents) > 0 {
			at = string(c.Parents[0])
		}
		one, err := readExcerpt(ctx, git, at, e.Path, e.Start, e.End)
		if err != nil {
			return nil, err
		}
		if all = append(all, one); len(all) == maxPlaces {
			break
		}
	}
	return all, nil
}
