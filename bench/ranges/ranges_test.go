package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acta-git/acta/repo/repotest"
)

// A made history is judged whole, on one core as on all of them, and its ACTs are honest.
func TestAMadeHistoryIsJudgedWhole(t *testing.T) {
	acta := filepath.Join(t.TempDir(), "acta")
	if out, err := exec.Command("go", "build", "-C", "../..", "-o", acta, "./cmd/acta").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	repotest.Isolate(t)
	const commits = actEvery + actEvery/2 + 50
	dir := t.TempDir()
	if err := Synthetic(dir, commits); err != nil {
		t.Fatal(err)
	}
	objects, err := git(dir, "rev-list", "--count", "--objects", "HEAD")
	if want := fmt.Sprint(5 * commits); err != nil || objects != want {
		t.Errorf("%s objects (%v), want %s", objects, err, want)
	}
	row, log, core, err := measure(acta, dir, 100)
	if err != nil || !strings.Contains(row, "| 100 |") || log <= 0 || core <= log {
		t.Errorf("%q, %v, %v, %v", row, log, core, err)
	}
	if took, acts, err := ParseCited(t.Context(), commits); err != nil || acts != 2 || took <= 0 {
		t.Errorf("%d ACTs in %v, %v", acts, took, err)
	}
	judged, err := timed(dir, nil, acta, "verify", "--format", "json", "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	var report struct {
		Commits, Acts int
		Claims        map[string]int
	}
	if err := json.Unmarshal(judged.out, &report); err != nil {
		t.Fatal(err)
	}
	if report.Commits != commits || report.Acts != 2 || report.Claims["verified"] != 2 {
		t.Errorf("%+v, want %d commits and two ACTs that hold", report, commits)
	}
}
