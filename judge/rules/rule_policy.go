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

// PolicyInvalid is the id of the rule below, for whoever asks about its findings.
const PolicyInvalid = "policy_invalid"

func runPolicyInvalid(ctx context.Context, p *Pass) error {
	_, after, altered, err := p.altered(ctx, policy.Path)
	if err != nil || !altered || after.Kind == evidence.Missing {
		return err
	}
	_, err = readPolicy(ctx, version{&p.Judge.Tree, after})
	var malformed *policy.Error
	switch {
	case errors.As(err, &malformed):
		p.report(PolicyFinding(policy.Path, malformed))
		return nil
	case errors.Is(err, errNoFile):
		p.report(report.Finding{
			Path: policy.Path, Line: 1, Column: 1, EndLine: 1,
			Message: fmt.Sprintf("The policy must be a regular file, and %s is not", policy.Path),
			Hint:    "commit a regular file there, or remove what is there; acta reads no link, folder or submodule",
		})
		return nil
	}
	return err
}

// PolicyFinding says of a policy file that it cannot be read.
func PolicyFinding(file string, e *policy.Error) report.Finding {
	return report.Finding{
		Rule: PolicyInvalid, Severity: report.Error, Path: file, Line: e.Line, Column: e.Column, EndLine: e.Line,
		Message: "The policy cannot be read: " + e.Message,
		Hint:    "fix the file until `acta policy check` accepts it, and git add it",
	}
}

// errNoFile is a policy that is something else than a file.
var errNoFile = errors.New("no file")

// readPolicy reads the policy that stands at an entry, the built-in one where nothing does. One that cannot be used is
// errNoFile or a *policy.Error.
func readPolicy(ctx context.Context, v version) (policy.Policy, error) {
	switch v.Kind {
	case evidence.Missing:
		return policy.Default(), nil
	case evidence.File:
		data, err := v.tree.Read(ctx, v.Entry)
		if err != nil {
			return policy.Policy{}, err
		}
		return policy.Read(data, IDs(), Waivable)
	}
	return policy.Policy{}, errNoFile
}

// PolicyWeakened is the id of the rule below, for whoever asks about its findings.
const PolicyWeakened = "policy_weakened"

func runPolicyWeakened(ctx context.Context, p *Pass) error {
	if p.severity == report.Error { // who amends their own commit is not kept from it; a warning may say too much
		defer p.comparing(len(p.findings))
	}
	before, after, altered, err := p.altered(ctx, policy.Path)
	if err != nil || !altered {
		return err
	}
	next, err := readPolicy(ctx, version{&p.Judge.Tree, after})
	if malformed := (*policy.Error)(nil); errors.As(err, &malformed) || errors.Is(err, errNoFile) {
		return nil // policy_invalid tells of it
	}
	if err != nil {
		return err
	}
	was, err := readPolicy(ctx, version{p.Judge.Base, before})
	if err != nil {
		was = *p.Policy // none that could be used stood there; what judges the commit is what is left to compare with
	}
	weaker, err := p.weaker(ctx, &was, &next)
	if err != nil || len(weaker) == 0 {
		return err
	}
	p.report(report.Finding{
		Path: policy.Path, Line: 1, Column: 1, EndLine: 1,
		Message: "The policy asks for less: " + strings.Join(weaker, "; "),
		Hint:    "say in the message who decided it and why, or leave the policy as it was",
	})
	return nil
}

// weaker lists what the next policy does not ask for any more.
func (p *Pass) weaker(ctx context.Context, was, next *policy.Policy) ([]string, error) {
	var all []string
	for _, r := range Rules() {
		for _, t := range []policy.Tier{policy.Strict, policy.Standard, policy.Light, policy.Exempt} {
			if from, to := r.severity(was, t), r.severity(next, t); to < from {
				all = append(all, fmt.Sprintf("%s: %s to %s in %s", r.ID, levelName(from), levelName(to), t))
				break // one tier tells of the rule
			}
		}
	}
	var paths []string
	if p.Judge.Base != nil && !was.SameTiers(next) {
		var err error
		if paths, err = p.Judge.Base.Paths(ctx); err != nil {
			return nil, err
		}
	}
	all = append(all, was.Weaker(next, paths)...)
	if next.Since != "" && next.Since != was.Since {
		if was.Since == "" || !p.Reaches(ctx, was.Since, next.Since) {
			all = append(all, fmt.Sprintf("since: commits before %.12s are not judged", next.Since))
		}
	}
	return p.movedContent(ctx, was, next, all)
}

// levelName is a severity as a policy writes it.
func levelName(s report.Severity) string {
	if s == 0 {
		return "off"
	}
	return s.String()
}

// movedContent adds the plan and the intent that the next policy looks for elsewhere, where something else stands.
func (p *Pass) movedContent(ctx context.Context, was, next *policy.Policy, all []string) ([]string, error) {
	for _, m := range []struct{ what, from, to string }{
		{"plan.working", was.Plan, next.Plan},
		{"plan.intent", was.Intent, next.Intent},
	} {
		if path.Clean(m.from) == path.Clean(m.to) || p.Judge.Base == nil {
			continue
		}
		kept, err := p.standsAt(ctx, path.Clean(m.from), path.Clean(m.to))
		if err != nil {
			return nil, err
		}
		if !kept {
			all = append(all, fmt.Sprintf("%s: %s to %s, which has different content", m.what, m.from, m.to))
		}
	}
	return all, nil
}

// standsAt reports whether every file that was at a path, or below it, is as it was at another one now.
func (p *Pass) standsAt(ctx context.Context, from, to string) (bool, error) {
	files, err := p.Judge.Base.Paths(ctx)
	if err != nil {
		return false, err
	}
	for _, name := range files {
		if name != from && !strings.HasPrefix(name, from+"/") {
			continue
		}
		before, err := p.Judge.Base.Stat(ctx, name)
		if err != nil {
			return false, err
		}
		after, err := p.Judge.Tree.Stat(ctx, to+strings.TrimPrefix(name, from))
		if err != nil || !sameContent(before, after) {
			return false, err
		}
	}
	return true, nil
}
