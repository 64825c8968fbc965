package check

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/plan"
)

// The rules of this file are about what a commit changes, whatever its message
// says: the pre-commit hook can ask them before there is a message.

func rulePlanInvalid() *Rule {
	return &Rule{
		ID: PlanInvalid, Since: "0.1", OfCommit: true,
		Title: "the plan that the commit brings cannot be read",
		Doc: "The plan is the file that the policy names, `working_plan/current.json` by default: one JSON object, the root\n" +
			"unit. A plan that cannot be read says nothing of any unit, and every later claim would stand alone. The finding\n" +
			"names the line and the column.",
		Severity: always,
		Example: Example{
			Files:   map[string]string{"working_plan/current.json": "{\"id\": \"ROOT\", \"type\": \"parent\", \"children\": [\n  {\"id\": \"T01\", \"type\": \"atomic\",}\n]}\n"},
			Message: "Plan the login\n",
		},
		Run: runPlanInvalid,
	}
}

func runPlanInvalid(ctx context.Context, p *Pass) error {
	_, after, altered, err := p.altered(ctx, p.Policy.Plan)
	if err != nil || !altered || after.Kind != evidence.File {
		return err
	}
	data, err := p.Judge.Tree.Read(ctx, after)
	if err != nil {
		return err
	}
	_, err = plan.Read(data)
	var bad *plan.Error
	if !errors.As(err, &bad) {
		return err
	}
	p.report(diag.Finding{
		Path: after.Path, Line: bad.Line, Column: bad.Column, EndLine: bad.Line,
		Message: fmt.Sprintf("The plan cannot be read: %s.", bad.Message),
	})
	return nil
}

// intentFile is what people asked for, in the policy's folder of the intent.
const intentFile = "project.json"

func ruleIntentModified() *Rule {
	return &Rule{
		ID: IntentModified, Since: "0.1", OfCommit: true,
		Title: "the commit changes what people asked for",
		Doc: "`user_intent/project.json` is what people asked for. Once it has landed its value never changes: work is held\n" +
			"against it, and whoever does the work must not move the goal. New wishes are files of their own in\n" +
			"`user_intent/amendments/`. White space and the order of keys are no change.",
		Severity: always,
		Example: Example{
			Base:    map[string]string{"user_intent/project.json": "{\n  \"goal\": \"Login, logout and password reset\"\n}\n"},
			Files:   map[string]string{"user_intent/project.json": "{\n  \"goal\": \"Login and logout\"\n}\n"},
			Message: "Tidy up\n",
		},
		Run: runIntentModified,
	}
}

func runIntentModified(ctx context.Context, p *Pass) error {
	defer p.comparing(len(p.findings))
	before, after, altered, err := p.altered(ctx, path.Join(p.Policy.Intent, intentFile))
	if err != nil || !altered || before.Kind != evidence.File {
		return err
	}
	f := diag.Finding{
		Path: before.Path, Line: 1, Column: 1, EndLine: 1,
		Message: "This file says what people asked for, and the commit removes it.",
		Hint:    "put it back as it was before",
	}
	if after.Kind == evidence.File {
		same, err := p.sameJSON(ctx, before, after)
		if err != nil || same {
			return err
		}
		f.Message = "This file says what people asked for, and the commit changes it."
		f.Hint += ", and write what is asked for now to a new file in " + path.Join(p.Policy.Intent, "amendments/")
	}
	p.report(f)
	return nil
}

// altered reports what stands at a path before and after the commit, and whether
// the commit itself changed that: a merge answers for what differs from all of its parents.
func (p *Pass) altered(ctx context.Context, path string) (before, after evidence.Entry, altered bool, err error) {
	before = evidence.Entry{Path: path}
	if p.Judge.Base != nil {
		if before, err = p.Judge.Base.Stat(ctx, path); err != nil {
			return before, after, false, err
		}
	}
	if after, err = p.Judge.Tree.Stat(ctx, path); err != nil || sameContent(before, after) {
		return before, after, false, err
	}
	if p.Merged == nil {
		return before, after, true, nil
	}
	merged, err := p.Merged(ctx)
	if err != nil {
		return before, after, false, err
	}
	for _, tree := range merged {
		if e, err := tree.Stat(ctx, path); err != nil || sameContent(e, after) {
			return before, after, false, err
		}
	}
	return before, after, true, nil
}

func sameContent(a, b evidence.Entry) bool { return a.Kind == b.Kind && a.ID == b.ID }

// sameJSON compares two files by their JSON values. A file that was none before
// had no value that could change; one that is none now has lost it.
func (p *Pass) sameJSON(ctx context.Context, before, after evidence.Entry) (bool, error) {
	old, err := p.Judge.Base.Read(ctx, before)
	if err != nil {
		return false, err
	}
	now, err := p.Judge.Tree.Read(ctx, after)
	if err != nil {
		return false, err
	}
	was, ok := parseJSON(old)
	if !ok {
		return true, nil
	}
	is, ok := parseJSON(now)
	return ok && equalJSON(was, is), nil
}

func parseJSON(data []byte) (any, bool) {
	dec := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	dec.UseNumber() // a float64 cannot tell large integers apart
	var v any
	if dec.Decode(&v) != nil {
		return nil, false
	}
	return v, !dec.More()
}

// maxExact is the magnitude below which a float64 holds every integer (2^53).
const maxExact = 1 << 53

// equalJSON compares values; a number is the same however it is written.
func equalJSON(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, equalJSON)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, equalJSON)
	case json.Number:
		b, ok := b.(json.Number)
		if !ok || a == b {
			return ok
		}
		x, errA := a.Float64()
		y, errB := b.Float64()
		return errA == nil && errB == nil && x == y && math.Abs(x) < maxExact
	}
	return a == b
}
