package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/hooks/host"
	"github.com/acta-git/acta/hooks/mcp"
)

func (c command) agentHook() *cli.Command {
	return &cli.Command{
		Name:   "hook",
		Action: func(call *cli.Context) error { return c.runAgentHook(call.Context, call.String("host")) },
		// Exit code 2 has a meaning for hosts.
		OnUsageError: func(_ *cli.Context, err error, _ bool) error { return c.hostWarning(err.Error()) },
	}
}

func (c command) runAgentHook(ctx context.Context, name string) error {
	caller, err := host.FindHost(name)
	if err != nil {
		return c.hostWarning("agent hook: " + err.Error())
	}
	a := host.Hook{Host: caller, Stdin: c.Stdin, Env: os.Environ(), Now: time.Now()}.Answer(ctx)
	for _, w := range a.Warnings {
		_ = c.hostWarning(w)
	}
	if _, err := fmt.Fprint(c.Stdout, a.Stdout); err != nil {
		return c.hostWarning(err.Error())
	}
	if a.Refusal != nil {
		c.recordRefusal(ctx, a)
	}
	if a.VetoReason != "" {
		c.record.dir = a.Dir
		c.record.addMessage(refusal, a.VetoReason+" was refused")
	}
	if a.Stderr != "" {
		fmt.Fprintln(c.Stderr, strings.TrimRight(a.Stderr, "\n"))
	}
	return exitWith(a.Code)
}

// hostWarning prints a warning of a host's hook; it does not go to the audit log.
func (c command) hostWarning(message string) error {
	c.Stderr.Printf("acta: warning: %s\n", message)
	return nil
}

func (c command) recordRefusal(ctx context.Context, a host.Answer) {
	c.record.dir = a.Dir
	if a.Session != "" {
		c.record.caller.Session = a.Session
	}
	for _, result := range a.Refusal.Results {
		c.record.addFindings(result.Findings)
	}
	c.record.addMessage(refusal, "the commit was refused")
	r, err := c.record.open(ctx)
	if err != nil {
		return // the record fails open
	}
	defer r.Close()
	c.recordClaims(ctx, r, a.Refusal)
}

func (c command) runMCP(call *cli.Context) error {
	debug.SetGCPercent(100) // it runs as long as its client
	server := mcp.Server{Dir: ".", Env: os.Environ(), Log: slog.New(slog.NewTextHandler(c.Stderr, nil))}
	return server.Run(call.Context, os.Stdin, os.Stdout)
}
