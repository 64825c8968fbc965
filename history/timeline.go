package history

import (
	"context"
	"slices"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/repo"
)

// LandedCommit is a commit that counts when claims are followed: one that reports, that
// reopens a unit, or that reverts another.
type LandedCommit struct {
	id      string
	message *parser.Message
	// items is every item that it reports, in order.
	items []reportedItem
	// then judges in its snapshot.
	then *evidence.Judge
	// earlier: it was made before the range.
	earlier bool
	// judge fills in the verdicts of the items; nil where they are known.
	judge func(ctx context.Context, d *LandedCommit) error
	// takesBack are the commits that it reverts, where it does.
	takesBack []string
	// merged are the commits that came with a merge that it reverts.
	merged []repo.ID
	// taken: a later commit reverted it.
	taken bool
}

// NewLandedCommit is a commit that was judged, each verdict with the kind of the item that it is about; then judges in
// its snapshot.
func NewLandedCommit(
	id string, m *parser.Message, verdicts []diag.ClaimVerdict, kinds []evidence.Kind, then *evidence.Judge,
) *LandedCommit {
	return &LandedCommit{id: id, message: m, items: reportedItems(verdicts, kinds), then: then}
}

// reportedItem is one item as a commit reports it.
type reportedItem struct {
	diag.ClaimVerdict
	kind  evidence.Kind
	cited []parser.Evidence
}

// reportedItems lists what a judged commit reports of items.
func reportedItems(verdicts []diag.ClaimVerdict, kinds []evidence.Kind) []reportedItem {
	var all []reportedItem
	for i, v := range verdicts {
		if v.Status != check.StatusRan {
			all = append(all, reportedItem{v, kinds[i], parser.ParseEvidence(v.Evidence, diag.Pos{})})
		}
	}
	return all
}

// key is equal for two claims of the same item of the same unit; of two that it
// is equal for, the units may still be different ones of one id.
func (s *reportedItem) key() string { return shortID(s.Unit) + "\x00" + check.ItemKey(s.Item) }

// Source tells a Timeline of the commits around those that it holds.
type Source interface {
	// Concerns reports whether a cited place of an earlier commit may fare otherwise at the end of the range than before
	// it.
	Concerns(e parser.Evidence) bool
	// Follower follows claims to the snapshot of a commit.
	Follower(ctx context.Context, commit string) (*evidence.Follower, error)
	// Since lists the commits of the range, the oldest first, that come after a commit and change one of the paths.
	Since(ctx context.Context, commit string, paths []string) ([]string, error)
	// Held is how strictly paths are held in a commit, and what its message waives.
	Held(ctx context.Context, commit string, paths []string) (policy.Tier, []parser.Waive, error)
	// Unfollowed is told what kept the claims of a commit from being followed, and returns the error when that must end
	// the run.
	Unfollowed(ctx context.Context, c *LandedCommit, err error) error
}

// Timeline is the history that claims are followed through.
type Timeline struct {
	// Commits stand in the order in which they were made.
	Commits []*LandedCommit
	// Base and Head are the commits before and at the end of the range; Base is "" where there is nothing before it.
	Base, Head string
	Source     Source

	// reported lists for each key of a claim which commits report it, in order.
	reported map[string][]report
}

// report is one claim of a commit, by its number.
type report struct {
	commit int
	unit   string
}

// takeBack marks what later commits reverted. The revert of a revert gives back what that took.
func (t *Timeline) takeBack() {
	for i := range t.Commits {
		t.revert(i, true)
	}
}

// revert takes or gives back what commit i reverts. Only what stands before it can be meant.
func (t *Timeline) revert(i int, take bool) {
	for _, id := range t.Commits[i].takesBack {
		o := slices.IndexFunc(t.Commits[:i], func(d *LandedCommit) bool { return d.id == id })
		if o >= 0 {
			t.Commits[o].taken = take
			t.revert(o, !take)
		}
	}
	for _, id := range t.Commits[i].merged {
		for o, d := range t.Commits[:i] {
			if d.id == string(id) {
				d.taken = take
				t.revert(o, !take)
			}
		}
	}
}

