//go:build !unix

package repo

import (
	"os"
	"os/exec"
)

func detach(*exec.Cmd) {}

func kill(p *os.Process) error { return p.Kill() }

func terminate(p *os.Process) error { return p.Kill() }
