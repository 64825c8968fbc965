// Package judge judges a commit before it is made (StagedCommit), or the commits of a range (Range): revisions in,
// findings and verdicts out. It collects snapshot, plan, policy and changes in one rules.Input, so hook and CI agree.
// It does not print, and must never import hooks, record or a command.
package judge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// Result is the report and, for a single commit, anchors for its evidence.
type Result struct {
	report.Report
	Anchors []rules.Anchor
	// Warnings say why a commit without claims was not judged, or what could not be known about one with claims.
	Warnings []string
}

// Code is the exit code (docs/ci.md): 3 if a commit could not be judged, 1 with an error among the findings, else 0.
func (r *Result) Code() int {
	switch {
	case len(r.Undecided) > 0:
		return 3
	case r.Count(report.Error) > 0:
		return 1
	}
	return 0
}

// Refusals are the findings of severity error as text, each followed by its hint.
func (r *Result) Refusals() []string {
	var all []string
	for _, f := range r.Findings {
		if f.Severity != report.Error {
			continue
		}
		line := fmt.Sprintf("%s [%s]", f.Message, f.Rule)
		if f.Path != "" {
			line = fmt.Sprintf("%s:%d: %s", f.Path, f.Line, line)
		}
		all = append(all, line)
		if f.Hint != "" {
			all = append(all, "    "+f.Hint)
		}
	}
	return all
}

type outcome struct {
	rules.Output
	id      repo.ID // of the commit; "" for one that is about to be made
	message *parser.Message
	parts   []judgedPart // in the order of the message
	acts    int
	adapts  int
	plan    *plan.Index // after an ADAPT; nil for another commit
	// revertedParts are the parts of a joined message that it takes back itself, by index.
	revertedParts map[int]bool
	boxes         []report.PlanBoxes // that it ticks, by file
	untickedBoxes []string           // boxes that lose their tick
}

func (s *subject) judge(ctx context.Context) (*outcome, error) {
	out := &outcome{
		message: s.message, acts: len(s.message.Of(parser.Act)), adapts: len(s.message.Of(parser.Adapt)),
	}
	s.parts = nil
	s.answers = &answers{}
	ticks, err := s.ticks(ctx)
	if err != nil {
		return nil, err
	}
	if !s.isLanded && len(s.message.Parts) > 0 {
		defer s.compareTestsAhead(ctx)()
	}
	var parts []*rules.Output
	for _, part := range s.message.Parts {
		in, o, err := s.judgePart(ctx, part, rules.Rules())
		if err != nil {
			return nil, err
		}
		s.parts = append(s.parts, newJudgedPart(part, in.Tier, o))
		parts = append(parts, o)
	}
	if s.message.IsSquash {
		var found [][]report.Finding
		for _, o := range parts {
			found = append(found, o.Findings)
		}
		out.revertedParts = settleParts(s.message, found)
	}
	for i, o := range parts {
		if out.revertedParts[i] {
			s.parts[i].Kind = parser.None
		}
		out.Add(o)
	}
	out.parts = s.parts
	if err := s.judgeTicks(ctx, ticks, out); err != nil {
		return nil, err
	}
	o, err := s.judgeCommit(ctx)
	if err != nil {
		return nil, err
	}
	o.Findings = slices.DeleteFunc(o.Findings, func(f report.Finding) bool {
		return isRepeat(f, out.Findings)
	})
	out.Add(o)
	return out, nil
}

// isRepeat reports whether a finding of an added stub only repeats a finding about a claim.
func isRepeat(f report.Finding, findings []report.Finding) bool {
	return f.Rule == rules.StubAdded && slices.ContainsFunc(findings, func(g report.Finding) bool {
		return g.Rule != f.Rule &&
			g.Path == f.Path && g.Commit == f.Commit && g.Line <= f.EndLine && f.Line <= max(g.Line, g.EndLine)
	})
}

// dropMinorStubs removes warnings about added stubs from commits that have errors. They return once the errors are
// fixed.
func dropMinorStubs(findings []report.Finding) []report.Finding {
	hasError := map[string]bool{}
	for _, f := range findings {
		hasError[f.Commit] = hasError[f.Commit] || f.Severity == report.Error
	}
	return slices.DeleteFunc(findings, func(f report.Finding) bool {
		return f.Rule == rules.StubAdded && f.Severity < report.Error && hasError[f.Commit]
	})
}

// judgePart judges the claims of a part by the rules; without rules, it judges only the claims and needs no tier.
func (s *subject) judgePart(
	ctx context.Context, part *parser.Part, ruleSet []*rules.Rule,
) (*rules.Input, *rules.Output, error) {
	in, err := s.input(ctx, part)
	if err == nil && len(ruleSet) > 0 {
		in.Tier, err = s.tier(ctx, part, in.Claims)
	}
	if err != nil {
		return nil, nil, err
	}
	out, err := rules.Run(ctx, ruleSet, in)
	return in, out, err
}

// wholePart has the waivers of all parts of a message, and their strictest tier.
func wholePart(m *parser.Message) *parser.Part {
	whole, raised := &parser.Part{}, policy.Tier(0)
	for _, p := range m.Parts {
		whole.Waivers = append(whole.Waivers, p.Waivers...)
		if t, ok := policy.ParseTier(p.Tier.Value); ok && t > raised {
			raised, whole.Tier = t, p.Tier
		}
	}
	return whole
}