// Follow follows every verified claim that no later ACT of its unit reports again
// and no revert took back, in the order in which they were made.
func (t *Timeline) Follow(ctx context.Context) ([]check.FollowedClaim, error) {
	t.takeBack()
	t.reported = map[string][]report{}
	for i, d := range t.Commits {
		if d.taken {
			continue
		}
		for _, s := range d.items {
			if all, r := t.reported[s.key()], (report{i, s.Unit}); len(all) == 0 || all[len(all)-1] != r {
				t.reported[s.key()] = append(all, r)
			}
		}
	}
	var all []check.FollowedClaim
	for i, d := range t.Commits {
		if d.taken {
			continue
		}
		if err := t.followCommit(ctx, i, d, &all); err != nil {
			if err = t.Source.Unfollowed(ctx, d, err); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

func (t *Timeline) followCommit(ctx context.Context, i int, d *LandedCommit, all *[]check.FollowedClaim) error {
	if !slices.ContainsFunc(d.items, func(s reportedItem) bool { return t.counts(i, &s) }) {
		return nil
	}
	if d.judge != nil {
		if err := d.judge(ctx, d); err != nil {
			return err
		}
	}
	again := d.again()
	for k := range d.items {
		s := &d.items[k]
		if s.Verdict != diag.Verified || again[k] || !t.counts(i, s) {
			continue
		}
		f, err := t.followClaim(ctx, i, d, s)
		if err != nil {
			return err
		}
		*all = append(*all, f)
	}
	return nil
}

// again says of each item that the commit reports whether it reports it once more.
func (d *LandedCommit) again() []bool {
	again, later := make([]bool, len(d.items)), map[string][]string{} // the units under which a key was reported
	for k := range slices.Backward(d.items) {
		key, unit := d.items[k].key(), d.items[k].Unit
		again[k] = slices.ContainsFunc(later[key], func(u string) bool { return parser.SameUnit(u, unit) })
		if !slices.Contains(later[key], unit) {
			later[key] = append(later[key], unit)
		}
	}
	return again
}

// counts reports whether a claim of commit i is to be followed, as far as that can be told without judging it.
func (t *Timeline) counts(i int, s *reportedItem) bool {
	if s.Status != string(parser.Done) || t.Commits[i].earlier && !slices.ContainsFunc(s.cited, t.Source.Concerns) {
		return false
	}
	for _, r := range slices.Backward(t.reported[s.key()]) {
		if r.commit <= i {
			break
		}
		if parser.SameUnit(r.unit, s.Unit) {
			return false
		}
	}
	return true
}

// followClaim follows one claim to the end of the range.
func (t *Timeline) followClaim(
	ctx context.Context, i int, d *LandedCommit, s *reportedItem,
) (check.FollowedClaim, error) {
	f := check.FollowedClaim{ClaimVerdict: s.ClaimVerdict, Reopened: t.reopened(i, s.Unit), Earlier: d.earlier}
	f.Commit = d.id
	for _, e := range s.cited {
		tr, err := t.place(ctx, t.Head, d, s, e)
		if err != nil {
			return f, err
		}
		f.Places = append(f.Places, check.FollowedPlace{Cited: e, Trace: tr})
		if tr.State > f.Trace.State {
			f.Place, f.Trace = e.Place(), tr
		}
	}
	if f.Trace.State < evidence.StateGone {
		return f, nil
	}
	return f, t.blame(ctx, d, s, &f)
}

// place follows one cited place to a commit.
func (t *Timeline) place(
	ctx context.Context, commit string, d *LandedCommit, s *reportedItem, e parser.Evidence,
) (evidence.Trace, error) {
	to, err := t.Source.Follower(ctx, commit)
	if err != nil {
		return evidence.Trace{}, err
	}
	return to.Follow(ctx, d.then, evidence.Claim{Evidence: e, Item: s.Item, Kind: s.kind})
}

// reopened is the commit after commit i that reopened a unit, "" without one.
func (t *Timeline) reopened(i int, unit string) string {
	for _, later := range t.Commits[i+1:] {
		if !later.taken && reopens(later.message, unit) {
			return later.id
		}
	}
	return ""
}

// maxBlamed bounds how many commits are looked into for the one that did it.
const maxBlamed = 50

// blame finds out since when a claim that is hollowed or gone is so: before the
// range, or since which commit of it. Commits are looked into from the end of the
// range back, as long as it was so after them; where that cannot be told, the end
// of the range is named.
func (t *Timeline) blame(ctx context.Context, d *LandedCommit, s *reportedItem, f *check.FollowedClaim) error {
	i := slices.IndexFunc(s.cited, func(e parser.Evidence) bool { return e.Place() == f.Place })
	e := s.cited[i]
	f.By = t.Head
	if d.earlier && t.Base != "" {
		was, err := t.place(ctx, t.Base, d, s, e)
		if err != nil {
			return err
		}
		if f.Before = was.State >= evidence.StateUnclear; f.Before {
			f.By = ""
			return nil
		}
	}
	paths := []string{e.Path, f.Trace.Path}
	commits, err := t.Source.Since(ctx, d.id, paths)
	if err != nil {
		return err
	}
	for _, c := range slices.Backward(commits[max(0, len(commits)-maxBlamed):]) {
		at, err := t.place(ctx, c, d, s, e)
		if err != nil {
			return err
		}
		if at.State != f.Trace.State {
			break
		}
		f.By = c
	}
	f.Tier, f.Waive, err = t.Source.Held(ctx, f.By, paths)
	return err
}
