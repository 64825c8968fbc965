package rules

import (
	"context"
	"fmt"
	"testing"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/parser"
)

// A commit that changes more sources than are searched is told by their paths: asking the trees of each costs a gate
// milliseconds for nothing. Of a merge only the trees tell which files it changed itself.
func TestALargeCommitIsNotSearchedForStubs(t *testing.T) {
	const stub = "def login():\n    raise NotImplementedError\n"
	for _, c := range []struct {
		name          string
		sources, docs int
		merged        bool
		found         int
		asksTrees     bool
	}{
		{"as many as are searched", maxStubFiles, 0, false, maxStubFiles, true},
		{"one too many", maxStubFiles + 1, 0, false, 0, false},
		{"others have no language", maxStubFiles, 9, false, maxStubFiles, true},
		{"a merge of two that another parent has not", maxStubFiles + 1, 0, true, 2, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			before, after, other := files{}, files{}, files{}
			for i := range c.sources {
				name := fmt.Sprintf("src/a%03d.py", i)
				if after[name] = stub; i > 1 {
					other[name] = stub
				}
			}
			for i := range c.docs {
				after[fmt.Sprintf("docs/a%d.txt", i)] = stub
			}
			co := commit{message: "Outline the login\n", base: before, files: after}
			if c.merged {
				co.merged = []files{other}
			}
			stats := 0
			pol := policy.Default()
			a := answers{commit: &co, policy: &pol, tree: after.tree()}
			base := before.tree()
			a.before = &base
			a.tree.Files = counting{a.tree.Files, &stats}
			in := a.input(parser.Parse([]byte(co.message)), &parser.Part{})
			in.IsWholeCommit = true
			out, err := Run(t.Context(), []*Rule{find(StubAdded)}, in)
			if err != nil {
				t.Fatal(err)
			}
			if len(out.Findings) != c.found || (stats > 0) != c.asksTrees {
				t.Errorf("%d findings after %d questions of the tree", len(out.Findings), stats)
			}
		})
	}
}

func TestAProofIsRequiredOfDoneCodeAlone(t *testing.T) {
	asked := func(message string) commit {
		return commit{message: message, files: workFile(), policy: "prove: {require: [T01]}\n", runs: []RecordedRun{}}
	}
	testRule(t, "claim_unproved", []row{
		{"code", asked("ACT: T01 login\n\nDone: Add login() | src/auth.py:1-4\n"), one("warning message:3"), ""},
		{"skipped", asked("ACT: T01 login\n\nSkipped: Add login() | The framework brings it\n"), nil, ""},
	})
}

// counting counts how often files are asked for.
type counting struct {
	evidence.Files
	stats *int
}

func (c counting) Stat(ctx context.Context, path string) (evidence.Entry, error) {
	*c.stats++
	return c.Files.Stat(ctx, path)
}
