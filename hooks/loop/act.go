package loop

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/parser"
)

// act lets the executor work on the unit and commits what it did with its report.
// A reply that does not fit, or a commit that is refused, is handed back once; the
// second one makes an empty ACT that says failure, and what the executor wrote
// stays in the work tree.
func (w *run) act(ctx context.Context, t *turn) error {
	request := map[string]any{"unit": t.unit.Unit, "key": t.unit.Key, "tree": t.Plan}
	err := w.consult(ctx, t, executor, w.Executor, request, func(reply []byte) error { return w.commitAct(ctx, t, reply) })
	if !isUnusable(err) {
		return err
	}
	if acted, err := w.actedItself(ctx, t); acted || err != nil {
		return err
	}
	text := failedMessage(t.unit, w.By)
	id, errCommit := w.commitAlone(ctx, t, text, nil)
	if errCommit != nil {
		return fmt.Errorf("the ACT of %s that says it failed (%w) was not committed: %w", t.unit.Key, err, errCommit)
	}
	w.did(Step{Title: "ACT", Unit: t.unit.Key, Commit: string(id), Said: "failure"})
	return nil
}

// actedItself reports whether the executor committed the unit's ACT on its own, as agents do that know git.
func (w *run) actedItself(ctx context.Context, t *turn) (bool, error) {
	now, err := judge.NewHistory(t.repo, nil).PlanState(ctx)
	if err != nil || now.Head.ID == t.Head.ID {
		return false, err
	}
	t.PlanState = now
	last, err := now.LastAct(ctx, t.unit.Key)
	if err != nil || last.Commit == "" || last.IsAdapted {
		return false, err
	}
	w.did(Step{Title: "ACT", Unit: t.unit.Key, Commit: last.Commit, Said: "committed by the executor itself"})
	return true, nil
}

func (w *run) commitAct(ctx context.Context, t *turn, reply []byte) error {
	if acted, err := w.actedItself(ctx, t); acted || err != nil {
		return err
	}
	report, err := readReport(reply, t.unit.Key)
	if err != nil {
		return err
	}
	text, err := ActMessage(t.unit.Key, report, w.By)
	if err != nil {
		return err
	}
	if err := w.stage(ctx, t); err != nil {
		return err
	}
	if err := w.judge(ctx, t, text); err != nil {
		return err
	}
	id, err := w.commit(ctx, t, text, nil)
	if err != nil {
		return err
	}
	w.did(Step{Title: "ACT", Unit: t.unit.Key, Commit: string(id), Said: report.Outcome.Value})
	return nil
}

// judge asks what the commit-msg hook would, so that the answer does not depend on whether hooks are installed here.
func (w *run) judge(ctx context.Context, t *turn, text []byte) error {
	found, err := judge.StagedCommit{
		Message: parser.StoredUTF8(text),
		Leases:  &hooks.Leases{Repo: t.repo}, Runs: hooks.Runs(t.repo, w.By.Session),
	}.Judge(ctx, t.repo)
	if err != nil {
		return err
	}
	all := found.Refusals()
	if len(all) > 0 {
		return &unusableError{errors.New("the ACT was refused:\n" + strings.Join(all, "\n"))}
	}
	return nil
}

func (w *run) did(s Step) {
	if w.Told != nil {
		w.Told.Did(s)
	}
}
