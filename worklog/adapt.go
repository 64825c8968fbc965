package worklog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
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
	// Owned: only who holds the unit may change it so.
	Owned bool
	// Summary is what the title of the ADAPT says behind its unit.
	Summary string
	// Commit makes the ADAPT at once. Out gets what git and the hooks say of it.
	Commit bool
	Out    io.Writer
	// Made is told of a change that was made before anybody else can make another; nil where nobody listens.
	Made func(*Adapted)
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
}

// NoPlanError is a work tree without a plan.
type NoPlanError struct{ Path string }

func (e *NoPlanError) Error() string {
	return fmt.Sprintf("there is no plan at %s; acta init writes one", e.Path)
}

// UnnamedError is work on a unit that somebody holds, by nobody who says who it is.
type UnnamedError struct {
	Unit string
	By   Holding
}

func (e *UnnamedError) Error() string {
	return fmt.Sprintf("Unit %s is owned by %s, and no actor is named", e.Unit, e.By.Agent)
}

// planWait bounds how long a change of the plan waits for others, whose hooks may take their time.
const planWait = 60 * time.Second

// Make makes the change while no other process changes the plan so. Where it fails nothing is written: what a
// guard refuses is a *plan.Violation, somebody else's unit an *OwnedError or *UnnamedError, a plan that cannot be
// read a *judge.MalformedPlanError or *NoPlanError, and what git refuses repo.ErrRefused.
func (a Adapt) Make(ctx context.Context) (done *Adapted, err error) {
	lockFile := filepath.Join(a.CommonDir, "acta", "plan")
	if err := os.MkdirAll(filepath.Dir(lockFile), 0o777); err != nil {
		return nil, err
	}
	unlock, err := lock(ctx, lockFile, planWait)
	if err != nil {
		return nil, fmt.Errorf("the plan is being changed: %w", err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	path, data, err := judge.WorkPlanFile(ctx, a.Repo, a.Release)
	if err != nil {
		return nil, err
	}
	if data == nil {
		return nil, &NoPlanError{path}
	}
	root, err := plan.Read(data)
	if err != nil {
		return nil, &judge.MalformedPlanError{Path: path, Err: err}
	}
	change, err := a.Edit(root)
	if err != nil {
		return nil, err
	}
	done = &Adapted{Unit: change.By[0], Path: path, Moves: change.Moves()}
	if err := a.owned(done.Unit); err != nil {
		return nil, err
	}
	if done.Seen, err = a.guard(ctx, change); err != nil {
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

// owned refuses what only the owner of a unit may do.
func (a Adapt) owned(unit string) error {
	if !a.Owned {
		return nil
	}
	claims, err := ReadClaims(a.CommonDir)
	if err != nil {
		return err
	}
	held := claims.Holder(unit, time.Now())
	switch {
	case held == nil || held.Agent == a.By.Name:
		return nil
	case a.By.Name == "":
		return &UnnamedError{unit, *held}
	}
	return &OwnedError{unit, a.By.Name, *held}
}

// guard asks the guards about the change of the work tree's plan and, where it is
// to be committed, about all that the ADAPT would then bring: HEAD's plan may be behind.
func (a Adapt) guard(ctx context.Context, c plan.Change) ([]*plan.Violation, error) {
	seen, err := a.check(ctx, c)
	if err != nil || !a.Commit {
		return seen, err
	}
	landed, err := a.headPlan(ctx)
	if err != nil || landed == nil || len(plan.Diff(landed, c.Before)) == 0 {
		return seen, err
	}
	c.Before = landed
	return a.check(ctx, c)
}

// check returns what must be seen of a change, and what is wrong with it as an error: with the unit itself, if
// anything, else the first thing.
func (a Adapt) check(ctx context.Context, c plan.Change) (seen []*plan.Violation, err error) {
	if c.LastAct, err = judge.LastAct(ctx, a.Repo, a.Release, c.Before); err != nil {
		return nil, err
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
	if len(done.Moves) > 0 {
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
		return errors.Join(err, replaceFile(file, before))
	case in:
		return nil // there is nothing to commit
	}
	return a.commit(ctx, done, c, func() error {
		if now, err := os.ReadFile(file); err != nil || string(now) != string(after) {
			return err // somebody else has written it since
		}
		return replaceFile(file, before)
	})
}

// headPlan is HEAD's plan; nil where there is none, or one that cannot be read: to mend it breaks nothing.
func (a Adapt) headPlan(ctx context.Context) (*plan.Unit, error) {
	_, root, err := judge.HeadPlan(ctx, a.Repo, a.Release)
	if malformed := (*judge.MalformedPlanError)(nil); errors.As(err, &malformed) {
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
	fmt.Fprintf(&b, "ADAPT: %s %s\n\n", unit, a.Summary)
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

// replaceFile writes a file of the work tree whole: whoever reads it sees the old one or the new one.
func replaceFile(file string, data []byte) error {
	info, err := os.Lstat(file)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no regular file; acta writes a plan in place of no link", file)
	}
	tmp, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+".*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	err = errors.Join(err, tmp.Chmod(info.Mode().Perm()), tmp.Sync(), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return nil
}
