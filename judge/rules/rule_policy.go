package rules

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/report"
)

// PolicyInvalid is the id of the rule below.
const PolicyInvalid = "policy_invalid"

type nextPolicy struct {
	malformed  *policy.Error // why it cannot be read, if so
	isNotFile  bool          // the path is not a regular file
	loosenings []string      // requirements that it drops
}

func (f *gathering) gatherPolicy() {
	before, after, isAltered := f.ownChange(policy.Path)
	if f.nextPolicy.isNotFile = isAltered && isNotFile(after); !isAltered || f.nextPolicy.isNotFile {
		return
	}
	next, err := readPolicy(f.Ctx, version{&f.Judge.Tree, after})
	if errors.As(err, &f.nextPolicy.malformed) {
		return
	}
	f.Note(err)
	earlier, err := readPolicy(f.Ctx, version{f.Judge.Base, before})
	if err != nil || isNotFile(before) {
		earlier = *f.Policy // the old one was unusable; compare with the policy that judges the commit
	}
	f.nextPolicy.loosenings = f.loosenings(&earlier, &next)
}

func runPolicyInvalid(p *pass) {
	switch {
	case p.nextPolicy.malformed != nil:
		p.report(PolicyFinding(policy.Path, p.nextPolicy.malformed))
	case p.nextPolicy.isNotFile:
		p.report(findingIn(policy.Path, fmt.Sprintf("The policy must be a regular file, and %s is not", policy.Path),
			"commit a regular file there, or remove what is there; acta reads no link, folder or submodule"))
	}
}

// PolicyFinding says of a policy file that it cannot be read.
func PolicyFinding(file string, e *policy.Error) report.Finding {
	return report.Finding{
		Rule: PolicyInvalid, Severity: report.Error, Path: file, Line: e.Line, Column: e.Column, EndLine: e.Line,
		Message: "The policy cannot be read: " + e.Message,
		Hint:    "fix the file until `acta policy check` accepts it, and git add it",
	}
}

func isNotFile(e evidence.Entry) bool { return e.Kind != evidence.Missing && e.Kind != evidence.File }

// readPolicy reads the policy at an entry; the built-in one if it is missing. An unusable policy is a *policy.Error.
func readPolicy(ctx context.Context, v version) (policy.Policy, error) {
	if v.Kind == evidence.Missing {
		return policy.Default(), nil
	}
	data, err := v.tree.Read(ctx, v.Entry)
	if err != nil {
		return policy.Policy{}, err
	}
	return policy.Read(data, IDs(), IsWaivable)
}

// PolicyWeakened is the id of the rule below.
const PolicyWeakened = "policy_weakened"

func runPolicyWeakened(p *pass) {
	if len(p.nextPolicy.loosenings) == 0 {
		return
	}
	f := findingIn(policy.Path, "The policy is looser: "+strings.Join(p.nextPolicy.loosenings, "; "),
		"say in the message who decided it and why, or leave the policy as it was")
	f.IsRelative = p.severity == report.Error // it must not refuse an amend; a warning may say too much
	p.report(f)
}

func (f *gathering) loosenings(before, next *policy.Policy) []string {
	var all []string
	for _, r := range Rules() {
		for _, t := range policy.Tiers {
			if from, to := r.severity(before, t), r.severity(next, t); to < from {
				all = append(all, fmt.Sprintf("%s: %s to %s in %s", r.ID, policy.LevelName(from), policy.LevelName(to), t))
				break // one tier is enough
			}
		}
	}
	var paths []string
	if f.Judge.Base != nil && !before.HasSameTiers(next) {
		paths = answer(f.inquiry, f.Judge.Base.Paths)
	}
	all = append(all, before.Loosenings(next, paths)...)
	if next.Since != "" && next.Since != before.Since {
		if before.Since == "" || !f.Source.HasAncestor(f.Ctx, before.Since, next.Since) {
			all = append(all, fmt.Sprintf("since: commits before %.12s are not judged", next.Since))
		}
	}
	return append(all, f.movedContent(before, next)...)
}

// movedContent lists the plan and the intent if the next policy names a path with other content.
func (f *gathering) movedContent(before, next *policy.Policy) (all []string) {
	for _, m := range []struct{ what, from, to string }{
		{"plan.working", before.Plan, next.Plan},
		{"plan.intent", before.Intent, next.Intent},
	} {
		from, to := path.Clean(m.from), path.Clean(m.to)
		if from != to && f.Judge.Base != nil && !f.isMovedTo(from, to) {
			all = append(all, fmt.Sprintf("%s: %s to %s, which has different content", m.what, m.from, m.to))
		}
	}
	return all
}

// isMovedTo reports whether every file that was at a path, or below it, is as it was at another one now.
func (f *gathering) isMovedTo(from, to string) bool {
	return !slices.ContainsFunc(answer(f.inquiry, f.Judge.Base.Paths), func(name string) bool {
		return (name == from || strings.HasPrefix(name, from+"/")) &&
			!equalContent(f.Stat(f.Judge.Base, name), f.Stat(&f.Judge.Tree, to+strings.TrimPrefix(name, from)))
	})
}
