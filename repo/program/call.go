package program

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"time"
)

const (
	// maxOutput is how much is kept of what a program prints: the last bytes, where it says what went wrong.
	maxOutput = 64 << 10
	// waitDelay bounds the wait for a program's pipes once it has ended or was ended.
	waitDelay = 2 * time.Second
	// withheld is the token that opens Acta's own service to writers; what a policy names needs none.
	withheld = "ACTA_TOKEN"
)

// Call is a program that a policy names: no shell, no terminal, a bounded time.
type Call struct {
	// Run is the program and its arguments.
	Run []string
	// Timeout is how long it may take; then it is killed with all that it started.
	Timeout time.Duration
	// Dir is where it runs.
	Dir string
	// Env is the caller's environment, «NAME=value» each. The program gets PATH, HOME, LANG and TZ of it, and
	// what Pass names; never ACTA_TOKEN.
	Env  []string
	Pass []string
	// Add is what it is told besides, «NAME=value» each.
	Add []string
	// Input is what it reads; nil for nothing.
	Input []byte
	// Apart: what it prints on standard output is kept apart from what it complains of.
	Apart bool
}

// Outcome is how a call ended.
type Outcome struct {
	// Started is false where there was no program to start.
	Started bool
	// Late: it was ended, for its time was over.
	Late bool
	// Output are the last 64 KiB that it printed, from the beginning of a line on where some of it is left out.
	Output []byte
	// Stdout are the last of standard output, where that was asked for apart.
	Stdout []byte
	// Err is that of exec.Cmd.Run: nil after exit code 0, exec.ErrWaitDelay where it left its output open as well.
	Err error
}

// ExitCode is that of the program: 0 where it ended well, -1 where it was not started or a signal ended it.
func (o Outcome) ExitCode() int {
	if exit, ok := errors.AsType[*exec.ExitError](o.Err); ok {
		return exit.ExitCode()
	}
	if o.Err != nil && !errors.Is(o.Err, exec.ErrWaitDelay) {
		return -1
	}
	return 0
}

// IsMissing reports whether a shell, or env(1), found no program to run (POSIX, «Exit Status for Commands»).
func IsMissing(exit *exec.ExitError) bool { return exit.ExitCode() == 126 || exit.ExitCode() == 127 }

// Do runs the program to its end. Nothing that it started outlives it.
func (c Call) Do(ctx context.Context) Outcome {
	limited, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	cmd := exec.CommandContext(limited, c.Run[0], c.Run[1:]...)
	Detach(cmd)
	cmd.Cancel = func() error { return Kill(cmd.Process) }
	cmd.Dir, cmd.WaitDelay = c.Dir, waitDelay
	cmd.Env = c.environ()
	if c.Input != nil {
		cmd.Stdin = bytes.NewReader(c.Input)
	}
	out, apart := &tail{}, &tail{}
	if cmd.Stdout, cmd.Stderr = out, out; c.Apart {
		cmd.Stdout = apart
	}
	err := cmd.Run()
	if cmd.Process != nil {
		_ = Kill(cmd.Process) // what it has left running; nothing, as a rule
	}
	return Outcome{Started: cmd.Process != nil, Late: err != nil && limited.Err() != nil, Output: out.bytes(),
		Stdout: apart.bytes(), Err: err}
}

// passed are the variables that every program gets.
var passed = [...]string{"PATH", "HOME", "LANG", "TZ"}

// environ is what the program gets of the environment: whose policy it is may not be who owns the secrets there.
func (c Call) environ() []string {
	env := []string{} // nil would be the whole of it
	for _, v := range c.Env {
		name, _, _ := strings.Cut(v, "=")
		if name != withheld && (slices.Contains(passed[:], name) || slices.Contains(c.Pass, name)) {
			env = append(env, v)
		}
	}
	return append(env, c.Add...)
}

// tail keeps the last maxOutput bytes of what is written to it.
type tail struct {
	buf []byte
	cut bool
}

func (t *tail) Write(p []byte) (int, error) {
	t.buf = append(t.buf, p...)
	if len(t.buf) > 2*maxOutput {
		t.shorten()
	}
	return len(p), nil
}

func (t *tail) shorten() {
	if over := len(t.buf) - maxOutput; over > 0 {
		t.buf, t.cut = append(t.buf[:0], t.buf[over:]...), true
	}
}

// bytes is the end of the output, from the beginning of a line on where some of it is left out.
func (t *tail) bytes() []byte {
	t.shorten()
	if _, rest, found := bytes.Cut(t.buf, []byte{'\n'}); t.cut && found {
		return bytes.Clone(rest)
	}
	return bytes.Clone(t.buf)
}
