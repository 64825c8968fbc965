package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/repo"
)

type hookOptions struct{ format string }

// refHook is a hook that judges the commits which refs get.
type refHook struct {
	name, usage, arguments string
	run                    func(context.Context, *repo.Repo, hooks.Call) (*hooks.Answer, error)
	// refused is what git does not do.
	refused string
}

func refHooks() []refHook {
	return []refHook{
		{"pre-push", "judge what a push would add to the remote", "REMOTE URL", hooks.PrePush, "the push"},
		{"pre-receive", "judge what a push brings to this server", "", hooks.PreReceive, "the push"},
	}
}

func (c command) hook() *cli.Command {
	var o hookOptions
	points := []*cli.Command{{
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
	}}
	for _, h := range refHooks() {
		points = append(points, &cli.Command{
			Name: h.name, Usage: h.usage, ArgsUsage: h.arguments,
			Action: func(ctx *cli.Context) error { return c.runRefHook(ctx.Context, h, ctx.Args().Slice()) },
		})
	}
	return &cli.Command{Name: "hook", Usage: "what the installed git hooks call", Subcommands: points}
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

func (c command) runRefHook(ctx context.Context, h refHook, args []string) error {
	r, err := repo.Open(ctx, ".", repo.Options{})
	if err != nil {
		return err
	}
	defer r.Close()
	answer, err := h.run(ctx, r, hooks.Call{Args: args, Stdin: c.Stdin, Getenv: c.Getenv, Release: release})
	if err != nil {
		fmt.Fprintf(c.Stderr, "acta: %s was refused\n", h.refused)
		return err
	}
	return c.printRefs(ctx, h, answer)
}

// printRefs prints what was found of the refs that are refused, and the warnings
// of the others. All of it goes to standard error, which git shows to whoever pushes.
func (c command) printRefs(ctx context.Context, h refHook, a *hooks.Answer) error {
	for _, ref := range a.Refs {
		if ref.Result.Code() != exitClean {
			fmt.Fprintf(c.Stderr, "acta: %s was refused: %s\n", h.refused, ref.Ref)
			if err := diag.WriteText(c.Stderr, &ref.Report); err != nil {
				return err
			}
		}
		c.remarks(ref.Ref+": ", ref.Warnings, ref.Undecided)
	}
	if a.Explain {
		if err := explainBroken(ctx, c.Stderr, a); err != nil {
			return err
		}
	}
	if code := a.Code(); code != exitClean {
		return exit(code)
	}
	return nil
}

// explainBroken prints the pages of the rules that refused refs broke.
func explainBroken(ctx context.Context, w io.Writer, a *hooks.Answer) error {
	broken := map[string]bool{}
	for _, ref := range a.Refs {
		for _, f := range ref.Findings {
			broken[f.Rule] = broken[f.Rule] || f.Severity == diag.Error
		}
	}
	for _, r := range check.Rules() {
		if broken[r.ID] {
			fmt.Fprintln(w)
			if err := judge.WriteRule(ctx, w, r, release); err != nil {
				return err
			}
		}
	}
	return nil
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
