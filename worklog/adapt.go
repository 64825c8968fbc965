package worklog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/renameio/v2/maybe"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/lease"
	"github.com/acta-git/acta/localstate"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/snapshot"
)

// Adapt is one change of the plan that a command makes: edited, guarded, written, and committed where that is asked for.
type Adapt struct {
	Repo *repo.Repo
	// CommonDir is the git directory that the repository's work trees share.
	CommonDir string
	// Release is the release that judges.
	Release string
	By      By
	// Edit makes the change; see package plan's edits. What it refuses is a *plan.Violation.
	Edit func(root *plan.Unit) (plan.Change, error)
	// Whole: Edit brings a whole tree, so that the plan before may be missing or broken. Edit then gets
	// HEAD's, nil where that has none that can be read.
	Whole bool
	// Owned: only who holds the unit may change it so.
	Owned bool
	// Summary is what the title of the ADAPT says behind its unit.
	Summary string
	// Observed are the facts that the ADAPT tells, each as «<perspective> | <fact>». Where none is given, the completion of a
	// task tells what was asked of its last ACT.
	Observed []string
	// Env is the environment, of which the policy's verifier gets what the policy names.
	Env []string
	// Commit makes the ADAPT at once. Out gets what git and the hooks say of it.
	Commit bool
	Out    io.Writer
	// Hooked: git calls acta's own commit-msg hook here, which runs the verifier of a task that a commit completes. It is not run twice.
	Hooked bool
	// Made is told of a change that was made before anybody else can make another; nil where nobody listens.
	Made func(*Adapted)

	acted *plan.Act // stands for the changed unit's last ACT; nil for what history says
}

// Adapted is a change that was made.
type Adapted struct {
	// Unit is the key of the unit whose ADAPT it is.
	Unit  string
	Moves []plan.Move
	// Seen is what is legal and must be seen, and what could not be decided.
	Seen []*plan.Violation
	// Path is where the plan lies, relative to the top; Commit the ADAPT, "" where none was made.
	Path   string
	Commit repo.ID

	// NotRun says why no verifier was run for a task that is completed; "" where one was.
	NotRun string

	stale bool // the file is not the plan that the change began with
}

// NoPlanError is a work tree without a plan.
type NoPlanError struct{ Path string }

func (e *NoPlanError) Error() string {
	return fmt.Sprintf("there is no plan at %s; acta init writes one", e.Path)
}

// planWait bounds how long a change of the plan waits for others, whose hooks may take their time.
const planWait = 60 * time.Second

