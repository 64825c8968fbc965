package judge

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo/repotest"
	"github.com/acta-git/acta/report"
)

// never are rules that are no error in what has landed, and why.
var never = map[string]string{
	"unit_not_owned":        "leases are asked for where a commit is made",
	"run_contradicted":      "runs are held where a commit is made, or with reports",
	"run_empty":             "it takes reports",
	"claim_unproved":        "proofs are asked for where a commit is made, or with notes",
	"test_not_run":          "it takes reports",
	"test_failed":           "it takes reports",
	"evidence_not_executed": "it takes reports",
	"item_accepted":         "in STRICT the completion itself is refused",
	"evidence_too_wide":     "it warns", "evidence_syntax_error": "it warns", "evidence_reused": "it warns",
	"evidence_item_unrelated": "it warns", "evidence_unreferenced": "it warns", "evidence_moved": "it is a note",
	"stub_added": "it warns", "for_unit_unknown": "it warns", "outside_scope": "it warns",
	"observation_missing": "it warns", "intent_uncovered": "it warns",
}

// Whatever verify refuses has a way forward without rewriting history: what the hint says is done on top.
func TestEveryErrorThatLandedHasAWayForward(t *testing.T) {
	for _, r := range rules.Rules() {
		t.Run(r.ID, func(t *testing.T) {
			g := repotest.New(t)
			_, base, _ := commitExample(t, g, r, "default_tier: STRICT\n")
			found := errorsOf(t, g, base)
			if !slices.ContainsFunc(found, func(f report.Finding) bool { return f.Rule == r.ID }) {
				if never[r.ID] == "" {
					t.Errorf("its example is no error in STRICT: %v", found)
				}
				return
			}
			reverted := map[string]bool{}
			for range 3 { // what is settled may show what stood behind it
				for _, f := range slices.Backward(found) {
					goForward(t, g, base, f, reverted)
				}
				if found = errorsOf(t, g, base); len(found) == 0 {
					return
				}
			}
			t.Errorf("what its hints say leaves %v", found)
		})
	}
}

// errorsOf are the errors of main since base, one a commit, rule and task.
func errorsOf(t *testing.T, g *repotest.Repository, base string) (all []report.Finding) {
	t.Helper()
	result, err := Range(t.Context(), g.Open(), base, "main")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range result.Findings {
		same := func(o report.Finding) bool { return o.Commit == f.Commit && o.Rule == f.Rule && o.Unit == f.Unit }
		if f.Severity == report.Error && !slices.ContainsFunc(all, same) {
			all = append(all, f)
		}
	}
	return all
}

var named = regexp.MustCompile(`(\w+)\(\)`)

// goForward does what the hint of a finding says.
func goForward(t *testing.T, g *repotest.Repository, base string, f report.Finding, reverted map[string]bool) {
	t.Helper()
	g.Stage()
	revert := func() {
		if !reverted[f.Commit] { // else another finding of it was told so
			g.Git("revert", "--no-edit", f.Commit)
		}
		reverted[f.Commit] = true
	}
	switch _, way, _ := strings.Cut(f.Hint, "if it has landed, "); {
	case strings.Contains(way, "git revert"):
		revert()
	case strings.Contains(way, "that ADAPT") && strings.Contains(f.Hint, "«Reopen: "):
		x := readPlan(t, g)
		x.Find(f.Unit).Status = plan.Pending
		g.Commit("ADAPT: "+f.Unit+" again\n\nReopen: "+f.Unit+"\n", policy.Default().Plan, string(plan.Write(x.Nodes[0].Unit)))
	case strings.Contains(way, "the file settles it"):
		if g.Git("ls-tree", "--name-only", base, f.Path) == "" {
			g.Git("rm", "-q", f.Path)
		} else {
			g.Git("checkout", "-q", base, "--", f.Path)
		}
		g.Git("commit", "-q", "-m", "Mend "+f.Path)
	case strings.Contains(way, "brings it back"):
		g.Commit("ADAPT: "+f.Unit+" all of it\n", f.Path, g.Git("show", base+":"+f.Path))
	case strings.Contains(way, "ADAPT"):
		x := readPlan(t, g)
		if n := x.Find(f.Unit); n == nil {
			x.Nodes[0].Children = append(x.Nodes[0].Children, &plan.Unit{ID: f.Unit, Type: plan.Atomic})
			g.Commit("ADAPT: "+x.Nodes[0].ID+" plans it\n", policy.Default().Plan, string(plan.Write(x.Nodes[0].Unit)))
		} else if strings.Contains(way, "raises") {
			n.FailureThreshold = 0.9
			g.Commit("ADAPT: "+f.Unit+" failed\n", policy.Default().Plan, string(plan.Write(x.Nodes[0].Unit)))
			return
		}
		g.Git("commit", "-q", "--allow-empty", "-m", "ADAPT: "+f.Unit+" seen\n\nObservation: build | it builds\n")
	case strings.Contains(way, "«ACT: "):
		report := fmt.Sprintf("ACT: %s again\n\n", f.Unit)
		items := []string{"Add begin() to begin.py"}
		if n := readPlan(t, g).Find(f.Unit); n != nil && len(n.Checklist) > 0 {
			items = nil
			for _, i := range n.Checklist {
				items = append(items, i.Text)
			}
		}
		var files []string
		for k, item := range items {
			name := fmt.Sprintf("done%d", k)
			if m := named.FindStringSubmatch(item); m != nil {
				name = m[1]
			}
			files = append(files, name+".py", fmt.Sprintf("def %s(session, user):\n    session.%s = user\n", name, name))
			report += fmt.Sprintf("Done: %s | %s.py:1-2\n", item, name)
		}
		g.Commit(report, files...)
	default: // a finding of the range: what was there is restored
		revert()
	}
}

