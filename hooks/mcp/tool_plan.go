package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/change"
	"github.com/acta-git/acta/record/lease"
	"github.com/acta-git/acta/repo"
)

type workPlan struct {
	path  string // relative to the top
	root  *plan.Unit
	index *plan.Index
}

func newWorkPlan(path string, root *plan.Unit) *workPlan {
	return &workPlan{path, root, plan.NewIndex(root)}
}

func (p *workPlan) unit(name string) (*plan.Node, error) {
	if n := p.index.Find(strings.TrimSpace(name)); n != nil {
		return n, nil
	}
	return nil, plan.UnknownUnit(p.index, name)
}

// headStatus is a unit's status in HEAD's plan, "" if HEAD has no such unit.
func (c *call) headStatus(ctx context.Context, unit string) (string, error) {
	_, root, err := snapshot.Head(c.repo).Plan(ctx)
	if _, ok := errors.AsType[*snapshot.MalformedPlanError](err); ok {
		return "", nil
	}
	return plan.StatusIn(root, unit), err
}

type changeOutput struct {
	Unit     string   `json:"unit" jsonschema:"key of the task whose change it is"`
	Path     string   `json:"path" jsonschema:"the plan file"`
	Moves    []string `json:"moves" jsonschema:"each change of the plan; empty if there was nothing to change"`
	Commit   string   `json:"commit,omitempty" jsonschema:"the ADAPT commit that was made"`
	Warnings []string `json:"warnings,omitempty"`
}

// change changes the plan as `acta plan` does, and records it.
func (c *call) change(ctx context.Context, a change.Request, edit change.Edit) (changeOutput, error) {
	var output bytes.Buffer
	a.Repo, a.CommonDir, a.Caller, a.Out, a.Env = c.repo, c.state, c.caller, &output, c.Env
	a.Cmd, a.HasHook = c.cmd(), hooks.HasCommitMsgHook(ctx, c.repo)
	done, err := a.Apply(ctx, edit)
	if errors.Is(err, change.ErrUndone) || errors.Is(err, repo.ErrRefused) {
		return changeOutput{}, fmt.Errorf("%w:\n%s", err, strings.TrimSpace(output.String()))
	}
	if err != nil {
		return changeOutput{}, err
	}
	c.warnLog(done.LogWarnings, done.LogError)
	out := changeOutput{Unit: done.Unit, Path: done.Path, Moves: plan.MoveTexts(done.Moves), Commit: string(done.Commit)}
	if done.NotRunReason != "" {
		c.Warn(done.NotRunReason)
	}
	for _, v := range done.Notices {
		c.Warn(v.Error())
	}
	out.Warnings = c.warnings
	return out, nil
}

type submitPlanInput struct {
	callerInput
	Plan   any    `json:"plan"`
	Unit   string `json:"unit,omitempty"`
	Commit bool   `json:"commit,omitempty" jsonschema:"commit the plan at once, as an ADAPT, through git and its hooks"`
	// Replace permits the loss of open units.
	Replace  bool     `json:"replace,omitempty"`
	Observed []string `json:"observations,omitempty"`
}

func (c *call) submitPlan(ctx context.Context, in submitPlanInput) (changeOutput, error) {
	tree, err := c.submittedTree()
	if err != nil {
		return changeOutput{}, err
	}
	a := change.Request{
		ReplacesPlan: true, OwnerOnly: in.Unit != "", Commit: in.Commit, Summary: "is planned", Observations: in.Observed,
	}
	return c.change(ctx, a, func(root *plan.Unit) (plan.Change, error) {
		if err := checkLostUnits(root, tree); err != nil && !in.Replace {
			return plan.Change{}, err
		}
		unit := tree.ID
		if in.Unit != "" {
			n, err := newWorkPlan("", tree).unit(in.Unit)
			if err != nil {
				return plan.Change{}, err
			}
			unit = n.Key
		} else if root != nil {
			unit = root.ID
		}
		change := plan.ReplaceTree(root, tree, unit)
		change.Reopen = nil // only reopen_task and reopen_slice reopen units, for their owners
		return change, nil
	})
}

