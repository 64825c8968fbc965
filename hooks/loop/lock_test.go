//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package loop

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/acta-git/acta/plan"
)

// isFree takes the lock as another loop would, and gives it back.
func isFree(t *testing.T, dir string) bool {
	t.Helper()
	l, err := tryLock(dir)
	if err != nil {
		t.Fatal(err)
	}
	if l == nil {
		return false
	}
	if err := l.release(); err != nil {
		t.Fatal(err)
	}
	return true
}

// What a killed loop has left running holds its lock until it ends.
func TestALockIsHeldByWhatItsLoopStarted(t *testing.T) {
	dir := t.TempDir()
	l, err := tryLock(dir)
	if err != nil || l == nil {
		t.Fatal(l, err)
	}
	if isFree(t, dir) {
		t.Error("two loops have the lock")
	}
	left := exec.Command("cat") // until its input ends
	left.ExtraFiles = l.inherited()
	in, err := left.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := left.Start(); err != nil {
		t.Fatal(err)
	}
	if err := l.file.Close(); err != nil { // as the kernel does when the loop is killed
		t.Fatal(err)
	}
	if isFree(t, dir) {
		t.Error("the lock is free while something of the loop runs")
	}
	in.Close()
	if err := left.Wait(); err != nil {
		t.Fatal(err)
	}
	if !isFree(t, dir) {
		t.Error("the lock is held by nobody")
	}
}

// With an agent ends all that it started, whether it took too long or left something behind: what still ran would
// hold the lock.
func TestAnAgentEndsWithAllThatItStarted(t *testing.T) {
	for command, timeout := range map[string]time.Duration{
		"sleep 300 & sleep 300":                          50 * time.Millisecond,
		"sleep 300 >/dev/null 2>&1 </dev/null & echo {}": 0,
	} {
		dir := t.TempDir()
		l, err := tryLock(dir)
		if err != nil {
			t.Fatal(err)
		}
		w := &run{Loop: &Loop{Timeout: timeout, Env: os.Environ(), Stderr: io.Discard}, top: dir, lock: l}
		reply, err := w.ask(t.Context(), &turn{unit: &plan.Node{Key: "T01"}}, executor, command, nil)
		if isUnusable(err) != (timeout > 0) || timeout == 0 && !bytes.Equal(reply, []byte("{}\n")) {
			t.Errorf("%s: %q, %v", command, reply, err)
		}
		if err := l.file.Close(); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		// A killed process takes a moment to end.
		if poll(ctx, func() (bool, error) { return isFree(t, dir), nil }) != nil {
			t.Fatalf("%s: something is still running", command)
		}
	}
}

// A program that a user's hook leaves running keeps git's output open; the commit stands all the same.
func TestACommitStandsWhoseHookLeavesSomethingRunning(t *testing.T) {
	w := newWorld(t)
	gate := filepath.Join(w.Dir, "..", "gate")
	if err := syscall.Mkfifo(gate, 0o600); err != nil {
		t.Fatal(err)
	}
	w.Hook("post-commit", "exec cat ../gate &\n") // until somebody writes there
	w.works(1, "ACT: S01/T01 login")
	equal(t, "refused", w.refused)
	end, err := os.OpenFile(gate, os.O_WRONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal("nothing was left running: ", err)
	}
	end.Close()
}

// A loop that is stopped waits for no other.
func TestWhoIsStoppedWaitsForNoLock(t *testing.T) {
	dir := t.TempDir()
	l, err := takeLock(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := takeLock(stopped, dir); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if err := l.release(); err != nil || !isFree(t, dir) {
		t.Errorf("it is not free again: %v", err)
	}
}
