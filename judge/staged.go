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

// Staged describes a commit that is about to be made.
type Staged struct {
	// Message is the commit message as git will store it.
	Message []byte
	// Beyond is what follows it, where it is an excerpt.
	Beyond excerpt.Rest
	// NoMessage: there is no message yet, and only what is asked of the commit whatever it says is asked.
	NoMessage bool
	// Tree writes the tree that is about to be committed.
	Tree func(ctx context.Context) (repo.ID, error)
	// Author returns the name and the address of the commit's author.
	Author func(ctx context.Context) ([]string, error)
	// MayAmend: HEAD may be the commit that is being replaced, which a hook
	// cannot tell. What compares with the parent then counts only when it also
	// holds against the parent's parent.
	MayAmend bool
	// Amends tells whether it certainly is; nil knows of nothing. Only an amend of an ACT may be an ACT without an ADAPT.
	Amends func(ctx context.Context) bool
	// Landed: the commit was made elsewhere and is only applied here, so that lines may have shifted, as in a range.
	Landed bool
	// Advised: what only warns about the commit, whatever its message claims, has been said already.
	Advised bool
	// Owners reads who holds which unit in this repository, which is asked of a commit that claims something; nil asks
	// nothing.
	Owners func(ctx context.Context) (Owners, error)
	// Runs are what a `Ran:` of an ACT is compared with; they are read where there is one. Nil compares nothing.
	Runs RunsOfSession
	// Reports are held against what an ACT claims; nil where there are none.
	Reports Reports
	// Session is the session that the environment names, "" for none.
	Session string
}

// Judge judges the commit. Where it claims nothing, whatever keeps it from being
// judged is a warning of the result; where it claims something, it is the error. A
// policy that cannot be used is a *policy.ConfigError.
func (s Staged) Judge(ctx context.Context, r *repo.Repo) (*Result, error) {
	message := parser.ParseExcerpt(s.Message, s.Beyond)
	if s.NoMessage {
		message.Parts = nil
	}
	result, err := s.decide(ctx, r, message)
	if err == nil || claims(message) {
		return result, err
	}
	result = &Result{Report: report.Report{Acta: report.Release, Range: "staged", Commits: 1}}
	result.Warnings = []string{err.Error()}
	return result, nil
}

// claims reports whether the message says anything that can be held against it.
func claims(m *parser.Message) bool {
	return slices.ContainsFunc(m.Parts, func(p parser.Part) bool {
		return p.Kind == parser.Act || p.Kind == parser.Adapt
	})
}

func (s Staged) decide(ctx context.Context, r *repo.Repo, message *parser.Message) (*Result, error) {
	// git compares the index and the grammars get ready while the parent is read.
	index := indexChanges(ctx, r)
	defer func() { _, _ = index() }() // git must not outlive the judgement
	if claims(message) {
		go evidence.LoadGrammars(citedPaths(message)...)
	}
	head, err := r.Head(ctx)
	unborn := errors.Is(err, repo.ErrUnborn)
	if err != nil && !unborn {
		return nil, err
	}
	var parent *repo.Commit
	if !unborn {
		parent = &head
	}
	sub, err := s.subject(ctx, r, message, parent, index)
	if err != nil {
		return nil, err
	}
	out, err := sub.judge(ctx)
	if err != nil {
		return nil, err
	}
	if s.MayAmend && parent != nil && len(parent.Parents) > 0 && len(out.Compares) > 0 && !merges(ctx, sub) {
		if out, err = s.judgeAsAmend(ctx, r, sub, parent, out); err != nil {
			return nil, err
		}
	}
	result := &Result{Anchors: out.Anchors, Warnings: sub.unread}
	if why := out.cutWarning(); why != "" {
		result.Warnings = append(result.Warnings, why)
	}
	result.Report = report.Report{Acta: report.Release, Range: "staged", Commits: 1, Acts: out.acts, Adapts: out.adapts}
	result.Add(telling(out.Findings), out.Verdicts)
	result.Tests, result.Results, result.Boxes = out.Tests, out.Results, out.boxes
	return result, nil
}

// merges reports whether what is about to be committed is a merge, which git does not let amend anything.
func merges(ctx context.Context, sub *subject) bool {
	heads, err := sub.merged(ctx)
	return err == nil && len(heads) > 0
}

