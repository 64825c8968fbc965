package judge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/parser/excerpt"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// StagedCommit describes a commit that is about to be made.
type StagedCommit struct {
	// Message is the commit message as git will store it.
	Message []byte
	// Tail describes the rest if the message is an excerpt.
	Tail excerpt.Tail
	// NoMessage: there is no message yet; only the rules that need none run.
	NoMessage bool
	// Author is the name and the address of the commit's author; nil asks git.
	Author []string
	// MayAmend: the commit may replace HEAD, which a hook cannot know. Findings that compare with the parent then count
	// only if they also hold against the grandparent.
	MayAmend bool
	// IsAmend: it certainly is. Only an amend of an ACT may be an ACT without an ADAPT.
	IsAmend bool
	// IsApplied: the commit was made elsewhere and is only applied here, so that lines may have shifted, as in a range.
	IsApplied bool
	// SkipAdvice skips the rules that only warn about the commit, since they ran already.
	SkipAdvice bool
	// Leases know the owners of units in this repository; only commits with claims need them. nil checks nothing.
	Leases Leases
	// Runs are compared with the `Ran:` lines of an ACT; nil compares nothing.
	Runs RunsOfSession
	// Reports are compared with the claims of an ACT; nil without reports.
	Reports Reports
	// Session is the session that the environment names, "" for none.
	Session string
}

// Judge judges the commit. If it cannot be judged, that is an error for a commit with claims, else a warning. An
// unusable policy is a *policy.ConfigError.
func (s StagedCommit) Judge(ctx context.Context, r *repo.Repo) (*Result, error) {
	message := parser.ParseExcerpt(s.Message, s.Tail)
	if s.NoMessage {
		message.Parts = nil
	}
	result, err := s.judge(ctx, r, message)
	if err == nil || message.Has(parser.Act, parser.Adapt) {
		return result, err
	}
	result = &Result{Report: report.Report{Acta: report.Release, Range: "staged", Commits: 1}}
	result.Warnings = []string{err.Error()}
	return result, nil
}

func (s StagedCommit) judge(ctx context.Context, r *repo.Repo, message *parser.Message) (*Result, error) {
	sub, parent, err := s.subject(ctx, r, message)
	if err != nil {
		return nil, err
	}
	out, err := sub.judge(ctx)
	if err != nil {
		return nil, err
	}
	isMerge := len(sub.otherParents) > 0 // git does not let a merge amend
	if s.MayAmend && !isMerge && parent != nil && len(parent.Parents) > 0 &&
		slices.ContainsFunc(out.Findings, isRelative) {
		if out, err = s.judgeAsAmend(ctx, sub, parent, out); err != nil {
			return nil, err
		}
	}
	result := &Result{Anchors: out.Anchors, Warnings: sub.warnings}
	if why := out.cutWarning(); why != "" {
		result.Warnings = append(result.Warnings, why)
	}
	result.Report = report.Report{Acta: report.Release, Range: "staged", Commits: 1, Acts: out.acts, Adapts: out.adapts}
	result.Add(dropMinorStubs(out.Findings), out.Verdicts)
	result.Tests, result.Results, result.Boxes = out.Tests, out.Results, out.boxes
	return result, nil
}

// headIfAny is the commit that HEAD names; nil before the first one.
func headIfAny(ctx context.Context, r *repo.Repo) (*repo.Commit, error) {
	head, err := r.Head(ctx)
	if errors.Is(err, repo.ErrUnborn) {
		return nil, nil
	}
	return &head, err
}

// subject prepares the commit, and returns its parent, nil for none. git writes the index as a tree while the parent is
// read.
func (s StagedCommit) subject(
	ctx context.Context, r *repo.Repo, message *parser.Message,
) (sub *subject, parent *repo.Commit, err error) {
	written := sync.OnceValues(func() (repo.ID, error) { return r.IndexTree(ctx) })
	go func() { _, _ = written() }()    // it is asked again below
	defer func() { _, _ = written() }() // git must not outlive the judgement
	sub = &subject{
		session: s.Session, message: message, Ancestors: NewHistory(r, nil).Behind(nil, nil), isLanded: s.IsApplied,
		skipAdvice: s.SkipAdvice, answers: &answers{},
	}
	if parent, err = headIfAny(ctx, r); err != nil {
		return nil, nil, err
	}
	if parent != nil {
		sub.base, sub.parents = sub.history.tree(parent.Tree), []repo.ID{parent.ID}
	}
	if sub.policy, err = snapshot.Of(sub.base).Policy(ctx); err != nil && !message.Has(parser.Act, parser.Adapt) {
		sub.policy, err = fallbackPolicy(err, &sub.warnings)
	}
	if err != nil {
		return nil, nil, err
	}
	tree, err := written()
	if err != nil {
		return nil, nil, err
	}
	if sub.otherParents, err = r.MergeHeads(ctx); err != nil {
		return nil, nil, err
	}
	sub.tree = *sub.history.tree(tree)
	if message.Has(parser.Act, parser.Adapt) || len(sub.policy.Boxes) > 0 {
		sub.leases = s.Leases
	}
	if message.Has(parser.Act, parser.Adapt) {
		if s.Reports != nil {
			if sub.reports, err = s.Reports.Read(ctx, sub.policy, sub.tree); err != nil {
				return nil, nil, err
			}
		}
		if s.Runs != nil {
			sub.runs = sub.cachedRuns(s.Runs)
		}
		sub.workTree, sub.isPartial = r, r.IsPartialCommit()
	}
	if sub.policy.Require != policy.RequireNone && !s.NoMessage {
		err = s.readAuthors(ctx, r, sub)
	}
	return sub, parent, err
}

