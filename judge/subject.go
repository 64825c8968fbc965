package judge

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report/results"
)

// subject is one commit to be judged, there already or about to be made.
type subject struct {
	message *parser.Message
	tree    evidence.Tree
	// base is the snapshot before; nil for a root commit.
	base *evidence.Tree
	// workTree is the work tree; nil without one.
	workTree evidence.WorkTree
	// isPartial: the commit takes only the paths that it names.
	isPartial bool
	// otherParents are the parents of a merge behind the first, answers the values computed from the commit's change.
	otherParents []repo.ID
	answers      *answers
	// session is ACTA_SESSION's for a commit that is about to be made, "" without one.
	session string
	// authors are the author's name and address, and the like of co-authors.
	authors  []string
	isMerge  bool
	isLanded bool
	// skipAdvice skips the rules that only warn about the commit.
	skipAdvice bool
	// Ancestors are the commits behind it, under the policy that judges it.
	*Ancestors
	// leases know the owners of units; nil checks nothing.
	leases Leases
	// runs are the commands of a session; nil checks nothing.
	runs RunsOfSession
	// reports are test and coverage reports, nil without any; results is computed from them when needed.
	reports *results.Set
	results *rules.Results
	// warnings says which runs could not be read.
	warnings []string
	// parts are the judged parts of the message, in order.
	parts []judgedPart
	// ticksByPart are the boxes that the commit ticks, by the parts that claim them.
	ticksByPart map[*parser.Part]*tick
	// aboutFiles limits claims of boxes to those that may rest on one of these files; nil means all.
	aboutFiles map[string]bool
	// untickedBoxes are the boxes that lose their tick, by file and id.
	untickedBoxes []string
	// droppedBoxes are the ticked boxes that it takes away.
	droppedBoxes []rules.DroppedBox
	// facts are those of the commit's range; nil for a single commit.
	facts *rangeFacts
	// id is the commit's, "" for one that is about to be made.
	id repo.ID
	// span is the commit's range; nil for a single commit.
	span rules.RangeContext
}

// input is all that the rules may know of a part, its tier excepted.
func (s *subject) input(ctx context.Context, part *parser.Part) (*rules.Input, error) {
	in := &rules.Input{
		Message: s.message, Part: part, Policy: s.policy, IsMerge: s.isMerge, Plans: s.history.Plans,
		Authors:  append([]string{part.Actor.Value}, s.authors...),
		HasTicks: len(s.ticksByPart) > 0, Source: commitSource{s,
			part}, HasRuns: s.runs != nil, Range: s.span, Session: s.session,
		Judge: s.evidenceJudge(),
	}
	in.Judge.Earlier, in.Judge.Prose = s.Steps(part.Unit.Value), &evidence.Prose{}
	if t := s.ticksByPart[part]; t != nil {
		in.Claims, in.Judge.Earlier = []rules.Claim{t.claim}, t.earlierCommits
		in.Registered = []plan.Item{{Text: t.Text.Value, Kind: string(t.kind)}}
		return in, nil
	}
	var claims []rules.Claim
	var errReport, errItems, errMoved, errResults error
	if part.Kind == parser.Act {
		claims, in.FileErrors, errReport = ReportedClaims(ctx, s.tree, part)
		in.Registered, errItems = s.registeredItems(ctx, part.Unit.Value, claims)
		claims, errMoved = s.followMoved(ctx, claims)
	}
	in.Results, errResults = s.readResults(ctx)
	if err := cmp.Or(errReport, errItems, errMoved, errResults); err != nil {
		return nil, err
	}
	in.Claims = rules.AddUnfinished(part, rules.Collect(claims, in.Registered), in.Registered)
	return in, s.prefetch(ctx, claimPaths(in.Claims))
}

func (s *subject) evidenceJudge() *evidence.Judge {
	return &evidence.Judge{
		Tree: s.tree, Base: s.base, WorkTree: s.workTree, IsPartial: s.isPartial, Cache: s.history.Evidence,
		IsLanded: s.isLanded, Limits: limits(s.policy),
	}
}

func (s *subject) treeInput() *rules.Input {
	return &rules.Input{
		Policy: s.policy, Source: commitSource{s, &parser.Part{}}, Judge: &evidence.Judge{Tree: s.tree, Base: s.base},
	}
}

