//go:build unix

package repo

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// detach gives the child a session of its own: what it starts (a lazy fetch of
// a partial clone) ends with it, and nothing below it can ask at the terminal.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}

// kill ends the child and everything it started, at once.
func kill(p *os.Process) error { return signal(p, syscall.SIGKILL) }

// terminate asks the child and everything it started to end. A git that holds a
// lock then removes it; killed, it would leave the user's index locked.
func terminate(p *os.Process) error { return signal(p, syscall.SIGTERM) }

func signal(p *os.Process, s syscall.Signal) error {
	err := syscall.Kill(-p.Pid, s)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}
