package change

import (
	"context"
	"fmt"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/plan"
)

// completing runs the verifier that HEAD's policy wants of a task before it is completed. Where nothing was run, said
// tells why.
func (r Request) completing(ctx context.Context, c plan.Change) (said string, err error) {
	task, was := c.After.Find(c.By[0]), ""
	if c.Before != nil {
		was = plan.StatusIn(c.Before, c.By[0])
	}
	if task == nil || !task.Acts() || task.Status != plan.Complete || was == plan.Complete && !r.Commit {
		return "", nil
	}
	p, err := snapshot.Head(r.Repo).Policy(ctx)
	if err != nil || p.Complete == "" {
		return "", err
	}
	if err := r.Repo.Trusted(ctx); err != nil {
		return judge.NotRun(p, err), nil
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
		Rule: plan.RuleMoveIllegal, Unit: c.By[0],
		Message: fmt.Sprintf("Cannot complete task %s: the verifier %s %s", task.ID, p.Complete, failed),
		Hint:    "fix what it reports, commit the fix as work for the task, then complete it",
	}
}
