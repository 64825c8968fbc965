// Package change changes the plan for a command or for a tool of the MCP server.
//
// A Request goes in; out come the changed plan in the work tree, and the ADAPT commit if one was asked for. The change
// is made under a lock and must pass the guards of package plan. The plan is part of the history, so this fails
// closed: a change that cannot be made whole is not made. It must never import hooks, a command or mcp.
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

// Request is one change of the plan, as who makes it asks for it.
type Request struct {
	Repo *repo.Repo
	// CommonDir is the git directory that the repository's work trees share.
	CommonDir string
	By        journal.By
	// Cmd is what the event log calls the change, Params what it says of it besides the unit: no time, no commit.
	Cmd    string
	Params map[string]any
	// Whole: the edit brings a whole tree, so that the plan before may be missing or broken. It then gets HEAD's, nil
	// where that has none that can be read.
	Whole bool
	// Owned: only who holds the unit may change it so.
	Owned bool
	// Summary is what the title of the ADAPT says behind its unit.
	Summary string
	// Observed are the facts that the ADAPT tells, each as «<perspective> | <fact>». Where none is given, the
	// completion of a task tells what was asked of its last ACT.
	Observed []string
	// Accepted is what the ADAPT accepts unverified; its unit is the one that is changed.
	Accepted []plan.Acceptance
	// Env is the environment, of which the policy's verifier gets what the policy names.
	Env []string
	// Commit makes the ADAPT at once. Out gets what git and the hooks say of it.
	Commit bool
	Out    io.Writer
	// Hooked: git calls acta's own commit-msg hook here, which runs the verifier of a task that a commit completes.
	// It is not run twice.
	Hooked bool

	acted *plan.Act // stands for the changed unit's last ACT; nil for what history says
}

// Applied is a change that was made.
type Applied struct {
	// Unit is the key of the unit whose ADAPT it is.
	Unit  string
	Moves []plan.Move
	// Seen is what is legal and must be seen, and what could not be decided.
	Seen []*plan.Violation
	// Path is where the plan lies, relative to the top; Commit the ADAPT, "" where none was made.
	Path   string
	Commit repo.ID

	// NotRun says why the policy's verifier was not run for a task that is completed; "" where it was.
	NotRun string

	// Repair is what had to be mended in the event log, nil for nothing, and Unrecorded why the change is not in it.
	Repair     *journal.Repair
	Unrecorded error

	// Bases says of each item of a task that is completed what it rests on, and of a parent what was accepted below it.
	Bases []plan.ItemBasis

	stale bool // the file is not the plan that the change began with
}

// NoPlanError is a work tree without a plan.
type NoPlanError struct {
	Path string
	// Boxes are the plans in Markdown, or their patterns, where those are the plan.
	Boxes []string
}

// Error says where a plan was looked for, and how one begins.
func (e *NoPlanError) Error() string {
	if len(e.Boxes) > 0 {
		return fmt.Sprintf("the tasks are the boxes of %s, which acta reads and never writes; edit that file and commit it",
			report.Enumerate(e.Boxes))
	}
	return fmt.Sprintf("there is no plan at %s; `acta init` writes one", e.Path)
}

// planWait bounds how long a change of the plan waits for others, whose hooks may take their time.
const planWait = 60 * time.Second

// Edit makes a change of a plan; see package plan's edits. What it refuses is a *plan.Violation.
type Edit func(root *plan.Unit) (plan.Change, error)