// checkLostUnits refuses a tree that lacks open units of the plan; guards decide about complete ones.
func checkLostUnits(before, tree *plan.Unit) error {
	var lost []string
	now := plan.NewIndex(tree)
	for _, n := range plan.NewIndex(before).Nodes {
		if n.Parent != nil && n.Status != plan.Complete && now.Find(n.ID) == nil {
			lost = append(lost, n.Key)
		}
	}
	if lost == nil {
		return nil
	}
	return &plan.Violation{
		Rule: plan.RuleScopeReduced, Unit: tree.ID,
		Message: "The tree lacks tasks of the plan: " + strings.Join(lost, ", "),
		Hint:    "send the whole tree, as acta://plan has it; to remove these tasks from the plan, say \"replace\": true",
	}
}

// submittedTree is the tree in the arguments, read from their text, so that keys keep their order.
func (c *call) submittedTree() (*plan.Unit, error) {
	var arguments struct{ Plan json.RawMessage }
	if err := json.Unmarshal(c.raw, &arguments); err != nil {
		return nil, err
	}
	data := []byte(arguments.Plan)
	var text string
	if json.Unmarshal(data, &text) == nil {
		data = []byte(text)
	} else {
		var lines bytes.Buffer // for readable line numbers
		if err := json.Indent(&lines, data, "", "  "); err != nil {
			return nil, err
		}
		data = lines.Bytes()
	}
	tree, err := plan.Read(data)
	if planErrors, ok := errors.AsType[plan.Errors](err); ok {
		var all []string
		for _, e := range planErrors {
			all = append(all, "plan:"+e.Error())
		}
		return nil, &change.RefusedError{Rule: plan.RuleInvalid, Err: errors.New(strings.Join(all, "\n"))}
	}
	return tree, err
}

type nextTaskOutput struct {
	Unit   string `json:"unit,omitempty" jsonschema:"key of the task to work on; left out if there is none"`
	Task   any    `json:"task,omitempty" jsonschema:"the task as the plan has it: description, checklist, …"`
	Reason string `json:"why,omitempty" jsonschema:"why there is none"`
	Next   string `json:"next,omitempty" jsonschema:"what to do instead of another ACT, for a task that has one"`
}

func (c *call) nextTask(ctx context.Context, _ callerInput) (nextTaskOutput, error) {
	p, err := c.workPlan(ctx)
	if err != nil {
		return nextTaskOutput{}, err
	}
	claims, err := lease.Read(c.state)
	if err != nil {
		return nextTaskOutput{}, err
	}
	task, why := claims.NextTask(p.root, c.caller.Name, time.Now())
	if task == nil {
		return nextTaskOutput{Reason: why}, nil
	}
	out := nextTaskOutput{Unit: task.Key, Task: task.Unit}
	act, err := judge.NewHistory(c.repo, nil).LastAct(ctx, task.Key)
	if err == nil {
		out.Next, err = act.NextStep(ctx, task)
	}
	return out, err
}

type reopenInput struct {
	callerInput
	Unit   string `json:"unit" jsonschema:"key or id of the task"`
	Commit bool   `json:"commit,omitempty" jsonschema:"commit the plan at once, as an ADAPT, through git and its hooks"`
}

func reopen(task bool) func(*call, context.Context, reopenInput) (changeOutput, error) {
	return func(c *call, ctx context.Context, in reopenInput) (changeOutput, error) {
		return c.change(ctx, change.Request{OwnerOnly: true, Commit: in.Commit, Summary: "is open again"},
			func(root *plan.Unit) (plan.Change, error) {
				change, err := plan.ReopenUnit(root, strings.TrimSpace(in.Unit))
				if err != nil {
					return change, err
				}
				return change, isKind(plan.NewIndex(root).Find(change.Adapts[0]), task)
			})
	}
}

func isKind(n *plan.Node, task bool) error {
	is, hint := "groups tasks and has no ACT of its own", "reopen_slice reopens a slice with all its tasks"
	switch {
	case task == n.IsTask():
		return nil
	case n.IsTask():
		is, hint = "is no slice but a task", "reopen_task reopens a task"
	}
	return &plan.Violation{Rule: plan.RuleMoveIllegal, Unit: n.Key, Message: n.Key + " " + is, Hint: hint}
}
