//go:build unix

package agent

import (
	"os/exec"
	"syscall"
)

// alone gives an agent a process group of its own, so that all that it starts can be ended with it.
func alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// endGroup ends what an agent has left running: it would change files while they are committed.
func endGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // nothing is left, as a rule
	}
}

// gently lets git remove its locks when the loop is stopped.
func gently(cmd *exec.Cmd) {
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
}