// registeredItems is the unit's checklist in the plan before the commit; nil without a plan or unit. In a joined
// message, the plan after it counts if the plan before lacks the unit, or if the claims report all of its items.
func (s *subject) registeredItems(ctx context.Context, unit string, claims []rules.Claim) ([]plan.Item, error) {
	if unit == "" {
		return nil, nil
	}
	before, malformed, err := rules.PlanAt(ctx, s.base, s.policy.Plan, s.history.Plans)
	if malformed != nil {
		err = fmt.Errorf("the plan before this commit cannot be read: %w",
			&snapshot.MalformedPlanError{Path: s.policy.Plan, Err: malformed})
	}
	if err != nil || before == nil {
		return nil, err
	}
	u := before.Find(unit)
	if s.message.IsSquash {
		after, err := s.planAfter(ctx)
		if err != nil {
			return nil, err
		}
		if n := after.Find(unit); n != nil && (u == nil || plan.CoversChecklist(itemsOf(claims), n.Checklist)) {
			u = n
		}
	}
	if u == nil {
		return nil, nil
	}
	return u.Checklist, nil
}

func itemsOf(claims []rules.Claim) []plan.Item {
	var items []plan.Item
	for _, c := range claims {
		items = append(items, plan.Item{Text: c.Item.Value})
	}
	return items
}

// tier asks git for the changes only if the policy needs them.
func (s *subject) tier(ctx context.Context, part *parser.Part, claims []rules.Claim) (policy.Tier, error) {
	raised, _ := policy.ParseTier(part.Tier.Value)
	if len(s.policy.TierRules) == 0 {
		return max(s.policy.DefaultTier, raised), nil
	}
	changed, lines, err := s.changedPaths(ctx, s.policy.NeedsLines())
	paths := claimPaths(claims)
	for _, name := range paths {
		target, errTarget := s.linkTarget(ctx, name)
		paths, err = append(paths, target), cmp.Or(err, errTarget)
	}
	return s.policy.Tier(changed, paths, lines, raised), err
}

// claimPaths lists the paths of well-formed evidence.
func claimPaths(claims []rules.Claim) []string {
	var paths []string
	for _, c := range claims {
		for _, e := range c.Evidence {
			if e.Err == "" {
				paths = append(paths, e.Path)
			}
		}
	}
	return paths
}

// linkTarget is the path that a symbolic link leads to in one step, or the path
// itself: a claim about a strict file is strict under another name too.
func (s *subject) linkTarget(ctx context.Context, name string) (string, error) {
	e, err := s.tree.Stat(ctx, name)
	if err != nil || e.Kind != evidence.Symlink {
		return name, err
	}
	to, err := s.tree.Read(ctx, e)
	return path.Join(path.Dir(name), string(to)), err
}

// findAct looks for the last ACT of a unit: in the message, else in the history behind it.
func (s *subject) findAct(ctx context.Context, q *ActSearch) (plan.Act, error) {
	if a, found := q.InMessage(s.parts, s.message.IsSquash); found {
		return a, nil
	}
	return s.Ancestors.LastAct(ctx, q, len(s.message.CherryPickedFrom) > 0)
}

// PlanBefore is the plan before the commit; nil if it is missing or unreadable.
func (s *subject) PlanBefore(ctx context.Context) (*plan.Index, error) {
	return s.answers.planBefore.get(func() (*plan.Index, error) {
		return s.history.planIn(ctx, s.base, s.policy.Plan)
	})
}

// planAfter is the plan after the commit; empty if it is missing or unreadable.
func (s *subject) planAfter(ctx context.Context) (*plan.Index, error) {
	after, err := s.history.planIn(ctx, &s.tree, s.policy.Plan)
	if after == nil && err == nil {
		after = plan.NewIndex(nil)
	}
	return after, err
}

// planIn is the plan at a path of a tree; nil if it is missing or unreadable.
func (h *History) planIn(ctx context.Context, tree *evidence.Tree, path string) (*plan.Index, error) {
	x, _, err := rules.PlanAt(ctx, tree, path, h.Plans)
	return x, err
}

