package check

import (
	"context"
	"errors"
	"fmt"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/policy"
)

func rulePolicyInvalid() *Rule {
	return &Rule{
		ID: PolicyInvalid, Since: "0.1", OfCommit: true, Severity: always,
		Title: "the commit brings a policy that cannot be read",
		Doc: "`.acta.yaml` says how strictly commits are held. From the commit on that brings one which cannot be read, nothing\n" +
			"can be held to it: a claim is refused at every door until the file is mended. So a misspelled key, an unknown rule,\n" +
			"or a file that is no YAML is an error while it can still be put right. `acta policy check` judges the file of the\n" +
			"work tree, and `acta policy` prints what the policy in force says.",
		Example: Example{
			Files:   map[string]string{policy.Path: "version: 1\nrulez:\n  evidence_unclear: error\n"},
			Message: "Hold unclear evidence to account\n",
		},
		Run: runPolicyInvalid,
	}
}

func runPolicyInvalid(ctx context.Context, p *Pass) error {
	_, after, altered, err := p.altered(ctx, policy.Path)
	if err != nil || !altered || after.Kind == evidence.Missing {
		return err
	}
	f := diag.Finding{Path: policy.Path, Line: 1, Column: 1, EndLine: 1, Hint: "mend it, see that `acta policy check` accepts it, and git add it"}
	_, err = readPolicy(ctx, version{&p.Judge.Tree, after})
	var malformed *policy.Error
	switch {
	case errors.As(err, &malformed):
		f.Line, f.EndLine, f.Column = malformed.Line, malformed.Line, malformed.Column
		f.Message = "The policy cannot be read: " + malformed.Message
		p.report(f)
		return nil
	case errors.Is(err, errNoFile):
		f.Message = fmt.Sprintf("The policy is a file, and %s is none", policy.Path)
		f.Hint = "a link, a folder or a submodule there says nothing; commit a file, or take it away"
		p.report(f)
		return nil
	}
	return err
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
