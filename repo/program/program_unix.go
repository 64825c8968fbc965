//go:build unix

package program

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// Detach lets a program start in its own session (setsid(2)): it and its children cannot ask at the terminal, and Kill
// and Terminate reach them all.
func Detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// Group lets a program start in its own process group (setpgid(2)), so that Kill and Terminate reach its children too.
func Group(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// Kill kills a program that has its own session or group, and everything in it; os.ErrProcessDone if nothing is left.
func Kill(p *os.Process) error { return signal(p, syscall.SIGKILL) }

// Terminate asks the program and everything in its group to end. git then removes its locks; a killed git would leave
// the user's index locked.
func Terminate(p *os.Process) error { return signal(p, syscall.SIGTERM) }

func signal(p *os.Process, s syscall.Signal) error {
	err := syscall.Kill(-p.Pid, s)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}
