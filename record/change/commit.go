package change

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/record/lease"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
	"github.com/google/renameio/v2/maybe"
)

// write writes the plan, and commits it if the request says so. A plan that git does not commit is restored.
func (r Request) write(ctx context.Context, done *Outcome, c plan.Change, before []byte) (err error) {
	g, err := r.Repo.Layout(ctx)
	if err != nil {
		return err
	}
	file, after := filepath.Join(g.Top, filepath.FromSlash(done.Path)), before
	if len(done.Moves) > 0 || done.isStale {
		after = plan.Write(c.After)
		if err := replaceFile(file, after); err != nil {
			return err
		}
	}
	if !r.Commit {
		return nil
	}
	switch in, err := r.isInHead(ctx, c.After); {
	case err != nil:
		return errors.Join(err, restoreFile(file, before, after))
	case in:
		return nil // there is nothing to commit
	}
	return r.commit(ctx, done, c, func() error { return restoreFile(file, before, after) })
}

// ErrUndone means that git made no commit, and the plan was restored.
var ErrUndone = errors.New("git made no commit, and the plan is as it was")

// headPlan is HEAD's plan; nil if it is missing or unreadable.
func (r Request) headPlan(ctx context.Context) (*plan.Unit, error) {
	_, root, err := snapshot.Head(r.Repo).Plan(ctx)
	if _, ok := errors.AsType[*snapshot.MalformedPlanError](err); ok {
		return nil, nil
	}
	return root, err
}

func (r Request) isInHead(ctx context.Context, root *plan.Unit) (bool, error) {
	head, err := r.headPlan(ctx)
	return head != nil && len(plan.Diff(head, root)) == 0, err
}

// commit makes the ADAPT, or calls undo. A git that failed or was stopped may still have made the commit.
func (r Request) commit(ctx context.Context, done *Outcome, c plan.Change, undo func() error) (err error) {
	if task := c.After.Find(c.Adapts[0]); r.Observations == nil && task != nil && task.IsTask() && done.Bases != nil {
		r.Observations = []string{"requirements | " + plan.CountBases(done.Bases)}
	}
	restore := KeepMessage(ctx, r.Repo)
	if done.Commit, err = r.Repo.CommitPath(ctx, done.Path, r.message(done.Unit, c), r.Out); err == nil {
		restore()
		return nil
	}
	in, headErr := r.isInHeadNow(ctx, c.After)
	if headErr != nil || in {
		return errors.Join(err, headErr) // the plan stays
	}
	undone := undo()
	if undone == nil && errors.Is(err, repo.ErrRefused) {
		return ErrUndone
	}
	return errors.Join(err, undone)
}

// KeepMessage reads the message that git keeps of a refused commit, one that HEAD does not have, before Acta commits
// with one of its own. restore writes it back.
func KeepMessage(ctx context.Context, r *repo.Repo) (restore func()) {
	g, err := r.Layout(ctx)
	file := filepath.Join(g.GitDir, "COMMIT_EDITMSG")
	kept, errRead := state.ReadFile(file)
	head, errHead := r.Head(ctx)
	return func() {
		if cmp.Or(err, errRead, errHead) == nil && !bytes.Equal(bytes.TrimSpace(kept), bytes.TrimSpace(head.Message)) {
			_ = state.WriteFile(file, kept, 0o666) // the commit counts
		}
	}
}

// isInHeadNow is isInHead after ctx, and with it the Repo, may have ended.
func (r Request) isInHeadNow(ctx context.Context, root *plan.Unit) (bool, error) {
	g, err := r.Repo.Layout(ctx) // known by now
	if err != nil {
		return false, err
	}
	ctx = context.WithoutCancel(ctx)
	if r.Repo, err = repo.Open(ctx, g.Top, repo.Options{}); err != nil {
		return false, err
	}
	defer r.Repo.Close()
	return r.isInHead(ctx, root)
}

