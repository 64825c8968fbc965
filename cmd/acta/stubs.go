package main

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
)

type stubsOptions struct {
	format  string
	exempt  bool
	base    string // "" without --diff
	staged  bool
	maxSize int64 // bytes
}

// adds reports whether only what a change adds is asked for.
func (o stubsOptions) adds() bool { return o.base != "" || o.staged }

func (c command) stubs() *cli.Command {
	o := stubsOptions{maxSize: 2 << 20}
	return &cli.Command{
		Name: "stubs",
		Flags: []cli.Flag{
			formatFlag(&o.format, "text", "jsonl"),
			boolFlag(&o.exempt, "include-exempt", "list what is complete though empty, too"),
			textFlag(&o.base, "diff",
				"list only stubs that the work tree adds since it left `BASE`; PATH is then . by default"),
			boolFlag(&o.staged, "staged", "list only stubs that the index adds, to HEAD or the BASE of --diff"),
		},
		Action: func(ctx *cli.Context) error {
			paths := ctx.Args().Slice()
			switch {
			case ctx.IsSet("diff") && o.base == "":
				return usagef("--diff needs a commit to compare with")
			case len(paths) == 0 && !o.adds():
				return usagef("stubs needs a file or a folder")
			case len(paths) == 0:
				paths = []string{"."}
			}
			return c.runStubs(ctx.Context, paths, o)
		},
	}
}

func (c command) runStubs(ctx context.Context, paths []string, o stubsOptions) error {
	choose := selectFiles
	if o.adds() {
		choose = selectChanges
	}
	chosen, err := choose(ctx, paths, o)
	if err != nil {
		return err
	}
	defer chosen.close()
	p := &stubPrinter{
		out: bufio.NewWriter(c.Stdout), problems: c.Stderr, record: c.record, options: o,
		progress: c.watch("files"),
	}
	p.progress.total = len(chosen.files)
	for _, problem := range chosen.unread {
		p.problem(problem)
	}
	if err := readAll(ctx, chosen.files, o.maxSize, p.print, p.progress.tick); err != nil {
		return err
	}
	switch {
	case p.unread:
		return exit(exitUndecided)
	case p.found:
		return exit(exitFindings)
	}
	return nil
}

// stub is a line of --format jsonl.
type stub struct {
	Path     string              `json:"path"`
	Line     int                 `json:"line"`
	EndLine  int                 `json:"end_line"`
	Symbol   string              `json:"symbol"`
	Language string              `json:"language"`
	Reason   evidence.StubReason `json:"reason"`
	Exempt   string              `json:"exempt"`
}

// stubPrinter prints what files hold, and remembers what the exit code depends on.
type stubPrinter struct {
	out      *bufio.Writer
	problems io.Writer
	record   *record
	options  stubsOptions
	progress *progress
	// found: a stub that is not exempt was listed; unread: something could not be read.
	found, unread bool
}

// print prints what one file holds, or why it could not be read.
func (p *stubPrinter) print(path string, stubs []evidence.Stub, err error) error {
	p.progress.done++
	if err != nil {
		p.problem(err)
		return nil
	}
	for _, s := range stubs {
		if s.Exempt != "" && !p.options.exempt {
			continue
		}
		p.found = p.found || s.Exempt == ""
		p.progress.clear()
		if err := p.write(stub{path, s.Line, s.EndLine, s.Symbol, s.Language, s.Reason, s.Exempt}); err != nil {
			return err
		}
	}
	return p.out.Flush()
}

func (p *stubPrinter) problem(err error) {
	p.unread = true
	p.progress.clear()
	fmt.Fprintf(p.problems, "acta: not read: %v\n", err)
	p.record.say(failure, "not read: "+err.Error())
}

func (p *stubPrinter) write(s stub) error {
	if p.options.format == "jsonl" {
		return diag.WriteLine(p.out, s)
	}
	severity, note := diag.Error, ""
	if s.Exempt != "" {
		severity, note = diag.Note, ", complete though empty: "+s.Exempt
	}
	_, err := fmt.Fprintf(p.out, "%s:%d:1: %s: %s has no implementation: %s%s [stub]\n",
		diag.OneLine(s.Path), s.Line, severity, s.Symbol, s.Reason, note)
	return err
}
