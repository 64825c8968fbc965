package judge

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

// deed is a commit that counts when claims are followed: one that reports, that
// reopens a unit, or that reverts another.
type deed struct {
	id      string
	message *parser.Message
	// said is every item that it reports, in order.
	said []said
	// then judges in its snapshot.
	then *evidence.Judge
	// earlier: it was made before the range.
	earlier bool
	// judge fills in the verdicts of said; nil where they are known.
	judge func(ctx context.Context, d *deed) error
	// takesBack are the commits that it reverts, where it does.
	takesBack []string
	// merged are the commits that came with a merge that it reverts.
	merged []repo.ID
	// taken: a later commit reverted it.
	taken bool
}

// said is one item as a deed reports it.
type said struct {
	diag.ClaimVerdict
	kind  evidence.Kind
	cited []parser.Evidence
}

// heard lists what a judged commit reports of items.
func heard(out *outcome) []said {
	var all []said
	for i, v := range out.verdicts {
		if v.Status != check.StatusRan {
			all = append(all, said{v, out.kinds[i], parser.ParseEvidence(v.Evidence, diag.Pos{})})
		}
	}
	return all
}

// key is equal for two claims of the same item of the same unit; of two that it
// is equal for, the units may still be different ones of one id.
func (s *said) key() string { return shortID(s.Unit) + "\x00" + check.ItemKey(s.Item) }

// timeline is the history that claims are followed through.
type timeline struct {
	// deeds stand in the order in which they were made.
	deeds []*deed
	// concerns reports whether a cited place of an earlier deed may fare otherwise at the end of the range than before it.
	concerns func(parser.Evidence) bool
	// base and head are the commits before and at the end of the range; base is "" where there is nothing before it.
	base, head string
	// follower follows claims to the snapshot of a commit.
	follower func(ctx context.Context, commit string) (*evidence.Follower, error)
	// since lists the commits of the range, the oldest first, that come after a commit and change one of the paths.
	since func(ctx context.Context, commit string, paths []string) ([]string, error)
	// held is how strictly paths are held in a commit, and what its message waives.
	held func(ctx context.Context, commit string, paths []string) (policy.Tier, []parser.Waive, error)
	// failed is told what kept a claim from being followed, and returns the error when that must end the run.
	failed func(ctx context.Context, d *deed, err error) error

	// reported lists for each key of a claim which deeds report it, in order.
	reported map[string][]report
}

// report is one claim of a deed, by its number.
type report struct {
	deed int
	unit string
}

// takeBack marks what later commits reverted. The revert of a revert gives back what that took.
func (t *timeline) takeBack() {
	for i := range t.deeds {
		t.revert(i, true)
	}
}

// revert takes or gives back what deed i reverts. Only what stands before it can be meant.
func (t *timeline) revert(i int, take bool) {
	for _, id := range t.deeds[i].takesBack {
		o := slices.IndexFunc(t.deeds[:i], func(d *deed) bool { return d.id == id })
		if o >= 0 {
			t.deeds[o].taken = take
			t.revert(o, !take)
		}
	}
	for _, id := range t.deeds[i].merged {
		for o, d := range t.deeds[:i] {
			if d.id == string(id) {
				d.taken = take
				t.revert(o, !take)
			}
		}
	}
}

// follow follows every verified claim that no later ACT of its unit reports again
// and no revert took back, in the order in which they were made.
func (t *timeline) follow(ctx context.Context) ([]check.Followed, error) {
	t.takeBack()
	t.reported = map[string][]report{}
	for i, d := range t.deeds {
		if d.taken {
			continue
		}
		for _, s := range d.said {
			if all, r := t.reported[s.key()], (report{i, s.Unit}); len(all) == 0 || all[len(all)-1] != r {
				t.reported[s.key()] = append(all, r)
			}
		}
	}
	var all []check.Followed
	for i, d := range t.deeds {
		if d.taken {
			continue
		}
		if err := t.followDeed(ctx, i, d, &all); err != nil {
			if err = t.failed(ctx, d, err); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

func (t *timeline) followDeed(ctx context.Context, i int, d *deed, all *[]check.Followed) error {
	if !slices.ContainsFunc(d.said, func(s said) bool { return t.counts(i, &s) }) {
		return nil
	}
	if d.judge != nil {
		if err := d.judge(ctx, d); err != nil {
			return err
		}
	}
	again := d.again()
	for k := range d.said {
		s := &d.said[k]
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

// again says of each item that the deed reports whether it reports it once more.
func (d *deed) again() []bool {
	again, later := make([]bool, len(d.said)), map[string][]string{} // the units under which a key was reported
	for k := range slices.Backward(d.said) {
		key, unit := d.said[k].key(), d.said[k].Unit
		again[k] = slices.ContainsFunc(later[key], func(u string) bool { return parser.SameUnit(u, unit) })
		if !slices.Contains(later[key], unit) {
			later[key] = append(later[key], unit)
		}
	}
	return again
}

// counts reports whether a claim of deed i is to be followed, as far as that can be told without judging it.
func (t *timeline) counts(i int, s *said) bool {
	if s.Status != string(parser.Done) || t.deeds[i].earlier && !slices.ContainsFunc(s.cited, t.concerns) {
		return false
	}
	for _, r := range slices.Backward(t.reported[s.key()]) {
		if r.deed <= i {
			break
		}
		if parser.SameUnit(r.unit, s.Unit) {
			return false
		}
	}
	return true
}

// followClaim follows one claim to the end of the range.
func (t *timeline) followClaim(ctx context.Context, i int, d *deed, s *said) (check.Followed, error) {
	f := check.Followed{ClaimVerdict: s.ClaimVerdict, Reopened: t.reopened(i, s.Unit)}
	f.Commit = d.id
	for _, e := range s.cited {
		tr, err := t.place(ctx, t.head, d, s, e)
		if err != nil {
			return f, err
		}
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
func (t *timeline) place(ctx context.Context, commit string, d *deed, s *said, e parser.Evidence) (evidence.Trace, error) {
	to, err := t.follower(ctx, commit)
	if err != nil {
		return evidence.Trace{}, err
	}
	return to.Follow(ctx, d.then, evidence.Claim{Evidence: e, Item: s.Item, Kind: s.kind})
}

// reopened is the commit after deed i that reopened a unit, "" without one.
func (t *timeline) reopened(i int, unit string) string {
	for _, later := range t.deeds[i+1:] {
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
func (t *timeline) blame(ctx context.Context, d *deed, s *said, f *check.Followed) error {
	i := slices.IndexFunc(s.cited, func(e parser.Evidence) bool { return e.Place() == f.Place })
	e := s.cited[i]
	f.By = t.head
	if d.earlier && t.base != "" {
		was, err := t.place(ctx, t.base, d, s, e)
		if err != nil {
			return err
		}
		if f.Before = was.State >= evidence.StateUnclear; f.Before {
			f.By = ""
			return nil
		}
	}
	paths := []string{e.Path, f.Trace.Path}
	commits, err := t.since(ctx, d.id, paths)
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
	f.Tier, f.Waive, err = t.held(ctx, f.By, paths)
	return err
}