// Make makes the change while no other process changes the plan so. Where it fails nothing is written: what a
// guard refuses is a *plan.Violation, somebody else's unit an *OwnedError or *UnnamedError, a plan that cannot be
// read a *snapshot.MalformedPlanError or *NoPlanError, and what git refuses repo.ErrRefused.
func (a Adapt) Make(ctx context.Context) (done *Adapted, err error) {
	lockFile := filepath.Join(a.CommonDir, "acta", "plan")
	if err := os.MkdirAll(filepath.Dir(lockFile), 0o777); err != nil {
		return nil, err
	}
	unlock, err := localstate.Lock(ctx, lockFile, planWait)
	if err != nil {
		return nil, fmt.Errorf("the plan is being changed: %w", err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	done, change, data, err := a.prepare(ctx)
	if err != nil {
		return nil, err
	}
	if done.NotRun, err = a.completing(ctx, change); err != nil {
		return nil, err
	}
	if err := a.write(ctx, done, change, data); err != nil {
		return nil, err
	}
	if a.Made != nil && (len(done.Moves) > 0 || done.Commit != "") {
		a.Made(done)
	}
	return done, nil
}

// Check is Make without making anything: what would be refused now. acted stands for the last ACT of the unit that is
// changed, which need not be there yet.
func (a Adapt) Check(ctx context.Context, acted plan.Act) error {
	a.acted = &acted
	_, _, _, err := a.prepare(ctx)
	return err
}

// prepare reads the plan, edits it and asks the guards; data is the plan file as it is.
func (a Adapt) prepare(ctx context.Context) (done *Adapted, c plan.Change, data []byte, err error) {
	path, data, err := snapshot.WorkTree(a.Repo).PlanFile(ctx)
	if err != nil {
		return nil, c, nil, err
	}
	if err := a.staysHere(ctx, path); err != nil {
		return nil, c, nil, err
	}
	root, here, err := a.before(ctx, path, data)
	if err != nil {
		return nil, c, nil, err
	}
	if c, err = a.Edit(root); err != nil {
		return nil, c, nil, err
	}
	done = &Adapted{Unit: c.By[0], Path: path, Moves: c.Moves(), stale: !here}
	if err := a.owned(done.Unit); err != nil {
		return nil, c, nil, err
	}
	if done.Seen, err = a.guard(ctx, c); err != nil {
		return nil, c, nil, err
	}
	return done, c, data, nil
}

// staysHere refuses a plan file that a link leads out of the work tree.
func (a Adapt) staysHere(ctx context.Context, path string) error {
	g, err := a.Repo.Geometry(ctx)
	if err != nil || g.Top == "" {
		return err
	}
	return repo.StaysIn(g.Top, path)
}

// before is the plan that the change begins with; here says that it is the one of the work tree, whose file holds data.
func (a Adapt) before(ctx context.Context, path string, data []byte) (root *plan.Unit, here bool, err error) {
	if data == nil && !a.Whole {
		return nil, false, &NoPlanError{path}
	}
	if data != nil {
		root, err = plan.Read(data)
		if err == nil {
			return root, true, nil
		}
		if !a.Whole {
			return nil, false, &snapshot.MalformedPlanError{Path: path, Err: err}
		}
	}
	root, err = a.headPlan(ctx)
	return root, false, err
}

// owned refuses what only the owner of a unit may do.
func (a Adapt) owned(unit string) error {
	if !a.Owned {
		return nil
	}
	claims, err := lease.Read(a.CommonDir)
	if err != nil {
		return err
	}
	return claims.Allow(unit, a.By.Name, time.Now())
}

// guard asks the guards about the change of the work tree's plan and, where it is
// to be committed, about all that the ADAPT would then bring: HEAD's plan may be behind. What the
// work tree's says already was asked when it was written there, and only the ADAPT of it is missing.
func (a Adapt) guard(ctx context.Context, c plan.Change) (seen []*plan.Violation, err error) {
	if !a.Commit {
		seen, err = a.check(ctx, c)
		return seen, a.toCommit(ctx, err, c)
	}
	landed, err := a.headPlan(ctx)
	if err != nil {
		return nil, err
	}
	if landed == nil || !isDue(landed, c) {
		if seen, err = a.check(ctx, c); err != nil || landed == nil || len(plan.Diff(landed, c.Before)) == 0 {
			return seen, err
		}
	}
	work := c.Before
	c.Before = landed
	seen, err = a.check(ctx, c)
	return seen, inWorkTreeAlone(err, work, c)
}

// isDue reports whether the work tree's plan says already that the unit of a change is complete, or open again, and HEAD's does not.
func isDue(landed *plan.Unit, c plan.Change) bool {
	was, is := plan.StatusIn(landed, c.By[0]), plan.StatusIn(c.After, c.By[0])
	return len(c.Moves()) == 0 && (was == plan.Complete) != (is == plan.Complete)
}

// toCommit adds to the refusal of what the work tree's plan says already that HEAD's does not.
func (a Adapt) toCommit(ctx context.Context, err error, c plan.Change) error {
	var v *plan.Violation
	if !errors.As(err, &v) || v.Unit != c.By[0] || v.Rule != plan.RuleAlreadyComplete && v.Rule != plan.RuleReopenInvalid {
		return err
	}
	if landed, errHead := a.headPlan(ctx); errHead == nil && landed != nil && isDue(landed, c) { // else the refusal stands as it is
		v.Hint = "that is the plan of the work tree, and HEAD's does not say so yet: ask for the same with a commit, which makes the ADAPT"
	}
	return err
}

// inWorkTreeAlone says of a unit that cannot be reopened by a commit where it is complete, and where not.
func inWorkTreeAlone(err error, work *plan.Unit, c plan.Change) error {
	var v *plan.Violation
	if !errors.As(err, &v) || v.Rule != plan.RuleReopenInvalid || v.Unit != c.By[0] || plan.StatusIn(work, v.Unit) != plan.Complete {
		return err
	}
	if was := plan.StatusIn(c.Before, v.Unit); was != plan.Complete {
		v.Message = fmt.Sprintf("Cannot reopen %s with a commit: it is complete in the plan of the work tree, and %s in HEAD's", v.Unit, was)
		v.Hint = "commit the ADAPT that completes it first, or reopen it in the work tree alone, without a commit"
	}
	return err
}

// check returns what must be seen of a change, and what is wrong with it as an error: with the unit itself, if
// anything, else the first thing.
func (a Adapt) check(ctx context.Context, c plan.Change) (seen []*plan.Violation, err error) {
	if c.LastAct, err = judge.History(a.Repo, nil).LastAct(ctx, c.Before); err != nil {
		return nil, err
	}
	if a.acted != nil {
		history := c.LastAct
		c.LastAct = func(key string) (plan.Act, error) {
			if key == c.By[0] {
				return *a.acted, nil
			}
			return history(key)
		}
	}
	found, err := plan.Check(c)
	if err != nil {
		return nil, err
	}
	var wrong *plan.Violation
	for _, v := range found {
		switch {
		case v.Undecided || v.Rule == plan.RuleScopeReduced:
			seen = append(seen, v)
		case wrong == nil || wrong.Unit != c.By[0] && v.Unit == c.By[0]:
			wrong = v
		}
	}
	if wrong != nil {
		return nil, wrong
	}
	return seen, nil
}

// write writes the plan, and commits it where that is asked for. A plan that git does not commit is taken back.
func (a Adapt) write(ctx context.Context, done *Adapted, c plan.Change, before []byte) error {
	g, err := a.Repo.Geometry(ctx)
	if err != nil {
		return err
	}
	file, after := filepath.Join(g.Top, filepath.FromSlash(done.Path)), before
	if len(done.Moves) > 0 || done.stale {
		after = plan.Write(c.After)
		if err := replaceFile(file, after); err != nil {
			return err
		}
	}
	if !a.Commit {
		return nil
	}
	switch in, err := a.landed(ctx, c.After); {
	case err != nil:
		return errors.Join(err, putBack(file, before))
	case in:
		return nil // there is nothing to commit
	}
	return a.commit(ctx, done, c, func() error {
		if now, err := os.ReadFile(file); err != nil || string(now) != string(after) {
			return err // somebody else has written it since
		}
		return putBack(file, before)
	})
}

// headPlan is HEAD's plan; nil where there is none, or one that cannot be read: to mend it breaks nothing.
func (a Adapt) headPlan(ctx context.Context) (*plan.Unit, error) {
	_, root, err := snapshot.Head(a.Repo).Plan(ctx)
	if malformed := (*snapshot.MalformedPlanError)(nil); errors.As(err, &malformed) {
		return nil, nil
	}
	return root, err
}

// landed reports whether HEAD has the plan.
func (a Adapt) landed(ctx context.Context, root *plan.Unit) (bool, error) {
	landed, err := a.headPlan(ctx)
	return landed != nil && len(plan.Diff(landed, root)) == 0, err
}

// commit makes the ADAPT, or calls undo. A git that was stopped may have made it all the same.
func (a Adapt) commit(ctx context.Context, done *Adapted, c plan.Change, undo func() error) (err error) {
	if a.Observed == nil {
		if a.Observed, err = a.asked(ctx, c); err != nil {
			return errors.Join(err, undo())
		}
	}
	if done.Commit, err = a.Repo.CommitPath(ctx, done.Path, a.message(done.Unit, c), a.Out); err == nil {
		return nil
	}
	if errors.Is(err, repo.ErrRefused) {
		return errors.Join(err, undo())
	}
	in, headErr := a.afterwards(ctx, c.After)
	if headErr != nil || in {
		return errors.Join(err, headErr) // the plan stays as it is
	}
	return errors.Join(err, undo())
}

// afterwards is landed when whoever called may have gone already, and the Repo with them.
func (a Adapt) afterwards(ctx context.Context, root *plan.Unit) (bool, error) {
	g, err := a.Repo.Geometry(ctx) // known by now
	if err != nil {
		return false, err
	}
	ctx = context.WithoutCancel(ctx)
	if a.Repo, err = repo.Open(ctx, g.Top, repo.Options{}); err != nil {
		return false, err
	}
	defer a.Repo.Close()
	return a.landed(ctx, root)
}

// message is the ADAPT's.
func (a Adapt) message(unit string, c plan.Change) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "ADAPT: %s %s\n\n", unit, cmp.Or(c.Says, a.Summary))
	for _, fact := range a.Observed {
		fmt.Fprintf(&b, "Observation: %s\n", strings.Join(strings.Fields(fact), " "))
	}
	for _, u := range c.Reopen {
		fmt.Fprintf(&b, "Reopen: %s\n", u)
	}
	for _, p := range c.Replan {
		fmt.Fprintf(&b, "Replan: %s | %s\n", p.Of, p.With)
	}
	for _, p := range c.Reassess {
		fmt.Fprintf(&b, "Reassess: %s | %s\n", p.Of, p.With)
	}
	for _, t := range []struct{ key, value string }{{"Actor", a.By.Name}, {"Session", a.By.Session}, {"Reason", a.By.Reason}} {
		if value := strings.Join(strings.Fields(t.value), " "); value != "" {
			fmt.Fprintf(&b, "%s: %s\n", t.key, value)
		}
	}
	return []byte(b.String())
}

