//go:build unix

package main

import (
	"os"
	"path/filepath"
	"syscall"
)

// become makes this process another program, with the same standard input and output.
func (command) become(program string, args []string) error {
	return syscall.Exec(program, append([]string{filepath.Base(program)}, args...), os.Environ())
}
