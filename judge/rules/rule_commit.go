package rules

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

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

// The rules of this file are about a commit's changes, whatever its message: the pre-commit hook can run them before
// there is a message.

// planFile is a plan that a commit leaves and that cannot be read.
type planFile struct {
	isNotFile bool // the path is not a regular file any more
	errors    plan.Errors
}

// gatherPlanFile reads the plan that a commit changes.
func (f *facts) gatherPlanFile(ctx context.Context) error {
	before, after, altered, err := f.ownChange(ctx, f.Policy.Plan)
	if err != nil || !altered || after.Kind == evidence.Missing {
		return err
	}
	if after.Kind != evidence.File {
		f.planFile.isNotFile = before.Kind == evidence.File // else there was no plan before either
		return nil
	}
	if _, err = f.readPlan(ctx, &f.Judge.Tree, after); errors.As(err, &f.planFile.errors) {
		return nil
	}
	return err
}

func runPlanInvalid(p *pass) {
	if p.planFile.isNotFile {
		p.report(report.Finding{
			Path: p.Policy.Plan, Message: "The plan cannot be read: it is not a regular file any more.",
			Hint: "put a regular file back in its place; acta does not follow links",
		})
	}
	for _, e := range p.planFile.errors {
		p.report(report.Finding{
			Path: p.Policy.Plan, Line: e.Line, Column: e.Column, EndLine: e.Line,
			Message: fmt.Sprintf("The plan cannot be read: %s.", e.Message),
			Hint: "fix the file until `acta plan show` prints it, and git add it; or restore it and change it with `acta " +
				"plan`",
		})
	}
}

// intentFile is the file of requests in the policy's intent folder.
const intentFile = "project.json"

// IntentModified is the id of the rule below.
const IntentModified = "intent_modified"

func runIntentModified(p *pass) {
	defer p.markComparisons(len(p.findings))
	for _, a := range p.intent.amendments {
		p.reportAmendment(a)
	}
	if after := p.intent.newEntry; after != nil {
		p.report(intentChanged(p.Policy, *after))
	}
}

// changedIntent is the commit's change of the requests.
type changedIntent struct {
	amendments []changedAmendment
	newEntry   *evidence.Entry // the new version; nil if it is equal
}

// gatherIntent looks at the folder of the intent before and after the commit.
func (f *facts) gatherIntent(ctx context.Context) error {
	if err := f.gatherAmendments(ctx); err != nil {
		return err
	}
	before, after, altered, err := f.ownChange(ctx, path.Join(f.Policy.Intent, intentFile))
	if err != nil || !altered || before.Kind != evidence.File {
		return err
	}
	isSame, err := equalJSONFiles(ctx, version{f.Judge.Base, before}, version{&f.Judge.Tree, after})
	if err == nil && !isSame {
		f.intent.newEntry = &after
	}
	return err
}

// intentChanged is the finding about a changed file of requests.
func intentChanged(p *policy.Policy, after evidence.Entry) report.Finding {
	f := findingIn(path.Join(p.Intent, intentFile),
		"The commit removes this file, which records what people asked for.", "restore it")
	if after.Kind == evidence.File {
		f.Message = "The commit changes this file, which records what people asked for."
		f.Hint += ", and write the new request to a new file in " + path.Join(p.Intent, "amendments/")
	}
	return f
}

// runIntentReplaced finds the merge by which a range ends with other requests than it began with: a merge does not
// answer for what it takes from a parent.
func runIntentReplaced(p *rangePass) {
	severity := p.rule.severity(p.Policy, p.Policy.DefaultTier)
	for _, name := range p.replacedIntent.amendments {
		p.reportReplacedAmendment(name, severity)
	}
	if p.replacedIntent.commit != "" {
		f := intentChanged(p.Policy, p.replacedIntent.after)
		f.Rule, f.Severity, f.Commit = p.rule.ID, severity, p.replacedIntent.commit
		p.findings = append(p.findings, f)
	}
}

