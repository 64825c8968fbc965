package bench

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"
)

const (
	scoreClaims = 10 // claims of each commit
	scoreFirst  = 1_700_000_000
)

// BenchmarkScore measures `acta score` as a whole process, on a repository whose
// history holds ACTS (in the environment; 10,000 where nobody says) commits of ten verified claims each: the first
// time, when every commit is judged; again, with the cache; and again after one more commit.
func BenchmarkScore(b *testing.B) {
	dir := b.TempDir()
	_, acta := build(b, dir)
	commits := asked(b, "ACTS", 10_000)
	repository := scoreRepository(b, dir, commits)
	took := map[string][]float64{}
	run := func(name string, args ...string) {
		took[name] = append(took[name], timed(b, repository, append([]string{acta}, args...)))
	}
	run("cold", "score", "--date", "2100-01-01")
	for i := range b.N {
		run("start", "--version")
		run("warm", "score", "--date", "2100-01-01")
		run("history", "score", "history", "--date", "2100-01-01")
		scoreImport(b, repository, commits+i, 1, scoreClaims)
		run("more", "score", "--date", "2100-01-01")
	}
	for _, name := range []string{"start", "cold", "warm", "history", "more"} {
		measured(b, took, name, "start")
	}
	b.ReportMetric(float64(commits*scoreClaims), "verdicts")
}

func scoreRepository(b *testing.B, dir string, commits int) string {
	b.Helper()
	repository := filepath.Join(dir, "score")
	must(b, dir, nil, "git", "init", "--quiet", "--initial-branch=main", repository)
	scoreImport(b, repository, 0, commits, scoreClaims)
	must(b, repository, nil, "git", "gc", "--quiet") // as a clone is
	return repository
}

// scoreImport adds so many commits of so many claims, from number first on.
func scoreImport(b *testing.B, repository string, first, commits, claims int) {
	b.Helper()
	var in bytes.Buffer
	for n := first; n < first+commits; n++ {
		path := fmt.Sprintf("src/p%02d/q%02d/f%d.py", n%97, n/97%97, n)
		var code, message bytes.Buffer
		fmt.Fprintf(&message, "ACT: M01/S%02d/T%05d work %d\n\n", n/100, n, n)
		for i := range claims {
			fmt.Fprintf(&code, "def work_%d_%d(a, b):\n    if a > b:\n        return a - %d\n    return b * %d + a\n\n\n", n, i, n, i)
			fmt.Fprintf(&message, "Done: Add work_%d_%d | %s:%d-%d\n", n, i, path, 6*i+1, 6*i+4)
		}
		fmt.Fprintf(&message, "Actor: executor-%02d\n", n%7)
		fmt.Fprintf(&in, "commit refs/heads/main\ncommitter a <a@agents.invalid> %d +0000\ndata %d\n%s\n", scoreFirst+n*600, message.Len(), message.Bytes())
		if n == first && first > 0 {
			fmt.Fprintln(&in, "from refs/heads/main^0")
		}
		fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", path, code.Len(), code.Bytes())
	}
	cmd := exec.Command("git", "fast-import", "--quiet")
	cmd.Dir, cmd.Stdin = repository, &in
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
}
