package judge

import (
	"context"
	"fmt"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/program"
	"github.com/acta-git/acta/repo"
)

// RunVerifier runs what the base's policy wants of a completed task, in the work tree, where the range completes one. What
// it refuses is a finding; said tells why nothing was run.
func (l Landed) RunVerifier(ctx context.Context, r *repo.Repo, env []string, into *Result) (said string, err error) {
	p, err := rangePolicy(ctx, r, l.Base, l.Head, l.Release)
	if err != nil || p.Complete == "" || l.Base == "" {
		return "no verifier was run: the base's policy names none for completing", err
	}
	_, before, err := PlanAt(ctx, r, l.Base, l.Release)
	if err != nil {
		return "", err
	}
	path, after, err := PlanAt(ctx, r, l.Head, l.Release)
	if err != nil {
		return "", err
	}
	var done []*plan.Node
	for _, n := range plan.NewIndex(after).Nodes {
		if n.Acts() && n.Status == plan.Complete && plan.StatusIn(before, n.Key) != plan.Complete {
			done = append(done, n)
		}
	}
	if done == nil {
		return "no verifier was run: the range completes no task", nil
	}
	g, err := r.Geometry(ctx)
	if err != nil {
		return "", err
	}
	head, err := r.Commit(ctx, l.Head)
	if err != nil {
		return "", err
	}
	if here, err := r.Head(ctx); err != nil || g.Top == "" || here.ID != head.ID {
		return "", fmt.Errorf("the verifier %s runs in the work tree, and that is not at the end of the range: git checkout %.12s", p.Complete, head.ID)
	}
	spec := p.Verifiers[p.Complete]
	ended := program.Call{Run: spec.Run, Timeout: spec.Timeout, Dir: g.Top, Env: env, Pass: p.Env}.Do(ctx)
	if ended.Err == nil || ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	var findings []diag.Finding
	for _, n := range done {
		findings = append(findings, diag.Finding{
			Rule: check.AdaptWithoutAct, Severity: diag.Error, Commit: string(head.ID), Unit: n.Key,
			Path: path, Line: max(n.Pos.Line, 1), Column: max(n.Pos.Column, 1), EndLine: max(n.Pos.Line, 1),
			Message: fmt.Sprintf("Task %s is complete, and the verifier %s ended with: %v", n.ID, p.Complete, ended.Err),
			Hint:    "mend what it shows, or reopen the task",
		})
	}
	into.Add(findings, nil)
	return "", nil
}
