//go:build !unix

package program

import (
	"os"
	"os/exec"
)

// Detach and Group are nothing where there are no sessions and groups of processes.
func Detach(*exec.Cmd) {}

// Group is nothing here, see Detach.
func Group(*exec.Cmd) {}

// Kill ends the program alone.
func Kill(p *os.Process) error { return p.Kill() }

// Terminate ends the program alone.
func Terminate(p *os.Process) error { return p.Kill() }
