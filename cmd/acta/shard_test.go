package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/acta-git/acta/diag"
)

// settledHistory makes commits that settle one another across any cut: mistakes that are
// superseded or reverted later, one that is not, a merge, and commits that claim nothing.
func settledHistory(t *testing.T) *vector {
	t.Helper()
	v := newVector(t, &txtar.Archive{})
	write := func(name, body string) {
		if err := os.WriteFile(filepath.Join(v.dir, name), []byte(body), 0o666); err != nil {
			t.Fatal(err)
		}
		v.git("add", name)
	}
	act := func(unit, body string) {
		write(unit+".py", "def f(user):\n    "+body+"\n")
		v.git("commit", "--quiet", "--allow-empty", "-m", fmt.Sprintf("ACT: %s f\n\nDone: Add f() | %s.py:1-2", unit, unit))
	}
	act("T01", "pass")
	act("T02", "return user.check()")
	v.git("commit", "--quiet", "--allow-empty", "-m", "Nothing is claimed")
	act("T03", "pass")
	v.git("revert", "--no-edit", "HEAD")
	act("T01", "raise NotImplementedError")
	act("T04", "pass")
	v.git("checkout", "--quiet", "-b", "side", "HEAD~2")
	v.git("commit", "--quiet", "--allow-empty", "-m", "ADAPT: T02 done")
	v.git("checkout", "--quiet", "main")
	v.git("merge", "--quiet", "--no-ff", "-m", "Merge side", "side")
	act("T01", "return user.login()")
	write("T02.py", "def f(user):\n    pass\n") // hollows what was claimed and held
	v.git("commit", "--quiet", "-m", "Tidy up")
	return v
}

func TestShardsJoinedAreTheWholeRange(t *testing.T) {
	t.Parallel()
	v := settledHistory(t)
	list, _, _ := v.run("", "git", "rev-list", "--topo-order", "--reverse", "HEAD")
	ids := strings.Fields(list)
	if len(ids) < 8 {
		t.Fatalf("the history holds %d commits", len(ids))
	}
	whole := map[string]string{}
	for _, format := range diag.Formats() {
		out, _, code := v.run("", v.acta, "verify", "--format", format, "HEAD")
		if code != exitFindings {
			t.Fatalf("the whole range exits %d", code)
		}
		whole[format] = out
	}
	for _, hint := range []string{"superseded by", "reverted by", "evidence_regressed"} {
		if !strings.Contains(whole["text"], hint) {
			t.Fatalf("nothing is %s anything in\n%s", hint, whole["text"])
		}
	}
	for _, of := range []int{1, 2, 3, 4, 7, 11, 12, 40} {
		var files []string
		var judged []string
		for i := 1; i <= of; i++ {
			out, stderr, _ := v.run("", v.acta, "verify", "--shard", fmt.Sprintf("%d/%d", i, of), "--format", "json", "HEAD")
			var r diag.Report
			if err := json.Unmarshal([]byte(out), &r); err != nil || r.Shard == nil || r.Shard.Index != i || r.Shard.Of != of {
				t.Fatalf("%v: %s%s", err, out, stderr)
			}
			if (r.Shard.Range != nil) != (i == of) {
				t.Errorf("shard %d/%d: only the last looks at the whole range", i, of)
			}
			for _, c := range r.Shard.Commits {
				judged = append(judged, c.Commit)
			}
			file := filepath.Join(v.home, fmt.Sprintf("shard-%d-%d.json", i, of))
			if err := os.WriteFile(file, []byte(out), 0o666); err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
		if !slices.Equal(judged, ids) {
			t.Errorf("%d shards judged %q, want %q", of, judged, ids)
		}
		slices.Reverse(files)
		for _, format := range diag.Formats() {
			out, stderr, code := v.run("", v.acta, append([]string{"verify", "--merge", "--format", format}, files...)...)
			if out != whole[format] || code != exitFindings {
				t.Errorf("%d shards joined as %s exit %d: %s%s\nwant %s", of, format, code, out, stderr, whole[format])
			}
		}
		if of == 1 {
			continue
		}
		if out, stderr, code := v.run("", v.acta, append([]string{"verify", "--merge"}, files[1:]...)...); code != exitUndecided || out != "" {
			t.Errorf("without shard %d/%d: exit %d, %s%s", of, of, code, out, stderr)
		}
	}
}
