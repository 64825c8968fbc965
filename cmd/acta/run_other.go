//go:build !unix

package main

import (
	"os"
	"os/exec"
)

func runWithSignals(cmd *exec.Cmd) error { return cmd.Run() }

func exitCode(s *os.ProcessState) int { return s.ExitCode() }
