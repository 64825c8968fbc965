package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/acta-git/acta/repo/program/peer"
	"github.com/acta-git/acta/repo/repotest"
)

// counting is a shell script that counts a signal until it is told to end, and exits with the count.
const counting = `n=0; trap 'n=$((n+1)); echo got' SIG; echo ready; while :; do read line; test "$line" = end && exit $((40+n)); done`

// ending is a command that has a minute, as every wait in a test ends, and the signals that it needs: what a shell starts
// in the background, or nohup, ignores some, and hands that on.
func ending(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, os.Interrupt, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1)
	t.Cleanup(func() { signal.Stop(caught) })
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = time.Second
	return cmd
}

// A signal that acta alone gets is handed on.
func TestSignalsReachTheCommandThatIsRun(t *testing.T) {
	for name, s := range map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP, "USR1": syscall.SIGUSR1} {
		cmd := ending(t, actaCommand(t), "run", "--", "sh", "-c", "trap 'exit 41' "+name+"; echo ready; while :; do :; done")
		cmd.Dir, cmd.Env = t.TempDir(), repotest.Env(t.TempDir())
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
			t.Fatal(line, err)
		}
		if err := cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		_ = in.Close()
		if code := cmd.ProcessState.ExitCode(); code != 41 {
			t.Errorf("%s: exit code %d", name, code)
		}
	}
}

// What waits for standard input, which says no more, ends by the first signal.
func TestASignalEndsACommandThatWaits(t *testing.T) {
	w := repotest.NewWorkTree(t)
	for _, line := range []string{"check --message -", "policy check -", "hook pre-push origin url", "mcp", "agent hook --host codex"} {
		for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			cmd := ending(t, actaCommand(t), strings.Fields(line)...)
			cmd.Dir, cmd.Env = w.Dir, repotest.Env(t.TempDir())
			out, in, err := os.Pipe()
			if err == nil {
				_, err = in.WriteString("{")
			}
			cmd.Stdin = out
			if err := errors.Join(err, cmd.Start()); err != nil {
				t.Fatal(err)
			}
			for left := 1; left > 0; { // until it reads
				if left, err = unix.IoctlGetInt(int(out.Fd()), unix.TIOCINQ); err != nil {
					t.Fatal(err)
				}
			}
			err = cmd.Process.Signal(s)
			_ = cmd.Wait()
			err = errors.Join(err, in.Close(), out.Close())
			if err != nil || cmd.ProcessState.ExitCode() < 0 {
				t.Errorf("%s: %v did not end it: %v, %v", line, s, cmd.ProcessState, err)
			}
		}
	}
}

// openTerminal opens a pair of a terminal's two ends.
func openTerminal(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	peer.Need(t, "terminal", err)
	t.Cleanup(func() { _ = master.Close() })
	name, err := slaveOf(int(master.Fd()))
	peer.Need(t, "terminal", err)
	if slave, err = os.OpenFile(name, os.O_RDWR|syscall.O_NOCTTY, 0); err != nil {
		t.Fatal(err)
	}
	return master, slave
}

// The command has the terminal, and gets what is typed there once.
func TestTheCommandThatIsRunHasTheTerminal(t *testing.T) {
	master, slave := openTerminal(t)
	cmd := ending(t, actaCommand(t), "run", "--", "sh", "-c",
		"test -t 0 && test -t 1 && test -t 2 && echo terminal; "+strings.ReplaceAll(counting, "SIG", "INT"))
	cmd.Dir, cmd.Env = t.TempDir(), repotest.Env(t.TempDir())
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := slave.Close(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(master)
	await := func(want string) {
		t.Helper()
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatalf("waiting for %q: %v", want, err)
			}
			if strings.Contains(line, want) {
				return
			}
		}
	}
	await("terminal")
	await("ready")
	// Ctrl-C; the empty line ends a read that began after the signal, and runs the trap.
	if _, err := master.Write([]byte{3, '\n'}); err != nil {
		t.Fatal(err)
	}
	await("got")
	if _, err := master.Write([]byte("end\n")); err != nil {
		t.Fatal(err)
	}
	await("Ran: ")
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 41 {
		t.Errorf("exit code %d: the signal came %d times", code, code-40)
	}
}

// slaveOf is the name of a terminal's other end.
func slaveOf(master int) (string, error) {
	if err := unix.IoctlSetPointerInt(master, unix.TIOCSPTLCK, 0); err != nil {
		return "", err
	}
	n, err := unix.IoctlGetInt(master, unix.TIOCGPTN)
	return fmt.Sprintf("/dev/pts/%d", n), err
}
