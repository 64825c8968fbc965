package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/evidence"
)

type stubsOptions struct {
	format  string
	exempt  bool
	maxSize int64
}

func (c command) stubs() *cli.Command {
	o := stubsOptions{maxSize: 2 << 20}
	return &cli.Command{
		Name:      "stubs",
		Usage:     "list functions and methods whose body holds no implementation",
		ArgsUsage: "PATH…",
		Description: "Reads the files, and those below the folders, whose language has a grammar.\n" +
			"Exit code 1 when it lists a stub that is not exempt.",
		Flags: []cli.Flag{
			formatFlag(&o.format, "text", "jsonl"),
			&cli.BoolFlag{Name: "include-exempt", Usage: "list what is complete though empty, too", Destination: &o.exempt},
		},
		Action: func(ctx *cli.Context) error {
			if ctx.NArg() == 0 {
				return usagef("stubs needs a file or a folder")
			}
			return c.runStubs(ctx.Context, ctx.Args().Slice(), o)
		},
	}
}

func (c command) runStubs(ctx context.Context, paths []string, o stubsOptions) error {
	code := exitClean
	for _, path := range paths {
		err := filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return usageError{err}
			case d.IsDir() && d.Name() == ".git":
				return fs.SkipDir
			case !d.Type().IsRegular() || evidence.LanguageOf(file) == "":
				return nil
			}
			found, err := c.stubsOf(ctx, file, o)
			if found {
				code = exitFindings
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	if code != exitClean {
		return exit(code)
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

// stubsOf lists the stubs of one file and reports whether one is not exempt.
func (c command) stubsOf(ctx context.Context, file string, o stubsOptions) (bool, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return false, usageError{err}
	}
	if int64(len(src)) > o.maxSize {
		fmt.Fprintf(c.Stderr, "acta: warning: %s is larger than %d bytes and was not read\n", file, o.maxSize)
		return false, nil
	}
	stubs, err := evidence.Stubs(ctx, file, src)
	if errors.Is(err, evidence.ErrNoLanguage) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("%s: %w", file, err)
	}
	found := false
	for _, s := range stubs {
		if s.Exempt != "" && !o.exempt {
			continue
		}
		found = found || s.Exempt == ""
		if err := c.writeStub(stub{filepath.ToSlash(file), s.Line, s.EndLine, s.Symbol, s.Language, s.Reason, s.Exempt}, o.format); err != nil {
			return found, err
		}
	}
	return found, nil
}

func (c command) writeStub(s stub, format string) error {
	if format == "jsonl" {
		enc := json.NewEncoder(c.Stdout)
		enc.SetEscapeHTML(false)
		return enc.Encode(s)
	}
	note := ""
	if s.Exempt != "" {
		note = ", complete though empty: " + s.Exempt
	}
	_, err := fmt.Fprintf(c.Stdout, "%s:%d:1: %s has no implementation: %s%s [stub]\n", s.Path, s.Line, s.Symbol, s.Reason, note)
	return err
}
