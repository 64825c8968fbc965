package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

const (
	serveReaders = 200
	serveActs    = 200 // commits of one claim each
	serveToken   = "a-token-for-the-bench"
)

// BenchmarkServe lets 200 readers ask the executable all that they can, and a
// writer vote as fast as it can, for SERVE_SECONDS (30) seconds. It fails on any answer but 200, and
// when a vote is not kept: in its answer, in the log, or in the score.
func BenchmarkServe(b *testing.B) {
	seconds := asked(b, "SERVE_SECONDS", 30)
	dir := b.TempDir()
	program, repository := filepath.Join(dir, "acta-serve"), filepath.Join(dir, "repository")
	must(b, "..", nil, "go", "build", "-tags", "urfave_cli_no_docs,netgo,osusergo", "-o", program, "./cmd/acta-serve")
	servedRepository(b, repository)
	url := startServer(b, program, "--repo", repository)
	client := &http.Client{Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: serveReaders + 1}}
	before := scoreOf(b, client, url)
	b.ResetTimer()
	ctx, cancel := context.WithTimeout(b.Context(), time.Duration(seconds)*time.Second)
	defer cancel()
	var readers sync.WaitGroup
	var failed atomic.Int64
	took := make([][]time.Duration, serveReaders)
	paths := []string{"/api/score", "/api/score/history", "/api/worklog?limit=5", "/api/plan", "/api/claims", "/healthz", "/"}
	for n := range serveReaders {
		readers.Go(func() {
			for i := n; ctx.Err() == nil; i++ {
				start := time.Now()
				if err := ask(client, url+paths[i%len(paths)]); err != nil {
					if failed.Add(1) < 5 {
						b.Error(err)
					}
				}
				took[n] = append(took[n], time.Since(start))
			}
		})
	}
	votes := vote(ctx, b, client, url)
	readers.Wait()
	b.StopTimer()
	if after := scoreOf(b, client, url); after != before+3*len(votes) {
		b.Errorf("the score went from %d to %d with %d votes", before, after, len(votes))
	}
	log, err := os.ReadFile(filepath.Join(repository, ".git", "acta", "feedback-log.jsonl"))
	if lines := strings.Count(string(log), "\n"); err != nil || lines != len(votes) {
		b.Errorf("the log has %d lines for %d votes: %v", lines, len(votes), err)
	}
	if failed.Load() > 0 {
		b.Errorf("%d reads failed", failed.Load())
	}
	all := slices.Concat(took...)
	slices.Sort(all)
	slices.Sort(votes)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(float64(len(all)), "reads")
	b.ReportMetric(float64(len(all))/float64(seconds), "reads/s")
	b.ReportMetric(ms(all[len(all)/2]), "read-ms")
	b.ReportMetric(ms(all[len(all)*99/100]), "read-99-ms")
	b.ReportMetric(float64(len(votes)), "votes")
	b.ReportMetric(ms(votes[len(votes)/2]), "vote-ms")
	b.ReportMetric(ms(votes[len(votes)-1]), "vote-most-ms")
	b.ReportMetric(float64(failed.Load()), "errors")
}

// servedRepository is one with a history of ACTs by ten actors.
func servedRepository(b *testing.B, repository string) {
	b.Helper()
	must(b, filepath.Dir(repository), nil, "git", "init", "--quiet", "--initial-branch=main", repository)
	must(b, repository, nil, "git", "config", "user.name", "Olga Operator")
	must(b, repository, nil, "git", "config", "user.email", "olga@example.invalid")
	var stream strings.Builder
	now := time.Now().Unix()
	for i := range serveActs {
		name := fmt.Sprintf("work%d", i)
		source := fmt.Sprintf("def %s(a, b):\n    if a > b:\n        return a - b\n    return b * %d + a\n", name, i)
		message := fmt.Sprintf("ACT: T%03d %s\n\nDone: Add %s() | src/%s.py:1-4\nActor: executor-%d\n", i, name, name, name, i%10)
		fmt.Fprintf(&stream, "commit refs/heads/main\ncommitter a <a@agents.invalid> %d +0000\ndata %d\n%s\nM 644 inline src/%s.py\ndata %d\n%s\n",
			now-int64(serveActs-i)*60, len(message), message, name, len(source), source)
	}
	cmd := exec.Command("git", "fast-import", "--quiet")
	cmd.Dir, cmd.Stdin = repository, strings.NewReader(stream.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
}

// startServer starts the executable on a free port, and returns where it answers.
func startServer(b *testing.B, program string, args ...string) string {
	b.Helper()
	cmd := exec.Command(program, append([]string{"--addr", "127.0.0.1:0"}, args...)...)
	cmd.Env, cmd.Stderr = append(os.Environ(), "ACTA_TOKEN="+serveToken), os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			b.Error(err)
		}
		if err := cmd.Wait(); err != nil {
			b.Errorf("the server ended with %v", err)
		}
	})
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		b.Fatal("the server did not start")
	}
	return strings.TrimPrefix(lines.Text(), "acta: serving ")
}

func ask(client *http.Client, url string) error {
	answer, err := client.Get(url)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	n, err := io.Copy(io.Discard, answer.Body)
	if err == nil && (answer.StatusCode != http.StatusOK || n == 0) {
		err = fmt.Errorf("%s: %s, %d bytes", url, answer.Status, n)
	}
	return err
}

// scoreOf is the score of all actors together, 0 where there is none.
func scoreOf(b *testing.B, client *http.Client, url string) int {
	b.Helper()
	answer, err := client.Get(url + "/api/score")
	if err != nil {
		b.Fatal(err)
	}
	defer answer.Body.Close()
	var said struct{ Total struct{ Score *int } }
	if err := json.NewDecoder(answer.Body).Decode(&said); err != nil || said.Total.Score == nil {
		b.Fatal(answer.Status, err)
	}
	return *said.Total.Score
}

// vote votes, each time as soon as the answer to the vote before is there, until the time is over, and tells how long each vote took.
func vote(ctx context.Context, b *testing.B, client *http.Client, url string) (took []time.Duration) {
	b.Helper()
	last := 0
	for ctx.Err() == nil {
		start := time.Now()
		r, err := http.NewRequestWithContext(context.WithoutCancel(ctx), "POST", url+"/api/score/feedback", strings.NewReader(`{"vote": "up", "actor": "executor-1"}`))
		if err != nil {
			b.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+serveToken)
		r.Header.Set("Content-Type", "application/json")
		answer, err := client.Do(r)
		if err != nil {
			b.Error(err)
			continue
		}
		var said struct{ Delta, Score int }
		err = json.NewDecoder(answer.Body).Decode(&said)
		_ = answer.Body.Close()
		if err != nil || answer.StatusCode != http.StatusOK || said.Delta != 3 || len(took) > 0 && said.Score != last+3 {
			b.Errorf("vote %d: %s, %+v after %d, %v", len(took), answer.Status, said, last, err)
		}
		last = said.Score
		took = append(took, time.Since(start))
	}
	return took
}
