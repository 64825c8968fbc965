//go:build unix

package agent

import (
	"os/exec"
	"syscall"
)

// gently lets git remove its locks when the loop is stopped.
func gently(cmd *exec.Cmd) {
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
}
