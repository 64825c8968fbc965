package judge

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo/repotest"
	"github.com/acta-git/acta/report"
	"github.com/acta-git/acta/report/results"
)

// given are reports that were read already.
type given struct{ *results.Set }

func (r given) Read(context.Context, *policy.Policy, evidence.Tree) (*results.Set, error) {
	return r.Set, nil
}

// exampleOf makes the commits of a rule's example and judges them: one as a hook does, several as verify does.
func exampleOf(t *testing.T, r *rules.Rule) *Result {
	t.Setenv("GIT_DEFAULT_HASH", "sha1") // the pages show names of commits
	g := repotest.New(t)
	commit, base, alone := commitExample(t, g, r)
	repository := g.Open()
	if !alone {
		result, err := Range(t.Context(), repository, base, g.ID())
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	g.Git("update-ref", "refs/heads/main", base)
	result, err := commit.Judge(t.Context(), repository)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// leases are «UNIT by AGENT», a lease a line.
type leases []string

func (l leases) Owner(_ context.Context, key string) (*rules.Owner, error) {
	for _, line := range l {
		if unit, agent, _ := strings.Cut(line, " by "); key == unit || strings.HasPrefix(key, unit+"/") {
			return &rules.Owner{Unit: key, LeasedUnit: unit, Agent: agent}, nil
		}
	}
	return nil, nil
}

// commitExample makes the commits of a rule's example; policy lines stand in its base as well.
func commitExample(t *testing.T, g *repotest.Repository, r *rules.Rule, policyLines ...string) (commit StagedCommit,
	base string, alone bool) {
	commit = StagedCommit{Author: []string{"executor-01"}}
	var before, files, messages []string
	if len(policyLines) > 0 {
		before = []string{policy.Path, "version: 1\n" + strings.Join(policyLines, "")}
	}
	for _, f := range r.Page().Example {
		kind, of, _ := strings.Cut(f.Name, " ")
		text := string(f.Data)
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		switch kind {
		case "policy":
			before = append(before, policy.Path, text+strings.Join(policyLines, ""))
		case "plan":
			unit := &plan.Unit{ID: "T01", Type: plan.Atomic}
			for _, line := range lines {
				unit.Checklist = append(unit.Checklist, plan.Item{Text: line})
			}
			root := &plan.Unit{ID: "ROOT", Type: plan.Parent, Children: []*plan.Unit{unit}}
			before = append(before, policy.Default().Plan, string(plan.Write(root)))
		case "leases":
			commit.Leases = leases(lines)
		case "runs":
			command, exit, _ := strings.Cut(lines[0], ", exit code ")
			code, _ := strconv.Atoi(exit)
			commit.Runs = func(context.Context, string) ([]rules.RecordedRun, error) {
				return []rules.RecordedRun{{Command: command, Exit: &code}}, nil
			}
		case "before":
			before = append(before, of, text)
		case "report":
			set := &results.Set{}
			if err := set.Add(results.Kind(of), of, f.Data); err != nil {
				t.Fatal(err)
			}
			commit.Reports = given{set}
		case "commit":
			files = append(files, of, text)
		case "message":
			if messages == nil {
				g.Commit("Base\n", before...)
				base = g.ID()
				g.Stage(files...)
				commit.Message = f.Data
			}
			messages = append(messages, text)
			g.Commit(text, files...)
			files = nil
		}
	}
	return commit, base, len(messages) == 1
}

// What a rule's page says that acta says of its example is what it says.
func TestEveryExampleShowsItsRule(t *testing.T) {
	for _, r := range rules.Rules() {
		t.Run(r.ID, func(t *testing.T) {
			result := exampleOf(t, r)
			if !slices.ContainsFunc(result.Findings, func(f report.Finding) bool { return f.Rule == r.ID }) {
				t.Errorf("its example finds %v", result.Findings)
			}
			for _, f := range result.Findings {
				if f.Rule != r.ID && f.Severity == report.Error {
					t.Errorf("its example also breaks %s", f.Rule)
				}
			}
			var said strings.Builder
			if err := report.WriteText(&said, &result.Report); err != nil {
				t.Fatal(err)
			}
			path := "rules/pages/" + r.ID + ".txt"
			page, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			a := txtar.Parse(page)
			a.Files = slices.DeleteFunc(a.Files, func(f txtar.File) bool { return f.Name == "said" })
			a.Files = append(a.Files, txtar.File{Name: "said", Data: []byte(said.String())})
			if want := txtar.Format(a); string(page) != string(want) {
				if os.Getenv("ACTA_UPDATE") == "" {
					t.Fatalf("its page is not what acta says; run ACTA_UPDATE=1 go test ./judge -run Example:\n%s", said.String())
				}
				if err := os.WriteFile(path, want, 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