// Apply makes the change, and records it, while no other process changes the plan so. Where it fails nothing is
// written: what a guard refuses is a *plan.Violation, somebody else's unit a *lease.OwnedError, a plan that cannot
// be read a *snapshot.MalformedPlanError or *NoPlanError, and what git refuses repo.ErrRefused.
func (r Request) Apply(ctx context.Context, edit Edit) (done *Applied, err error) {
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
	if done.NotRun, err = r.completing(ctx, change); err != nil {
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

// record adds the change to the event log. What was done counts, whoever has gone.
func (r Request) record(ctx context.Context, done *Applied) {
	params := map[string]any{"unit": done.Unit}
	maps.Copy(params, r.Params)
	done.Repair, done.Unrecorded = journal.Events(r.CommonDir).Append(context.WithoutCancel(ctx), r.By, time.Now(),
		journal.Act{Cmd: r.Cmd, Params: params, Commit: string(done.Commit)})
}

// Check is Apply without a change: what would be refused now. acted stands for the last ACT of the unit that is
// changed, which need not be there yet.
func (r Request) Check(ctx context.Context, edit Edit, acted plan.Act) error {
	r.acted = &acted
	_, _, _, err := r.prepare(ctx, edit)
	return err
}

// prepare reads the plan, edits it and asks the guards; data is the plan file as it is.
func (r Request) prepare(
	ctx context.Context, edit Edit,
) (done *Applied, c plan.Change, data []byte, err error) {
	path, data, err := snapshot.WorkTree(r.Repo).PlanFile(ctx)
	if err != nil {
		return nil, c, nil, err
	}
	if err := r.staysHere(ctx, path); err != nil {
		return nil, c, nil, err
	}
	root, here, err := r.before(ctx, path, data)
	if err != nil {
		return nil, c, nil, err
	}
	if c, err = edit(root); err != nil {
		return nil, c, nil, err
	}
	for _, a := range r.Accepted {
		c.Acceptances = append(c.Acceptances, plan.Acceptance{Unit: c.Adapts[0], Item: a.Item, Reason: a.Reason})
	}
	done = &Applied{Unit: c.Adapts[0], Path: path, Moves: c.Moves(), stale: !here}
	if err := r.owned(done.Unit); err != nil {
		return nil, c, nil, err
	}
	if done.Seen, err = r.guard(ctx, c); err != nil {
		return nil, c, nil, err
	}
	if r.acted == nil {
		done.Bases, err = r.bases(ctx, c)
	}
	return done, c, data, err
}

// staysHere refuses a plan file that a link leads out of the work tree.
func (r Request) staysHere(ctx context.Context, path string) error {
	g, err := r.Repo.Layout(ctx)
	if err != nil || g.Top == "" {
		return err
	}
	return repo.CheckInside(g.Top, path)
}

// before is the plan that the change begins with; here says that it is the one of the work tree, whose file holds data.
func (r Request) before(ctx context.Context, path string, data []byte) (root *plan.Unit, here bool, err error) {
	if data == nil {
		if err := r.noPlan(ctx, path); err != nil {
			return nil, false, err
		}
	}
	if data != nil {
		root, err = plan.Read(data)
		if err == nil {
			return root, true, nil
		}
		if !r.Whole {
			return nil, false, &snapshot.MalformedPlanError{Path: path, Err: err}
		}
	}
	root, err = r.headPlan(ctx)
	return root, false, err
}

// owned refuses what only the owner of a unit may do.
func (r Request) owned(unit string) error {
	if !r.Owned {
		return nil
	}
	leases, err := lease.Read(r.CommonDir)
	if err != nil {
		return err
	}
	return leases.Allow(unit, r.By.Name, time.Now())
}

// guard asks the guards about the change of the work tree's plan and, where it is
// to be committed, about all that the ADAPT would then bring: HEAD's plan may be behind. What the
// work tree's says already was asked when it was written there, and only the ADAPT of it is missing.
func (r Request) guard(ctx context.Context, c plan.Change) (seen []*plan.Violation, err error) {
	if !r.Commit {
		seen, err = r.check(ctx, c)
		return seen, r.toCommit(ctx, err, c)
	}
	landed, err := r.headPlan(ctx)
	if err != nil {
		return nil, err
	}
	if landed == nil || !isDue(landed, c) {
		if seen, err = r.check(ctx, c); err != nil || landed == nil || len(plan.Diff(landed, c.Before)) == 0 {
			return seen, err
		}
	}
	work := c.Before
	c.Before = landed
	seen, err = r.check(ctx, c)
	return seen, inWorkTreeAlone(err, work, c)
}

// isDue reports whether the work tree's plan says already that the unit of a change is complete, or open again, and
// HEAD's does not.
func isDue(landed *plan.Unit, c plan.Change) bool {
	was, is := plan.StatusIn(landed, c.Adapts[0]), plan.StatusIn(c.After, c.Adapts[0])
	return len(c.Moves()) == 0 && (was == plan.Complete) != (is == plan.Complete)
}

// toCommit adds to the refusal of what the work tree's plan says already that HEAD's does not.
func (r Request) toCommit(ctx context.Context, err error, c plan.Change) error {
	var v *plan.Violation
	if !errors.As(err, &v) || v.Unit != c.Adapts[0] ||
		v.Guard != plan.GuardAlreadyComplete && v.Guard != plan.GuardReopenInvalid {
		return err
	}
	// Where HEAD's plan cannot be read the refusal stands as it is.
	if landed, errHead := r.headPlan(ctx); errHead == nil && landed != nil && isDue(landed, c) {
		v.Hint = "the plan of the work tree says so already, and HEAD's plan does not: " +
			"make the same change with a commit, which is its ADAPT"
	}
	return err
}

// inWorkTreeAlone says of a unit that cannot be reopened by a commit where it is complete, and where not.
func inWorkTreeAlone(err error, work *plan.Unit, c plan.Change) error {
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

// acting is history with an ACT of a unit on top that is about to be made.
type acting struct {
	plan.History
	unit string
	act  plan.Act
}

func (a acting) LastAct(ctx context.Context, key string) (plan.Act, error) {
	if key == a.unit {
		return a.act, nil
	}
	return a.History.LastAct(ctx, key)
}

// check returns what must be seen of a change, and what is wrong with it as an error: with the unit itself, if
// anything, else the first thing.
func (r Request) check(ctx context.Context, c plan.Change) (seen []*plan.Violation, err error) {
	if c.History, err = judge.NewHistory(r.Repo, nil).LastAct(ctx, c.Before); err != nil {
		return nil, err
	}
	if r.acted != nil {
		c.History = acting{c.History, c.Adapts[0], *r.acted}
	}
	found, err := plan.Check(ctx, c)
	if err != nil {
		return nil, err
	}
	var wrong *plan.Violation
	for _, v := range found {
		switch {
		case v.IsUndecided || v.Rule == plan.RuleScopeReduced || v.Rule == plan.RuleAccepted:
			seen = append(seen, v)
		case wrong == nil || wrong.Unit != c.Adapts[0] && v.Unit == c.Adapts[0]:
			wrong = v
		}
	}
	if wrong != nil {
		return nil, wrong
	}
	return seen, nil
}

// noPlan is the error of a plan that is not there, or whose tasks are boxes; nil where the change may make a new one.
func (r Request) noPlan(ctx context.Context, path string) error {
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
	case root == nil && r.Whole:
		return nil
	case root != nil:
		none.Boxes = nil
		for _, file := range root.Children {
			none.Boxes = append(none.Boxes, file.Description)
		}
	}
	return none
}
