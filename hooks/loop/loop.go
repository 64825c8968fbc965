// Package loop drives coding agents: it acts, assesses and adapts over the plan of a repository.
//
// The loop has no state of its own. The next step follows from HEAD's plan and history: a unit with an ACT without an
// ADAPT is assessed and adapted; else the next unit (plan.NextInLoop) acts, or is adapted if it is a parent. Every step
// ends in one commit by real git with its hooks, so a restarted loop continues after the last commit.
package loop

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/record/lease"
	"github.com/acta-git/acta/repo"
)

// Loop is one run of the loop in one work tree.
type Loop struct {
	// Dir lies in the work tree. Env is the environment of git and the agents.
	Dir string
	Env []string
	// Executor, Assessor and Navigator are commands for `sh -c`.
	Executor, Assessor, Navigator string
	// MaxSteps bounds the commits; 0 is no limit.
	MaxSteps int
	// Timeout bounds one call of an agent; 0 is no limit.
	Timeout time.Duration
	// Caller gives the trailers Actor, Session and Reason.
	Caller journal.Caller
	// Stderr gets the agents' standard error.
	Stderr  io.Writer
	Witness Witness
}

// Witness is told of a loop's events.
type Witness interface {
	// OnStep is called for every commit.
	OnStep(Step)
	// OnRefusal is called for every invalid reply or refused commit: the first is handed back to its role; again: it is
	// the second.
	OnRefusal(unit, role string, again bool, err error)
}

// Step is one commit of the loop.
type Step struct {
	// Title is ACT or ADAPT, Unit the unit's key, Commit the full id.
	Title, Unit, Commit string
	// Outcome is that of an ACT; Moves are those of an ADAPT, in words.
	Outcome string
	Moves   []string
}

// StuckError means that the plan is not complete, and the loop cannot continue.
type StuckError struct{ Reason string }

// Error is the reason.
func (e *StuckError) Error() string { return e.Reason }

// BlockedError is an obstacle in the work tree or the git directory that the loop leaves to its owner.
type BlockedError struct {
	Obstacle, Remedy string
	isPlanEdited     bool // the obstacle is an edited plan
}

// Error names the obstacle and its remedy.
func (e *BlockedError) Error() string { return e.Obstacle + "; " + e.Remedy }

// NoAgentError means that an agent's command cannot be run.
type NoAgentError struct{ Role, Command string }

// Error names the command.
func (e *NoAgentError) Error() string {
	return fmt.Sprintf("the %s cannot be run: sh finds no program for %q", e.Role, e.Command)
}

// Run works until the plan is complete (done) or MaxSteps commits are made. The error is a *StuckError, a
// *BlockedError, a *NoAgentError, or a failure of git.
func (l *Loop) Run(ctx context.Context) (done bool, err error) {
	w, err := l.begin(ctx)
	if err != nil {
		return false, err
	}
	defer func() { _ = w.lock.release() }() // the lock ends with the process anyway
	for n := 0; l.MaxSteps == 0 || n < l.MaxSteps; n++ {
		if done, err = w.step(ctx); done || err != nil {
			return done, err
		}
	}
	return false, nil
}

type run struct {
	*Loop
	top, gitDir, commonDir string
	lock                   *lock
}

func (l *Loop) begin(ctx context.Context) (*run, error) {
	r, err := repo.Open(ctx, l.Dir, repo.Options{Env: l.Env})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	g, err := r.Layout(ctx)
	if err != nil {
		return nil, err
	}
	if g.Top == "" {
		return nil, fmt.Errorf("%w: %s lies in no work tree, and agents need one", repo.ErrNotRepository, l.Dir)
	}
	w := &run{Loop: l, top: g.Top, gitDir: g.GitDir, commonDir: g.CommonDir}
	if w.lock, err = takeLock(ctx, g.GitDir); err != nil {
		return nil, err
	}
	if err := w.clearScratch(); err != nil {
		return nil, errors.Join(err, w.lock.release())
	}
	return w, nil
}

type turn struct {
	*judge.PlanState
	repo *repo.Repo
	unit *plan.Node
	// act is the unit's last ACT, if its ADAPT is due.
	act plan.Act
}

// step makes one commit, or reports that the plan is complete.
func (w *run) step(ctx context.Context) (done bool, err error) {
	r, err := repo.Open(ctx, w.top, repo.Options{Env: w.Env})
	if err != nil {
		return false, err
	}
	defer r.Close()
	t := &turn{repo: r}
	if t.PlanState, err = judge.NewHistory(r, nil).PlanState(ctx); err != nil {
		return false, err
	}
	if t.Plan == nil {
		return false, &BlockedError{
			Obstacle: "HEAD has no plan: there is no " + t.PlanPath,
			Remedy:   "commit one first; `acta init --yes` writes one to begin with",
		}
	}
	// Also for a complete plan: a killed loop may have left an old plan in the work tree.
	if err := w.checkCanCommit(ctx, t); err != nil {
		return false, err
	}
	if t.Plan.Status == plan.Complete {
		return true, nil
	}
	if err := w.next(ctx, t); err != nil {
		return false, err
	}
	if t.unit.IsTask() && t.act.Commit == "" {
		return false, w.act(ctx, t)
	}
	return false, w.adapt(ctx, t)
}

// next finds the next unit: one whose ADAPT is due comes first.
func (w *run) next(ctx context.Context, t *turn) error {
	leases, err := lease.Read(w.commonDir)
	if err != nil {
		return err
	}
	now := time.Now()
	free := func(key string) bool {
		h := leases.Holder(key, now)
		return h == nil || h.Agent == w.Caller.Name
	}
	units, acts, err := t.UnadaptedUnits(ctx)
	if err != nil {
		return err
	}
	for i, n := range units {
		if free(n.Key) {
			t.unit, t.act = n, acts[i]
			return nil
		}
	}
	if t.unit = plan.NextInLoop(t.Plan, free); t.unit == nil {
		return stuck(t.Plan, free)
	}
	return nil
}

func stuck(root *plan.Unit, free func(string) bool) error {
	why := "every open task waits for a task that it depends on"
	for _, n := range plan.NewIndex(root).Nodes {
		if n.Status == plan.Complete {
			continue
		}
		if !free(n.Key) {
			return &StuckError{fmt.Sprintf("the rest of the plan belongs to others: "+
				"%s is leased to somebody else (acta plan owner %s)", n.Key, n.Key)}
		}
		if n.IsEscalated() {
			why = n.Key + " is escalated: its failure_threshold is 1.0, and no unit above it could replan it; " +
				"lower it with an ADAPT by hand"
			break
		}
	}
	return &StuckError{"the plan is not complete, and no task can start: " + why}
}
