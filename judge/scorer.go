package judge

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/score"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// ScoredCommit is a landed commit and its claims for a score.
type ScoredCommit struct {
	// Commit is the full id.
	Commit string
	// Author is the author's name.
	Author string
	// CherryPickedFrom are the commits that it says it was cherry-picked from.
	CherryPickedFrom []string
	Claims           []scoredClaim
}

// scoredClaim is one claim of a ScoredCommit. Skipped items do not count, nor do claims whose report only has a wrong
// form.
type scoredClaim struct {
	report.ClaimVerdict
	// Actor is the trailer's, else the author's name.
	Actor string
	// Keys identify the definitions or lines that a verified claim cites. See evidence.Judge.Identities.
	Keys []string
}

// Score judges a landed commit under its first parent's policy, or the built-in one, so the result depends on the
// commit alone. It fails if a shallow clone cut off the parent, or this release cannot use the parent's policy.
func (h *History) Score(ctx context.Context, id repo.ID) (*ScoredCommit, error) {
	c, err := readCommit(ctx, h.repo, string(id))
	if err != nil {
		return nil, err
	}
	out := &ScoredCommit{Commit: string(c.ID), Author: c.Author.Name}
	for _, from := range c.message.CherryPickedFrom {
		out.CherryPickedFrom = append(out.CherryPickedFrom, from.Value)
	}
	p, err := h.PolicyOf(ctx, append(c.Parents, "")[0])
	if !c.message.Has(parser.Act) && (err != nil || len(p.Boxes) == 0) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	sub, err := h.subject(ctx, c, p)
	if err != nil {
		return nil, err
	}
	reverted := map[int]bool{}
	if c.message.IsSquash {
		reverted = RevertedParts(c.message)
	}
	var parts []*parser.Part
	for i, part := range c.message.Parts {
		if !reverted[i] && part.Kind == parser.Act {
			parts = append(parts, part)
		}
	}
	ticks, errTicks := sub.ticks(ctx)
	for _, t := range ticks {
		// Others are counted already, or unclear since others may have written the plan.
		if !t.hasAct && t.claim.UnclearReason == "" {
			parts = append(parts, &t.part)
		}
	}
	for _, part := range parts {
		claims, err := scoreClaims(ctx, sub, part, c.Author.Name)
		if err != nil {
			return nil, fmt.Errorf("commit %.12s cannot be judged: %w", c.ID, err)
		}
		out.Claims = append(out.Claims, claims...)
	}
	out.Claims = worstFailures(out.Claims)
	return out, errTicks
}

// worstFailures keeps only the worst failed report of each item of a unit.
func worstFailures(claims []scoredClaim) []scoredClaim {
	type item struct{ unit, name string }
	worth := func(c *scoredClaim) int { return score.Points(c.Verdict, c.IsContradiction, !c.IsOptional) }
	worst := map[item]int{}
	for i := range claims {
		c, at := &claims[i], item{claims[i].Unit, score.ItemName(claims[i].Item)}
		if w, exists := worst[at]; worth(c) < 0 && (!exists || worth(c) < worth(&claims[w])) {
			worst[at] = i
		}
	}
	var out []scoredClaim
	for i := range claims {
		if worth(&claims[i]) >= 0 || worst[item{claims[i].Unit, score.ItemName(claims[i].Item)}] == i {
			out = append(out, claims[i])
		}
	}
	return out
}

// scoreClaims judges the claims of an ACT, and adds the keys of verified evidence. All places are asked about at once,
// so each file is read once.
func scoreClaims(ctx context.Context, sub *subject, part *parser.Part, author string) ([]scoredClaim, error) {
	in, judged, err := sub.judgePart(ctx, part, nil)
	if err != nil {
		return nil, err
	}
	var out []scoredClaim
	var places []evidence.Claim
	var owners []int // the claim of each place
	for i, v := range judged.Verdicts {
		if v.Verdict == report.Skipped || v.IsFormError || v.Status == rules.StatusRan {
			continue // a run earns nothing, since it is local state
		}
		if v.Verdict == report.Verified {
			for _, e := range in.Claims[i].Evidence {
				places = append(places, evidence.Claim{Evidence: e, Item: v.Item, Kind: evidence.Kind(v.Kind)})
				owners = append(owners, len(out))
			}
		}
		out = append(out, scoredClaim{ClaimVerdict: v, Actor: cmp.Or(part.Actor.Value, author)})
	}
	keys, err := in.Judge.Identities(ctx, places)
	if err != nil {
		return nil, err
	}
	for k, n := range owners {
		out[n].Keys = append(out[n].Keys, keys[k]...)
	}
	return out, nil
}

// MayAct reports whether a message, in lower case, may hold the title of an ACT; every ACT has one.
func MayAct(text []byte) bool { return mayHaveTitle(text, "act") }

// mayHaveTitle reports whether a word stands with a colon after it, as in every title, and is not the end of another
// word. It is quick, for it reads every message.
func mayHaveTitle(text []byte, word string) bool {
	for {
		before, after, isFound := bytes.Cut(text, []byte(word))
		if !isFound {
			return false
		}
		isEnd := len(before) > 0 && strings.IndexByte("abcdefghijklmnopqrstuvwxyz0123456789_-", before[len(before)-1]) >= 0
		if !isEnd && bytes.HasPrefix(bytes.TrimLeft(after, " \t\v\f\r"), []byte(":")) {
			return true
		}
		text = after
	}
}

// ClaimingCommits lists the commits that tip reaches and that may claim something: those whose message may be an ACT,
// and those that change a plan in Markdown.
func ClaimingCommits(
	ctx context.Context, r *repo.Repo, tip repo.ID, not []repo.ID, p *policy.Policy,
) (ids []repo.ID, cut error, err error) {
	log, err := r.Log(ctx, []repo.ID{tip}, not, 0, MayAct)
	if err != nil {
		return nil, nil, err
	}
	ids, err = log.Where(ctx, snapshot.BoxGlobs(p), func(text []byte) bool { return text != nil })
	return ids, log.End, err
}

// ScoreTerms are a branch's rules for scores, from the policy at its end.
type ScoreTerms struct {
	Policy *policy.Policy
	// Zone is where days begin and end.
	Zone *time.Location
	// Excluded are the commits before the policy's since, which are not judged, nor are their ancestors.
	Excluded []repo.ID
}

// ReadScoreTerms reads the policy of a commit. An unusable policy is a *policy.ConfigError.
func ReadScoreTerms(ctx context.Context, r *repo.Repo, tip repo.Commit) (*ScoreTerms, error) {
	p, err := snapshot.At(r, string(tip.ID)).Policy(ctx)
	if err != nil {
		return nil, err
	}
	t := &ScoreTerms{Policy: p, Zone: p.Timezone}
	if p.Since != "" {
		first, errSince := sinceCommit(ctx, r, p.Since)
		t.Excluded, err = fetchedParents(ctx, r, first), errSince
	}
	return t, err
}

// ActorOf is the actor of a unit's ACT in a commit, else the commit's author; unit "" means the first ACT.
func ActorOf(ctx context.Context, r *repo.Repo, commit, unit string) (string, error) {
	c, err := readCommit(ctx, r, commit)
	if err != nil {
		return "", err
	}
	return cmp.Or(ActorIn(c.message, unit), c.Author.Name), nil
}

// ActorIn is the actor that the ACT of a unit names, "" without one; unit "" means the first ACT.
func ActorIn(m *parser.Message, unit string) string {
	for _, p := range m.Of(parser.Act) {
		if unit == "" || parser.SameUnit(p.Unit.Value, unit) {
			return p.Actor.Value
		}
	}
	return ""
}
