// Package loop drives coding agents: it acts, assesses and adapts over the plan of a repository.
//
// The loop keeps no state of its own. Which step is next follows from HEAD's plan
// and history: a unit that acted and was not adapted since is assessed and adapted,
// else the unit whose turn it is (plan.NextInLoop) acts, or is adapted where it is a
// parent. Every step ends in one commit by real git with its hooks, so a loop that
// was killed goes on where the last commit left it.
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
	// Dir lies in the work tree. Env is the environment that git and the agents run in.
	Dir string
	Env []string
	// Executor, Assessor and Navigator are commands for `sh -c`.
	Executor, Assessor, Navigator string
	// MaxSteps is how many commits are made at most; 0 for as many as it takes.
	MaxSteps int
	// Timeout is how long one call of an agent may take; 0 for as long as it takes.
	Timeout time.Duration
	// By is who works: the trailers Actor, Session and Reason.
	By journal.Caller
	// Stderr is where the agents' own complaints go.
	Stderr io.Writer
	// Told is told of what goes on; nil where nobody listens.
	Told Witness
}

// Witness sees what a loop does.
type Witness interface {
	// Did is told of every commit.
	Did(Step)
	// Refused is told of every reply that does not fit or whose commit was refused: the first is handed back to its role,
	// again says that it was the second.
	Refused(unit, role string, again bool, err error)
}

// Step is one commit of the loop.
type Step struct {
	// Title is ACT or ADAPT, Unit the unit's key, Commit the full id.
	Title, Unit, Commit string
	// Said is the outcome of an ACT; Moves are those of an ADAPT, in words.
	Said  string
	Moves []string
}

// StuckError is a plan that is not complete and of which the loop can do nothing more.
type StuckError struct{ Why string }

// Error says what nobody does.
func (e *StuckError) Error() string { return e.Why }

// BlockedError is something in the work tree or in git's directory that is in the
// way, and that the loop leaves to its owner.
type BlockedError struct {
	What, Remedy string
	edited       bool // it is the plan
}

// Error says what is in the way, and how to take it away.
func (e *BlockedError) Error() string { return e.What + "; " + e.Remedy }

// NoAgentError is a command that cannot be run.
type NoAgentError struct{ Role, Command string }

// Error names the command, and the option that names another.
func (e *NoAgentError) Error() string {
	return fmt.Sprintf("the %s cannot be run: sh finds no program for %q", e.Role, e.Command)
}

// Run works until the plan is complete or MaxSteps commits are made; done says
// which. The error is a *StuckError, a *BlockedError, a *NoAgentError, or what kept
// git or the plan from being read.
func (l *Loop) Run(ctx context.Context) (done bool, err error) {
	w, err := l.begin(ctx)
	if err != nil {
		return false, err
	}
	defer w.end()
	for n := 0; l.MaxSteps == 0 || n < l.MaxSteps; n++ {
		if done, err = w.step(ctx); done || err != nil {
			return done, err
		}
	}
	return false, nil
}

// run is a run of the loop in its work tree.
type run struct {
	*Loop
	top, gitDir, commonDir string
	lock                   *lock
}

// begin finds the work tree, and makes sure that nobody else runs the loop in it.
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

func (w *run) end() { _ = w.lock.release() } // the process ends its lock in any case

// turn is one step: the unit whose turn it is, and where everything stands.
type turn struct {
	*judge.PlanState
	repo *repo.Repo
	unit *plan.Node
	// act is the unit's last ACT where it awaits its ADAPT.
	act plan.Act
}

// step makes one commit, or says that nothing is left to do.
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
			What:   "HEAD has no plan: there is no " + t.PlanPath,
			Remedy: "commit one first; `acta init` writes one to begin with",
		}
	}
	// A complete plan included: a loop that was killed may not have brought up the work tree.
	if err := w.mayCommit(ctx, t); err != nil {
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

// next finds the unit whose turn it is: one that acted goes before all others.
func (w *run) next(ctx context.Context, t *turn) error {
	leases, err := lease.Read(w.commonDir)
	if err != nil {
		return err
	}
	now := time.Now()
	free := func(key string) bool {
		h := leases.Holder(key, now)
		return h == nil || h.Agent == w.By.Name
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

// stuck says why no unit has a turn though the plan is not complete.
func stuck(root *plan.Unit, free func(string) bool) error {
	why := "every open task waits for a task that it depends on"
	for _, n := range plan.NewIndex(root).Nodes {
		if n.Status == plan.Complete {
			continue
		}
		if !free(n.Key) {
			return &StuckError{fmt.Sprintf("what is left of the plan is not this actor's: "+
				"%s is leased to somebody else (acta plan owner %s)", n.Key, n.Key)}
		}
		if n.IsEscalated() {
			why = n.Key + " is escalated: its failure_threshold is 1.0, and nobody above it could plan another way; " +
				"lower it with an ADAPT by hand"
			break
		}
	}
	return &StuckError{"the plan is not complete, and no task can go on: " + why}
}
