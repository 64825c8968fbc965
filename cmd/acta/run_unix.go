//go:build unix

package main

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

// runWithSignals runs a command to its end, and forwards signals. The terminal sends its own signals to the command,
// too.
func runWithSignals(cmd *exec.Cmd) error {
	signals := make(chan os.Signal, 8)
	// Catching SIGPIPE keeps the exit code if the reader of the report's line has gone. Ignored signals, as by nohup,
	// stay ignored in the command.
	signal.Notify(signals, slices.DeleteFunc([]os.Signal{
		syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGPIPE,
	}, signal.Ignored)...)
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() {
		for {
			select {
			case s := <-signals:
				byTerminal := s == syscall.SIGHUP || s == syscall.SIGINT || s == syscall.SIGQUIT
				if s != syscall.SIGPIPE && !(byTerminal && hasTerminal()) {
					_ = cmd.Process.Signal(s)
				}
			case <-ended:
				return
			}
		}
	}()
	err := cmd.Wait()
	close(ended)
	return err
}

// hasTerminal reports whether this process is in its terminal's foreground group.
func hasTerminal() bool {
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	defer func() { _ = tty.Close() }()
	group, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

// exitCode is a command's exit code as shells define it.
func exitCode(s *os.ProcessState) int {
	if status, ok := s.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return s.ExitCode()
}

// replaceProcess makes this process another program, with the same standard input and output.
func (command) replaceProcess(program string, args []string) error {
	return syscall.Exec(program, append([]string{filepath.Base(program)}, args...), os.Environ())
}
