package mcp

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/acta-git/acta/plan"
)

// The schema of an argument keeps what was said of it, in a tag or beside it, and takes arguments that it does not know.
func TestInputSchema(t *testing.T) {
	type input struct {
		Unit string `json:"unit" jsonschema:"key of the task"`
		Way  string `json:"session,omitempty"`
	}
	s := inputSchema[input]("checkpoint", detail{"session": oneOf([]string{"up", "down"})})
	if s.AdditionalProperties != nil {
		t.Error("unknown arguments are refused; clients add some of their own")
	}
	if d := s.Properties["unit"].Description; d != "key of the task" {
		t.Errorf("task is described as %q", d)
	}
	if way := s.Properties["session"]; !strings.HasPrefix(way.Description, "the session's id; default") || len(way.Enum) != 2 {
		t.Errorf("session is %q of %v", way.Description, way.Enum)
	}
	if len(s.Required) != 1 || s.Required[0] != "unit" {
		t.Errorf("required are %v", s.Required)
	}
}

// Every argument of every tool says what it is for.
func TestToolsDescribeTheirArguments(t *testing.T) {
	for name, s := range map[string]*jsonschema.Schema{
		"claim":         inputSchema[claimInput]("claim", nil),
		"release":       inputSchema[releaseInput]("release", nil),
		"submit_plan":   inputSchema[submitPlanInput]("submit_plan", nil),
		"complete_task": inputSchema[completeTaskInput]("complete_task", nil),
		"worklog":       inputSchema[worklogAppendInput]("worklog_append", nil),
		"checkpoint":    inputSchema[checkpointInput]("checkpoint", nil),
		"target":        inputSchema[checkWriteTargetInput]("check_write_target", nil),
	} {
		for argument, p := range s.Properties {
			if p.Description == "" {
				t.Errorf("%s does not say what %s is", name, argument)
			}
		}
		if len(s.Properties) < 2 {
			t.Errorf("%s has %d arguments", name, len(s.Properties))
		}
	}
}

func TestTimeToLive(t *testing.T) {
	for text, want := range map[string]time.Duration{"": 0, "0s": 0, "90s": 90 * time.Second, "2h": 2 * time.Hour} {
		if got, err := timeToLive(text); err != nil || got != want {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"-1s", "soon", "30", "1e400h"} {
		if got, err := timeToLive(text); err == nil {
			t.Errorf("%q is taken for %v", text, got)
		}
	}
}

// A tree that leaves out what is open is refused with what it loses; what is complete may go.
func TestATreeThatLeavesOut(t *testing.T) {
	unit := func(id, status string) *plan.Unit { return &plan.Unit{ID: id, Status: status} }
	before := &plan.Unit{ID: "ROOT", Children: []*plan.Unit{unit("T01", plan.Pending), unit("T02", plan.Complete)}}
	if err := checkLostUnits(before, &plan.Unit{ID: "ROOT", Children: []*plan.Unit{unit("T01", plan.Pending)}}); err != nil {
		t.Errorf("a complete task may go: %v", err)
	}
	var v *plan.Violation
	err := checkLostUnits(before, &plan.Unit{ID: "ROOT", Children: []*plan.Unit{unit("T02", plan.Complete)}})
	if !errors.As(err, &v) || v.Rule != plan.RuleScopeReduced || !strings.HasSuffix(v.Message, ": T01") {
		t.Errorf("T01 is open, and left out: %v", err)
	}
}

// A path is what lies there: links are followed, also to what is not there yet, and none leads out.
func TestBelowFollowsLinks(t *testing.T) {
	top, out := t.TempDir(), t.TempDir()
	for _, err := range []error{
		os.MkdirAll(filepath.Join(top, "src"), 0o777),
		os.Symlink("src", filepath.Join(top, "inside")),
		os.Symlink(out, filepath.Join(top, "outside")),
		os.Symlink(filepath.Join(out, "new.py"), filepath.Join(top, "planned.py")),
		os.Symlink("src/new.py", filepath.Join(top, "later.py")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for given, want := range map[string]string{
		"src/auth.py": "src/auth.py", "inside/auth.py": "src/auth.py", "later.py": "src/new.py", "./src/../a.py": "a.py",
		"new/deep/a.py": "new/deep/a.py", filepath.Join(top, "a.py"): "a.py", "": ".",
		"../a.py": "", "outside/a.py": "", "planned.py": "", filepath.Join(out, "a.py"): "", "/": "",
	} {
		got, inside := relativePath(top, given)
		if got != want || inside != (want != "") {
			t.Errorf("%q is %q, inside: %v; want %q", given, got, inside, want)
		}
	}
}
