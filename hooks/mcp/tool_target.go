package mcp

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/lease"
	"github.com/acta-git/acta/repo"
)

type checkWriteTargetInput struct {
	callerInput
	Path string `json:"path" jsonschema:"the file that is to be written, from the top of the repository or absolute"`
	Unit string `json:"unit,omitempty" jsonschema:"key or id of the task; else the one that the actor holds"`
}

type checkWriteTargetOutput struct {
	Path      string `json:"path" jsonschema:"the file, from the top of the repository"`
	Unit      string `json:"unit" jsonschema:"key of the task that was asked about"`
	IsAllowed bool   `json:"allowed" jsonschema:"whether writing it is part of the task"`
	IsNamed   bool   `json:"named" jsonschema:"whether the task's paths, description or checklist name it"`
	Reason    string `json:"why"`
}

func (c *call) checkWriteTarget(ctx context.Context, in checkWriteTargetInput) (checkWriteTargetOutput, error) {
	none := checkWriteTargetOutput{}
	if strings.TrimSpace(in.Path) == "" {
		return none, errors.New("check_write_target needs a path")
	}
	p, err := c.workPlan(ctx)
	if err != nil {
		return none, err
	}
	units, err := c.requestedUnits(p, in.Unit)
	if err != nil {
		return none, err
	}
	out := checkWriteTargetOutput{Path: filepath.ToSlash(in.Path), Unit: units[0].Key}
	if out.Path, out.Reason, err = c.target(ctx, p, in.Path); err != nil || out.Reason != "" {
		return out, err
	}
	for _, n := range units {
		out.Unit = n.Key
		if n.Status == plan.Complete {
			out.Reason, err = c.whyComplete(ctx, n.Key)
		} else {
			out.answer(n)
		}
		if err != nil || out.IsAllowed {
			return out, err
		}
	}
	return out, nil
}

// requestedUnits are the units of a call: the named one, else those that the actor holds.
func (c *call) requestedUnits(p *workPlan, name string) ([]*plan.Node, error) {
	claims, err := lease.Read(c.state)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	if name != "" {
		n, err := p.unit(name)
		if err != nil {
			return nil, err
		}
		return []*plan.Node{n}, claims.CheckOwner(n.Key, c.caller.Name, now)
	}
	if c.caller.Name == "" {
		return nil, refusal(rules.UnitNotOwned, "no task and no actor is named", "name a task, or "+nameHint)
	}
	var mine []*plan.Node
	for _, n := range p.index.Nodes {
		if h := claims.Holder(n.Key, now); h != nil && h.Agent == c.caller.Name && h.Unit == n.Key {
			mine = append(mine, n)
		}
	}
	if mine == nil {
		return nil, refusal(rules.UnitNotOwned, c.caller.Name+" holds no task", "name a task, or claim one")
	}
	return mine, nil
}

// target is a path relative to the top, and the reason why no unit may write it, "" if one may.
func (c *call) target(ctx context.Context, p *workPlan, file string) (at, reason string, err error) {
	top, err := c.repo.Top(ctx)
	if err != nil {
		return "", "", err
	}
	if top == "" {
		return "", "", errors.New("the server does not run in a work tree, so there are no files to write")
	}
	at, isInside := relativePath(top, file)
	switch {
	case !isInside:
		return filepath.ToSlash(file), "it lies outside of the repository", nil
	case at == "." || strings.HasSuffix(file, "/"):
		return at, "it is a folder, not a file", nil
	case slices.Contains(strings.Split(strings.ToLower(at), "/"), ".git"):
		return at, "it belongs to git", nil
	case at == p.path:
		return at, "it is the plan, which only an ADAPT changes: submit_plan writes it [" + rules.PlanNotAlone + "]", nil
	}
	policy, err := snapshot.Head(c.repo).Policy(ctx)
	if err != nil {
		return at, "", err
	}
	if at == policy.Intent || strings.HasPrefix(at, policy.Intent+"/") {
		return at, "it is what people asked for, which no task changes", nil
	}
	return at, "", nil
}

// relativePath is a path relative to the top, with forward slashes and the links of its folders resolved.
func relativePath(top, file string) (string, bool) {
	if !filepath.IsAbs(file) {
		file = filepath.Join(top, file)
	}
	rel, err := filepath.Rel(top, repo.ResolveLinks(filepath.Clean(file)))
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// whyComplete says why no file may be written for a unit that is complete in the work tree's plan.
func (c *call) whyComplete(ctx context.Context, unit string) (string, error) {
	switch head, err := c.headStatus(ctx, unit); {
	case err != nil:
		return "", err
	case head != "" && head != plan.Complete:
		return fmt.Sprintf("%s is complete in the plan of the work tree, and %s in HEAD's: commit its ADAPT first, or "+
			"reopen it without a commit [%s]",
			unit, head, plan.RuleActNotAllowed), nil
	}
	return fmt.Sprintf("%s is complete: reopen it first [%s]", unit, plan.RuleActNotAllowed), nil
}

// answer says whether an open unit may write the file.
func (o *checkWriteTargetOutput) answer(n *plan.Node) {
	if n.IsEscalated() {
		o.Reason = fmt.Sprintf("%s is escalated: its parent plans another way first [%s]", n.Key, plan.RuleActNotAllowed)
		return
	}
	if o.Reason = rules.ScopeReason(n, o.Path); o.Reason != "" {
		o.IsAllowed, o.IsNamed = true, true
		return
	}
	if scope := n.Scope(); scope != nil {
		if o.IsAllowed = rules.IsInEveryScope(o.Path); o.IsAllowed {
			o.Reason = "tests, lock files and change logs go along with any task"
		} else {
			o.Reason = fmt.Sprintf("%s works in %s, and does not name it [%s]", n.Key, strings.Join(scope, ", "),
				rules.OutsideScope)
		}
		return
	}
	names := rules.NamedPlaces(n.Unit)
	var sure []string
	for _, p := range names {
		if p.IsSure && !slices.Contains(sure, p.Text) {
			sure = append(sure, p.Text)
		}
	}
	if sure == nil {
		o.IsAllowed, o.Reason = true, fmt.Sprintf("%s names no file, so it says nothing about %s", n.Key,
			path.Base(o.Path))
		return
	}
	o.Reason = fmt.Sprintf("%s does not name it; it names %s", n.Key, strings.Join(sure, ", "))
}
