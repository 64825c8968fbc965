//go:build unix

package loop

import (
	"os/exec"
	"syscall"
)

// stopGently lets git remove its locks when the loop is stopped.
func stopGently(cmd *exec.Cmd) {
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
}