// replacedIntent is how a range replaces the requests.
type replacedIntent struct {
	amendments []string // changed or removed in the range
	commit     string   // the merge that brings another intent; "" for none
	after      evidence.Entry
}

// gatherIntent looks for the merge, and for amendments, where the rule is on.
func (f *rangeFacts) gatherIntent(ctx context.Context) error {
	if f.Before == nil || find(IntentModified).severity(f.Policy, f.Policy.DefaultTier) == 0 {
		return nil
	}
	if err := f.gatherAmendments(ctx); err != nil {
		return err
	}
	original, err := f.Before.Stat(ctx, path.Join(f.Policy.Intent, intentFile))
	if err != nil || original.Kind != evidence.File {
		return err
	}
	if _, isKept, err := f.intentIn(ctx, original, f.After); err != nil || isKept {
		return err
	}
	for step, err := range f.Steps {
		if err != nil {
			return err
		}
		after, isKept, err := f.intentIn(ctx, original, &step.Tree)
		if err != nil {
			return err
		}
		if isKept {
			continue
		}
		isReplaced, isTaken := false, false // a parent has the original, or what the merge has
		for i := range step.Parents {
			parent, hasOriginal, err := f.intentIn(ctx, original, &step.Parents[i])
			if err != nil {
				return err
			}
			isReplaced = isReplaced || hasOriginal
			isTaken = isTaken || equalContent(parent, after)
		}
		if isReplaced {
			// A commit that is no merge, and a change of the merge's own, have a finding already.
			if len(step.Parents) > 1 && isTaken {
				f.replacedIntent.commit, f.replacedIntent.after = step.Commit, after
			}
			return nil
		}
	}
	return nil
}

// intentIn is the file of requests in a tree, and whether it says the same as that before the range.
func (f *rangeFacts) intentIn(
	ctx context.Context, original evidence.Entry, t *evidence.Tree,
) (current evidence.Entry, isSame bool, err error) {
	if current, err = t.Stat(ctx, original.Path); err == nil {
		isSame, err = equalJSONFiles(ctx, version{f.Before, original}, version{t, current})
	}
	return current, isSame, err
}

// ownChange returns a path's entries before and after the commit, and whether the commit itself changed it. A merge
// answers for paths that differ from all of its parents.
func (f *facts) ownChange(ctx context.Context, path string) (before, after evidence.Entry, altered bool, err error) {
	before = evidence.Entry{Path: path}
	if f.Judge.Base != nil {
		if before, err = f.Judge.Base.Stat(ctx, path); err != nil {
			return before, after, false, err
		}
	}
	if after, err = f.Judge.Tree.Stat(ctx, path); err != nil || equalContent(before, after) {
		return before, after, false, err
	}
	merged, err := f.Source.Merged(ctx)
	if err != nil {
		return before, after, false, err
	}
	for _, tree := range merged {
		if e, err := tree.Stat(ctx, path); err != nil || equalContent(e, after) {
			return before, after, false, err
		}
	}
	return before, after, true, nil
}

func equalContent(a, b evidence.Entry) bool { return a.Kind == b.Kind && a.ID == b.ID }

// equalJSONFiles compares two versions of a file by their JSON values. If the old version is not JSON, they count as
// equal; if only the new one is not, they differ.
func equalJSONFiles(ctx context.Context, before, after version) (bool, error) {
	if equalContent(before.Entry, after.Entry) {
		return true, nil
	}
	if after.Kind != evidence.File {
		return false, nil
	}
	oldData, err := before.tree.Read(ctx, before.Entry)
	if err != nil {
		return false, err
	}
	newData, err := after.tree.Read(ctx, after.Entry)
	if err != nil {
		return false, err
	}
	oldValue, ok := parseJSON(oldData)
	if !ok {
		return true, nil
	}
	newValue, ok := parseJSON(newData)
	return ok && equalJSON(oldValue, newValue), nil
}

func parseJSON(data []byte) (any, bool) {
	dec := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	dec.UseNumber() // a float64 cannot distinguish large integers
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
