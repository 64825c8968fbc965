package journal

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gofrs/flock"
)

func add(t *testing.T, dir string, pairs ...string) []string {
	t.Helper()
	var all []Rewrite
	for _, p := range pairs {
		old, to, _ := strings.Cut(p, ">")
		all = append(all, Rewrite{Command: "rebase", Old: old, New: to, Time: when})
	}
	warnings, err := AddRewrites(context.Background(), dir, all)
	if err != nil {
		t.Fatal(err)
	}
	return warnings
}

func rewritesFile(dir string) string { return filepath.Join(dir, "acta", "rewrites.jsonl") }

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

func TestRewritesOfAnEditedRecordAreAnError(t *testing.T) {
	dir := t.TempDir()
	add(t, dir, "a>b")
	add(t, dir, "b>c", "c>d")
	data := string(read(t, rewritesFile(dir)))
	if want := `{"prev":"","by":"rebase","old":"a","new":"b","time":"2026-01-26T14:32:15Z"}` + "\n"; !strings.HasPrefix(data, want) {
		t.Fatalf("got %q", data)
	}
	if s, err := VerifyRewrites(dir); err != nil || s.Lines != 3 || s.Fault != nil {
		t.Errorf("as written: %+v, %v", s, err)
	}
	write(t, rewritesFile(dir), []byte(strings.Replace(data, `"new":"c"`, `"new":"x"`, 1)))
	if _, err := Rewrites(dir); err == nil || !strings.Contains(err.Error(), "rewrites.jsonl:3: ") {
		t.Errorf("got %v", err)
	}
	if s, err := VerifyRewrites(dir); err != nil || s.Fault == nil || s.Fault.Line != 3 {
		t.Errorf("edited: %+v, %v", s, err)
	}
}

func TestALongLineIsReadToItsBeginning(t *testing.T) {
	dir := t.TempDir()
	add(t, dir, "a>b", strings.Repeat("c", 3*tailSize)+">d")
	write(t, rewritesFile(dir), append(read(t, rewritesFile(dir)), strings.Repeat("x", 3*tailSize)...))
	if warnings := add(t, dir, "b>e"); len(warnings) != 1 || !strings.Contains(warnings[0], fmt.Sprintf("(%d bytes)", 3*tailSize)) {
		t.Errorf("got %q", warnings)
	}
	if m, err := Rewrites(dir); err != nil || m["a"] != "e" || len(m) != 3 {
		t.Errorf("%v, %v", m, err)
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
	if s, err := VerifyRewrites(dir); err != nil || s.Fault != nil || s.Lines != 40 {
		t.Errorf("%+v, %v", s, err)
	}
}

// What took the time that a call had is no lock's fault: one that is free is taken.
func TestAFreeLockIsTakenThoughTheTimeIsUp(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := AddRewrites(ctx, dir, []Rewrite{{Old: "a", New: "b"}}); err != nil {
		t.Error(err)
	}
}

func TestAWriterGivesUpOnALockThatIsHeld(t *testing.T) {
	dir := t.TempDir()
	add(t, dir, "a>b")
	lock := flock.New(rewritesFile(dir) + ".lock")
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Unlock() }()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := AddRewrites(ctx, dir, []Rewrite{{Old: "b", New: "c"}})
	if err == nil || !strings.Contains(err.Error(), "locked by another process") {
		t.Errorf("got %v", err)
	}
}
