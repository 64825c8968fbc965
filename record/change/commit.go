package change

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/renameio/v2/maybe"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
)

// write writes the plan, and commits it where that is asked for. A plan that git does not commit is taken back.
func (r Request) write(ctx context.Context, done *Applied, c plan.Change, before []byte) (err error) {
	g, err := r.Repo.Layout(ctx)
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
	if !r.Commit {
		return nil
	}
	switch in, err := r.landed(ctx, c.After); {
	case err != nil:
		return errors.Join(err, putBack(file, before, after))
	case in:
		return nil // there is nothing to commit
	}
	return r.commit(ctx, done, c, func() error { return putBack(file, before, after) })
}

// ErrUndone is a plan of which git made no commit, and which is as it was.
var ErrUndone = errors.New("git made no commit, and the plan is as it was")

// headPlan is HEAD's plan; nil where there is none, or one that cannot be read: to mend it breaks nothing.
func (r Request) headPlan(ctx context.Context) (*plan.Unit, error) {
	_, root, err := snapshot.Head(r.Repo).Plan(ctx)
	if _, ok := errors.AsType[*snapshot.MalformedPlanError](err); ok {
		return nil, nil
	}
	return root, err
}

// landed reports whether HEAD has the plan.
func (r Request) landed(ctx context.Context, root *plan.Unit) (bool, error) {
	landed, err := r.headPlan(ctx)
	return landed != nil && len(plan.Diff(landed, root)) == 0, err
}

// commit makes the ADAPT, or calls undo. A git that failed or was stopped may have made it all the same.
func (r Request) commit(ctx context.Context, done *Applied, c plan.Change, undo func() error) (err error) {
	if task := c.After.Find(c.Adapts[0]); r.Observed == nil && task != nil && task.IsTask() && done.Bases != nil {
		r.Observed = []string{"requirements | " + plan.CountBases(done.Bases)}
	}
	if done.Commit, err = r.Repo.CommitPath(ctx, done.Path, r.message(done.Unit, c), r.Out); err == nil {
		return nil
	}
	in, headErr := r.afterwards(ctx, c.After)
	if headErr != nil || in {
		return errors.Join(err, headErr) // the plan stays as it is
	}
	undone := undo()
	if undone == nil && errors.Is(err, repo.ErrRefused) {
		return ErrUndone
	}
	return errors.Join(err, undone)
}

// afterwards is landed when whoever called may have gone already, and the Repo with them.
func (r Request) afterwards(ctx context.Context, root *plan.Unit) (bool, error) {
	g, err := r.Repo.Layout(ctx) // known by now
	if err != nil {
		return false, err
	}
	ctx = context.WithoutCancel(ctx)
	if r.Repo, err = repo.Open(ctx, g.Top, repo.Options{}); err != nil {
		return false, err
	}
	defer r.Repo.Close()
	return r.landed(ctx, root)
}

// message is the ADAPT's.
func (r Request) message(unit string, c plan.Change) []byte {
	lines := []string{fmt.Sprintf("ADAPT: %s %s", unit, cmp.Or(c.Title, r.Summary)), ""}
	for _, fact := range r.Observed {
		lines = append(lines, "Observation: "+strings.Join(strings.Fields(fact), " "))
	}
	lines = slices.Concat(lines, c.Trailers(), r.By.Trailers())
	return []byte(strings.Join(lines, "\n") + "\n")
}

// bases says what a unit that is completed rests on.
func (r Request) bases(ctx context.Context, c plan.Change) ([]plan.ItemBasis, error) {
	unit := c.After.Find(c.Adapts[0])
	if unit == nil || unit.Status != plan.Complete {
		return nil, nil
	}
	h := judge.NewHistory(r.Repo, nil)
	if !unit.IsTask() {
		return h.AcceptancesBelow(ctx, c.After, unit.ID)
	}
	last, err := h.LastAct(ctx, c.After)
	if err != nil {
		return nil, err
	}
	act, err := last.LastAct(ctx, c.Adapts[0])
	if err != nil || act.IsUnknown {
		return nil, err
	}
	rests, _, err := act.Bases(ctx, c.Acceptances, unit.Checklist)
	return rests, err
}

// putBack puts a plan file back as it was before, nil for none, in the place of what was written after that.
func putBack(file string, before, after []byte) error {
	now, err := state.ReadFile(file)
	switch {
	case err != nil:
	case string(now) != string(after):
		err = errors.New("somebody else has changed it meanwhile")
	case string(now) == string(before):
		return nil
	case before == nil:
		err = os.Remove(file)
	default:
		err = replaceFile(file, before)
	}
	if err != nil {
		err = fmt.Errorf("%s could not be put back as it was, and says what git has not committed: %w", file, err)
	}
	return err
}

// replaceFile writes a file of the work tree whole: whoever reads it sees the old one or the new one.
func replaceFile(file string, data []byte) error {
	info, err := os.Lstat(file)
	if errors.Is(err, os.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		return state.WriteFile(file, data, 0o666)
	}
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file; acta does not write a plan in place of a link", file)
	}
	return maybe.WriteFile(file, data, info.Mode().Perm())
}

// completing runs the verifier that HEAD's policy wants of a task before it is completed. Where nothing was run, said
// tells why.
func (r Request) completing(ctx context.Context, c plan.Change) (said string, err error) {
	task, was := c.After.Find(c.Adapts[0]), ""
	if c.Before != nil {
		was = plan.StatusIn(c.Before, c.Adapts[0])
	}
	if task == nil || !task.IsTask() || task.Status != plan.Complete || was == plan.Complete && !r.Commit {
		return "", nil
	}
	p, err := snapshot.Head(r.Repo).Policy(ctx)
	if err != nil || p.CompleteVerifier == "" {
		return "", err
	}
	if err := r.Repo.CheckTrust(ctx); err != nil {
		return judge.VerifierNotRun(p, err), nil
	}
	if r.Commit && r.Hooked {
		return "", nil
	}
	failed, output, err := judge.RunComplete(ctx, r.Repo, p, r.Env)
	if err != nil || failed == "" {
		return "", err
	}
	if r.Out != nil {
		_, _ = r.Out.Write(output) // the refusal says what matters
	}
	return "", &plan.Violation{
		Rule: plan.RuleMoveIllegal, Unit: c.Adapts[0],
		Message: fmt.Sprintf("Cannot complete task %s: the verifier %s %s", task.ID, p.CompleteVerifier, failed),
		Hint:    "fix what it reports, commit the fix as work for the task, then complete it",
	}
}
