// Command acta-mcp serves the plan, the claims, the worklog and the score of the work tree it
// is started in to an agent, over the Model Context Protocol on its standard input
// and output. `acta mcp` starts it; docs/mcp.md has the tools.
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/mcp"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, diag.NewTerminal(os.Stderr, false))) }

// run returns the exit code: docs/output.md.
func run(args []string, in io.ReadCloser, out io.WriteCloser, complaints io.Writer) int {
	if len(args) == 1 && args[0] == "--version" {
		_, _ = fmt.Fprintf(out, "acta-mcp version %s\n", diag.Release)
		return 0
	}
	if len(args) > 0 {
		fmt.Fprintf(complaints,
			"acta-mcp: takes no arguments, and got %q\n    an agent's host starts it and speaks with it on standard input; "+
				"docs/mcp.md says how\n", args)
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	server := mcp.Server{Dir: ".", Getenv: os.Getenv, Log: slog.New(slog.NewTextHandler(complaints, nil))}
	if err := server.Run(ctx, in, out); err != nil {
		fmt.Fprintf(complaints, "acta-mcp: %v\n", err)
		return 3
	}
	return 0
}
