package judge

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// judgedPart is what one part of a message says of its unit, as far as the plan rests on it.
type judgedPart struct {
	// Commit is "" for the message that is being judged.
	Commit string
	// Kind is parser.None for what counts no more, because the message takes it back.
	Kind   parser.Kind
	unit   string
	reopen []parser.Text
	// reported are the items that are done or skipped, and shown what each of them cites where it is verified.
	reported []plan.ReportedItem
	shown    [][]evidence.Claim
	accepted []plan.Acceptance
	blocked  string // why, where the part says so
	// notVerified: a claim is; failed: the part says so itself; errors: it has findings about claims of that severity.
	notVerified, failed, errors, strict bool
}

// newJudgedPart is what a part that has been judged says.
func newJudgedPart(part *parser.Part, tier policy.Tier, out *rules.Output) judgedPart {
	s := judgedPart{
		Kind: part.Kind, unit: part.Unit.Value, reopen: part.Reopen, failed: rules.Failed(part),
		accepted: rules.AcceptedBy(part), strict: tier == policy.Strict, blocked: rules.Blocked(part),
	}
	for i, v := range out.Verdicts {
		pending := v.Status == string(parser.Pending)
		s.notVerified = s.notVerified || v.Verdict == report.NotVerified && !(pending && s.blocked != "")
		if pending || v.Status == rules.StatusRan {
			continue
		}
		item := plan.ReportedItem{Item: plan.Item{Text: v.Item}, Cited: v.Evidence, Skipped: v.Verdict == report.Skipped}
		if item.Skipped {
			item.Cited = v.Reason
		}
		var shown []evidence.Claim
		switch v.Verdict {
		case report.Verified:
			for _, e := range parser.ParseEvidence(v.Evidence, report.Pos{}) {
				shown = append(shown, evidence.Claim{Evidence: e, Item: v.Item, Kind: out.Kinds[i]})
			}
		case report.Unclear, report.NotVerified:
			item.Lacks = "it is " + strings.ReplaceAll(v.Verdict.String(), "_", " ") + ": " + v.Reason
		}
		s.reported, s.shown = append(s.reported, item), append(s.shown, shown)
	}
	for _, f := range out.Findings {
		if f.Severity != report.Error || !rules.Waivable(f.Rule) {
			continue
		}
		s.errors = true
		for i := range s.reported {
			if r := &s.reported[i]; f.Item == r.Text && r.Lacks == "" {
				r.Lacks = f.Message
			}
		}
	}
	return s
}

// ReportedAct is the ACT that a message would be, as it was judged.
func ReportedAct(part *parser.Part, checklist []plan.Item, found *report.Report) plan.Act {
	s := newJudgedPart(part, 0, &rules.Output{
		Verdicts: found.Verdicts, Findings: found.Findings, Kinds: make([]evidence.Kind, len(found.Verdicts)),
	})
	s.Commit = "as reported"
	return (&ActSearch{Items: checklist}).act(s)
}

// ActSearch looks for the last ACT of a unit, the newest part first. It serves one search.
type ActSearch struct {
	// Key is the unit's; Items are its checklist, which the ACT had to report.
	Key   string
	Items []plan.Item
	// Here: nobody asks about what a shallow clone left out.
	Here bool
	// Now is the snapshot in which what an ACT showed is to stand; nil: that is not asked.
	Now *evidence.Tree

	adapted  bool
	accepted []plan.Acceptance
}

// is reports whether a part names the unit: by its id, for the key of a unit changes when it is moved in the plan.
func (q *ActSearch) is(name string) bool { return shortID(name) == shortID(q.Key) }

