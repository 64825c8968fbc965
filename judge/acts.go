package judge

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
)

// cache is what is kept from commit to commit of one run.
type cache struct {
	*evidence.Cache
	plans *plan.Cache
	// spoken is what the parts of commits that were judged say.
	spoken map[commitUnder][]partSaid
	// told are the commits that were judged, parents before children.
	told []told
	mu   sync.Mutex // of mentioned: claims are judged several at a time
	// mentioned are the pasts behind the commits that were judged.
	mentioned map[string]*past
	// expected lists the texts that the run is likely to look for in the history; nil where that is not known.
	expected func(ctx context.Context) []string
}

func newCache() *cache {
	return &cache{Cache: evidence.NewCache(), plans: &plan.Cache{}, spoken: map[commitUnder][]partSaid{}, mentioned: map[string]*past{}}
}

// partSaid is what one part of a message says of its unit, as far as the plan rests on it.
type partSaid struct {
	commit string // "" for the message that is being judged
	kind   parser.Kind
	unit   string
	reopen []parser.Text
	// reported are the items that are done or skipped.
	reported []plan.Item
	// notVerified: a claim is; failed: the part says so itself; errors: it has findings about claims of that severity.
	notVerified, failed, errors bool
	// shown is what its verified claims cite.
	shown []evidence.Claim
}

// heardOf is what a part that has been judged says.
func heardOf(part *parser.Part, out *check.Output) partSaid {
	s := partSaid{kind: part.Kind, unit: part.Unit.Value, reopen: part.Reopen, failed: check.Failed(part), shown: shownIn(out)}
	for _, v := range out.Verdicts {
		if v.Status != string(parser.Pending) && v.Status != check.StatusRan {
			s.reported = append(s.reported, plan.Item{Text: v.Item})
		}
		s.notVerified = s.notVerified || v.Verdict == diag.NotVerified
	}
	s.errors = slices.ContainsFunc(out.Findings, func(f diag.Finding) bool { return f.Severity == diag.Error && check.Waivable(f.Rule) })
	return s
}

// actSearch looks for the last ACT of a unit, the newest part first.
type actSearch struct {
	unit    string // its key
	items   []plan.Item
	adapted bool
	// here: nobody asks about what a shallow clone left out.
	here bool
	// now is the snapshot in which what an ACT showed is to stand; nil: that is not asked.
	now *evidence.Tree
}

// is reports whether a part names the unit: by its id, for the key of a unit changes when it is moved in the plan.
func (q *actSearch) is(name string) bool { return shortID(name) == shortID(q.unit) }

// meets reports whether a part names a unit above the one that is searched, or that itself.
func (q *actSearch) meets(name string) bool {
	for key := q.unit; ; {
		if parser.SameUnit(name, key) {
			return true
		}
		cut := strings.LastIndexByte(key, '/')
		if cut < 0 {
			return false
		}
		key = key[:cut]
	}
}

// adapt takes note of an ADAPT; found reports one that reopens the unit: what was done before it does not count.
func (q *actSearch) adapt(unit string, reopen []parser.Text) (found bool) {
	q.adapted = q.adapted || q.is(unit)
	return slices.ContainsFunc(reopen, func(t parser.Text) bool { return q.meets(check.UnitOf(t)) })
}

func (q *actSearch) act(s partSaid) plan.Act {
	a := plan.Act{Commit: s.commit, Items: s.reported, NotVerified: s.notVerified, Failed: s.failed, Errors: s.errors, Adapted: q.adapted}
	if a.Commit == "" {
		a.Commit = "this commit"
	}
	a.Reported = plan.Reports(a.Items, q.items)
	return a
}

// among looks through parts, the oldest first.
func (q *actSearch) among(all []partSaid) (a plan.Act, found bool) {
	for _, s := range slices.Backward(all) {
		switch {
		case s.kind == parser.Adapt && q.adapt(s.unit, s.reopen):
			return plan.Act{}, true
		case s.kind == parser.Act && q.is(s.unit):
			return q.act(s), true
		}
	}
	return a, false
}

// lastAct tells of the last ACT of a unit: in the message, else in the history behind it.
func (s *subject) lastAct(ctx context.Context, key string) (plan.Act, error) {
	return s.search(ctx, &actSearch{unit: key, now: &s.tree})
}

// lastActHere is lastAct as far as history is there.
func (s *subject) lastActHere(ctx context.Context, key string) (plan.Act, error) {
	return s.search(ctx, &actSearch{unit: key, here: true})
}

