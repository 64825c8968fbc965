//go:build unix

package agent

import "syscall"

func makeFIFO(path string) bool { return syscall.Mkfifo(path, 0o666) == nil }
