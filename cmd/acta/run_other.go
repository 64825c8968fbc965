//go:build !unix

package main

import (
	"errors"
	"os"
	"os/exec"
)

func runWithSignals(cmd *exec.Cmd) error { return cmd.Run() }

func exitCode(s *os.ProcessState) int { return s.ExitCode() }

// replaceProcess runs another program with the same standard input and output, and returns its exit code.
func (c command) replaceProcess(program string, args []string) error {
	cmd := exec.Command(program, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.stdin(), c.Stdout.Raw(), c.Stderr.Raw()
	err := cmd.Run()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		return exitError(failed.ExitCode())
	}
	return err
}