func (s Staged) subject(
	ctx context.Context, r *repo.Repo, message *parser.Message, parent *repo.Commit,
	index func() ([]repo.Change, error),
) (*subject, error) {
	sub := &subject{
		session: s.Session, message: message, history: NewHistory(r, nil), landed: s.Landed, advised: s.Advised,
	}
	before := repo.ID("")
	if parent != nil {
		base := snapshot.Tree(r, parent.Tree)
		sub.base, before = &base, parent.Tree
	}
	var err error
	if sub.policy, err = snapshot.Of(sub.base).Policy(ctx); err != nil && !claims(message) {
		sub.policy, err = withoutPolicy(err, &sub.unread)
	}
	if err != nil {
		return nil, err
	}
	staged := newStagedTree(ctx, r, s.Tree, sub.base, index)
	sub.tree = staged.snapshot()
	sub.changed = func(ctx context.Context, lines bool) ([]string, int, error) {
		return staged.changed(ctx, before, lines)
	}
	if parent != nil {
		sub.behind = sub.history.Behind([]repo.ID{parent.ID}, sub.policy)
	}
	sub.prefetch = func(ctx context.Context, paths []string) error {
		return staged.prefetch(ctx, before, paths, sub.policy.MaxFileBytes)
	}
	if s.Owners != nil && (claims(message) || len(sub.policy.Boxes) > 0) {
		if sub.owner, err = s.Owners(ctx); err != nil {
			return nil, err
		}
	}
	if claims(message) {
		if s.Reports != nil {
			if sub.reports, err = s.Reports.Read(ctx, sub.policy, sub.tree); err != nil {
				return nil, err
			}
		}
		if s.Runs != nil {
			sub.runs = sub.readingRuns(s.Runs)
			sub.ranOn = &ranOn{r, func(context.Context) (repo.ID, error) { return staged.write() }, before}
		}
		sub.work, sub.partial = r, r.CommitsPart()
	}
	merging := sync.OnceValues(func() ([]evidence.Tree, error) { return mergeHeads(ctx, r) }) // rules ask for every path
	sub.merged = func(context.Context) ([]evidence.Tree, error) { return merging() }
	if sub.policy.Require != policy.RequireNone && !s.NoMessage {
		err = s.authored(ctx, r, sub)
	}
	return sub, err
}

// authored reads whose commit it is, and whether it is a merge.
func (s Staged) authored(ctx context.Context, r *repo.Repo, sub *subject) (err error) {
	if sub.names, err = s.Author(ctx); err != nil {
		return err
	}
	sub.names = append(sub.names, coAuthors(sub.message)...)
	heads, err := r.MergeHeads(ctx)
	sub.merge = len(heads) > 0
	return err
}

// ActInput is what an ACT of a unit that reports the claims would be judged by now, without its report.
func ActInput(ctx context.Context, r *repo.Repo, unit string, claims []rules.Claim) (*rules.Input, error) {
	head, err := r.Head(ctx)
	parent := &head
	if errors.Is(err, repo.ErrUnborn) {
		parent, err = nil, nil
	}
	if err != nil {
		return nil, err
	}
	index := indexChanges(ctx, r)
	act := parser.Parse([]byte("ACT: " + unit + "\n"))
	sub, err := Staged{Tree: r.IndexTree, NoMessage: true}.subject(ctx, r, act, parent, index)
	if err != nil {
		return nil, err
	}
	in, err := sub.input(ctx, &act.Parts[0])
	if err != nil {
		return nil, err
	}
	in.Tier, err = sub.tier(ctx, in.Part, claims)
	return in, err
}

// mergeHeads are the snapshots of what is being merged; none where nothing is.
func mergeHeads(ctx context.Context, r *repo.Repo) ([]evidence.Tree, error) {
	heads, err := r.MergeHeads(ctx)
	if err != nil {
		return nil, err
	}
	return snapshot.Trees(ctx, r, heads)
}

// judgeAsAmend judges the commit once more against the parent's parent and drops
// the comparing findings that do not hold there. Where the parent's parent has no
// plan yet, the parent alone decides what rests on a plan; and where the commit
// would be refused as an amend for what it is not refused for as it stands, it is
// wrong either way, and stays refused for what it is.
func (s Staged) judgeAsAmend(
	ctx context.Context, r *repo.Repo, sub *subject, parent *repo.Commit, first *outcome,
) (*outcome, error) {
	grand, err := r.Commit(ctx, string(parent.Parents[0]))
	if repo.IsAbsent(err) {
		return first, nil // cut by a shallow clone: the parent alone decides
	}
	if err != nil {
		return nil, err
	}
	base := snapshot.Tree(r, grand.Tree)
	amended := *sub
	amended.base, amended.behind = &base, sub.behind.Amending(parent)
	amended.merged = furtherParents(r, parent)
	amended.changed = func(ctx context.Context, lines bool) ([]string, int, error) {
		if sub.tree.Name != "" {
			return snapshot.Changes(ctx, r, grand.Tree, repo.ID(sub.tree.Name), lines)
		}
		// What the index would commit has no name: it differs where HEAD does, or it does from HEAD.
		paths, n, err := sub.changed(ctx, lines)
		if err != nil {
			return nil, 0, err
		}
		replaced, m, err := snapshot.Changes(ctx, r, grand.Tree, parent.Tree, lines)
		paths = append(slices.Clone(paths), replaced...)
		slices.Sort(paths)
		return slices.Compact(paths), n + m, err
	}
	second, err := amended.judge(ctx)
	if err != nil {
		return nil, err
	}
	if wrongAsAmend(first, second) {
		return first, nil
	}
	planned, err := base.Stat(ctx, sub.policy.Plan)
	if err != nil {
		return nil, err
	}
	out := first.where(second, planned.Kind != evidence.Missing)
	again := slices.ContainsFunc(first.Findings, actsAgain)
	if again && !slices.ContainsFunc(out.Findings, actsAgain) && (s.Amends == nil || !s.Amends(ctx)) {
		out.Findings = append(out.Findings, first.Findings[slices.IndexFunc(first.Findings, actsAgain)])
	}
	return out, nil
}

