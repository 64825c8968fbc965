//go:build unix

package heartbeat

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/acta-git/acta/judge/policy"
)

// pipe is a named pipe in the work tree. begun waits for a first byte in it, ended until nobody writes to it any more.
func (w *testTree) pipe(name string) (begun, ended func()) {
	w.t.Helper()
	path := filepath.Join(w.dir, name)
	if err := syscall.Mkfifo(path, 0o666); err != nil {
		w.t.Fatal(err)
	}
	first, done := make(chan struct{}), make(chan error, 1)
	go func() {
		f, err := os.Open(path) // waits for a writer
		if err == nil {
			_, _ = f.Read(make([]byte, 1))
			close(first)
			_, err = io.Copy(io.Discard, f)
			_ = f.Close()
		}
		done <- err
	}()
	return func() { <-first }, func() {
		w.t.Helper()
		if err := <-done; err != nil {
			w.t.Error(err)
		}
	}
}

// A verifier that takes too long is ended with all that it started, and so is what one that ends leaves behind.
func TestAVerifierEndsWithAllThatItStarted(t *testing.T) {
	w := newTree(t, map[string]string{".acta.yaml": `verifiers:
  late: {run: [sh, -c, 'sleep 300 >late & (trap "" TERM HUP INT; sleep 300) >late & echo begun; sleep 300'], timeout: 300ms}
  left: {run: [sh, -c, 'sleep 300 </dev/null >left 2>&1 & exit 1']}
`})
	_, late := w.pipe("late")
	_, left := w.pipe("left")
	got := w.verify("[x] a | d | verify: late", "[x] b | d | verify: left")
	late()
	left()
	want := "a unclear contradiction=false attempts=1 judged=true the verifier late was ended: it took longer than 300ms\n" +
		"b not_verified contradiction=true attempts=1 judged=true the verifier left ended with exit code 1\n"
	if verdicts(got) != want {
		t.Errorf("got\n%swant\n%s", verdicts(got), want)
	}
	if string(got[0].Output) != "begun\n" {
		t.Errorf("kept %q", got[0].Output)
	}
}

func TestAnInterruptedVerifierIsEnded(t *testing.T) {
	w := newTree(t, nil)
	begun, ended := w.pipe("fifo")
	ctx, stop := context.WithCancel(t.Context())
	v := &Verification{Top: w.dir, CommonDir: w.commonDir(), Env: w.env, policy: &policy.Policy{}}
	done := make(chan error, 1)
	spec := policy.Verifier{Run: []string{"sh", "-c", "(echo; sleep 300) >fifo & sleep 300"}, Timeout: time.Hour}
	go func() { done <- v.runVerifier(ctx, "slow", spec, &Result{}) }()
	begun()
	stop()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	ended()
}

// A verifier that prints without end costs no memory, and its last lines are kept.
func TestTheEndOfTheOutputIsKept(t *testing.T) {
	w := newTree(t, map[string]string{".acta.yaml": "verifiers:\n  loud: {run: [sh, -c, 'head -c 3000000 /dev/zero | tr \"\\\\0\" a | fold; echo; echo the end >&2; exit 1']}\n"})
	r := w.verify("[ ] Loud One | d | verify: loud")[0]
	if len(r.Output) > 64<<10 || !strings.HasSuffix(string(r.Output), "\nthe end\n") {
		t.Errorf("%d bytes kept, ending in %q", len(r.Output), r.Output[max(0, len(r.Output)-20):])
	}
	if kept, err := os.ReadFile(r.OutputFile); err != nil || string(kept) != string(r.Output) || filepath.Base(r.OutputFile) != "loud_one.log" {
		t.Errorf("%s: %d bytes, %v", r.OutputFile, len(kept), err)
	}
	if info, err := os.Stat(r.OutputFile); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}
