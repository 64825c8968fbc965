package judge

import (
	"context"
	"slices"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

// landedCommit is a commit that counts when claims are followed: one that reports, that
// reopens a unit, ticks boxes, or that reverts another.
type landedCommit struct {
	id      string
	message *parser.Message
	// items is every item that it reports, in order.
	items []reportedItem
	// ticks are the boxes that it ticks, untickedBoxes those that it unticks, by file and id.
	ticks         []report.ClaimVerdict
	untickedBoxes []string
	// judge judges in its snapshot.
	judge *evidence.Judge
	// isEarlier: it was made before the range.
	isEarlier bool
	// isJudged: the verdicts of the items are known.
	isJudged bool
	// isReverted: a later commit reverted it.
	isReverted bool
}

type reportedItem struct {
	report.ClaimVerdict
	evidence []parser.Evidence
}

// reportedItems lists the items of a judged commit.
func reportedItems(verdicts []report.ClaimVerdict) []reportedItem {
	var all []reportedItem
	for _, v := range verdicts {
		if v.Status != rules.StatusRan {
			all = append(all, reportedItem{v, parser.ParseEvidence(v.Evidence, report.Pos{})})
		}
	}
	return all
}

// key is equal for two claims of the same item of the same unit; of two that it
// is equal for, the units may still be different ones of one id.
func (s *reportedItem) key() string { return shortID(s.Unit) + "\x00" + plan.ItemKey(s.Item) }

// lastReports are the places of the last report of each item: by its key, then by the name of its unit.
type lastReports map[string]map[string]int

func (l lastReports) add(s *reportedItem, place int) {
	key := s.key()
	if l[key] == nil {
		l[key] = map[string]int{}
	}
	l[key][s.Unit] = place
}

// hasAfter reports whether an item is reported again after a place.
func (l lastReports) hasAfter(place int, s *reportedItem) bool {
	for unit, last := range l[s.key()] {
		if last > place && parser.SameUnit(unit, s.Unit) {
			return true
		}
	}
	return false
}

// followAll follows every verified claim that no later ACT of its unit reports again
// and no revert took back, in the order in which they were made.
func (g *Reader) followAll(ctx context.Context) ([]rules.FollowedClaim, error) {
	g.reports = lastReports{}
	for i, d := range g.commits {
		for k := range d.items {
			if !d.isReverted {
				g.reports.add(&d.items[k], i)
			}
		}
	}
	var all []rules.FollowedClaim
	for i, d := range g.commits {
		if d.isReverted {
			continue
		}
		if err := g.noteUnfollowed(ctx, d, g.followCommit(ctx, i, d, &all)); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (g *Reader) followCommit(ctx context.Context, i int, d *landedCommit, all *[]rules.FollowedClaim) error {
	if !slices.ContainsFunc(d.items, func(s reportedItem) bool { return g.isFollowable(i, &s) }) {
		return nil
	}
	if !d.isJudged {
		if err := g.judgeItems(ctx, d); err != nil {
			return err
		}
	}
	within := lastReports{}
	for k := range d.items {
		within.add(&d.items[k], k)
	}
	for k := range d.items {
		s := &d.items[k]
		if s.Verdict != report.Verified || within.hasAfter(k, s) || !g.isFollowable(i, s) {
			continue
		}
		f, err := g.followClaim(ctx, i, d, s)
		if err != nil {
			return err
		}
		*all = append(*all, f)
	}
	return nil
}

// isFollowable reports whether a claim of commit i must be followed, before judging it.
func (g *Reader) isFollowable(i int, s *reportedItem) bool {
	return s.Status == string(parser.Done) && !g.reports.hasAfter(i, s) &&
		(!g.commits[i].isEarlier || slices.ContainsFunc(s.evidence, g.isTouched))
}

func (g *Reader) followClaim(
	ctx context.Context, i int, d *landedCommit, s *reportedItem,
) (rules.FollowedClaim, error) {
	f := rules.FollowedClaim{ClaimVerdict: s.ClaimVerdict, ReopenedBy: g.reopener(i, s.Unit), IsEarlier: d.isEarlier}
	f.Commit = d.id
	for _, e := range s.evidence {
		tr, err := g.followPlace(ctx, string(g.head.ID), d, s, e)
		if err != nil {
			return f, err
		}
		f.Places = append(f.Places, rules.FollowedPlace{Evidence: e, Trace: tr})
		if tr.State > f.Trace.State {
			f.Place, f.Trace = e.Place(), tr
		}
	}
	if f.Trace.State < evidence.StateGone {
		return f, nil
	}
	return f, g.blame(ctx, d, s, &f)
}

func (g *Reader) followPlace(
	ctx context.Context, commit string, d *landedCommit, s *reportedItem, e parser.Evidence,
) (evidence.Trace, error) {
	follower, err := g.follower(ctx, commit)
	if err != nil {
		return evidence.Trace{}, err
	}
	return follower.Follow(ctx, d.judge, evidence.Claim{Evidence: e, Item: s.Item, Kind: evidence.Kind(s.Kind)})
}

// reopener is the commit after commit i that reopened a unit, "" without one.
func (g *Reader) reopener(i int, unit string) string {
	for _, later := range g.commits[i+1:] {
		if !later.isReverted && (hasReopenOf(later.message, unit) || slices.Contains(later.untickedBoxes, unit)) {
			return later.id
		}
	}
	return ""
}

// maxBlameCommits bounds how many commits are looked into for the one that did it.
const maxBlameCommits = 50

// blame finds the commit that hollowed or removed a claim's code: before the range, or in it. It searches back from the
// end while the code is in the same state; if unsure, it blames the end.
func (g *Reader) blame(ctx context.Context, d *landedCommit, s *reportedItem, f *rules.FollowedClaim) error {
	i := slices.IndexFunc(s.evidence, func(e parser.Evidence) bool { return e.Place() == f.Place })
	e := s.evidence[i]
	f.BrokenBy = string(g.head.ID)
	if d.isEarlier && g.base.ID != "" {
		before, err := g.followPlace(ctx, string(g.base.ID), d, s, e)
		if err != nil {
			return err
		}
		if f.WasBrokenBefore = before.State >= evidence.StateUnclear; f.WasBrokenBefore {
			f.BrokenBy = ""
			return nil
		}
	}
	paths := []string{e.Path, f.Trace.Path}
	commits, err := g.commitsSince(ctx, d.id, paths)
	if err != nil {
		return err
	}
	for _, c := range slices.Backward(commits[max(0, len(commits)-maxBlameCommits):]) {
		at, err := g.followPlace(ctx, c, d, s, e)
		if err != nil {
			return err
		}
		if at.State != f.Trace.State {
			break
		}
		f.BrokenBy = c
	}
	f.Tier, f.Waivers, err = g.pathTier(ctx, f.BrokenBy, paths)
	return err
}
