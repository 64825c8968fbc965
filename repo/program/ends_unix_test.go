//go:build unix

package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// shell is a call of a few words of shell.
func shell(t *testing.T, words string) Call {
	t.Helper()
	return Call{Args: []string{"sh", "-c", words}, Timeout: time.Minute, Dir: t.TempDir(), Env: []string{"PATH=/usr/bin:/bin"}}
}

// What a program has started does not outlive it, whether it ended by itself or was ended: a pipe that the child holds
// open for writing is read to its end.
func TestNothingThatAProgramStartedOutlivesIt(t *testing.T) {
	for name, c := range map[string]struct {
		words string
		limit time.Duration
		late  bool
	}{
		"it ends and leaves a child":        {"sleep 300 >held 2>&1 & echo >started", time.Minute, false},
		"it is ended together with a child": {"sleep 300 >held 2>&1 & echo >started; sleep 300", 300 * time.Millisecond, true},
	} {
		call := shell(t, c.words)
		call.Timeout = c.limit
		held := filepath.Join(call.Dir, "held")
		if err := syscall.Mkfifo(held, 0o600); err != nil {
			t.Fatal(err)
		}
		pipe, err := os.OpenFile(held, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err != nil {
			t.Fatal(err)
		}
		if ended := call.Run(t.Context()); ended.TimedOut != c.late || !ended.WasStarted {
			t.Errorf("%s: %+v", name, ended)
		}
		if err := pipe.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(pipe); err != nil {
			t.Errorf("%s: its child runs on: %v", name, err)
		}
		if err := pipe.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestACallEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := shell(t, "sleep 300").Run(ctx); got.Err == nil || got.WasStarted {
		t.Errorf("after the end it is started: %+v", got)
	}
}

func TestALongOutputBeginsWithALine(t *testing.T) {
	call := shell(t, "i=0; while [ $i -lt 9000 ]; do echo \"line $i of a long output\"; i=$((i+1)); done")
	got := call.Run(t.Context())
	if got.Err != nil || len(got.Output) > maxOutput || !strings.HasPrefix(string(got.Output), "line ") ||
		!strings.HasSuffix(string(got.Output), "line 8999 of a long output\n") {
		t.Errorf("%d bytes, from %.30q, %v", len(got.Output), got.Output, got.Err)
	}
	if got := shell(t, "echo out; echo err >&2").Run(t.Context()); string(got.Output) != "out\nerr\n" {
		t.Errorf("%q", got.Output)
	}
}

func TestOneLongLineIsKeptFromItsEnd(t *testing.T) {
	out := &tailBuffer{}
	fmt.Fprint(out, strings.Repeat("x", maxOutput+10)+"end")
	if got := string(out.bytes()); len(got) != maxOutput || !strings.HasSuffix(got, "xend") {
		t.Errorf("%d bytes", len(got))
	}
}

func TestAProgramThatHasEndedCannotBeEnded(t *testing.T) {
	for name, separate := range map[string]func(*exec.Cmd){"a session": Detach, "a group": Group} {
		for end, by := range map[string]func(*os.Process) error{"killed": Kill, "terminated": Terminate} {
			cmd := exec.Command("sleep", "300")
			separate(cmd)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if err := by(cmd.Process); err != nil {
				t.Errorf("%s cannot be %s: %v", name, end, err)
			}
			if err := cmd.Wait(); err == nil {
				t.Errorf("%s that is %s ends well", name, end)
			}
			if err := by(cmd.Process); !errors.Is(err, os.ErrProcessDone) {
				t.Errorf("%s, %s once more: %v", name, end, err)
			}
		}
	}
}
