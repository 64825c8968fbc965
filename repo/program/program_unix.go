//go:build unix

package program

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// Detach gives a program that is not started yet a session of its own (setsid(2)):
// nothing below it can ask at the terminal, and Kill and Terminate reach it whole.
func Detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// Group gives a program that is not started yet a process group of its own
// (setpgid(2)), so that Kill and Terminate reach it whole.
func Group(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// Kill ends at once a program that was given a session or group of its own, and
// everything in it; os.ErrProcessDone where nothing of it is left.
func Kill(p *os.Process) error { return signal(p, syscall.SIGKILL) }

// Terminate asks the program and everything in its group to end. A git that holds a
// lock then removes it; killed, it would leave the user's index locked.
func Terminate(p *os.Process) error { return signal(p, syscall.SIGTERM) }

func signal(p *os.Process, s syscall.Signal) error {
	err := syscall.Kill(-p.Pid, s)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}
