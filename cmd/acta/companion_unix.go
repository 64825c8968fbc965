//go:build unix

package main

import (
	"os"
	"path/filepath"
	"syscall"
)

// replaceProcess makes this process another program, with the same standard input and output.
func (command) replaceProcess(program string, args []string) error {
	return syscall.Exec(program, append([]string{filepath.Base(program)}, args...), os.Environ())
}
