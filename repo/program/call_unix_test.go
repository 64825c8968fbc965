//go:build unix

package program

import (
	"errors"
	"os/exec"
	"strings"
	"testing"
	"time"
)

func TestTheEndOfAnOutputIsKept(t *testing.T) {
	out := &tailBuffer{}
	for range 100 {
		if n, err := out.Write(make([]byte, 50_000)); n != 50_000 || err != nil {
			t.Fatal(n, err)
		}
		if cap(out.buf) > 8*maxOutput {
			t.Fatalf("%d bytes held", cap(out.buf))
		}
	}
	if n := len(out.bytes()); n != maxOutput {
		t.Errorf("%d bytes kept", n)
	}
}

func TestACallHasItsInputAndNoToken(t *testing.T) {
	env := []string{"ACTA_TOKEN=secret", "WHO=executor-01", "SECRET=x", "PATH=/usr/bin:/bin", "TZ=UTC"}
	c := Call{Args: []string{"sh", "-c", `cat; echo "$WHO $ACTA_TOKEN$SECRET.$TZ.$TOLD"; pwd; exit 3`}, Timeout: time.Minute, Dir: "/",
		Env: env, PassEnv: []string{"WHO", "ACTA_TOKEN"}, AddEnv: []string{"TOLD=1"}, Input: []byte("in\n")}
	got := c.Run(t.Context())
	var exit *exec.ExitError
	if !errors.As(got.Err, &exit) || exit.ExitCode() != 3 || !got.WasStarted || got.TimedOut {
		t.Errorf("%+v", got)
	}
	if want := "in\nexecutor-01 .UTC.1\n/\n"; string(got.Output) != want {
		t.Errorf("printed %q, want %q", got.Output, want)
	}
	// What is read by nobody is no error, however long it is.
	c.Args, c.Input = []string{"true"}, []byte(strings.Repeat("x", 1<<20))
	if got := c.Run(t.Context()); got.Err != nil {
		t.Error(got.Err)
	}
	c.Args = []string{"./no-such-program"}
	if got := c.Run(t.Context()); got.Err == nil || got.WasStarted {
		t.Errorf("%+v", got)
	}
	c.Args, c.Timeout = []string{"sleep", "300"}, 50*time.Millisecond
	if got := c.Run(t.Context()); got.Err == nil || !got.TimedOut {
		t.Errorf("%+v", got)
	}
}