func (s *subject) judgeCommit(ctx context.Context) (*rules.Output, error) {
	whole := wholePart(s.message)
	in, err := s.input(ctx, whole)
	if err != nil {
		return nil, err
	}
	in.IsWholeCommit, in.SkipAdvice, in.DroppedBoxes = true, s.skipAdvice, s.droppedBoxes
	if in.Tier, err = s.tier(ctx, whole, nil); err != nil {
		return nil, err
	}
	return rules.Run(ctx, rules.Rules(), in)
}

// fallbackPolicy judges commits without claims if the policy cannot be used: only the rule that reads the new policy
// runs, and a warning says so. An error other than a *policy.ConfigError is returned.
func fallbackPolicy(err error, warnings *[]string) (*policy.Policy, error) {
	var config *policy.ConfigError
	if !errors.As(err, &config) {
		return nil, err
	}
	warning := config.Error() + "; this commit claims nothing, so no other rule ran"
	if malformed := (*policy.Error)(nil); errors.As(err, &malformed) {
		warning += ", and every claim is refused until a commit without claims fixes the file"
	}
	*warnings = append(*warnings, warning)
	p := policy.OnlyRule(rules.PolicyInvalid, rules.IDs())
	return &p, nil
}

// History reads the history of a repository, judges commits and keeps what it read. It serves one goroutine.
type History struct {
	repo *repo.Repo
	// runs are the runs that `Ran:` lines are compared with; if nil, those of notes.
	runs RunsOfSession
	// notes are the notes of RunNotes, once read.
	notes map[repo.ID][]byte
	// Evidence and Plans cache parsed files.
	Evidence *evidence.Cache
	Plans    *plan.Cache

	// outcomes are the commits that were judged alone: several refs of a push may bring the same.
	outcomes map[outcomeKey]*outcome
	// parts are the parts of judged commits; judgedCommits lists those commits, parents first.
	parts         map[outcomeKey][]judgedPart
	judgedCommits []judgedCommit
	policies      map[string]*policy.Policy // by the id of the policy file

	mu sync.Mutex // of the following: claims are judged several at a time
	// logs are the logs that were made, by the policy's since and their tips; lastLogs the last that git read, by since.
	logs, lastLogs map[string]*repo.Log
}

// outcomeKey is a commit under a policy: the same commit may be judged by the policies of two refs.
type outcomeKey struct {
	Commit repo.ID
	Policy *policy.Policy
}

// NewHistory prepares to read a repository. If runs is not nil, the runs that an ACT claims are compared with its
// session's, and each recorded one gets a verdict.
func NewHistory(r *repo.Repo, runs RunsOfSession) *History {
	return &History{
		repo: r, runs: runs, Evidence: evidence.NewCache(), Plans: &plan.Cache{}, outcomes: map[outcomeKey]*outcome{},
		parts: map[outcomeKey][]judgedPart{}, policies: map[string]*policy.Policy{}, logs: map[string]*repo.Log{},
		lastLogs: map[string]*repo.Log{},
	}
}

// remember keeps a judged commit and what the parts of its message say. For a commit that names no unit and reverts
// nothing, it keeps only the ids, to save memory.
func (h *History) remember(c commit, p *policy.Policy, parts []judgedPart) {
	m := c.message
	j := judgedCommit{id: c.ID, parents: c.Parents}
	if len(m.Reverts) > 0 || slices.ContainsFunc(m.Parts, func(p *parser.Part) bool { return p.Kind != parser.None }) {
		j.commit = &c
		h.parts[outcomeKey{c.ID, p}] = parts
	}
	h.judgedCommits = append(h.judgedCommits, j)
}

// judgedCommit is a commit that was judged in this run; commit is nil if its message names no unit.
type judgedCommit struct {
	id      repo.ID
	parents []repo.ID
	commit  *commit
}

// PolicyOf is the policy of a commit, read once; that of "" is the built-in one.
func (h *History) PolicyOf(ctx context.Context, commit repo.ID) (*policy.Policy, error) {
	from, file := snapshot.Snapshot{}, snapshot.BuiltinPolicy
	if commit != "" {
		if _, err := h.repo.Commit(ctx, string(commit)); err != nil {
			return nil, fmt.Errorf("the policy of %.12s cannot be read: %w", commit, err)
		}
		from = snapshot.At(h.repo, string(commit))
		var err error
		if file, err = from.PolicyHash(ctx); err != nil {
			return nil, err
		}
	}
	if p := h.policies[file]; p != nil {
		return p, nil
	}
	p, err := from.Policy(ctx)
	if err == nil {
		h.policies[file] = p
	}
	return p, err
}

// tree is a tree of the repository; nil for "".
func (h *History) tree(id repo.ID) *evidence.Tree {
	if id == "" {
		return nil
	}
	t := snapshot.Tree(h.repo, id)
	t.Cache = h.Evidence
	return &t
}

func (h *History) judgeOf(tree repo.ID, p *policy.Policy) *evidence.Judge {
	return &evidence.Judge{Tree: *h.tree(tree), Cache: h.Evidence, Limits: limits(p)}
}

func limits(p *policy.Policy) evidence.Limits {
	return evidence.Limits{MaxLines: p.MaxLines, MaxFileBytes: p.MaxFileBytes}
}
