package main

import (
	"log/slog"
	"os"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/hooks/mcp"
)

func (c command) runMCP(call *cli.Context) error {
	debug.SetGCPercent(100) // it lives as long as its client
	server := mcp.Server{Dir: ".", Env: os.Environ(), Log: slog.New(slog.NewTextHandler(c.Stderr, nil))}
	return server.Run(call.Context, os.Stdin, os.Stdout)
}