func (s *subject) search(ctx context.Context, q *actSearch) (plan.Act, error) {
	if before, err := s.usablePlan(ctx); err != nil {
		return plan.Act{}, err
	} else if before != nil {
		if n := before.Find(q.unit); n != nil {
			q.items = n.Checklist
		}
	}
	if s.message.Joined {
		after, err := s.planAfter(ctx)
		if err != nil {
			return plan.Act{}, err
		}
		if n := after.Find(q.unit); n != nil {
			q.items = n.Checklist
		}
	}
	// Of the message only the ACTs count: the ADAPTs are what is asked about.
	for _, said := range slices.Backward(s.spoken) {
		if said.kind == parser.Act && q.is(said.unit) {
			return q.act(said), nil
		}
	}
	if s.reopens(q) { // what was done before does not count
		return plan.Act{}, nil
	}
	if s.past != nil {
		return s.past.lastAct(ctx, q, len(s.message.CherryPicked) > 0)
	}
	a, _ := q.among(s.earlier)
	return a, nil
}

// reopens reports whether a joined message reopens the unit.
func (s *subject) reopens(q *actSearch) bool {
	return s.message.Joined && slices.ContainsFunc(s.spoken, func(p partSaid) bool {
		return p.kind == parser.Adapt && slices.ContainsFunc(p.reopen, func(t parser.Text) bool { return q.meets(check.UnitOf(t)) })
	})
}

// askAhead lets git look for the ACTs of a part's unit while its evidence is parsed.
func (s *subject) askAhead(ctx context.Context, part *parser.Part) {
	if s.past == nil || part.Kind != parser.Act || s.landed || s.message.Joined || len(s.message.CherryPicked) > 0 {
		return
	}
	if before, err := s.usablePlan(ctx); err == nil && before != nil && before.Find(part.Unit.Value) != nil {
		s.past.begin(ctx, shortID(part.Unit.Value), reopening, reverting)
	}
}

// readPlanBefore reads the plan before the commit; nil where there is none.
func (s *subject) readPlanBefore(ctx context.Context) (*plan.Index, error) {
	if s.base == nil {
		return nil, nil
	}
	entry, err := s.base.Stat(ctx, s.policy.Plan)
	if err != nil || entry.Kind != evidence.File {
		return nil, err
	}
	before, err := s.cache.plans.Parse(entry.ID, func() ([]byte, error) { return s.base.Read(ctx, entry) })
	var malformed plan.Errors
	if errors.As(err, &malformed) {
		return nil, fmt.Errorf("the plan before this commit cannot be read: %s:%w", s.policy.Plan, err)
	}
	return before, err
}

// planAfter is the plan that the commit leaves; without units where there is none that can be read.
func (s *subject) planAfter(ctx context.Context) (*plan.Index, error) {
	entry, err := s.tree.Stat(ctx, s.policy.Plan)
	if err != nil || entry.Kind != evidence.File {
		return plan.NewIndex(nil), err
	}
	after, err := s.cache.plans.Parse(entry.ID, func() ([]byte, error) { return s.tree.Read(ctx, entry) })
	var malformed plan.Errors
	if errors.As(err, &malformed) {
		return plan.NewIndex(nil), nil
	}
	return after, err
}

// usablePlan is the plan before the commit; nil where there is none, or none that can be read.
func (s *subject) usablePlan(context.Context) (*plan.Index, error) {
	before, err := s.planBefore()
	var malformed plan.Errors
	if errors.As(err, &malformed) {
		return nil, nil
	}
	return before, err
}

// reverted are the snapshots around the commits that the message reverts, as far as they are here.
func (s *subject) reverted(ctx context.Context) ([]check.Reversal, error) {
	var all []check.Reversal
	for _, id := range s.message.Reverts {
		c, err := s.past.repo.Commit(ctx, id.Value)
		if errors.Is(err, repo.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		step, err := s.past.step(ctx, c)
		if errors.Is(err, evidence.ErrCut) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, check.Reversal{Before: step.Before, After: step.After})
	}
	return all, nil
}

// What is in the message of every commit that reopens a unit, and of one that reverts another: that may name no unit.
const (
	reopening = "reopen:"
	reverting = "this reverts commit"
)

// behind yields what is behind the commit, children first: what was judged in this
// run, whatever it mentions, then what of the rest mentions one of the texts.
func (p *past) behind(ctx context.Context, here bool, texts ...string) iter.Seq2[told, error] {
	return func(yield func(told, error) bool) {
		rest := map[repo.ID]bool{}
		for _, id := range p.from {
			rest[id] = true
		}
		for _, c := range slices.Backward(p.cache.told) {
			if !rest[c.ID] {
				continue
			}
			if !yield(c, nil) {
				return
			}
			delete(rest, c.ID)
			for _, id := range c.Parents {
				rest[id] = true
			}
		}
		older := p.before(rest)
		all := older.of(ctx, texts...)
		if here {
			all = older.here(ctx, texts...)
		}
		for c, err := range all {
			if !yield(c, err) {
				return
			}
		}
	}
}

