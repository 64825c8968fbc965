// Package program runs a policy's programs for a bounded time, and ends programs (git, agents, verifiers) together with
// all that they started. A command line and a time go in; output and exit state come out. It cannot reach a program
// that leaves its session. It must never import policy.
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
	// maxOutput bounds a program's output: its last bytes are kept, where errors are.
	maxOutput = 64 << 10
	// waitDelay bounds the wait for a program's pipes after its end.
	waitDelay = 2 * time.Second
	// tokenVariable is the token that lets clients write to Acta's own service; no program of a policy gets it.
	tokenVariable = "ACTA_TOKEN"
)

// Call is a program that a policy names: no shell, no terminal, a bounded time.
type Call struct {
	Args []string
	// Timeout is how long it may take; then it is killed with all processes that it started.
	Timeout time.Duration
	Dir     string
	// Env is the caller's environment, «NAME=value» each. The program gets PATH, HOME, LANG and TZ of it and the
	// variables in PassEnv; never ACTA_TOKEN.
	Env     []string
	PassEnv []string
	// AddEnv are further variables, «NAME=value» each.
	AddEnv []string
	// Input is its standard input; nil for none.
	Input []byte
	// SplitOutput: standard output goes to Outcome.Stdout, not to Output.
	SplitOutput bool
}

// Outcome is how a call ended.
type Outcome struct {
	WasStarted bool
	// TimedOut: it was killed after Timeout.
	TimedOut bool
	// Output is the last 64 KiB of its output; if it is truncated, it begins with a whole line.
	Output []byte
	// Stdout is the end of standard output, if the call splits output.
	Stdout []byte
	// Err is the error of exec.Cmd.Run: nil after exit code 0, exec.ErrWaitDelay if it also left its output open.
	Err error
}

// ExitCode is the program's: 0 for success, -1 if it was not started or a signal ended it.
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

// Run runs the program to its end. Nothing that it started outlives it.
func (c Call) Run(ctx context.Context) Outcome {
	limited, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	cmd := exec.CommandContext(limited, c.Args[0], c.Args[1:]...)
	Detach(cmd)
	cmd.Cancel = func() error { return Kill(cmd.Process) }
	cmd.Dir, cmd.WaitDelay = c.Dir, waitDelay
	cmd.Env = c.environ()
	if c.Input != nil {
		cmd.Stdin = bytes.NewReader(c.Input)
	}
	out, apart := &tailBuffer{}, &tailBuffer{}
	if cmd.Stdout, cmd.Stderr = out, out; c.SplitOutput {
		cmd.Stdout = apart
	}
	err := cmd.Run()
	if cmd.Process != nil {
		_ = Kill(cmd.Process) // children that still run; usually none
	}
	return Outcome{WasStarted: cmd.Process != nil, TimedOut: err != nil && limited.Err() != nil, Output: out.bytes(),
		Stdout: apart.bytes(), Err: err}
}

var defaultVariables = [...]string{"PATH", "HOME", "LANG", "TZ"}

// environ is the program's environment: the policy's author may not know the caller's secrets.
func (c Call) environ() []string {
	env := []string{} // nil would mean the whole environment
	for _, v := range c.Env {
		name, _, _ := strings.Cut(v, "=")
		if name != tokenVariable && (slices.Contains(defaultVariables[:], name) || slices.Contains(c.PassEnv, name)) {
			env = append(env, v)
		}
	}
	return append(env, c.AddEnv...)
}

type tailBuffer struct {
	buf   []byte
	isCut bool
}

func (t *tailBuffer) Write(p []byte) (int, error) {
	t.buf = append(t.buf, p...)
	if len(t.buf) > 2*maxOutput {
		t.shorten()
	}
	return len(p), nil
}

func (t *tailBuffer) shorten() {
	if over := len(t.buf) - maxOutput; over > 0 {
		t.buf, t.isCut = append(t.buf[:0], t.buf[over:]...), true
	}
}

// bytes is the end of the output; if it is truncated, it begins with a whole line.
func (t *tailBuffer) bytes() []byte {
	t.shorten()
	if _, rest, found := bytes.Cut(t.buf, []byte{'\n'}); t.isCut && found {
		return bytes.Clone(rest)
	}
	return bytes.Clone(t.buf)
}

// Env is an environment, «NAME=value» each, as os.Environ has it.
type Env []string

// Get is the value of a variable, "" if it is not set. The last of several values counts, as it does for a program.
func (e Env) Get(name string) (value string) {
	for _, v := range e {
		if key, set, _ := strings.Cut(v, "="); key == name {
			value = set
		}
	}
	return value
}
