package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/urfave/cli/v2"
	"golang.org/x/sync/errgroup"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

type stubsOptions struct {
	format      string
	all, staged bool
	base        string // "" without --diff
}

func (o stubsOptions) isChange() bool { return o.base != "" || o.staged }

func (c command) runStubs(ctx context.Context, call *cli.Context, r *repo.Repo) error {
	paths := call.Args().Slice()
	o := stubsOptions{call.String("format"), call.Bool("all"), call.Bool("staged"), call.String("diff")}
	switch {
	case call.IsSet("diff") && o.base == "":
		return usagef("--diff needs a commit to compare with")
	case o.all && o.isChange():
		return usagef("--all lists the functions of PATH, and --diff and --staged the stubs of a change")
	case len(paths) == 0 && !o.isChange():
		return usagef("stubs needs a file or a folder")
	case len(paths) == 0:
		paths = []string{"."}
	}
	s := &selection{repo: r, seen: map[string]bool{}}
	if err := s.find(ctx, paths, o); err != nil {
		return err
	}
	p := &stubPrinter{command: c, out: bufio.NewWriter(c.Stdout), options: o}
	for _, problem := range s.errors {
		p.reportUnread(problem)
	}
	if err := readAll(ctx, s.files, o.all, p.print); err != nil {
		return err
	}
	switch {
	case p.hasUnread:
		return exitError(exitUndecided)
	case p.hasStubs:
		return exitError(exitFindings)
	}
	return nil
}

const readTogether = 512

// readAll reads files on all cores, and passes each result or error to print, in order, until print fails.
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

// functions are the stubs of the file, or all its functions; for a change only added stubs.
func (f sourceFile) functions(ctx context.Context, all bool) ([]evidence.Function, error) {
	src, err := f.read(ctx)
	if err != nil || src == nil {
		return nil, err
	}
	now := evidence.Source{Path: f.path, Bytes: src}
	if all || f.before == nil {
		found, err := evidence.Functions(ctx, now)
		return slices.DeleteFunc(found, func(f evidence.Function) bool {
			return !all && f.Class != evidence.ClassStub
		}), err
	}
	before, err := f.before(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: before the change: %w", f.path, err)
	}
	stubs, err := evidence.AddedStubs(ctx, nil, evidence.Source{Path: f.beforePath, Bytes: before}, now)
	var found []evidence.Function
	for _, s := range stubs {
		if s.Exempt == "" {
			found = append(found, evidence.Function{Stub: s, Class: evidence.ClassStub})
		}
	}
	return found, err
}

type stub struct {
	Path     string `json:"path"`
	Line     int    `json:"line"`
	EndLine  int    `json:"end_line"`
	Symbol   string `json:"symbol"`
	Language string `json:"language"`
	// Reason is why the body has no substance, or with --all another remark.
	Reason string         `json:"reason"`
	Exempt string         `json:"exempt"`
	Class  evidence.Class `json:"class,omitempty"`
}

type stubPrinter struct {
	command
	out     *bufio.Writer
	options stubsOptions
	// hasStubs: a stub was listed; hasUnread: something could not be read.
	hasStubs, hasUnread bool
}

func (p *stubPrinter) print(path string, found []evidence.Function, err error) error {
	if err != nil {
		p.reportUnread(err)
		return nil
	}
	for _, f := range found {
		p.hasStubs = p.hasStubs || f.Class == evidence.ClassStub
		if err := p.write(path, f); err != nil {
			return err
		}
	}
	return p.out.Flush()
}

func (p *stubPrinter) reportUnread(err error) {
	p.hasUnread = true
	p.Stderr.Printf("acta: not read: %v\n", err)
	p.record.addMessage(failure, "not read: "+err.Error())
}

func (p *stubPrinter) write(path string, f evidence.Function) error {
	if p.options.format == "jsonl" {
		line := stub{path, f.Line, f.EndLine, f.Symbol, f.Language, cmp.Or(string(f.Reason), f.Why()), f.Exempt, ""}
		if p.options.all {
			line.Class = f.Class
		}
		return report.WriteLine(p.out, line)
	}
	severity, is := report.Error, "has no implementation"
	switch {
	case f.Class == evidence.ClassUnclear:
		severity, is = report.Warning, "is unclear"
	case f.Exempt != "":
		severity, is = report.Note, "is complete though empty"
	case f.Class == evidence.ClassComplete:
		severity, is = report.Note, "is complete"
	}
	_, err := fmt.Fprintf(p.out, "%s:%d:1: %s: %s %s: %s [%s]\n",
		report.OneLine(path), f.Line, severity, f.Symbol, is, f.Why(), f.Class)
	return err
}
