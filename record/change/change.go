// Package change changes the plan for a command or for a tool of the MCP server.
//
// A Request goes in; out come the changed plan in the work tree and, on request, the ADAPT commit. The change is made
// under a lock and must pass the guards of package plan. The plan is part of the history, so this fails closed: a
// change is made whole or not at all. It must never import hooks, a command or mcp.
package change

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/record/lease"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report"
)

// Request is one change of the plan.
type Request struct {
	Repo *repo.Repo
	// CommonDir is the git directory that the repository's work trees share.
	CommonDir string
	Caller    journal.Caller
	// Cmd is the event log's name of the change, Params its params besides the unit: no time, no commit.
	Cmd    string
	Params map[string]any
	// ReplacesPlan: the edit brings a whole plan, so the present one may be missing or broken. The edit then gets
	// HEAD's plan, nil if there is no readable one.
	ReplacesPlan bool
	// OwnerOnly: only the holder of the unit may make this change.
	OwnerOnly bool
	// Summary follows the unit in the title of the ADAPT.
	Summary string
	// Observations are the ADAPT's facts, each as «<perspective> | <fact>». If there are none, the ADAPT that completes
	// a task says on what the completion rests.
	Observations []string
	// Accepted are the items that the ADAPT accepts unverified; their unit is the changed one.
	Accepted []plan.Acceptance
	// Env is the environment; the policy's verifier gets the variables that the policy names.
	Env []string
	// Commit makes the ADAPT at once. Out gets the output of git and the hooks.
	Commit bool
	Out    io.Writer
	// HasHook: acta's commit-msg hook is installed here, and runs the verifier when a commit completes a task. It is
	// not run twice.
	HasHook bool

	lastAct *plan.Act // replaces the changed unit's last ACT; nil: take it from history
}

// Outcome is the result of a change.
type Outcome struct {
	Unit  string
	Moves []plan.Move
	// Notices are legal changes that people must see, and undecided findings.
	Notices []*plan.Violation
	// Path is the plan's path from the top; Commit the ADAPT, "" for none.
	Path   string
	Commit repo.ID

	// NotRunReason says why the policy's verifier did not run for a completed task; "" if it ran.
	NotRunReason string

	// LogWarnings are those of the event log; LogError is why the change is not in it.
	LogWarnings []string
	LogError    error

	// Bases says of each item of a task that is completed what it rests on, and of a parent what was accepted below it.
	Bases []plan.ItemBasis

	isStale bool // the file is not the plan before the change
}

// NoPlanError is a work tree without a plan.
type NoPlanError struct {
	Path string
	// Boxes are the Markdown plans, or their patterns, if they are the plan.
	Boxes []string
}

// Error says where the plan should be, and how to make one.
func (e *NoPlanError) Error() string {
	if len(e.Boxes) > 0 {
		return fmt.Sprintf("the tasks are the boxes of %s, which acta reads and never writes; edit that file and commit it",
			report.Enumerate(e.Boxes))
	}
	return fmt.Sprintf("there is no plan at %s; `acta init --yes` writes one", e.Path)
}

// planWait bounds the wait for other changes of the plan, whose hooks may be slow.
const planWait = 60 * time.Second

// Edit makes a change of a plan; see package plan's edits. A refusal is a *plan.Violation.
type Edit func(root *plan.Unit) (plan.Change, error)

