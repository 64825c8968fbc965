//go:build !unix

package program

import (
	"os"
	"os/exec"
)

// Detach does nothing: there are no sessions and process groups here.
func Detach(*exec.Cmd) {}

// Group does nothing, like Detach.
func Group(*exec.Cmd) {}

// Kill ends the program alone.
func Kill(p *os.Process) error { return p.Kill() }

// Terminate ends the program alone.
func Terminate(p *os.Process) error { return p.Kill() }
