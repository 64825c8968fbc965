package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/repo"
)

type hookOptions struct{ format string }

func (c command) hook() *cli.Command {
	var o hookOptions
	return &cli.Command{
		Name:  "hook",
		Usage: "what the installed git hooks call",
		Subcommands: []*cli.Command{{
			Name:      "commit-msg",
			Usage:     "judge the message in FILE against what is about to be committed",
			ArgsUsage: "FILE",
			Flags:     []cli.Flag{formatFlag(&o.format, "text", "json")},
			Action: func(ctx *cli.Context) error {
				if ctx.NArg() != 1 {
					return usagef("hook commit-msg takes the message file that git names")
				}
				return c.runCommitMsg(ctx.Context, ctx.Args().First(), o)
			},
		}},
	}
}

func (c command) runCommitMsg(ctx context.Context, file string, o hookOptions) error {
	r, err := repo.Open(ctx, ".", repo.Options{})
	if err != nil {
		return err
	}
	defer r.Close()
	result, err := hooks.CommitMsg{File: file, Release: release, Getenv: c.Getenv}.Run(ctx, r)
	if err != nil {
		fmt.Fprintf(c.Stderr, "acta: the commit was refused; its message is kept in %s\n", c.shown(file))
		return err
	}
	err = c.print(result, o.format, true)
	if err != nil && o.format == "text" {
		fmt.Fprintf(c.Stderr, "acta: the commit was refused; its message is kept in %s\n    %s\n", c.shown(file), c.retry(file))
	}
	return err
}

// retry says how to go on. What an editor leaves in the message file (comments, a
// diff) must not be committed with it, so there only the editor is named.
func (c command) retry(file string) string {
	if c.Getenv("GIT_EDITOR") == ":" {
		return "mend the report or the code, then: git commit -F " + c.shown(file)
	}
	return "mend the report or the code, then commit again"
}

// shown is the file as it can be named from where git was called: hooks run at
// the top of the work tree.
func (c command) shown(file string) string {
	if c.Getenv("GIT_PREFIX") == "" {
		return file
	}
	if abs, err := filepath.Abs(file); err == nil {
		return abs
	}
	return file
}