// Apply makes the change and records it, under the plan's lock. If it fails nothing is written: a guard's refusal is a
// *plan.Violation, another owner's unit a *lease.OwnedError, an unreadable plan a *snapshot.MalformedPlanError or
// *NoPlanError, and a refusal of git repo.ErrRefused.
func (r Request) Apply(ctx context.Context, edit Edit) (done *Outcome, err error) {
	lockFile := filepath.Join(r.CommonDir, "acta", "plan")
	if err := os.MkdirAll(filepath.Dir(lockFile), 0o777); err != nil {
		return nil, err
	}
	unlock, err := state.Lock(ctx, lockFile, planWait)
	if err != nil {
		return nil, fmt.Errorf("the plan is being changed: %w", err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	done, change, data, err := r.prepare(ctx, edit)
	if err != nil {
		return nil, err
	}
	if done.NotRunReason, err = r.runVerifier(ctx, change); err != nil {
		return nil, err
	}
	if err := r.write(ctx, done, change, data); err != nil {
		return nil, err
	}
	if len(done.Moves) > 0 || done.Commit != "" {
		r.record(ctx, done)
	}
	return done, nil
}

func (r Request) record(ctx context.Context, done *Outcome) {
	params := map[string]any{"unit": done.Unit}
	maps.Copy(params, r.Params)
	done.LogWarnings, done.LogError = journal.Events(r.CommonDir).Append(context.WithoutCancel(ctx), r.Caller, time.Now(),
		journal.Action{Cmd: r.Cmd, Params: params, Commit: string(done.Commit)})
}

// Check is Apply without a change: it returns the refusal. act replaces the last ACT of the changed unit, which need
// not exist yet.
func (r Request) Check(ctx context.Context, edit Edit, act plan.Act) error {
	r.lastAct = &act
	_, _, _, err := r.prepare(ctx, edit)
	return err
}

// prepare reads and edits the plan, and runs the guards; data is the present plan file.
func (r Request) prepare(
	ctx context.Context, edit Edit,
) (done *Outcome, c plan.Change, data []byte, err error) {
	path, data, err := snapshot.WorkTree(r.Repo).PlanFile(ctx)
	if err != nil {
		return nil, c, nil, err
	}
	if err := r.checkPath(ctx, path); err != nil {
		return nil, c, nil, err
	}
	root, here, err := r.planBefore(ctx, path, data)
	if err != nil {
		return nil, c, nil, err
	}
	if c, err = edit(root); err != nil {
		return nil, c, nil, err
	}
	for _, a := range r.Accepted {
		c.Acceptances = append(c.Acceptances, plan.Acceptance{Unit: c.Adapts[0], Item: a.Item, Reason: a.Reason})
	}
	done = &Outcome{Unit: c.Adapts[0], Path: path, Moves: c.Moves(), isStale: !here}
	if err := r.checkOwner(done.Unit); err != nil {
		return nil, c, nil, err
	}
	if done.Notices, err = r.guard(ctx, c); err != nil {
		return nil, c, nil, err
	}
	if r.lastAct == nil {
		done.Bases, err = r.bases(ctx, c)
	}
	return done, c, data, err
}

func (r Request) checkPath(ctx context.Context, path string) error {
	g, err := r.Repo.Layout(ctx)
	if err != nil || g.Top == "" {
		return err
	}
	return repo.CheckInside(g.Top, path)
}

// planBefore is the plan before the change; isCurrent: it is the work tree's, whose file holds data.
func (r Request) planBefore(
	ctx context.Context, path string, data []byte,
) (root *plan.Unit, isCurrent bool, err error) {
	if data == nil {
		if err := r.noPlanError(ctx, path); err != nil {
			return nil, false, err
		}
	}
	if data != nil {
		root, err = plan.Read(data)
		if err == nil {
			return root, true, nil
		}
		if !r.ReplacesPlan {
			return nil, false, &snapshot.MalformedPlanError{Path: path, Err: err}
		}
	}
	root, err = r.headPlan(ctx)
	return root, false, err
}

func (r Request) checkOwner(unit string) error {
	if !r.OwnerOnly {
		return nil
	}
	leases, err := lease.Read(r.CommonDir)
	if err != nil {
		return err
	}
	return leases.CheckOwner(unit, r.Caller.Name, time.Now())
}

// guard runs the guards on the change of the work tree's plan and, if it will be committed, on everything that the
// ADAPT brings: HEAD's plan may be older. If the work tree's plan already has the change, the guards have passed there,
// and only the ADAPT is missing.
func (r Request) guard(ctx context.Context, c plan.Change) (notices []*plan.Violation, err error) {
	if !r.Commit {
		notices, err = r.check(ctx, c)
		return notices, r.hintCommit(ctx, err, c)
	}
	head, err := r.headPlan(ctx)
	if err != nil {
		return nil, err
	}
	if head == nil || !isAdaptDue(head, c) {
		if notices, err = r.check(ctx, c); err != nil || head == nil || len(plan.Diff(head, c.Before)) == 0 {
			return notices, err
		}
	}
	work := c.Before
	c.Before = head
	notices, err = r.check(ctx, c)
	return notices, explainReopen(err, work, c)
}

// isAdaptDue reports whether the work tree's plan already completes or reopens the changed unit, and HEAD's does not.
func isAdaptDue(head *plan.Unit, c plan.Change) bool {
	was, is := plan.StatusIn(head, c.Adapts[0]), plan.StatusIn(c.After, c.Adapts[0])
	return len(c.Moves()) == 0 && (was == plan.Complete) != (is == plan.Complete)
}

// hintCommit adds a hint to the refusal of a change that the work tree's plan already has and HEAD's does not.
func (r Request) hintCommit(ctx context.Context, err error, c plan.Change) error {
	var v *plan.Violation
	if !errors.As(err, &v) || v.Unit != c.Adapts[0] ||
		v.Guard != plan.GuardAlreadyComplete && v.Guard != plan.GuardReopenInvalid {
		return err
	}
	// Without a readable plan of HEAD the refusal stays unchanged.
	if head, errHead := r.headPlan(ctx); errHead == nil && head != nil && isAdaptDue(head, c) {
		v.Hint = "the plan of the work tree says so already, and HEAD's plan does not: " +
			"make the same change with a commit, which is its ADAPT"
	}
	return err
}

// explainReopen says where a unit that no commit can reopen is complete, and where it is not.
func explainReopen(err error, work *plan.Unit, c plan.Change) error {
	var v *plan.Violation
	if !errors.As(err, &v) || v.Guard != plan.GuardReopenInvalid || v.Unit != c.Adapts[0] ||
		plan.StatusIn(work, v.Unit) != plan.Complete {
		return err
	}
	if was := plan.StatusIn(c.Before, v.Unit); was != plan.Complete {
		v.Message = fmt.Sprintf("Cannot reopen %s with a commit: it is complete in the plan of the work tree, "+
			"and %s in HEAD's", v.Unit, was)
		v.Hint = "commit the ADAPT that completes it first, or reopen it in the work tree alone, without a commit"
	}
	return err
}

// knownAct is a history in which the last ACT of one unit is known, unless it is nil.
type knownAct struct {
	plan.History
	unit string
	act  *plan.Act
}

func (a knownAct) LastAct(ctx context.Context, key string) (plan.Act, error) {
	if a.act != nil && key == a.unit {
		return *a.act, nil
	}
	return a.History.LastAct(ctx, key)
}

// check returns the notices of a change; the first violation is the error, of the changed unit if possible.
func (r Request) check(ctx context.Context, c plan.Change) (notices []*plan.Violation, err error) {
	c.History = knownAct{judge.NewHistory(r.Repo, nil), c.Adapts[0], r.lastAct}
	found, err := plan.Check(ctx, c)
	if err != nil {
		return nil, err
	}
	var violation *plan.Violation
	for _, v := range found {
		switch {
		case v.IsUndecided || v.Rule == plan.RuleScopeReduced || v.Rule == plan.RuleAccepted:
			notices = append(notices, v)
		case violation == nil || violation.Unit != c.Adapts[0] && v.Unit == c.Adapts[0]:
			violation = v
		}
	}
	if violation != nil {
		return nil, violation
	}
	return notices, nil
}

// noPlanError is the error of a missing plan, or of one in Markdown; nil if the change may make a new plan.
func (r Request) noPlanError(ctx context.Context, path string) error {
	at := snapshot.WorkTree(r.Repo)
	p, err := at.Policy(ctx)
	if err != nil {
		return err
	}
	none := &NoPlanError{Path: path, Boxes: p.Boxes}
	_, root, err := at.Plan(ctx)
	switch {
	case err != nil:
		return err
	case root == nil && r.ReplacesPlan:
		return nil
	case root != nil:
		none.Boxes = report.Map(root.Children, func(file *plan.Unit) string { return file.Description })
	}
	return none
}