// asked is what the guards have found of the last ACT of a task that is completed; none where they cannot.
func (a Adapt) asked(ctx context.Context, c plan.Change) ([]string, error) {
	task := c.After.Find(c.By[0])
	if task == nil || !task.Acts() || task.Status != plan.Complete {
		return nil, nil
	}
	last, err := judge.History(a.Repo, nil).LastAct(ctx, c.After)
	if err != nil {
		return nil, err
	}
	act, err := last(c.By[0])
	if err != nil || act.Commit == "" || act.Unknown || act.NotVerified || !act.Reported {
		return nil, err
	}
	return []string{fmt.Sprintf("requirements | %.12s reports the whole checklist, and no claim of it is not_verified", act.Commit)}, nil
}

// putBack writes what a file held before; nil where it was not there.
func putBack(file string, before []byte) error {
	if before == nil {
		return os.Remove(file)
	}
	return replaceFile(file, before)
}

// replaceFile writes a file of the work tree whole: whoever reads it sees the old one or the new one.
func replaceFile(file string, data []byte) error {
	info, err := os.Lstat(file)
	if errors.Is(err, os.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		return os.WriteFile(file, data, 0o666)
	}
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no regular file; acta writes a plan in place of no link", file)
	}
	return maybe.WriteFile(file, data, info.Mode().Perm())
}
