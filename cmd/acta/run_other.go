//go:build !unix

package main

import (
	"os"
	"os/exec"
)

// runWithSignals runs a command to its end.
func runWithSignals(cmd *exec.Cmd) error { return cmd.Run() }

// exitCode is a command's exit code.
func exitCode(s *os.ProcessState) int { return s.ExitCode() }
