package bench

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/acta-git/acta/plan"
)

// unitsOf is how many units of the plan stand in one parent.
const unitsOf = 100

// BenchmarkUnits measures, on a history of UNITS (in the environment; 10,000 where nobody says) ACTs of one claim each
// and a plan of as many units, whole processes that read all of it, and the first answers of the page: one asked for as
// soon as the server says that it serves, and one asked for when that is there.
func BenchmarkUnits(b *testing.B) {
	dir := b.TempDir()
	_, acta := build(b, dir)
	server := filepath.Join(dir, "acta-serve")
	must(b, "..", nil, "go", "build", "-tags", "urfave_cli_no_docs,netgo,osusergo", "-o", server, "./cmd/acta-serve")
	units := asked(b, "UNITS", 10_000)
	repository := unitsRepository(b, dir, units)
	took := map[string][]float64{}
	run := func(name string, args ...string) {
		took[name] = append(took[name], timed(b, repository, append([]string{acta}, args...)))
	}
	must(b, repository, nil, acta, "score") // which keeps what it judged
	for args, unit := range map[string]int{
		"plan next": (units - 1) / unitsOf * unitsOf, "plan show": units - 1, "drift": units - 1, "worklog list": units - 1,
	} {
		cmd := exec.Command(acta, strings.Fields(args)...)
		cmd.Dir = repository
		if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, fmt.Appendf(nil, "T%05d", unit)) {
			b.Fatalf("acta %s does not say T%05d: %v\n%.1000s", args, unit, err, out)
		}
	}
	client := &http.Client{Timeout: time.Minute}
	page := func(name, url string) {
		start := time.Now()
		if err := ask(client, url); err != nil {
			b.Fatal(err)
		}
		took[name] = append(took[name], float64(time.Since(start).Microseconds())/1000)
	}
	for range b.N {
		run("start", "--version")
		run("next", "plan", "next")
		run("show", "plan", "show")
		run("drift", "drift")
		run("list", "worklog", "list")
		url := startServer(b, server, "--repo", repository)
		page("at-once", url)
		page("page", url+"/?repo="+filepath.Base(repository)) // which is not the one that is kept
	}
	for _, name := range []string{"start", "next", "show", "drift", "list", "at-once", "page"} {
		measured(b, took, name, "start")
	}
	b.ReportMetric(float64(units), "units")
}

// unitsRepository has an ACT for every unit of its plan, of which the last parent's are in progress.
func unitsRepository(b *testing.B, dir string, units int) string {
	b.Helper()
	repository := filepath.Join(dir, "units")
	must(b, dir, nil, "git", "init", "--quiet", "--initial-branch=main", repository)
	scoreImport(b, repository, 0, units, 1)
	must(b, repository, nil, "git", "reset", "--quiet", "--hard")
	planned := filepath.Join(repository, "working_plan", "current.json")
	if err := os.MkdirAll(filepath.Dir(planned), 0o777); err != nil {
		b.Fatal(err)
	}
	write(b, planned, string(unitsPlan(units)))
	must(b, repository, nil, "git", "add", "working_plan")
	must(b, repository, nil, "git", "-c", "user.name=a", "-c", "user.email=a@agents.invalid", "commit", "--quiet", "-m", "Plan")
	must(b, repository, nil, "git", "gc", "--quiet") // as a clone is
	return repository
}

// unitsPlan is the plan of so many units, as `acta plan` writes one.
func unitsPlan(units int) []byte {
	root := &plan.Unit{ID: "root", Type: "parent", Description: "Everything", Status: plan.InProgress}
	milestone := &plan.Unit{ID: "M01", Type: "parent", Description: "All of it", Status: plan.InProgress}
	root.Children = []*plan.Unit{milestone}
	for n := range units {
		if n%unitsOf == 0 {
			slice := &plan.Unit{ID: fmt.Sprintf("S%02d", n/unitsOf), Type: "parent", Description: "A part", Status: plan.Complete}
			milestone.Children = append(milestone.Children, slice)
		}
		slice := milestone.Children[n/unitsOf]
		task := &plan.Unit{ID: fmt.Sprintf("T%05d", n), Type: "atomic", Description: "work", Status: plan.Complete,
			Checklist: []plan.Item{{Text: fmt.Sprintf("Add work_%d_0", n)}}}
		if n/unitsOf == (units-1)/unitsOf {
			slice.Status, task.Status = plan.InProgress, plan.InProgress
		}
		slice.Children = append(slice.Children, task)
	}
	return plan.Write(root)
}
