package judge

import (
	"context"
	"slices"
	"testing"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/diag"
)

func TestEveryExampleShowsItsRule(t *testing.T) {
	for _, r := range check.Rules() {
		result, err := Example(context.Background(), r)
		if err != nil {
			t.Errorf("%s: %v", r.ID, err)
			continue
		}
		if !slices.ContainsFunc(result.Findings, func(f diag.Finding) bool { return f.Rule == r.ID }) {
			t.Errorf("%s: its example finds %v", r.ID, result.Findings)
		}
		for _, f := range result.Findings {
			if f.Rule != r.ID && f.Severity == diag.Error {
				t.Errorf("%s: its example also breaks %s", r.ID, f.Rule)
			}
		}
	}
}
