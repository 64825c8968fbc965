package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"

	"github.com/urfave/cli/v2"
	"golang.org/x/sync/errgroup"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
)

type stubsOptions struct {
	format      string
	all, staged bool
	base        string // "" without --diff
}

// adds reports whether only what a change adds is asked for.
func (o stubsOptions) adds() bool { return o.base != "" || o.staged }

func (c command) stubs() *cli.Command {
	var o stubsOptions
	return &cli.Command{
		Name: "stubs",
		Flags: []cli.Flag{
			formatFlag(&o.format, "text", "jsonl"),
			boolFlag(&o.all, "all", "list complete and unclear functions, too"),
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
	chosen, err := selectFiles(ctx, paths, o)
	if err != nil {
		return err
	}
	defer chosen.close()
	p := &stubPrinter{command: c, out: bufio.NewWriter(c.Stdout), options: o, progress: c.watch("files")}
	p.progress.total = len(chosen.files)
	for _, problem := range chosen.unread {
		p.problem(problem)
	}
	if err := readAll(ctx, chosen.files, o.all, p.print); err != nil {
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

// readTogether is how many files are read before what they hold is printed.
const readTogether = 512

// readAll reads files on all cores and hands what each holds, or why it could not be read, to print, in the order of
// the files. It ends at the first error of print, or when ctx is done.
func readAll(
	ctx context.Context, files []sourceFile, all bool, print func(path string, found []evidence.Function, err error) error,
) error {
	type result struct {
		found []evidence.Function
		err   error
	}
	for some := range slices.Chunk(files, readTogether) {
		results := make([]result, len(some))
		var reading errgroup.Group
		reading.SetLimit(runtime.GOMAXPROCS(0))
		for i, f := range some {
			reading.Go(func() error {
				results[i].found, results[i].err = f.functions(ctx, all)
				return ctx.Err()
			})
		}
		if err := reading.Wait(); err != nil {
			return err
		}
		for i, f := range some {
			if err := print(f.path, results[i].found, results[i].err); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// functions are those of the file that are stubs or complete though empty, or all of them.
func (f sourceFile) functions(ctx context.Context, all bool) ([]evidence.Function, error) {
	src, err := f.read(ctx)
	if err != nil || src == nil {
		return nil, err
	}
	now := evidence.Source{Path: f.path, Bytes: src}
	if f.before == nil {
		return evidence.Functions(ctx, nil, now, all)
	}
	before, err := f.before(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	return evidence.Functions(ctx, &before, now, all)
}

// stub is a line of --format jsonl.
type stub struct {
	Path     string `json:"path"`
	Line     int    `json:"line"`
	EndLine  int    `json:"end_line"`
	Symbol   string `json:"symbol"`
	Language string `json:"language"`
	// Reason is why the body has no substance, or with --all what else is to be said of it.
	Reason string `json:"reason"`
	Exempt string `json:"exempt"`
	// Class is said with --all.
	Class evidence.Class `json:"class,omitempty"`
}

// stubPrinter prints what files hold, and remembers what the exit code depends on.
type stubPrinter struct {
	command
	out      *bufio.Writer
	options  stubsOptions
	progress *progress
	// found: a stub was listed; unread: something could not be read.
	found, unread bool
}

// print prints what one file holds, or why it could not be read.
func (p *stubPrinter) print(path string, found []evidence.Function, err error) error {
	p.progress.done++
	p.progress.tick()
	if err != nil {
		p.problem(err)
		return nil
	}
	for _, f := range found {
		if f.Class != evidence.ClassStub && !p.options.all {
			continue
		}
		p.found = p.found || f.Class == evidence.ClassStub
		p.progress.clear()
		if err := p.write(path, f); err != nil {
			return err
		}
	}
	return p.out.Flush()
}

func (p *stubPrinter) problem(err error) {
	p.unread = true
	p.progress.clear()
	p.Stderr.Printf("acta: not read: %v\n", err)
	p.record.say(failure, "not read: "+err.Error())
}

func (p *stubPrinter) write(path string, f evidence.Function) error {
	if p.options.format == "jsonl" {
		line := stub{path, f.Line, f.EndLine, f.Symbol, f.Language, cmp.Or(string(f.Reason), f.Why()), f.Exempt, ""}
		if p.options.all {
			line.Class = f.Class
		}
		return diag.WriteLine(p.out, line)
	}
	severity, is := diag.Error, "has no implementation"
	switch {
	case f.Class == evidence.ClassUnclear:
		severity, is = diag.Warning, "is unclear"
	case f.Exempt != "":
		severity, is = diag.Note, "is complete though empty"
	case f.Class == evidence.ClassComplete:
		severity, is = diag.Note, "is complete"
	}
	_, err := fmt.Fprintf(p.out, "%s:%d:1: %s: %s %s: %s [%s]\n",
		diag.OneLine(path), f.Line, severity, f.Symbol, is, f.Why(), f.Class)
	return err
}

// tooLarge is the error of a file that is larger than acta reads.
func tooLarge(path string) error {
	return fmt.Errorf("%s: it is larger than %d bytes", path, largestRead)
}

// largestRead is how large a file may be.
const largestRead = 2 << 20

// onDisk reads a file. What is no regular file any more holds nothing.
func onDisk(path, name string) func(context.Context) ([]byte, error) {
	return func(context.Context) ([]byte, error) {
		info, err := os.Lstat(name)
		switch {
		case errors.Is(err, os.ErrNotExist):
			return nil, nil
		case err != nil:
			return nil, err
		case !info.Mode().IsRegular():
			return nil, nil
		case info.Size() > largestRead:
			return nil, tooLarge(path)
		}
		return os.ReadFile(name)
	}
}
