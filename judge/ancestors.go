package judge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
)

// Ancestors reads the history behind a commit, the newest part of it. It runs git once for all messages. It is safe for
// concurrent use.
type Ancestors struct {
	history *History
	repo    *repo.Repo
	parents []repo.ID // the commit's parents
	policy  *policy.Policy
}

// maxHistory bounds how far back earlier commits are looked for: git reads 10,000 in 0.1 s (bench/figures/speed.md).
const maxHistory = 10_000

// Behind are the ancestors of a commit with the given parents, the parents included.
func (h *History) Behind(parents []repo.ID, p *policy.Policy) *Ancestors {
	return &Ancestors{history: h, repo: h.repo, parents: parents, policy: p}
}

// log are the newest commits, none from before the policy's since. Each log is made once, and many are part of the one
// that was read last.
func (p *Ancestors) log(ctx context.Context) (*repo.Log, error) {
	h, since := p.history, p.policy.Since
	h.mu.Lock()
	defer h.mu.Unlock()
	key := fmt.Sprint(since, slices.Sorted(slices.Values(p.parents)))
	if known := h.logs[key]; known != nil {
		return known, nil
	}
	if last := h.lastLogs[since]; last != nil {
		if l := last.Behind(p.parents); l != nil {
			h.logs[key] = l
			return l, nil
		}
	}
	var before []repo.ID
	if since != "" {
		first, err := p.repo.Commit(ctx, since)
		if err != nil && !repo.IsAbsent(err) {
			return nil, err
		}
		before = fetchedParents(ctx, p.repo, first)
	}
	isWanted := func(text []byte) bool { return isOfRecord(text) || mayHaveTitle(text, "for") }
	l, err := p.repo.Log(ctx, p.parents, before, maxHistory, isWanted)
	if err == nil {
		h.logs[key], h.lastLogs[since] = l, l
	}
	return l, err
}

// HasAncestor reports whether earlier is an ancestor of commit; false if history is incomplete.
func (p *Ancestors) HasAncestor(ctx context.Context, commit, earlier string) bool {
	missing, err := p.repo.Range(ctx, commit, earlier)
	return err == nil && len(missing) == 0
}

// commitsWith yields the commits whose message holds one of the texts, children first. If a shallow clone cuts the
// history, the last pair is evidence.ErrShallow, except with localOnly.
func (p *Ancestors) commitsWith(ctx context.Context, localOnly bool, texts ...string) iter.Seq2[commit, error] {
	return func(yield func(commit, error) bool) {
		log, err := p.log(ctx)
		if err != nil {
			yield(commit{}, err)
			return
		}
		for _, c := range log.Commits {
			hasText := func(text string) bool { return bytes.Contains(c.Text, bytes.ToLower([]byte(text))) }
			if !slices.ContainsFunc(texts, hasText) {
				continue
			}
			c, err := readCommit(ctx, p.repo, string(c.ID))
			if !yield(c, err) || err != nil {
				return
			}
		}
		if !localOnly && errors.Is(log.End, repo.ErrShallow) {
			yield(commit{}, evidence.ErrShallow)
		}
	}
}

// Steps are the earlier ACT and For commits of a unit, back to the ADAPT that last reopened it.
func (p *Ancestors) Steps(unit string) evidence.EarlierCommits { return unitCommits{p, unit} }

type unitCommits struct {
	ancestors *Ancestors
	unit      string
}

func (s unitCommits) Steps(ctx context.Context) iter.Seq2[evidence.Step, error] {
	return func(yield func(evidence.Step, error) bool) {
		for c, err := range s.ancestors.earlierCommits(ctx, false, shortID(s.unit)) {
			if err != nil {
				yield(evidence.Step{}, err)
				return
			}
			if hasReopenOf(c.message, s.unit) {
				return
			}
			if !isWorkOn(c.message, s.unit) {
				continue
			}
			step, err := s.ancestors.step(ctx, string(c.ID))
			if !yield(step, err) || err != nil {
				return
			}
		}
	}
}

// shortID is the id of a unit alone, by which every message names it.
func shortID(unit string) string { return unit[strings.LastIndexByte(unit, '/')+1:] }

func isWorkOn(m *parser.Message, unit string) bool {
	return slices.ContainsFunc(m.Of(parser.Act, parser.For), func(p *parser.Part) bool {
		return parser.SameUnit(p.Unit.Value, unit)
	})
}

// hasReopenOf reports whether an ADAPT of a message reopens a unit, so that earlier work does not count.
func hasReopenOf(m *parser.Message, unit string) bool {
	return slices.ContainsFunc(m.Of(parser.Adapt), func(p *parser.Part) bool {
		return slices.ContainsFunc(p.Reopen, func(t parser.Text) bool {
			return parser.SameUnit(rules.UnitOf(t), unit)
		})
	})
}

// step is the change of a commit against its first parent. If a shallow clone cut the parent off, it returns
// evidence.ErrShallow.
func (p *Ancestors) step(ctx context.Context, rev string) (evidence.Step, error) {
	c, err := p.repo.Commit(ctx, rev)
	if err != nil {
		return evidence.Step{}, err
	}
	from, err := treeBefore(ctx, p.repo, c)
	s := evidence.Step{
		Before: p.history.tree(from), After: *p.history.tree(c.Tree), Change: treeDiff{p.repo, from, c.Tree},
	}
	if repo.IsAbsent(err) {
		return s, evidence.ErrShallow
	}
	return s, err
}

// EarlierCitation returns the earlier claim of another unit that cites the same lines,
// saying the same; nil when there is none. tree is the snapshot that e is cited in.
func (p *Ancestors) EarlierCitation(
	ctx context.Context, tree *evidence.Tree, unit string, e parser.Evidence,
) (*rules.Citation, error) {
	current, err := snapshot.File(ctx, *tree, e.Path)
	if err != nil || current == nil {
		return nil, err
	}
	for c, err := range p.earlierCommits(ctx, false, e.Path) {
		if errors.Is(err, evidence.ErrShallow) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		earlier := citations(c.message, unit, e)
		if len(earlier) == 0 {
			continue
		}
		earlierText, err := snapshot.File(ctx, *p.history.tree(c.Tree), e.Path)
		if err != nil {
			return nil, err
		}
		for _, at := range earlier {
			if evidence.SameText(earlierText, at.start, at.end, current, e.Start, e.End) {
				return &rules.Citation{Commit: string(c.ID), Unit: at.unit, Item: at.item}, nil
			}
		}
	}
	return nil, nil
}

type citation struct {
	unit, item string
	start, end int
}

// citations are the claims of other units in a message that cite lines of the same file.
func citations(m *parser.Message, unit string, e parser.Evidence) []citation {
	var found []citation
	for _, p := range m.Of(parser.Act) {
		if parser.SameUnit(p.Unit.Value, unit) {
			continue
		}
		for _, claim := range p.Claims {
			for _, at := range claim.Evidence {
				if claim.Status == parser.Done && at.Path == e.Path && !at.IsRemoved && at.Start > 0 {
					found = append(found, citation{p.Unit.Value, claim.Item.Value, at.Start, at.End})
				}
			}
		}
	}
	return found
}
