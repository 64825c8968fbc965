package judge

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/repo"
)

func TestShardsPartARangeWhateverTheirNumber(t *testing.T) {
	for n := range 40 {
		ids := make([]repo.ID, n)
		for i := range ids {
			ids[i] = repo.ID(fmt.Sprint(i))
		}
		for of := 1; of < 50; of++ {
			var all []repo.ID
			for i := 1; i <= of; i++ {
				part := Shard{i, of}.part(ids)
				if len(part) < n/of || len(part) > n/of+1 {
					t.Errorf("shard %d/%d of %d commits has %d", i, of, n, len(part))
				}
				all = append(all, part...)
			}
			if !slices.Equal(all, ids) {
				t.Errorf("%d shards of %d commits hold %v", of, n, all)
			}
		}
	}
	if got := (Shard{}).part([]repo.ID{"a", "b"}); len(got) != 2 {
		t.Errorf("the zero shard holds %v", got)
	}
}

// shards are the reports of two shards of a range of three commits.
func shards() []*diag.Report {
	commit := func(id string) diag.ShardCommit { return diag.ShardCommit{Commit: id, Acts: 1} }
	return []*diag.Report{
		{Acta: "1", Range: "x", Commits: 1, Shard: &diag.Shard{
			Index: 1, Of: 2, Total: 3, Commits: []diag.ShardCommit{commit("a")},
		}},
		{Acta: "1", Range: "x", Commits: 2, Shard: &diag.Shard{
			Index: 2, Of: 2, Total: 3, Commits: []diag.ShardCommit{commit("b"), commit("c")}, Range: &diag.ShardRange{},
		}},
	}
}

func TestMergeRefusesWhatIsNotOneWholeRange(t *testing.T) {
	if r, err := Merge(shards()); err != nil || r.Commits != 3 || r.Acts != 3 || r.Code() != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, c := range []struct {
		change func(s []*diag.Report) []*diag.Report
		says   string
	}{
		{func([]*diag.Report) []*diag.Report { return nil }, "no shards"},
		{func(s []*diag.Report) []*diag.Report { return s[1:] }, "shard 1/2 is missing"},
		{func(s []*diag.Report) []*diag.Report { return append(s, s[0]) }, "given twice"},
		{func(s []*diag.Report) []*diag.Report { s[1].Shard = nil; return s }, "not that of a shard"},
		{func(s []*diag.Report) []*diag.Report { s[1].Range = "y"; return s }, "different ranges"},
		{func(s []*diag.Report) []*diag.Report { s[1].Acta = "2"; return s }, "different releases"},
		{func(s []*diag.Report) []*diag.Report { s[1].Shard.Of = 3; return s }, "another one of 3"},
		{func(s []*diag.Report) []*diag.Report { s[1].Shard.Total = 4; return s }, "over 4"},
		{func(s []*diag.Report) []*diag.Report { s[1].Shard.Index = 0; return s }, "no shard 0/2"},
		{func(s []*diag.Report) []*diag.Report { s[0].Shard.Of, s[1].Shard.Of = 1<<40, 1<<40; return s }, "no shard"},
		{func(s []*diag.Report) []*diag.Report { s[1].Shard.Commits = s[1].Shard.Commits[1:]; return s }, "2 commits of 3"},
		{func(s []*diag.Report) []*diag.Report { s[1].Shard.Commits[0].Commit = "a"; return s }, "in several shards"},
		{func(s []*diag.Report) []*diag.Report { s[1].Findings = []diag.Finding{{Commit: "a"}}; return s }, "not in it"},
		{func(s []*diag.Report) []*diag.Report { s[1].Shard.Range = nil; return s }, "does not say"},
		{func(s []*diag.Report) []*diag.Report { s[1].Verdicts = []diag.ClaimVerdict{{Commit: "z"}}; return s }, "not in it"},
	} {
		if r, err := Merge(c.change(shards())); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v, %v; want an error that says %q", r, err, c.says)
		}
	}
}

func TestMergeKeepsWhatCouldNotBeDecided(t *testing.T) {
	s := shards()
	s[0].Shard.Commits[0].Cut = "history is cut"
	s[1].Shard.Commits[1].Failed = "damaged"
	r, err := Merge(s)
	if err != nil || r.Code() != 3 || fmt.Sprint(r.Undecided) != "[commit c: damaged commit a: history is cut]" {
		t.Errorf("%v, %v", r.Undecided, err)
	}
}
