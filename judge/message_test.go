package judge_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/repotest"
)

func TestAMessageIsReadWhateverItsEncoding(t *testing.T) {
	for encoding, c := range map[string]struct {
		bytes string
		fails bool
	}{
		"":             {bytes: "ACT: T01 löschen\n"},
		"UTF-8":        {bytes: "ACT: T01 löschen\n"},
		"ISO-8859-1":   {bytes: "ACT: T01 l\xf6schen\n"},
		"latin1":       {bytes: "ACT: T01 l\xf6schen\n"},
		"windows-1252": {bytes: "ACT: T01 l\xf6schen\n"},
	} {
		w := repotest.NewWorkTree(t)
		w.Commit("Base")
		header := "tree " + w.Git("rev-parse", "HEAD^{tree}") + "\nauthor A <a@example.org> 1700000000 +0000\n" +
			"committer A <a@example.org> 1700000000 +0000\n"
		if encoding != "" {
			header += "encoding " + encoding + "\n"
		}
		w.Write("raw", header+"\n"+c.bytes)
		id := w.Git("hash-object", "-t", "commit", "-w", "raw")
		r, err := repo.Open(t.Context(), w.Dir, repo.Options{})
		if err != nil {
			t.Fatal(err)
		}
		commit, err := r.Commit(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		m, err := judge.MessageOf(t.Context(), r, commit)
		if err != nil || m.Parts[0].Kind != parser.Act || m.Parts[0].Summary.Value != "löschen" {
			t.Errorf("%q: %+v, %v", encoding, m, err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAReportIsJoinedWithItsFiles(t *testing.T) {
	const good = `{"task_id": "T01", "outcome": "failure", "checklist": [{"item": "add g", "status": "done", "evidence": ["b.py:1-3"]}]}`
	g := repotest.New(t)
	g.Commit("Base\n", "r.json", good, "other.json", strings.Replace(good, "T01", "T02", 1), "torn.json",
		"{\n  \"checklist\": [", "folder/x", "x")
	r := g.Open()
	head, err := r.Commit(t.Context(), "main")
	if err != nil {
		t.Fatal(err)
	}
	tree := snapshot.Tree(r, head.Tree)
	for name, c := range map[string]struct {
		report  string
		items   []string // what is claimed
		bad     string   // what is said of the file, "" for nothing
		outcome string
	}{
		"no file":              {"", []string{"add f"}, "", ""},
		"a file":               {"Report: r.json\n", []string{"add f", "add g"}, "", "failure"},
		"in backticks":         {"Report: `r.json`\n", []string{"add f", "add g"}, "", "failure"},
		"another way to write": {"Report: ./folder/../r.json\n", []string{"add f", "add g"}, "", "failure"},
		"an outcome of its own": {
			"Outcome: success\nReport: r.json\n", []string{"add f", "add g"}, "", "success"},
		"that is not there": {"Report: gone.json\n", []string{"add f"}, "gone.json: it is not in the commit", ""},
		"a folder":          {"Report: folder\n", []string{"add f"}, "folder: it is not in the commit", ""},
		"that is torn":      {"Report: torn.json\n", []string{"add f"}, "torn.json: ", ""},
		"of another task": {"Report: other.json\n", []string{"add f", "add g"},
			`other.json: its task_id is "T02", and this commit is an ACT of T01`, "failure"},
	} {
		m := parser.Parse([]byte("ACT: T01 f\n\nDone: add f | a.py:1-3\n" + c.report))
		claims, bad, err := judge.ReportedClaims(t.Context(), tree, m.Parts[0])
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var items []string
		for _, claim := range claims {
			items = append(items, claim.Item.Value)
		}
		said := ""
		for _, b := range bad {
			said += b.Path + ": " + b.Message
		}
		if !slices.Equal(items, c.items) || !strings.HasPrefix(said, c.bad) || (said == "") != (c.bad == "") ||
			m.Parts[0].Outcome.Value != c.outcome {
			t.Errorf("%s: claims %q, says %q, outcome %q", name, items, said, m.Parts[0].Outcome.Value)
		}
	}
}

func TestATornReportIsShownWhereItIsTorn(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Base\n", "r.json", "{\"checklist\": [\n  {\"item\": \"a\",\n    \"status\": \"perhaps\"}]}\n")
	r := g.Open()
	head, err := r.Commit(t.Context(), "main")
	if err != nil {
		t.Fatal(err)
	}
	m := parser.Parse([]byte("ACT: T01 f\n\nReport: r.json\n"))
	_, bad, err := judge.ReportedClaims(t.Context(), snapshot.Tree(r, head.Tree), m.Parts[0])
	if err != nil || len(bad) != 1 || bad[0].Line != 3 || bad[0].Column == 0 ||
		strings.Contains(bad[0].Message, "r.json") {
		t.Errorf("%+v, %v", bad, err)
	}
}

func TestSinceLeavesOutWhatCameBefore(t *testing.T) {
	g := repotest.New(t)
	var ids []repo.ID
	for _, message := range []string{"one\n", "two\n", "three\n", "four\n"} {
		g.Commit(message, "note", message)
		ids = append(ids, repo.ID(g.ID()))
	}
	g.Branch("side", string(ids[0]))
	g.Commit("beside\n", "beside", "1")
	side := repo.ID(g.ID())
	r := g.Open()
	for name, c := range map[string]struct {
		from string
		want []repo.ID
	}{
		"from the beginning": {"", append(slices.Clone(ids), side)},
		"from the third on":  {string(ids[2]), ids[2:]},
		"from the first on":  {string(ids[0]), ids},
		"by a short id":      {string(ids[3][:12]), ids[3:]},
	} {
		got, err := judge.CommitsSince(t.Context(), r, append(slices.Clone(ids), side), c.from, "main")
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, c.want)
		}
	}
	_, err := judge.CommitsSince(t.Context(), r, ids, strings.Repeat("1", 40), "main")
	if config := (*policy.ConfigError)(nil); !errors.As(err, &config) ||
		!strings.Contains(err.Error(), "since names commit") {
		t.Errorf("a commit that is not here: %v", err)
	}
}

func TestARangeIsNamedByFullIDs(t *testing.T) {
	g := repotest.New(t)
	g.Commit("one\n", "note", "1")
	one := g.ID()
	g.Commit("two\n", "note", "2")
	two := g.ID()
	r := g.Open()
	for _, c := range []struct{ base, head, want string }{
		{one, "main", one + ".." + two}, {"main~1", "main", one + ".." + two}, {"", "main", two}, {one[:10], two[:10], one +
			".." + two},
	} {
		if got, err := judge.RangeName(t.Context(), r, c.base, c.head); err != nil || got != c.want {
			t.Errorf("%s..%s is %q, %v", c.base, c.head, got, err)
		}
	}
	for _, c := range [][2]string{{"nowhere", "main"}, {"main", "nowhere"}} {
		if got, err := judge.RangeName(t.Context(), r, c[0], c[1]); err == nil {
			t.Errorf("%v is %q", c, got)
		}
	}
}