// before is the past of the commits that the run begins with, shared by all that ask about it.
func (p *past) before(commits map[repo.ID]bool) *past {
	ids := slices.Sorted(maps.Keys(commits))
	key := ""
	for _, id := range ids {
		key += string(id)
	}
	p.cache.mu.Lock()
	defer p.cache.mu.Unlock()
	if p.cache.mentioned[key] == nil {
		p.cache.mentioned[key] = p
		if !slices.Equal(ids, slices.Sorted(slices.Values(p.from))) {
			p.cache.mentioned[key] = newPast(p.repo, ids, p.policy, p.cache)
		}
	}
	return p.cache.mentioned[key]
}

// lastAct looks for the last ACT of a unit in the history. One that was reverted is
// gone, and a cherry-pick counts only for another one.
func (p *past) lastAct(ctx context.Context, q *actSearch, cherryPicked bool) (plan.Act, error) {
	reverted := map[string]bool{}
	for c, err := range p.behind(ctx, q.here, shortID(q.unit), reopening, reverting) {
		if errors.Is(err, evidence.ErrCut) {
			return plan.Act{Unknown: true}, nil
		}
		if err != nil {
			return plan.Act{}, err
		}
		if reverted[string(c.ID)] || len(c.message.CherryPicked) > 0 && !cherryPicked {
			continue
		}
		for _, id := range c.message.Reverts {
			reverted[strings.ToLower(id.Value)] = true
		}
		merged, err := broughtIn(ctx, p.repo, c.message)
		if err != nil {
			return plan.Act{}, err
		}
		for _, id := range merged {
			reverted[string(id)] = true
		}
		for i := range slices.Backward(c.message.Parts) {
			part := &c.message.Parts[i]
			switch {
			case part.Kind == parser.Adapt && q.adapt(part.Unit.Value, part.Reopen):
				return plan.Act{}, nil
			case part.Kind == parser.Act && q.is(part.Unit.Value):
				if err := p.sparesAdapt(ctx, c.Commit, q); err != nil {
					return plan.Act{}, err
				}
				said, err := p.spoken(ctx, c.Commit, i)
				a := q.act(said)
				a.Hollowed = func() (string, error) { return p.hollowed(ctx, c.Commit, said.shown, q.now) }
				return a, err
			}
		}
	}
	return plan.Act{}, nil
}

// broughtIn lists the commits that came with the merges that a message reverts, as far as they are here. A revert of a
// merge is taken for one that goes back to its first parent, as reverts of merges into a branch do.
func broughtIn(ctx context.Context, r *repo.Repo, m *parser.Message) ([]repo.ID, error) {
	var all []repo.ID
	for _, reverted := range m.Reverts {
		c, err := r.Commit(ctx, reverted.Value)
		if errors.Is(err, repo.ErrNotFound) || err == nil && len(c.Parents) < 2 {
			continue
		}
		if err != nil {
			return nil, err
		}
		ids, err := r.Range(ctx, string(c.Parents[0]), string(c.ID))
		if err != nil && !errors.Is(err, repo.ErrShallow) && !errors.Is(err, repo.ErrNotFound) {
			return nil, err
		}
		all = append(all, ids...)
	}
	return all, nil
}

// sparesAdapt counts an ACT from before there was a plan as adapted: there was nothing to adapt.
func (p *past) sparesAdapt(ctx context.Context, c repo.Commit, q *actSearch) error {
	if q.adapted {
		return nil
	}
	step, err := p.step(ctx, c)
	if err != nil || step.Before == nil {
		q.adapted = true
		if errors.Is(err, evidence.ErrCut) {
			err = nil
		}
		return err
	}
	planned, err := step.Before.Stat(ctx, p.policy.Plan)
	q.adapted = planned.Kind == evidence.Missing
	return err
}

// spoken is what one part of a commit says. A commit that was not judged in this run is judged now, its claims alone.
func (p *past) spoken(ctx context.Context, c repo.Commit, part int) (partSaid, error) {
	key := commitUnder{c.ID, p.policy}
	all, known := p.cache.spoken[key]
	if !known {
		sub, err := landedSubject(ctx, p.repo, c.ID, p.policy, p.cache)
		if err != nil {
			return partSaid{}, err
		}
		sub.changed = once(sub.changed)
		for i := range sub.message.Parts {
			out, err := sub.judgePart(ctx, &sub.message.Parts[i], claimRules())
			if err != nil {
				return partSaid{}, err
			}
			all = append(all, heardOf(&sub.message.Parts[i], out))
		}
		p.cache.spoken[key] = all
	}
	if part >= len(all) {
		return partSaid{}, nil
	}
	said := all[part]
	said.commit = string(c.ID)
	return said, nil
}

// claimRules are the rules that a part's claims answer to.
func claimRules() []*check.Rule {
	return slices.DeleteFunc(check.Rules(), func(r *check.Rule) bool { return !check.Waivable(r.ID) })
}