func readPlan(t *testing.T, g *repotest.Repository) *plan.Index {
	t.Helper()
	file := filepath.ToSlash(policy.Default().Plan)
	if g.Git("ls-tree", "--name-only", "HEAD", file) == "" {
		return plan.NewIndex(nil)
	}
	root, err := plan.Parse([]byte(g.Git("show", "HEAD:"+file)))
	if err != nil {
		t.Fatal(err)
	}
	return plan.NewIndex(root)
}

// inPlan is the plan of the cases below; %s is the status of T01.
const inPlan = `{"id": "R", "type": "parent", "children": [{"id": "T01", "type": "atomic", "status": "%s"}, {"id": "T02", "type": "atomic"}]}`

func TestAnADAPTSettlesWhatWasOutOfOrder(t *testing.T) {
	open, complete := fmt.Sprintf(inPlan, "pending"), fmt.Sprintf(inPlan, "complete")
	act := []string{act("T01", "add f", "a.py:1-3"), "a.py", "def f(x):\n    x.y = 1\n    return x\n"}
	again := []string{act[0], "b", "1"}
	done := []string{"ADAPT: T01 done\n", planAt, complete}
	skip := []string{"ACT: T01 no\n\nSkipped: add f | nobody needs it\n"}
	for name, c := range map[string]struct {
		commits [][]string
		errors  int
	}{
		"a second ACT":                           {[][]string{act, again}, 1},
		"and an ADAPT":                           {[][]string{act, again, {"ADAPT: T01 seen\n"}}, 0},
		"and an ADAPT of another task":           {[][]string{act, again, {"ADAPT: T02 seen\n"}}, 1},
		"nothing was done":                       {[][]string{done}, 1},
		"an ADAPT that reopens it":               {[][]string{done, {"ADAPT: T01 again\n\nReopen: T01\n", planAt, open}}, 0},
		"an ADAPT of the root":                   {[][]string{done, {"ADAPT: R seen\n"}}, 1},
		"an ADAPT that accepts":                  {[][]string{skip, done, {"ADAPT: T01 was done\n\nAccepted: add f | nobody needs it\n"}}, 0},
		"an ADAPT that accepts another item":     {[][]string{skip, done, {"ADAPT: T01 was done\n\nAccepted: add g | nobody needs it\n"}}, 2},
		"an ADAPT that accepts what is not done": {[][]string{done, {"ADAPT: T01 was done\n\nAccepted: add f | nobody needs it\n"}}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			g := repotest.New(t)
			g.Commit("Plan\n", planAt, open)
			base := g.ID()
			for _, one := range c.commits {
				g.Commit(one[0], one[1:]...)
			}
			if found := errorsOf(t, g, base); len(found) != c.errors {
				t.Errorf("found %v", found)
			}
		})
	}
}

func TestAnACTDoesNotSettleAReducedPlan(t *testing.T) {
	whole := `{"id": "R", "children": [{"id": "T01", "checklist": [{"item": "add f"}, {"item": "add g"}]}]}`
	less, act := strings.Replace(whole, `, {"item": "add g"}`, "", 1), act("T01", "add f", "a.py:1-3")
	rest := []string{act, "a.py", "def f(x):\n    x.y = 1\n    return x\n"}
	reduce, restore := []string{"ADAPT: T01 less\n", planAt, less}, []string{"ADAPT: T01 all\n", planAt, whole}
	for name, c := range map[string]struct {
		commits [][]string
		errors  int
	}{
		"an ACT of the rest":           {[][]string{reduce, rest}, 1},
		"an ADAPT of less again":       {[][]string{reduce, restore, reduce}, 2},
		"an ADAPT that brings it back": {[][]string{reduce, restore}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			g := repotest.New(t)
			g.Commit("Plan\n", planAt, whole, policy.Path, "version: 1\ndefault_tier: STRICT\n")
			base := g.ID()
			for _, one := range c.commits {
				g.Commit(one[0], one[1:]...)
			}
			if found := errorsOf(t, g, base); len(found) != c.errors {
				t.Errorf("found %v", found)
			}
		})
	}
}

func TestAPlanInMarkdownIsNotRestoredByItself(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Plan\n", "TODO.md", "- [x] T01 Add `a.py`\n- [ ] T02 More\n", policy.Path, "version: 1\ndefault_tier: STRICT\nplan: TODO.md\n")
	base := g.ID()
	g.Commit("Less\n", "TODO.md", "- [ ] T02 More\n")
	if found := errorsOf(t, g, base); len(found) != 1 {
		t.Errorf("found %v", found)
	}
}
