package rules

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/report"
)

// PolicyInvalid is the id of the rule below.
const PolicyInvalid = "policy_invalid"

// nextPolicy is the policy that the commit changes.
type nextPolicy struct {
	malformed  *policy.Error // why it cannot be read, if so
	isNotFile  bool          // the path is not a regular file
	loosenings []string      // requirements that it drops
}

// gatherPolicy compares the policy after a commit with the one before.
func (f *facts) gatherPolicy(ctx context.Context) error {
	before, after, altered, err := f.ownChange(ctx, policy.Path)
	if err != nil || !altered {
		return err
	}
	next, err := readPolicy(ctx, version{&f.Judge.Tree, after})
	if errors.As(err, &f.nextPolicy.malformed) {
		return nil
	}
	if errors.Is(err, errNotFile) {
		f.nextPolicy.isNotFile = true
		return nil
	}
	if err != nil {
		return err
	}
	earlier, err := readPolicy(ctx, version{f.Judge.Base, before})
	if err != nil {
		earlier = *f.Policy // the old one was unusable; compare with the policy that judges the commit
	}
	f.nextPolicy.loosenings, err = f.loosenings(ctx, &earlier, &next)
	return err
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

// errNotFile is a policy that is not a regular file.
var errNotFile = errors.New("no file")

// readPolicy reads the policy at an entry; the built-in one if it is missing. An unusable policy is errNotFile or a
// *policy.Error.
func readPolicy(ctx context.Context, v version) (policy.Policy, error) {
	switch v.Kind {
	case evidence.Missing:
		return policy.Default(), nil
	case evidence.File:
		data, err := v.tree.Read(ctx, v.Entry)
		if err != nil {
			return policy.Policy{}, err
		}
		return policy.Read(data, IDs(), IsWaivable)
	}
	return policy.Policy{}, errNotFile
}

// PolicyWeakened is the id of the rule below.
const PolicyWeakened = "policy_weakened"

func runPolicyWeakened(p *pass) {
	if p.severity == report.Error { // as an error it must not refuse an amend; a warning may say too much
		defer p.markComparisons(len(p.findings))
	}
	if len(p.nextPolicy.loosenings) == 0 {
		return
	}
	p.report(findingIn(policy.Path, "The policy is looser: "+strings.Join(p.nextPolicy.loosenings, "; "),
		"say in the message who decided it and why, or leave the policy as it was"))
}

// loosenings lists requirements that the next policy drops.
func (f *facts) loosenings(ctx context.Context, before, next *policy.Policy) ([]string, error) {
	var all []string
	for _, r := range Rules() {
		for _, t := range []policy.Tier{policy.Strict, policy.Standard, policy.Light, policy.Exempt} {
			if from, to := r.severity(before, t), r.severity(next, t); to < from {
				all = append(all, fmt.Sprintf("%s: %s to %s in %s", r.ID, policy.LevelName(from), policy.LevelName(to), t))
				break // one tier is enough
			}
		}
	}
	var paths []string
	if f.Judge.Base != nil && !before.HasSameTiers(next) {
		var err error
		if paths, err = f.Judge.Base.Paths(ctx); err != nil {
			return nil, err
		}
	}
	all = append(all, before.Loosenings(next, paths)...)
	if next.Since != "" && next.Since != before.Since {
		if before.Since == "" || !f.Source.HasAncestor(ctx, before.Since, next.Since) {
			all = append(all, fmt.Sprintf("since: commits before %.12s are not judged", next.Since))
		}
	}
	return f.movedContent(ctx, before, next, all)
}

// movedContent adds the plan and the intent if the next policy names a path with other content.
func (f *facts) movedContent(ctx context.Context, before, next *policy.Policy, all []string) ([]string, error) {
	for _, m := range []struct{ what, from, to string }{
		{"plan.working", before.Plan, next.Plan},
		{"plan.intent", before.Intent, next.Intent},
	} {
		if path.Clean(m.from) == path.Clean(m.to) || f.Judge.Base == nil {
			continue
		}
		isKept, err := f.isMovedTo(ctx, path.Clean(m.from), path.Clean(m.to))
		if err != nil {
			return nil, err
		}
		if !isKept {
			all = append(all, fmt.Sprintf("%s: %s to %s, which has different content", m.what, m.from, m.to))
		}
	}
	return all, nil
}

// isMovedTo reports whether every file that was at a path, or below it, is as it was at another one now.
func (f *facts) isMovedTo(ctx context.Context, from, to string) (bool, error) {
	files, err := f.Judge.Base.Paths(ctx)
	if err != nil {
		return false, err
	}
	for _, name := range files {
		if name != from && !strings.HasPrefix(name, from+"/") {
			continue
		}
		before, err := f.Judge.Base.Stat(ctx, name)
		if err != nil {
			return false, err
		}
		after, err := f.Judge.Tree.Stat(ctx, to+strings.TrimPrefix(name, from))
		if err != nil || !equalContent(before, after) {
			return false, err
		}
	}
	return true, nil
}