func (r Request) message(unit string, c plan.Change) []byte {
	lines := []string{fmt.Sprintf("ADAPT: %s %s", unit, cmp.Or(c.Title, r.Summary)), ""}
	for _, fact := range r.Observations {
		lines = append(lines, "Observation: "+strings.Join(strings.Fields(fact), " "))
	}
	lines = slices.Concat(lines, c.Trailers(), r.Caller.Trailers())
	return []byte(strings.Join(lines, "\n") + "\n")
}

func (r Request) bases(ctx context.Context, c plan.Change) ([]plan.ItemBasis, error) {
	unit := c.After.Find(c.Adapts[0])
	if unit == nil || unit.Status != plan.Complete {
		return nil, nil
	}
	h := judge.NewHistory(r.Repo, nil)
	if !unit.IsTask() {
		return h.AcceptancesBelow(ctx, c.After, unit.ID)
	}
	act, err := h.LastAct(ctx, c.Adapts[0])
	if err != nil || act.IsUnknown {
		return nil, err
	}
	rests, _, err := act.Bases(ctx, c.Acceptances, unit.Checklist)
	return rests, err
}

// restoreFile restores a plan file to before, nil for no file, if it still holds after.
func restoreFile(file string, before, after []byte) error {
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
		err = fmt.Errorf("%s could not be restored, and holds a plan that git has not committed: %w", file, err)
	}
	return err
}

// replaceFile writes a file of the work tree whole: readers see the old one or the new one.
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

// runVerifier runs the verifier that HEAD's policy requires before a task is completed. notRun says why it did not run.
func (r Request) runVerifier(ctx context.Context, c plan.Change) (notRun string, err error) {
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
	if r.Commit && r.HasHook {
		return "", nil
	}
	failed, output, err := judge.RunComplete(ctx, r.Repo, p, r.Env)
	if err != nil || failed == "" {
		return "", err
	}
	if r.Out != nil {
		_, _ = r.Out.Write(output) // the refusal names the failure
	}
	return "", &plan.Violation{
		Rule: plan.RuleMoveIllegal, Unit: c.Adapts[0],
		Message: fmt.Sprintf("Cannot complete task %s: the verifier %s %s", task.ID, p.CompleteVerifier, failed),
		Hint:    "fix what it reports, commit the fix as work for the task, then complete it",
	}
}

// RefusedError means that a rule forbids the action. Nothing was done.
type RefusedError struct {
	Rule string
	Err  error
}

// Error is the reason, with the rule in brackets.
func (e *RefusedError) Error() string { return e.message() + " [" + e.Rule + "]" }

func (e *RefusedError) message() string {
	if v, ok := errors.AsType[*plan.Violation](e.Err); ok {
		return v.Message
	}
	return e.Err.Error()
}

// Unwrap is the reason.
func (e *RefusedError) Unwrap() error { return e.Err }

// Hint says what to do about it, "" if nobody knows; nameYourself is what to do for a caller without a name.
func (e *RefusedError) Hint(nameYourself string) string {
	if owned, ok := errors.AsType[*lease.OwnedError](e.Err); ok && owned.Actor == "" {
		return nameYourself
	}
	v, ok := errors.AsType[*plan.Violation](e.Err)
	switch {
	case !ok:
		return ""
	case v.Guard == plan.GuardAdaptWithoutAct && !v.IsUndecided:
		return rules.JoinHints(v.Hint, plan.WayOut(v.Unit))
	}
	return v.Hint
}

// Params are those of its audit log entry.
func (e *RefusedError) Params() map[string]any { return journal.RefusalParams(e.Rule, e.message()) }

// AsRefused names the rule that an action on the plan or a lease broke, in a *RefusedError; other errors are returned
// unchanged.
func AsRefused(err error) error {
	rule := ""
	switch v, isViolation := errors.AsType[*plan.Violation](err); {
	case isA[*lease.OwnedError](err), isA[*lease.ParentLeaseError](err):
		rule = rules.UnitNotOwned
	case isA[*judge.UnknownUnitError](err):
		rule = plan.RuleUnitUnknown
	case isA[*snapshot.MalformedPlanError](err):
		rule = plan.RuleInvalid
	case isViolation:
		rule = v.Rule
	default:
		return err
	}
	return &RefusedError{rule, err}
}

func isA[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
