package worklog

import (
	"context"
	"fmt"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/program"
)

// completing runs the verifier that HEAD's policy wants of a task before it is completed. Where nothing was run, said tells why.
func (a Adapt) completing(ctx context.Context, c plan.Change) (said string, err error) {
	task, was := c.After.Find(c.By[0]), ""
	if c.Before != nil {
		was = plan.StatusIn(c.Before, c.By[0])
	}
	if task == nil || !task.Acts() || task.Status != plan.Complete || was == plan.Complete && !a.Commit {
		return "", nil
	}
	p, err := judge.HeadPolicy(ctx, a.Repo, a.Release)
	if err != nil {
		return "", err
	}
	if p.Complete == "" {
		return "nothing was run: the policy names no verifier for it (complete: {verifier: NAME})", nil
	}
	if err := a.Repo.Trusted(ctx); err != nil {
		return fmt.Sprintf("the verifier %s was not run: %v", p.Complete, err), nil
	}
	g, err := a.Repo.Geometry(ctx)
	if err != nil {
		return "", err
	}
	spec := p.Verifiers[p.Complete]
	ended := program.Call{Run: spec.Run, Timeout: spec.Timeout, Dir: g.Top, Env: a.Env, Pass: p.Env}.Do(ctx)
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if ended.Err == nil {
		return "", nil
	}
	why := fmt.Sprintf("ended with: %v", ended.Err)
	if ended.Late {
		why = fmt.Sprintf("took longer than %s", spec.Timeout)
	}
	if a.Out != nil {
		_, _ = a.Out.Write(ended.Output) // the refusal says what matters
	}
	return "", &plan.Violation{
		Rule: plan.RuleAdaptWithoutAct, Unit: c.By[0],
		Message: fmt.Sprintf("Cannot complete task %s: the verifier %s %s", task.ID, p.Complete, why),
		Hint:    "mend what it shows, commit that as work for the task, and complete it then",
	}
}