func actsAgain(f report.Finding) bool { return f.Rule == plan.RuleActNotAllowed }

// where is what one judgement leaves of another: of its findings that compare, those that hold in both, and of its
// verdicts the milder ones. What rests on a plan is left out of this where planned does not hold.
func (o *outcome) where(second *outcome, planned bool) *outcome {
	out := *o
	type about struct{ rule, item, unit string }
	holds, compares := map[about]bool{}, map[report.Finding]bool{}
	for _, f := range second.Findings {
		holds[about{f.Rule, f.Item, f.Unit}] = true
	}
	for _, f := range o.Compares {
		compares[f] = true
	}
	out.Findings = slices.DeleteFunc(slices.Clone(o.Findings), func(f report.Finding) bool {
		if !compares[f] || rules.RestsOnPlan(f.Rule) && !planned {
			return false
		}
		return !holds[about{f.Rule, f.Item, f.Unit}]
	})
	out.Cut, out.CutActs = second.Cut, second.CutActs
	out.Verdicts = slices.Clone(o.Verdicts)
	for i := range o.Compared {
		// Task-list lines that only one plan registers make the two differ in length; then the parent decides.
		if len(second.Verdicts) == len(o.Verdicts) && second.Verdicts[i].Verdict < o.Verdicts[i].Verdict {
			out.Verdicts[i] = second.Verdicts[i]
		}
	}
	return &out
}

// furtherParents are the snapshots of what a commit merged, for who amends it makes a merge, too; nil where it merged
// nothing.
func furtherParents(r *repo.Repo, c *repo.Commit) func(context.Context) ([]evidence.Tree, error) {
	if len(c.Parents) < 2 {
		return nil
	}
	var merged []evidence.Tree
	var err error
	var once sync.Once
	return func(ctx context.Context) ([]evidence.Tree, error) {
		once.Do(func() { merged, err = snapshot.Trees(ctx, r, c.Parents[1:]) })
		if repo.IsAbsent(err) {
			return nil, nil // cut by a shallow clone
		}
		return merged, err
	}
}

// wrongAsAmend reports an error that holds only against the parent's parent.
func wrongAsAmend(first, second *outcome) bool {
	return slices.ContainsFunc(second.Compares, func(f report.Finding) bool {
		return f.Severity == report.Error && !slices.ContainsFunc(first.Findings, func(g report.Finding) bool {
			return f.Rule == g.Rule && f.Unit == g.Unit
		})
	})
}

// cutWarning says what a shallow clone keeps from being known; "" where that is nothing.
func (o *outcome) cutWarning() string {
	var all []string
	if len(o.Cut) > 0 {
		all = append(all, fmt.Sprintf("history is cut by a shallow clone, so it is not known whether the task's earlier "+
			"commits changed %s; to fetch the rest, run: git fetch --unshallow", strings.Join(o.Cut, ", ")))
	}
	for _, why := range o.CutActs {
		all = append(all, why+"; to fetch the rest, run: git fetch --unshallow")
	}
	return strings.Join(all, "; ")
}

func citedPaths(m *parser.Message) []string {
	var paths []string
	for _, e := range m.Cited() {
		paths = append(paths, e.Path)
	}
	return paths
}

// coAuthors returns the names and addresses of a message's Co-authored-by lines.
func coAuthors(m *parser.Message) []string {
	var names []string
	for _, t := range m.Trailers {
		if strings.EqualFold(t.Key.Value, "Co-authored-by") {
			names = append(names, identity(t.Value.Value)...)
		}
	}
	return names
}

// identity splits «Name <address>»; what cannot be split is taken whole.
func identity(s string) []string {
	name, rest, found := strings.Cut(s, "<")
	if !found {
		return []string{s}
	}
	address, _, _ := strings.Cut(rest, ">")
	return []string{strings.TrimSpace(name), strings.TrimSpace(address)}
}
