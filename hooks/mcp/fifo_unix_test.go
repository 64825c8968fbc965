//go:build unix

package mcp

import (
	"syscall"
	"testing"
)

// fifo makes a pipe with a name, at which two processes wait for each other.
func fifo(t *testing.T, name string) {
	t.Helper()
	if err := syscall.Mkfifo(name, 0o666); err != nil {
		t.Fatal(err)
	}
}