// meets reports whether a part names a unit above the one that is searched, or that itself.
func (q *ActSearch) meets(name string) bool {
	for key := q.Key; ; {
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
func (q *ActSearch) adapt(part *parser.Part) (found bool) {
	if q.is(part.Unit.Value) {
		q.adapted, q.accepted = true, append(q.accepted, rules.AcceptedBy(part)...)
	}
	return q.reopenedBy(part.Reopen)
}

func (q *ActSearch) reopenedBy(reopen []parser.Text) bool {
	return slices.ContainsFunc(reopen, func(t parser.Text) bool { return q.meets(rules.UnitOf(t)) })
}

func (q *ActSearch) act(s judgedPart) plan.Act {
	return plan.Act{
		Commit: cmp.Or(s.Commit, "this commit"), Asked: q.Items, Items: s.reported, Accepted: q.accepted, Strict: s.strict,
		Blocked: s.blocked, NotVerified: s.notVerified, Failed: s.failed, Errors: s.errors, Adapted: q.adapted,
	}
}

// InMessage looks through the parts of the message that is asked about, the oldest first. Only its ACTs count: the
// ADAPTs are what is asked about. Where a joined message reopens the unit nothing that was done before does.
func (q *ActSearch) InMessage(parts []judgedPart, joined bool) (a plan.Act, found bool) {
	for _, s := range slices.Backward(parts) {
		if s.Kind == parser.Act && q.is(s.unit) {
			return q.act(s), true
		}
	}
	return a, joined && slices.ContainsFunc(parts, func(s judgedPart) bool {
		return s.Kind == parser.Adapt && q.reopenedBy(s.reopen)
	})
}

// Reversals are the snapshots around the commits that a message reverts, as far as they are here.
func (p *Ancestors) Reversals(ctx context.Context, m *parser.Message) ([]rules.RevertedCommit, error) {
	var all []rules.RevertedCommit
	for _, id := range m.Reverts {
		var step evidence.Step
		c, err := p.repo.Commit(ctx, id.Value)
		if errors.Is(err, repo.ErrNotFound) {
			continue
		}
		if err == nil {
			step, err = p.step(ctx, c)
		}
		unknown := errors.Is(err, evidence.ErrShallow) || errors.Is(err, repo.ErrShallow)
		if err != nil && !unknown {
			return nil, err
		}
		all = append(all, rules.RevertedCommit{Before: step.Before, After: step.After, Unknown: unknown})
	}
	return all, nil
}

// What is in the message of every commit that reopens a unit, and of one that reverts another: that may name no unit.
const (
	reopening = "reopen:"
	reverting = "this reverts commit"
)

func actTexts(unit string) []string { return []string{shortID(unit), reopening, reverting} }

// behind yields what is behind the commit, children first: what was judged in this
// run and says anything of a unit, then what of the rest mentions one of the texts.
func (p *Ancestors) behind(ctx context.Context, here bool, texts ...string) iter.Seq2[commit, error] {
	return func(yield func(commit, error) bool) {
		rest := map[repo.ID]bool{}
		for _, id := range p.from {
			rest[id] = true
		}
		for _, c := range slices.Backward(p.history.judged) {
			if !rest[c.id] {
				continue
			}
			if c.says != nil && !yield(*c.says, nil) {
				return
			}
			delete(rest, c.id)
			for _, id := range c.parents {
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

// before are the ancestors of the commits that the run begins with, shared by all that ask about it.
func (p *Ancestors) before(commits map[repo.ID]bool) *Ancestors {
	ids := slices.Sorted(maps.Keys(commits))
	key := ""
	for _, id := range ids {
		key += string(id)
	}
	p.history.mu.Lock()
	defer p.history.mu.Unlock()
	if p.history.behind[key] == nil {
		p.history.behind[key] = p
		if !slices.Equal(ids, slices.Sorted(slices.Values(p.from))) {
			p.history.behind[key] = p.history.Behind(ids, p.policy)
		}
	}
	return p.history.behind[key]
}

// LastAct looks for the last ACT of a unit in the history. One that was reverted is
// gone, and a cherry-pick counts only for another one.
func (p *Ancestors) LastAct(ctx context.Context, q *ActSearch, cherryPicked bool) (plan.Act, error) {
	reverted := map[string]bool{}
	for c, err := range p.behind(ctx, q.Here, actTexts(q.Key)...) {
		if errors.Is(err, evidence.ErrShallow) {
			return plan.Act{Unknown: true}, nil
		}
		if err != nil {
			return plan.Act{}, err
		}
		if reverted[string(c.ID)] || len(c.message.CherryPicked) > 0 && !cherryPicked {
			continue
		}
		if len(c.message.Reverts) > 0 {
			end, err := p.history.End(ctx, string(c.ID), p.policy)
			if err != nil {
				return plan.Act{}, err
			}
			back, err := end.TakenBack(ctx, c.message)
			if err != nil {
				return plan.Act{}, err
			}
			for _, id := range back {
				reverted[string(id)] = true
			}
		}
		for i := range slices.Backward(c.message.Parts) {
			part := &c.message.Parts[i]
			switch {
			case part.Kind == parser.Adapt && q.adapt(part):
				return plan.Act{}, nil
			case part.Kind == parser.Act && q.is(part.Unit.Value):
				if err := p.sparesAdapt(ctx, c.Commit, q); err != nil {
					return plan.Act{}, err
				}
				said, err := p.judgedPart(ctx, c, i)
				a := q.act(said)
				if q.Now != nil {
					a.Shown = shownAct{p, c.Commit, said.shown, q.Now}
				}
				return a, err
			}
		}
	}
	return plan.Act{}, nil
}

// sparesAdapt counts an ACT from before there was a plan as adapted: there was nothing to adapt.
func (p *Ancestors) sparesAdapt(ctx context.Context, c repo.Commit, q *ActSearch) error {
	if q.adapted {
		return nil
	}
	step, err := p.step(ctx, c)
	if err != nil || step.Before == nil {
		q.adapted = true
		if errors.Is(err, evidence.ErrShallow) {
			err = nil
		}
		return err
	}
	planned, err := step.Before.Stat(ctx, p.policy.Plan)
	q.adapted = planned.Kind == evidence.Missing
	return err
}

// judgedPart is what one part of a commit says. A commit that was not judged in this run is judged now, its claims
// alone.
func (p *Ancestors) judgedPart(ctx context.Context, c commit, part int) (judgedPart, error) {
	key := commitUnder{c.ID, p.policy}
	all, known := p.history.parts[key]
	if !known {
		opened, err := p.history.subject(ctx, c, p.policy)
		if err != nil {
			return judgedPart{}, err
		}
		for i := range c.message.Parts {
			in, out, err := opened.Part(ctx, &c.message.Parts[i], claimRules())
			if err != nil {
				return judgedPart{}, err
			}
			all = append(all, newJudgedPart(&c.message.Parts[i], in.Tier, out))
		}
		p.history.parts[key] = all
	}
	if part >= len(all) {
		return judgedPart{}, nil
	}
	said := all[part]
	said.Commit = string(c.ID)
	return said, nil
}

// claimRules are the rules that a part's claims answer to.
func claimRules() []*rules.Rule {
	return slices.DeleteFunc(rules.Rules(), func(r *rules.Rule) bool { return !rules.Waivable(r.ID) })
}
