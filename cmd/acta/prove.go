package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/prove"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
	"github.com/acta-git/acta/report/results"
)

// proveCommand is the name of the other command whose arguments are another's command line, behind --.
const proveCommand = "prove"

type proveOptions struct {
	commits, message, unit, coverage string
	most, jobs                       int
	timeout                          time.Duration
	share                            cli.StringSlice
}

func (c command) prove() *cli.Command {
	var o proveOptions
	return &cli.Command{
		Name: proveCommand,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "message", Aliases: []string{"m"}, Destination: &o.message,
				Usage: "ask of what is staged, by the claims of the commit message in `FILE`, - for standard input"},
			textFlag(&o.unit, "unit", "ask of task `T` alone"),
			&cli.IntFlag{Name: "most", Usage: "ask of `N` functions at most", Value: 20, Destination: &o.most},
			&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Value: 1, Destination: &o.jobs,
				Usage: "ask of `N` functions at a time, each in a work tree of its own"},
			&cli.DurationFlag{Name: "timeout", Value: 15 * time.Minute, Destination: &o.timeout,
				Usage: "how long CMD may take on the whole tree, a duration `D` such as 5m"},
			listFlag(&o.share, "share", "link `PATH`, from the top of the work tree, into that of the proof: "+
				"ignored files that CMD needs, submodules; may be repeated"),
			textFlag(&o.coverage, "coverage", "ask of no function that the coverage in `FILE` does not reach, which CMD writes "+
				"in the folder where it runs: LCOV, Cobertura, Go's profile"),
		},
		Action: func(ctx *cli.Context) error {
			words := ctx.Args().Slice()
			if at := slices.Index(words, "--"); at >= 0 {
				words, o.commits = words[at+1:], strings.Join(words[:at], " ")
			} else {
				words, o.commits = nil, strings.Join(words, " ")
			}
			if o.commits != "" && o.message != "" || strings.Contains(o.commits, " ") {
				return usagef("prove takes one range, or --message FILE, and the command behind --")
			}
			return inRepo(ctx.Context, func(r *repo.Repo) error { return c.runProve(ctx.Context, r, words, o) })
		},
	}
}

func (c command) runProve(ctx context.Context, r *repo.Repo, words []string, o proveOptions) error {
	claims, tree, err := c.provable(ctx, r, &o)
	if err != nil {
		return err
	}
	if o.unit != "" {
		claims = slices.DeleteFunc(claims, func(claim judge.CodeClaim) bool { return claim.Unit != o.unit })
	}
	if len(words) == 0 {
		return usagef("prove needs a command, for example: acta prove -- pytest -q")
	}
	folder, _, err := r.FromTop(ctx, ".", ".")
	if err != nil {
		return err
	}
	options := prove.Options{
		Command: words, Dir: folder, Env: repo.ForeignEnv(nil), Share: o.share.Value(), Most: o.most, Jobs: o.jobs,
		Timeout: o.timeout, Tell: c.tellProved(),
	}
	if o.coverage != "" {
		options.Reached = o.reached(r, tree, folder)
	}
	proof, err := prove.Run(ctx, r, tree, claims, options)
	if err != nil {
		return c.notProved(err)
	}
	return c.proved(proof)
}

// provable are the claims that are asked about, and the tree.
func (c command) provable(ctx context.Context, r *repo.Repo, o *proveOptions) ([]judge.CodeClaim, repo.ID, error) {
	if o.message != "" {
		message, rest, err := c.readMessage(o.message)
		if err != nil {
			return nil, "", err
		}
		return judge.Staged{Message: message, Beyond: rest, Tree: r.IndexTree, Author: r.Author}.CodeClaims(ctx, r)
	}
	landed := judge.Landed{Head: "HEAD"}
	if o.commits != "" {
		var err error
		if landed.Base, landed.Head, err = splitRange(o.commits); err != nil {
			return nil, "", err
		}
	} else if head, err := r.Head(ctx); err != nil {
		return nil, "", err
	} else if len(head.Parents) > 0 {
		landed.Base = string(head.Parents[0])
	}
	return landed.CodeClaims(ctx, r)
}

// reached reads the coverage that the command left.
func (o *proveOptions) reached(
	r *repo.Repo, tree repo.ID, folder string,
) func(context.Context, string) (prove.Reached, error) {
	return func(ctx context.Context, dir string) (prove.Reached, error) {
		set, snap := &results.Set{}, snapshot.Tree(r, tree)
		name := filepath.Join(dir, filepath.FromSlash(folder), o.coverage)
		data, err := readReport(name)
		if err != nil {
			return nil, err
		}
		if err := set.Add(results.OfCoverage, name, data); err != nil {
			return nil, err
		}
		found, err := rules.NewResults(ctx, set, &snap)
		if err != nil {
			return nil, err
		}
		return found.Reached, nil
	}
}

// tellProved prints each answer as it comes, and on a terminal a bar with an estimate.
func (c command) tellProved() func(report.Proved, int, int, time.Duration) {
	bar, raw := isTerminal(os.Stderr, c.Getenv), c.Stderr.Raw()
	return func(p report.Proved, done, of int, each time.Duration) {
		if bar {
			_, _ = fmt.Fprint(raw, "\r\x1b[K")
		}
		c.Stderr.Printf("acta: %s:%d %s: %s\n", p.Path, p.Line, p.Symbol, p.Answer)
		if bar && done < of {
			const width = 20
			full := width * done / of
			left := (time.Duration(of-done) * each).Round(time.Second)
			_, _ = fmt.Fprintf(raw, "[%s%s] %d of %d, about %s left", strings.Repeat("#", full),
				strings.Repeat(".", width-full), done, of, left)
		}
	}
}

// notProved is how a proof ends that could ask nothing.
func (c command) notProved(err error) error {
	if failed, ok := errors.AsType[*prove.FailedError](err); ok && failed.Output != "" {
		c.Stderr.Printf("%s\n", indented(failed.Output))
	}
	return err
}

// indented are lines of another program, as they may be printed.
func indented(text string) string {
	var all []string
	for line := range strings.Lines(text) {
		all = append(all, "    "+report.OneLine(strings.TrimRight(line, "\n")))
	}
	return strings.Join(all, "\n")
}

// proved prints a proof, and turns it into the exit code.
func (c command) proved(p *report.Proof) error {
	if err := report.WriteProof(c.Stdout, p); err != nil {
		return err
	}
	switch {
	case p.Asked == 0:
		return exit(exitUndecided)
	case p.Noticed < p.Asked:
		return exit(exitFindings)
	}
	return nil
}
