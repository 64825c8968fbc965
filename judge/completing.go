package judge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/program"
	"github.com/acta-git/acta/report"
)

// RunVerifier runs the verifier of the base's policy in the work tree if the range completes a task. A failure is a
// finding.
func (l LandedRange) RunVerifier(ctx context.Context, r *repo.Repo, env []string, into *Result) error {
	p, err := snapshot.Base(r, l.Base).Policy(ctx)
	if err != nil || p.CompleteVerifier == "" || l.Base == "" {
		return err
	}
	head, err := r.Commit(ctx, l.Head)
	if err != nil {
		return err
	}
	c := verifierRun{repo: r, policy: p, env: env, commit: head.ID}
	return c.run(ctx, snapshot.MergeBase(r, l.Base, l.Head), snapshot.At(r, l.Head), into)
}

// RunVerifier runs the verifier of HEAD's policy in the work tree if the message is an ADAPT that completes a task and
// is not refused. A failure is a finding. If the user has not agreed to run it, that is a warning.
func (s StagedCommit) RunVerifier(ctx context.Context, r *repo.Repo, env []string, into *Result) error {
	if into == nil || into.Code() != 0 || !parser.Parse(s.Message).Has(parser.Adapt) {
		return nil
	}
	p, err := snapshot.Head(r).Policy(ctx)
	if err != nil || p.CompleteVerifier == "" {
		return err
	}
	tree, err := r.IndexTree(ctx)
	if err != nil {
		return err
	}
	staged := snapshot.Tree(r, tree)
	return verifierRun{repo: r, policy: p, env: env}.run(ctx, snapshot.Head(r), snapshot.Of(&staged), into)
}

// verifierRun runs a policy's verifier for a change that may complete tasks; commit is "" before it is committed.
type verifierRun struct {
	repo   *repo.Repo
	policy *policy.Policy
	env    []string
	commit repo.ID
}

func (c verifierRun) run(ctx context.Context, from, to snapshot.Snapshot, into *Result) error {
	_, before, err := from.Plan(ctx)
	if malformed := (*snapshot.MalformedPlanError)(nil); err != nil && !errors.As(err, &malformed) {
		return err // a change that repairs the plan is allowed
	}
	path, after, err := to.Plan(ctx)
	if err != nil {
		return err
	}
	done := completedTasks(before, after)
	if done == nil {
		return nil
	}
	if c.commit == "" {
		if err := c.repo.CheckTrust(ctx); err != nil {
			into.Warnings = append(into.Warnings, VerifierNotRun(c.policy, err))
			return nil
		}
	} else if err := c.checkWorkTree(ctx); err != nil {
		return err
	}
	return c.addFindings(ctx, done, report.Finding{Commit: string(c.commit), Path: path}, into)
}

// checkWorkTree refuses a work tree that is not at the end of the range: there the verifier would judge other files.
func (c verifierRun) checkWorkTree(ctx context.Context) error {
	g, err := c.repo.Layout(ctx)
	head, errHead := c.repo.Head(ctx)
	if err == nil && (errHead != nil || g.Top == "" || head.ID != c.commit) {
		return fmt.Errorf("the verifier %s runs in the work tree, which is not at the end of the range: git checkout %.12s",
			c.policy.CompleteVerifier, c.commit)
	}
	return err
}

// VerifierNotRun says that the verifier which completing needs was not run, and why.
func VerifierNotRun(p *policy.Policy, why error) string {
	return fmt.Sprintf("the verifier %s was not run: %v", p.CompleteVerifier, why)
}

// RunComplete runs the verifier that a policy wants of a completed task, in the work tree. failed is how it ended where
// it did not end well, and output the last that it printed then.
func RunComplete(
	ctx context.Context, r *repo.Repo, p *policy.Policy, env []string,
) (failed string, output []byte, err error) {
	g, err := r.Layout(ctx)
	if err != nil {
		return "", nil, err
	}
	spec := p.Verifiers[p.CompleteVerifier]
	ended := program.Call{Args: spec.Run, Timeout: spec.Timeout, Dir: g.Top, Env: env, PassEnv: p.Env}.Run(ctx)
	switch {
	case ctx.Err() != nil:
		return "", nil, context.Cause(ctx)
	case ended.TimedOut:
		return fmt.Sprintf("took longer than %s", spec.Timeout), ended.Output, nil
	case ended.Err != nil:
		return fmt.Sprintf("ended with: %v", ended.Err), ended.Output, nil
	}
	return "", nil, nil
}

// completedTasks are the tasks that are complete after a change, and were not before.
func completedTasks(before, after *plan.Unit) []*plan.Node {
	var done []*plan.Node
	earlier := plan.NewIndex(before)
	for _, n := range plan.NewIndex(after).Nodes {
		if earlier := earlier.Find(n.ID); earlier != nil && earlier.Status == plan.Complete {
			continue
		}
		if n.IsTask() && n.Status == plan.Complete {
			done = append(done, n)
		}
	}
	return done
}

// addFindings runs the verifier, and where that fails adds a finding of each task that was completed; at says in which
// commit and file.
func (c verifierRun) addFindings(ctx context.Context, done []*plan.Node, at report.Finding, into *Result) error {
	p := c.policy
	failed, output, err := RunComplete(ctx, c.repo, p, c.env)
	if err != nil || failed == "" {
		return err
	}
	lines := bytes.Split(bytes.TrimSpace(output), []byte("\n"))
	if last := strings.TrimSpace(string(lines[len(lines)-1])); last != "" {
		failed = fmt.Sprintf("%s; it printed last: %.120s", failed, last)
	}
	var findings []report.Finding
	for _, n := range done {
		at.Rule, at.Severity, at.Unit = plan.RuleMoveIllegal, report.Error, n.Key
		at.Line, at.Column = max(n.Pos.Line, 1), max(n.Pos.Column, 1)
		at.EndLine = at.Line
		at.Message = fmt.Sprintf("Task %s is complete, and the verifier %s %s", n.ID, p.CompleteVerifier, failed)
		ran := strings.Join(p.Verifiers[p.CompleteVerifier].Run, " ")
		at.Hint = fmt.Sprintf("it ran: %.120s; fix what it reports, or reopen the task", ran)
		findings = append(findings, at)
	}
	into.Add(findings, nil)
	return nil
}
