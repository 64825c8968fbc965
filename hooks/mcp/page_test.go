package mcp

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// docs/agents.md has a section for every tool, which names every argument and everything that is answered.
func TestThePageHasEveryTool(t *testing.T) {
	page, err := os.ReadFile("../../docs/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string]string{}
	for _, s := range regexp.MustCompile("(?m)^##+ ").Split(string(page), -1) {
		title, text, _ := strings.Cut(s, "\n")
		for _, name := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(title, -1) {
			sections[name[1]] = text
		}
	}
	listed, err := newWorld(t, thePlan).serve(nil).session.ListTools(t.Context(), nil)
	if err != nil || len(listed.Tools) == 0 {
		t.Fatal(err)
	}
	for _, tool := range listed.Tools {
		// These answer as another one does, and every tool has what the page says first.
		shared := []string{"actor_name", "trigger_reason", "warnings"}
		if like := regexp.MustCompile("Answers? as `([a-z_]+)`").FindStringSubmatch(sections[tool.Name]); like != nil {
			sections[tool.Name] += sections[like[1]]
		}
		for _, schema := range []any{tool.InputSchema, tool.OutputSchema} {
			for name := range schema.(map[string]any)["properties"].(map[string]any) {
				if !slices.Contains(shared, name) && !strings.Contains(sections[tool.Name], "`"+name+"`") {
					t.Errorf("the section of %s does not name %s", tool.Name, name)
				}
			}
		}
	}
	if len(sections) != len(listed.Tools) {
		t.Errorf("the page has %d sections of tools, there are %d tools", len(sections), len(listed.Tools))
	}
}
