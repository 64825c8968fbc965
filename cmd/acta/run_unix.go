//go:build unix

package main

import (
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

// runWithSignals runs a command to its end, and hands on the signals that this process gets meanwhile. What a terminal
// sends, it sends to the command as well.
func runWithSignals(cmd *exec.Cmd) error {
	got := make(chan os.Signal, 8)
	// SIGPIPE is caught so that a reader who has gone, and does not see the line for the report, changes no exit code.
	// What is ignored here, as by nohup, is to be ignored there.
	signal.Notify(got, slices.DeleteFunc([]os.Signal{
		syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGPIPE,
	}, signal.Ignored)...)
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() {
		for {
			select {
			case s := <-got:
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

// hasTerminal reports whether this process is in the group to which its terminal sends signals.
func hasTerminal() bool {
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	defer func() { _ = tty.Close() }()
	group, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

// exitCode is a command's as a shell tells it.
func exitCode(s *os.ProcessState) int {
	if status, ok := s.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return s.ExitCode()
}
