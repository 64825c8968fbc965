package worklog

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

var when = time.Date(2026, 1, 26, 14, 32, 15, 0, time.UTC)

func add(t *testing.T, dir string, pairs ...string) {
	t.Helper()
	var all []Rewrite
	for _, p := range pairs {
		old, to, _ := strings.Cut(p, ">")
		all = append(all, Rewrite{By: "rebase", Old: old, New: to, Time: when})
	}
	if err := AddRewrites(context.Background(), dir, all); err != nil {
		t.Fatal(err)
	}
}

func state(dir string) string { return filepath.Join(dir, "acta", "rewrites.jsonl") }

func TestRewritesAreFollowedToTheirEnd(t *testing.T) {
	dir := t.TempDir()
	if m, err := Rewrites(dir); err != nil || len(m) != 0 {
		t.Fatalf("before anything was written: %v, %v", m, err)
	}
	add(t, dir, "a>b", "x>y")
	add(t, dir, "b>c", "d>c") // amended, and squashed
	add(t, dir, "y>x")        // made again as it was
	add(t, dir, "e>e")
	m, err := Rewrites(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(m), "map[a:c b:c d:c y:x]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestEveryLineFollowsFromTheOneBefore(t *testing.T) {
	dir := t.TempDir()
	add(t, dir, "a>b")
	add(t, dir, "b>c", "c>d")
	data, err := os.ReadFile(state(dir))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(data), "\n")
	if want := `{"previous":"","by":"rebase","old":"a","new":"b","time":"2026-01-26T14:32:15Z"}` + "\n"; len(lines) != 4 || lines[0] != want {
		t.Fatalf("got %q", lines)
	}
	for name, edited := range map[string]string{
		"changed":    strings.Replace(string(data), `"new":"c"`, `"new":"x"`, 1),
		"taken out":  lines[0] + lines[2],
		"turned":     lines[0] + lines[2] + lines[1],
		"put before": lines[1] + lines[2],
		"no JSON":    lines[0] + "x\n",
	} {
		if err := os.WriteFile(state(dir), []byte(edited), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Rewrites(dir); err == nil || !strings.Contains(err.Error(), "rewrites.jsonl:") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWhatACrashLeftOfALineIsNoLine(t *testing.T) {
	for name, left := range map[string]string{"nothing": "", "half a line": `{"previous":"", "by`, "a long half": strings.Repeat("x", 3*tailSize)} {
		dir := t.TempDir()
		add(t, dir, "a>b", strings.Repeat("c", 2*tailSize)+">d")
		f, err := os.OpenFile(state(dir), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(left); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if m, err := Rewrites(dir); err != nil || len(m) != 2 {
			t.Errorf("%s: read %v, %v", name, m, err)
		}
		add(t, dir, "b>e")
		if m, err := Rewrites(dir); err != nil || m["a"] != "e" {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
}

func TestWritersWaitForEachOther(t *testing.T) {
	dir := t.TempDir()
	var writers sync.WaitGroup
	for i := range 20 {
		writers.Go(func() { add(t, dir, fmt.Sprintf("o%d>n%d", i, i), fmt.Sprintf("p%d>n%d", i, i)) })
	}
	writers.Wait()
	if m, err := Rewrites(dir); err != nil || len(m) != 40 {
		t.Errorf("%d rewrites, %v", len(m), err)
	}
}

func TestAWriterGivesUpOnALockThatIsHeld(t *testing.T) {
	dir := t.TempDir()
	add(t, dir, "a>b")
	lock := flock.New(state(dir) + ".lock")
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Unlock() }()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := AddRewrites(ctx, dir, []Rewrite{{Old: "b", New: "c"}})
	if err == nil || !strings.Contains(err.Error(), "locked by another process") {
		t.Errorf("got %v", err)
	}
}
