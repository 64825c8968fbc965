package judge

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/diag"
)

const testRelease = "0.1.0"

func TestEveryExampleShowsItsRule(t *testing.T) {
	for _, r := range check.Rules() {
		result, err := Example(context.Background(), r, testRelease)
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

// docs/rules.md is what `acta explain --format markdown` prints.
func TestRulesPageIsWhatTheToolPrints(t *testing.T) {
	var b bytes.Buffer
	if err := WriteRules(context.Background(), &b, check.Rules(), testRelease); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("ACTA_UPDATE") != "" {
		if err := os.WriteFile("../docs/rules.md", b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	page, err := os.ReadFile("../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(page, b.Bytes()) {
		t.Error("docs/rules.md is not what the tool prints; run ACTA_UPDATE=1 go test ./judge -run RulesPage")
	}
	if n := strings.Count(b.String(), "\n## "); n != len(check.Rules()) {
		t.Errorf("the page has %d rules of %d", n, len(check.Rules()))
	}
}
