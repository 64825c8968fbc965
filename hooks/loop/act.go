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

// act lets the executor work on the unit and commits its work with its report. An invalid reply, or a refused commit,
// is handed back once; the second one makes an empty ACT with outcome failure, and the executor's changes stay in the
// work tree.
func (w *run) act(ctx context.Context, t *turn) error {
	request := map[string]any{"unit": t.unit.Unit, "key": t.unit.Key, "tree": t.Plan}
	err := w.consult(ctx, t, executor, w.Executor, request, func(reply []byte) error { return w.commitAct(ctx, t, reply) })
	if !isUnusable(err) {
		return err
	}
	if acted, err := w.hasOwnAct(ctx, t); acted || err != nil {
		return err
	}
	text := failedMessage(t.unit, w.Caller)
	id, errCommit := w.commitAlone(ctx, t, text, nil)
	if errCommit != nil {
		return fmt.Errorf("the ACT of %s that says it failed (%w) was not committed: %w", t.unit.Key, err, errCommit)
	}
	w.Witness.OnStep(Step{Title: "ACT", Unit: t.unit.Key, Commit: string(id), Outcome: "failure"})
	return nil
}

// hasOwnAct reports whether the executor committed the unit's ACT itself, as agents that know git do.
func (w *run) hasOwnAct(ctx context.Context, t *turn) (bool, error) {
	now, err := judge.NewHistory(t.repo, nil).PlanState(ctx)
	if err != nil || now.Head.ID == t.Head.ID {
		return false, err
	}
	t.PlanState = now
	last, err := now.LastAct(ctx, t.unit.Key)
	if err != nil || last.Commit == "" || last.IsAdapted {
		return false, err
	}
	step := Step{Title: "ACT", Unit: t.unit.Key, Commit: last.Commit, Outcome: "committed by the executor itself"}
	w.Witness.OnStep(step)
	return true, nil
}

func (w *run) commitAct(ctx context.Context, t *turn, reply []byte) error {
	if acted, err := w.hasOwnAct(ctx, t); acted || err != nil {
		return err
	}
	report, err := readReport(reply, t.unit.Key)
	if err != nil {
		return err
	}
	text, err := ActMessage(t.unit.Key, report, w.Caller)
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
	w.Witness.OnStep(Step{Title: "ACT", Unit: t.unit.Key, Commit: string(id), Outcome: report.Outcome.Value})
	return nil
}

// judge asks the same as the commit-msg hook, so that the result does not depend on installed hooks.
func (w *run) judge(ctx context.Context, t *turn, text []byte) error {
	found, err := judge.StagedCommit{
		Message: parser.StoredUTF8(text),
		Leases:  &hooks.Leases{Repo: t.repo}, Runs: hooks.Runs(t.repo, w.Caller.Session),
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
