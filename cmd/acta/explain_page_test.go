package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/rules"
)

// docs/rules.md is what `acta explain --format markdown` prints.
func TestRulesPageIsWhatTheToolPrints(t *testing.T) {
	var b bytes.Buffer
	writeRules(&b, rules.Rules())
	if os.Getenv("ACTA_UPDATE") != "" {
		if err := os.WriteFile("../../docs/rules.md", b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	page := readPage(t, "docs/rules.md")
	if !bytes.Equal(page, b.Bytes()) {
		t.Error("docs/rules.md is not what the tool prints; run ACTA_UPDATE=1 go test ./cmd/acta -run RulesPage")
	}
	if n := strings.Count(b.String(), "\n## "); n != len(rules.Rules()) {
		t.Errorf("the page has %d rules of %d", n, len(rules.Rules()))
	}
}