func (s StagedCommit) readAuthors(ctx context.Context, r *repo.Repo, sub *subject) (err error) {
	if sub.authors = s.Author; sub.authors == nil {
		sub.authors, err = r.Author(ctx)
	}
	sub.authors = append(sub.authors, coAuthors(sub.message)...)
	sub.isMerge = len(sub.otherParents) > 0
	return err
}

// ActInput is the input for an ACT of a unit with these claims, without its report.
func ActInput(ctx context.Context, r *repo.Repo, unit string, claims []rules.Claim) (*rules.Input, error) {
	act := parser.Parse([]byte("ACT: " + unit + "\n"))
	sub, _, err := StagedCommit{NoMessage: true}.subject(ctx, r, act)
	if err != nil {
		return nil, err
	}
	in, err := sub.input(ctx, act.Parts[0])
	if err != nil {
		return nil, err
	}
	in.Tier, err = sub.tier(ctx, in.Part, claims)
	return in, err
}

// judgeAsAmend judges the commit against the grandparent too, and drops comparing findings that do not hold there. If
// the grandparent has no plan, the parent alone decides about the plan. If the amend would be refused for another
// reason, the first outcome stays.
func (s StagedCommit) judgeAsAmend(
	ctx context.Context, sub *subject, parent *repo.Commit, first *outcome,
) (*outcome, error) {
	r := sub.history.repo
	grand, err := r.Commit(ctx, string(parent.Parents[0]))
	if repo.IsAbsent(err) {
		return first, nil // cut by a shallow clone: the parent alone decides
	}
	if err != nil {
		return nil, err
	}
	amended := *sub
	amended.base, amended.Ancestors = sub.history.tree(grand.Tree), sub.history.Behind(parent.Parents, sub.policy)
	amended.otherParents = fetchedParents(ctx, r, *parent)[1:] // a commit that amends a merge is a merge
	second, err := amended.judge(ctx)
	if err != nil {
		return nil, err
	}
	if wrongAsAmend(first, second) {
		return first, nil
	}
	planned, err := amended.base.Stat(ctx, sub.policy.Plan)
	if err != nil {
		return nil, err
	}
	return first.milder(second, planned.Kind != evidence.Missing, s.IsAmend), nil
}

func isRelative(f report.Finding) bool { return f.IsRelative }

// restsOnLastAct reports whether the finding is about what must follow the last ACT. HEAD usually is that ACT, so these
// findings would never hold if every commit could be an amend.
func restsOnLastAct(f report.Finding) bool {
	return f.Rule == plan.RuleActNotAllowed || f.Rule == plan.RuleThreshold
}

// milder combines two outcomes: comparing findings that hold in both, and the milder verdicts. Without hasPlan,
// findings about the plan stay; unless the commit certainly is an amend, those about what must follow the last ACT.
func (o *outcome) milder(second *outcome, hasPlan, isAmend bool) *outcome {
	out := *o
	type about struct{ rule, item, unit string }
	holds := map[about]bool{}
	for _, f := range second.Findings {
		holds[about{f.Rule, f.Item, f.Unit}] = true
	}
	out.Findings = slices.DeleteFunc(slices.Clone(o.Findings), func(f report.Finding) bool {
		if !f.IsRelative || rules.RestsOnPlan(f.Rule) && !hasPlan || restsOnLastAct(f) && !isAmend {
			return false
		}
		return !holds[about{f.Rule, f.Item, f.Unit}]
	})
	out.CutPlaces, out.Undecided = second.CutPlaces, second.Undecided
	out.Verdicts = slices.Clone(o.Verdicts)
	for i, v := range o.Verdicts {
		// Task-list lines that only one plan registers make the two differ in length; then the parent decides.
		if v.IsRelative && len(second.Verdicts) == len(o.Verdicts) && second.Verdicts[i].Verdict < v.Verdict {
			out.Verdicts[i] = second.Verdicts[i]
		}
	}
	return &out
}

// wrongAsAmend reports an error that holds only against the parent's parent.
func wrongAsAmend(first, second *outcome) bool {
	return slices.ContainsFunc(second.Findings, func(f report.Finding) bool {
		isSame := func(g report.Finding) bool { return f.Rule == g.Rule && f.Unit == g.Unit }
		return f.IsRelative && f.Severity == report.Error && !slices.ContainsFunc(first.Findings, isSame)
	})
}

// cutWarning says what a shallow clone keeps unknown; "" for nothing.
func (o *outcome) cutWarning() string {
	var all []string
	if len(o.CutPlaces) > 0 {
		all = append(all, fmt.Sprintf("history is cut by a shallow clone, so it is not known whether the task's earlier "+
			"commits changed %s; to fetch the rest, run: git fetch --unshallow", strings.Join(o.CutPlaces, ", ")))
	}
	for _, why := range o.Undecided {
		all = append(all, why+"; to fetch the rest, run: git fetch --unshallow")
	}
	return strings.Join(all, "; ")
}

// coAuthors returns the names and addresses of a message's Co-authored-by lines.
func coAuthors(m *parser.Message) []string {
	var names []string
	for _, t := range m.Trailers {
		if strings.EqualFold(t.Key.Value, "Co-authored-by") {
			names = append(names, splitIdentity(t.Value.Value)...)
		}
	}
	return names
}

// splitIdentity splits «Name <address>»; other text is returned whole.
func splitIdentity(s string) []string {
	name, rest, found := strings.Cut(s, "<")
	if !found {
		return []string{s}
	}
	address, _, _ := strings.Cut(rest, ">")
	return []string{strings.TrimSpace(name), strings.TrimSpace(address)}
}
