package rules

import (
	"bytes"
	"encoding/json"
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

func (f *gathering) gatherPlanFile() {
	before, after, isAltered := f.ownChange(f.Policy.Plan)
	switch {
	case !isAltered || after.Kind == evidence.Missing:
	case after.Kind != evidence.File:
		f.planFile.isNotFile = before.Kind == evidence.File // else there was no plan before either
	default:
		_, f.planFile.errors = f.readPlan(after)
	}
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
	for _, a := range p.intent.amendments {
		p.reportAmendment(a)
	}
	if after := p.intent.newEntry; after != nil {
		f := intentChanged(p.Policy, *after)
		f.IsRelative = true
		p.report(f)
	}
}

type changedIntent struct {
	amendments []changedAmendment
	newEntry   *evidence.Entry // the new version; nil if it is equal
}

// gatherIntent looks at the folder of the intent before and after the commit.
func (f *gathering) gatherIntent() {
	f.gatherAmendments()
	before, after, isAltered := f.ownChange(path.Join(f.Policy.Intent, intentFile))
	if isAltered && before.Kind == evidence.File &&
		!f.equalJSON(version{f.Judge.Base, before}, version{&f.Judge.Tree, after}) {
		f.intent.newEntry = &after
	}
}

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
		f := findingIn(name, "The range changes or removes this file, which records what people asked for",
			"restore it, and write the new request to a new file in "+path.Join(p.Policy.Intent, "amendments")+"/")
		f.Rule, f.Severity, f.Commit = p.rule.ID, severity, p.Head
		p.repeats = append(p.repeats, f)
	}
	if p.replacedIntent.commit != "" {
		f := intentChanged(p.Policy, p.replacedIntent.after)
		f.Rule, f.Severity, f.Commit = p.rule.ID, severity, p.replacedIntent.commit
		p.findings = append(p.findings, f)
	}
}

type replacedIntent struct {
	amendments []string // changed or removed in the range
	commit     string   // the merge that brings another intent; "" for none
	after      evidence.Entry
}

// gatherIntent looks for the merge, and for amendments, where the rule is on.
func (f *rangeGathering) gatherIntent() {
	if f.Before == nil || find(IntentModified).severity(f.Policy, f.Policy.DefaultTier) == 0 {
		return
	}
	f.gatherAmendments()
	original := f.Stat(f.Before, path.Join(f.Policy.Intent, intentFile))
	if original.Kind != evidence.File {
		return
	}
	if _, isKept := f.intentIn(original, f.After); isKept {
		return
	}
	for step, err := range f.Steps {
		if f.Note(err); f.Err != nil {
			return
		}
		after, isKept := f.intentIn(original, &step.Tree)
		if isKept {
			continue
		}
		isReplaced, isTaken := false, false // a parent has the original, or what the merge has
		for i := range step.Parents {
			parent, hasOriginal := f.intentIn(original, &step.Parents[i])
			isReplaced = isReplaced || hasOriginal
			isTaken = isTaken || equalContent(parent, after)
		}
		if isReplaced {
			// A commit that is no merge, and a change of the merge's own, have a finding already.
			if len(step.Parents) > 1 && isTaken {
				f.replacedIntent.commit, f.replacedIntent.after = step.Commit, after
			}
			return
		}
	}
}

// intentIn is the file of requests in a tree, and whether it says the same as that before the range.
func (f *rangeGathering) intentIn(original evidence.Entry, t *evidence.Tree) (current evidence.Entry, isSame bool) {
	current = f.Stat(t, original.Path)
	return current, f.equalJSON(version{f.Before, original}, version{t, current})
}

// ownChange returns a path's entries before and after the commit, and whether the commit itself changed it. A merge
// answers for paths that differ from all of its parents.
func (f *gathering) ownChange(path string) (before, after evidence.Entry, isAltered bool) {
	before = evidence.Entry{Path: path}
	if f.Judge.Base != nil {
		before = f.Stat(f.Judge.Base, path)
	}
	after = f.Stat(&f.Judge.Tree, path)
	isAltered = !equalContent(before, after) && !slices.ContainsFunc(f.merged(), func(tree evidence.Tree) bool {
		return equalContent(f.Stat(&tree, path), after)
	})
	return before, after, isAltered && f.Err == nil
}

func equalContent(a, b evidence.Entry) bool { return a.Kind == b.Kind && a.ID == b.ID }

// equalJSON compares two versions of a file by their JSON values. If the old version is not JSON, they count as equal;
// if only the new one is not, they differ.
func (q *inquiry) equalJSON(before, after version) bool {
	if equalContent(before.Entry, after.Entry) || after.Kind != evidence.File {
		return equalContent(before.Entry, after.Entry)
	}
	oldValue, isOldJSON := parseJSON(q.read(before))
	newValue, isNewJSON := parseJSON(q.read(after))
	return !isOldJSON || isNewJSON && equalJSON(oldValue, newValue)
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
