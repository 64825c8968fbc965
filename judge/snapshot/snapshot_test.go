package snapshot_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/repotest"
)

const planFile = "working_plan/current.json"

// planOf is a plan whose root has the given id.
func planOf(id string) string {
	return `{"id": "` + id + `", "type": "parent", "children": [{"id": "T01", "type": "atomic", "status": "pending", "checklist": [{"item": "add f"}, {"item": "test f"}]}]}`
}

// planIn is the id of the root of a snapshot's plan, where it lies, or the error.
func planIn(t *testing.T, s snapshot.Snapshot) string {
	t.Helper()
	path, root, err := s.Plan(t.Context())
	switch {
	case err != nil:
		return err.Error()
	case root == nil:
		return "none in " + path
	}
	return root.ID + " in " + path
}

func TestEachPlaceHasItsOwnPlan(t *testing.T) {
	g := repotest.New(t)
	g.Commit("one\n", planFile, planOf("ONE"))
	base := g.ID()
	g.Branch("side", base)
	g.Commit("side\n", planFile, planOf("SIDE"))
	g.Branch("main", "")
	g.Commit("two\n", policy.Path, "version: 1\nplan: {working: p.json}\n", "p.json", planOf("TWO"))
	g.Stage()
	g.Write("p.json", planOf("WORK"))
	g.Write(policy.Path, "version: 1\nplan: {working: elsewhere.json}\n")
	r := g.Open()
	tree := snapshot.Tree(r, repo.ID(g.Git("rev-parse", "side^{tree}")))
	for name, c := range map[string]struct {
		place snapshot.Snapshot
		want  string
	}{
		"HEAD":                              {snapshot.Head(r), "TWO in p.json"},
		"a commit":                          {snapshot.At(r, base), "ONE in " + planFile},
		"a branch":                          {snapshot.At(r, "side"), "SIDE in " + planFile},
		"a tree":                            {snapshot.Of(&tree), "SIDE in " + planFile},
		"no tree":                           {snapshot.Of(nil), "none in " + planFile},
		"where branches part":               {snapshot.MergeBase(r, "side", "main"), "ONE in " + planFile},
		"a range without a base":            {snapshot.MergeBase(r, "", "main"), "none in " + planFile},
		"the work tree under HEAD's policy": {snapshot.WorkTree(r), "WORK in p.json"},
	} {
		if got := planIn(t, c.place); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	head, err := r.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := planIn(t, snapshot.Before(r, head)); got != "ONE in "+planFile {
		t.Errorf("before HEAD: %s", got)
	}
	first, err := r.Commit(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	if got := planIn(t, snapshot.Before(r, first)); got != "none in "+planFile {
		t.Errorf("before the first commit: %s", got)
	}
}

func TestUnrelatedHistoriesAreJudgedByTheBase(t *testing.T) {
	g := repotest.New(t)
	g.Commit("one\n", planFile, planOf("ONE"))
	g.ID()
	g.Git("update-ref", "refs/heads/other", g.Git("commit-tree", "-m", "root", g.Git("mktree")))
	r := g.Open()
	if got := planIn(t, snapshot.MergeBase(r, "main", "other")); got != "ONE in "+planFile {
		t.Error(got)
	}
}

func TestBeforeTheFirstCommit(t *testing.T) {
	g := repotest.New(t)
	g.Write(planFile, planOf("WORK"))
	r := g.Open()
	if p, err := snapshot.Head(r).Policy(t.Context()); err != nil || p.Plan != planFile {
		t.Errorf("%+v, %v", p, err)
	}
	if got := planIn(t, snapshot.Head(r)); got != "none in "+planFile {
		t.Errorf("HEAD: %s", got)
	}
	if got := planIn(t, snapshot.WorkTree(r)); got != "WORK in "+planFile {
		t.Errorf("the work tree: %s", got)
	}
	if hash, err := snapshot.Head(r).PolicyHash(t.Context()); err != nil || hash != snapshot.BuiltinPolicy {
		t.Errorf("%s, %v", hash, err)
	}
	for name, place := range map[string]snapshot.Snapshot{
		"an empty name": snapshot.At(r, ""), "a name": snapshot.At(r, "main"), "HEAD by its name": snapshot.At(r, "HEAD"),
	} {
		if _, err := place.Policy(t.Context()); err == nil {
			t.Errorf("%s names no commit, and has a policy", name)
		}
	}
}

func TestTheWorkTreesPlanIsReadStrictly(t *testing.T) {
	loose := `{"id": "R", "type": "parent", "status": "asleep", "children": []}`
	g := repotest.New(t)
	g.Commit("one\n", planFile, loose)
	g.Stage()
	r := g.Open()
	if got := planIn(t, snapshot.Head(r)); got != "R in "+planFile {
		t.Errorf("what has landed is read as far as it can be used: %s", got)
	}
	var malformed *snapshot.MalformedPlanError
	var errs plan.Errors
	_, _, err := snapshot.WorkTree(r).Plan(t.Context())
	if !errors.As(err, &malformed) ||
		malformed.Path != planFile || !errors.As(err, &errs) || !strings.Contains(err.Error(), "asleep") {
		t.Errorf("the work tree's: %v", err)
	}
}

func TestTheWorkTreesPlanIsWhatGitWouldTake(t *testing.T) {
	g := repotest.New(t)
	g.Commit("one\n", "note", "1")
	g.Stage()
	outside := filepath.Join(t.TempDir(), "plan.json")
	if err := os.WriteFile(outside, []byte(planOf("OUTSIDE")), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(g.Dir, "working_plan"), 0o777); err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(g.Dir, planFile)
	if err := os.Symlink(outside, at); err != nil {
		t.Fatal(err)
	}
	r := g.Open()
	if got := planIn(t, snapshot.WorkTree(r)); got != "none in "+planFile {
		t.Errorf("a link that leads outside: %s", got)
	}
	if err := os.Remove(at); err != nil {
		t.Fatal(err)
	}
	g.Write(planFile, "")
	path, data, err := snapshot.WorkTree(r).PlanFile(t.Context())
	if err != nil || path != planFile || data == nil {
		t.Errorf("an empty file is there: %q, %v, %v", path, data, err)
	}
}

func TestWithoutAWorkTreePlanHeadsCounts(t *testing.T) {
	g := repotest.New(t)
	g.Commit("one\n", planFile, planOf("HEAD"))
	g.Stage()
	r := g.Open()
	at := func() string {
		_, root, err := snapshot.WorkPlan(t.Context(), r)
		if err != nil {
			return err.Error()
		}
		return root.ID
	}
	g.Write(planFile, planOf("WORK"))
	if got := at(); got != "WORK" {
		t.Error(got)
	}
	if err := os.Remove(filepath.Join(g.Dir, planFile)); err != nil {
		t.Fatal(err)
	}
	if got := at(); got != "HEAD" {
		t.Error(got)
	}
}

func TestAPolicyThatCannotBeUsed(t *testing.T) {
	for text, says := range map[string]string{
		"version: 9\n":                 "version 9 is not known",
		"version: 1\nacta: \">=99\"\n": "requires acta >=99",
		"version: 1\nnonsense: 1\n":    "nonsense",
	} {
		g := repotest.New(t)
		g.Commit("one\n", policy.Path, text)
		g.ID()
		head := snapshot.Head(g.Open())
		var config *policy.ConfigError
		if _, err := head.Policy(t.Context()); !errors.As(err, &config) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", text, err)
		}
		if _, _, err := head.Plan(t.Context()); !errors.As(err, &config) {
			t.Errorf("%q: the plan lies nowhere: %v", text, err)
		}
	}
}

func TestWhereAPolicyPlacesThePlan(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "otherwise",
		"version: 1\nplan: {working: p.json}\n": "p.json",
		"version: 1\nplan: {working: p.json}\nacta: \">=99\"\n": "p.json", // another release's, which says so all the same
		"version: 9\n": "",
	} {
		g := repotest.New(t)
		g.Commit("one\n", "note", "1")
		if text != "" {
			g.Commit("two\n", policy.Path, text)
		}
		g.ID()
		if got, err := snapshot.Head(g.Open()).PlanPath(t.Context(), "otherwise"); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
}

func TestPlansAreKeptByTheirContent(t *testing.T) {
	g := repotest.New(t)
	g.Commit("one\n", planFile, planOf("R"), "again.json", planOf("R"), "bad.json", "{")
	g.ID()
	r, known := g.Open(), &plan.Cache{}
	head, err := r.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tree := snapshot.Tree(r, head.Tree)
	first, malformed, err := rules.PlanAt(t.Context(), &tree, planFile, known)
	if err != nil || malformed != nil || first.Find("T01") == nil {
		t.Fatalf("%v, %v, %v", first, malformed, err)
	}
	if second, _, err := rules.PlanAt(t.Context(), &tree, "again.json", known); err != nil || second != first {
		t.Errorf("the same content is read twice: %v", err)
	}
	if x, malformed, err := rules.PlanAt(t.Context(), &tree, "none.json", known); err != nil || malformed != nil || x != nil {
		t.Errorf("%v, %v, %v", x, malformed, err)
	}
	if x, malformed, err := rules.PlanAt(t.Context(), &tree, "bad.json", known); err != nil || malformed == nil || x != nil {
		t.Errorf("%v, %v, %v", x, malformed, err)
	}
}

func TestIntent(t *testing.T) {
	g := repotest.New(t)
	g.Commit("one\n", planFile, planOf("R"), policy.Path, "version: 1\nplan: {intent: wishes}\n",
		"wishes/project.json", `{"goal": "f"}`, "wishes/amendments/001.md", "And g.\n", "wishes/amendments/more/002.md", "And h.\n", "user_intent/project.json", "{}")
	g.ID()
	head := snapshot.Head(g.Open())
	in, err := head.Intent(t.Context())
	if err != nil ||
		string(in.Project) != `{"goal": "f"}` || len(in.Amendments) != 2 || in.Amendments["more/002.md"] != "And h.\n" {
		t.Errorf("%s, %v, %v", in.Project, in.Amendments, err)
	}
	if in, err := (snapshot.Snapshot{}).Intent(t.Context()); err != nil || in.Project != nil || len(in.Amendments) != 0 {
		t.Errorf("no files: %+v, %v", in, err)
	}
}

func TestChangedLinesAreCounted(t *testing.T) {
	g := repotest.New(t)
	g.Commit("one\n", "a", "1\n2\n3\n", "b", "1\n", "c", "\x00\x01")
	g.Commit("two\n", "a", "1\n2\n4\n", "b", "", "c", "\x00\x02")
	g.ID()
	r := g.Open()
	before, after := repo.ID(g.Git("rev-parse", "main~1^{tree}")), repo.ID(g.Git("rev-parse", "main^{tree}"))
	// A line for another, one that is gone, and a binary file, which counts as one.
	paths, n, err := snapshot.Changes(t.Context(), r, before, after, true)
	if err != nil || strings.Join(paths, " ") != "a b c" || n != 4 {
		t.Errorf("%v, %d, %v", paths, n, err)
	}
	if paths, n, err := snapshot.Changes(t.Context(), r, before, after, false); err != nil || len(paths) != 3 || n != 0 {
		t.Errorf("%v, %d, %v", paths, n, err)
	}
}