// Leases know the owners of units.
type Leases interface {
	// Owner is the owner of a unit, by its key; nil if it has none.
	Owner(ctx context.Context, key string) (*rules.Owner, error)
}

// Owner is the owner of a unit; nil without leases. An id is resolved in the plan before the commit; an unknown unit
// keeps its name.
func (s *subject) Owner(ctx context.Context, unit string) (*rules.Owner, error) {
	if s.leases == nil {
		return nil, nil
	}
	if parser.BoxFile(unit) != "" {
		return s.boxOwner(ctx, unit)
	}
	if s.base == nil || unit == "" || strings.Contains(unit, "/") {
		return s.leases.Owner(ctx, unit)
	}
	before, err := s.PlanBefore(ctx)
	if err != nil {
		return nil, err
	}
	if before != nil {
		unit = cmp.Or(rules.UnitKey(before, unit), unit)
	}
	return s.leases.Owner(ctx, unit)
}

// boxOwner is Owner of the task of a box, which is leased by its place in the tree of boxes.
func (s *subject) boxOwner(ctx context.Context, unit string) (*rules.Owner, error) {
	_, root, err := snapshot.Of(s.base).Plan(ctx)
	if err != nil || root == nil {
		return nil, err
	}
	for _, n := range plan.NewIndex(root).Nodes {
		if snapshot.BoxUnit(n) == unit {
			return s.leases.Owner(ctx, n.Key)
		}
	}
	return nil, nil
}

// UnknownUnitError is a unit that the plan does not have.
type UnknownUnitError struct{ Unit, Plan string }

// Error names the unit and the plan that was looked in.
func (e *UnknownUnitError) Error() string {
	return fmt.Sprintf("there is no task %s below the root of %s", e.Unit, e.Plan)
}

// UnitKey resolves the key or id of a unit in the plan of the work tree, which may be newer than HEAD's. Without a plan
// it returns the name; an unknown unit is an *UnknownUnitError.
func UnitKey(ctx context.Context, r *repo.Repo, unit string) (string, error) {
	path, root, err := snapshot.WorkPlan(ctx, r)
	if err != nil || root == nil {
		return unit, err
	}
	key := rules.UnitKey(plan.NewIndex(root), unit)
	if key == "" {
		return "", &UnknownUnitError{unit, path}
	}
	return key, nil
}

// actEvidence is the verified evidence of an ACT's items in a commit, and a later tree to check it in.
type actEvidence struct {
	*Ancestors
	commit repo.Commit
	claims [][]evidence.Claim
	now    *evidence.Tree
}

// LossReason names the first place of an item that the later tree has lost; "" if it has all.
func (a actEvidence) LossReason(ctx context.Context, item int) (string, error) {
	p := a.Ancestors
	earlier := p.history.judgeOf(a.commit.Tree, p.policy)
	to := follower(p.repo, earlier, &evidence.Judge{Tree: *a.now, Cache: p.history.Evidence, Limits: limits(p.policy)})
	for _, c := range a.claims[item] {
		before, errBefore := earlier.Tree.Stat(ctx, c.Evidence.Path)
		after, errAfter := a.now.Stat(ctx, c.Evidence.Path)
		if err := cmp.Or(errBefore, errAfter); err != nil {
			return "", err
		}
		if after == before {
			continue
		}
		trace, err := to.Follow(ctx, earlier, c)
		if err != nil {
			return "", err
		}
		if trace.State >= evidence.StateUnclear {
			return fmt.Sprintf("evidence '%s' does not hold any more: %s", c.Evidence.Place(), trace.Reason), nil
		}
	}
	return "", nil
}

func follower(r *repo.Repo, from, to *evidence.Judge) *evidence.Follower {
	return &evidence.Follower{Judge: to, Trail: treeDiff{r, repo.ID(from.Tree.Name), repo.ID(to.Tree.Name)}}
}

type treeDiff struct {
	repo     *repo.Repo
	from, to repo.ID
}

func (b treeDiff) Renamed(ctx context.Context, path string) (string, error) {
	renamed, err := b.repo.Renames(ctx, b.to, b.from)
	return renamed[path], err
}

func (b treeDiff) Changed(ctx context.Context) ([]string, error) {
	return b.repo.ChangedPaths(ctx, b.from, b.to)
}
