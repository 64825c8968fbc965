package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/judge"
)

// formatFlag is --format with the formats that a command knows, the first by default.
func formatFlag(into *string, formats ...string) cli.Flag {
	return &cli.StringFlag{
		Name: "format", Usage: "print the result as `FORMAT`: " + strings.Join(formats, " or "),
		Value: formats[0], Destination: into,
		Action: func(_ *cli.Context, got string) error {
			if !slices.Contains(formats, got) {
				return usagef("--format is %s, not %q", strings.Join(formats, " or "), got)
			}
			return nil
		},
	}
}

// print writes a result and turns it into the exit code. quiet prints nothing
// about a result without findings, as a hook should.
func (c command) print(r *judge.Result, format string, quiet bool) error {
	var err error
	switch {
	case format == "json":
		err = diag.WriteJSON(c.Stdout, &r.Report)
	case !quiet || len(r.Findings) > 0:
		err = diag.WriteText(c.Stdout, &r.Report)
	}
	if err != nil {
		return err
	}
	return c.finish(r.Warnings, r.Undecided, r.Code())
}

// finish says what a result leaves out, and turns its exit code into an error.
func (c command) finish(warnings []string, undecided []error, code int) error {
	for _, w := range warnings {
		fmt.Fprintf(c.Stderr, "acta: warning: %s\n", w)
	}
	for _, u := range undecided {
		fmt.Fprintf(c.Stderr, "acta: could not decide: %v\n", u)
	}
	if code != exitClean {
		return exit(code)
	}
	return nil
}

// readInput reads a file, or standard input for "-".
func (c command) readInput(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(c.Stdin)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, usageError{err}
	}
	return data, nil
}
