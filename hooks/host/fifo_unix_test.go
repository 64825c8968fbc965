//go:build unix

package host

import (
	"syscall"
	"testing"
)

// waits are paths at which a reader would wait for ever: a pipe with a name.
func waits(t *testing.T) []string {
	t.Helper()
	pipe := t.TempDir() + "/fifo"
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	return []string{pipe, "/dev/zero"}
}
