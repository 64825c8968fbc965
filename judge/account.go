package judge

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/score"
)

// Account is what a commit that has landed claims, as a score counts it.
type Account struct {
	// Commit is the full id.
	Commit string
	// Author and Address are the author's name and address.
	Author, Address string
	// Picked are the commits that it says it was cherry-picked from.
	Picked []string
	Claims []Accounted
}

// Accounted is one claim of an Account. Items that are skipped are none, those that an attempt
// leaves pending which says itself that it failed, and those whose report is only not written as it should be.
type Accounted struct {
	diag.ClaimVerdict
	// Actor is the trailer's, else the author's name.
	Actor string
	// Keys identify what a verified claim cites: the definitions, or lines. See evidence.Judge.Identities.
	Keys []string
}

// Accountant judges commits that have landed one by one, each under the policy of
// its first parent, a root commit under the built-in one: what it says of a commit
// depends on the commit alone. It is for use by one goroutine.
type Accountant struct{ arrivals *Arrivals }

// NewAccountant prepares to judge, by the given release.
func NewAccountant(r *repo.Repo, release string) *Accountant {
	return &Accountant{NewArrivals(r, release)}
}

// Account judges a commit. It fails where the commit cannot be judged: a shallow
// clone left its parent out, or the policy of the parent cannot be used by this release.
func (a *Accountant) Account(ctx context.Context, id repo.ID) (*Account, error) {
	r := a.arrivals.record.repo
	c, err := r.Commit(ctx, string(id))
	if err != nil {
		return nil, err
	}
	message, err := spoken(ctx, r, c)
	if err != nil {
		return nil, err
	}
	out := &Account{Commit: string(c.ID), Author: c.Author.Name, Address: c.Author.Email}
	for _, from := range message.CherryPicked {
		out.Picked = append(out.Picked, from.Value)
	}
	acts := false
	for i := range message.Parts {
		acts = acts || message.Parts[i].Kind == parser.Act
	}
	if !acts {
		return out, nil
	}
	p, err := a.policyBefore(ctx, c)
	if err != nil {
		return nil, err
	}
	sub, err := landedSubject(ctx, r, id, p, a.arrivals.record.cache)
	if err != nil {
		return nil, err
	}
	sub.changed = once(sub.changed)
	reverted := map[int]bool{}
	if sub.message.Joined {
		reverted = revertedParts(sub.message)
	}
	for i := range sub.message.Parts {
		if reverted[i] {
			continue
		}
		claims, err := sub.accounted(ctx, &sub.message.Parts[i], c.Author.Name)
		if err != nil {
			return nil, fmt.Errorf("commit %.12s cannot be judged: %w", c.ID, err)
		}
		out.Claims = append(out.Claims, claims...)
	}
	out.Claims = failedOnce(out.Claims)
	return out, nil
}

// failedOnce keeps of each item of a unit that does not hold, however often it is reported, the worst report alone.
func failedOnce(claims []Accounted) []Accounted {
	type item struct{ unit, name string }
	worth := func(c *Accounted) int { return score.Points(c.Verdict, c.Contradiction, !c.Optional) }
	worst := map[item]int{}
	for i := range claims {
		c, at := &claims[i], item{claims[i].Unit, score.ItemName(claims[i].Item)}
		if w, known := worst[at]; worth(c) < 0 && (!known || worth(c) < worth(&claims[w])) {
			worst[at] = i
		}
	}
	var out []Accounted
	for i := range claims {
		if worth(&claims[i]) >= 0 || worst[item{claims[i].Unit, score.ItemName(claims[i].Item)}] == i {
			out = append(out, claims[i])
		}
	}
	return out
}

func (a *Accountant) policyBefore(ctx context.Context, c repo.Commit) (*policy.Policy, error) {
	base := repo.ID("")
	if len(c.Parents) > 0 {
		base = c.Parents[0]
	}
	return a.arrivals.policy(ctx, base)
}

// accounted judges the claims of one part.
func (s *subject) accounted(ctx context.Context, part *parser.Part, author string) ([]Accounted, error) {
	if part.Kind != parser.Act {
		return nil, nil
	}
	in, err := s.input(ctx, part)
	if err != nil {
		return nil, err
	}
	found, err := check.Run(ctx, nil, in)
	if err != nil {
		return nil, err
	}
	var out []Accounted
	var verified []int // of found.Verdicts, where each of out comes from
	for i, v := range found.Verdicts {
		if v.Verdict == diag.Skipped || v.Form || v.Status == string(parser.Pending) && check.Failed(part) || v.Status == check.StatusRan {
			continue // a run earns nothing, and what it was is local state
		}
		out, verified = append(out, Accounted{ClaimVerdict: v, Actor: cmp.Or(part.Actor.Value, author)}), append(verified, i)
	}
	return out, s.identify(ctx, in, found, out, verified)
}

// identify adds what the verified claims cite. All are asked about at once, so that a file is read once.
func (s *subject) identify(ctx context.Context, in *check.Input, found *check.Output, out []Accounted, from []int) error {
	var places []evidence.Claim
	var of []int // of out, whose each place is
	for n, i := range from {
		if out[n].Verdict != diag.Verified {
			continue
		}
		for _, e := range in.Claims[i].Evidence {
			places, of = append(places, evidence.Claim{Evidence: e, Item: in.Claims[i].Item.Value, Kind: found.Kinds[i]}), append(of, n)
		}
	}
	keys, err := in.Judge.Identities(ctx, places)
	if err != nil {
		return err
	}
	for k, n := range of {
		out[n].Keys = append(out[n].Keys, keys[k]...)
	}
	return nil
}

// LooksLikeAct is the line by which a message may be an ACT, a POSIX extended expression; every ACT has one.
const LooksLikeAct = `(^|[^[:alnum:]_-])act[[:space:]]*:`

// Terms are what the policy at the end of a branch says of its scores.
type Terms struct {
	Policy *policy.Policy
	// Zone is where days begin and end.
	Zone *time.Location
	// Not are commits that are not judged, with what they reach: those before the policy's since.
	Not []repo.ID
}

// ReadTerms reads the policy that stands in a commit. One that cannot be used is a *ConfigError.
func ReadTerms(ctx context.Context, r *repo.Repo, tip repo.Commit, release string) (*Terms, error) {
	tree := snapshot(r, tip.Tree)
	p, err := readPolicy(ctx, &tree, release)
	if err != nil {
		return nil, err
	}
	t := &Terms{Policy: p, Zone: p.Timezone}
	if p.Since != "" {
		first, err := sinceCommit(ctx, r, p.Since)
		if err != nil {
			return nil, err
		}
		t.Not = first.Parents
	}
	return t, nil
}

// ActorOf is who made the claims of a unit in a commit: as the ACT says, else its
// author. unit "" means whichever ACT comes first.
func ActorOf(ctx context.Context, r *repo.Repo, commit, unit string) (string, error) {
	c, err := r.Commit(ctx, commit)
	if err != nil {
		return "", err
	}
	message, err := spoken(ctx, r, c)
	if err != nil {
		return "", err
	}
	return cmp.Or(ActorIn(message, unit), c.Author.Name), nil
}

// ActorIn is whom the ACT of a unit names as its actor, "" for nobody; unit "" means whichever ACT comes first.
func ActorIn(m *parser.Message, unit string) string {
	for _, p := range m.Parts {
		if p.Kind == parser.Act && (unit == "" || parser.SameUnit(p.Unit.Value, unit)) {
			return p.Actor.Value
		}
	}
	return ""
}
