package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

func (c command) policy() *cli.Command {
	var format string
	return &cli.Command{
		Name: "policy",
		Description: "The policy in force is that of HEAD: what the work tree has counts once it is committed. A value\n" +
			"comes from a line of " + policy.Path + ", or is the default.",
		Flags:       []cli.Flag{formatFlag(&format, "text", "json")},
		Subcommands: []*cli.Command{c.policyCheck()},
		Action: func(ctx *cli.Context) error {
			if err := noName(ctx); err != nil {
				return err
			}
			return inRepo(ctx.Context, func(r *repo.Repo) error { return c.runPolicy(ctx.Context, r, format) })
		},
	}
}

func (c command) runPolicy(ctx context.Context, r *repo.Repo, format string) error {
	p, err := snapshot.Head(r).Policy(ctx)
	if err != nil {
		return err
	}
	values := p.Values()
	if format == "json" {
		return report.WriteIndented(c.Stdout, policyInForce{report.Release, policy.Path, values})
	}
	table := tabwriter.NewWriter(c.Stdout, 0, 0, 2, ' ', 0)
	for _, v := range values {
		from := "default"
		if v.Line > 0 {
			from = fmt.Sprintf("%s:%d", policy.Path, v.Line)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", from, v.Key, report.OneLine(cmp.Or(v.Value, "-")))
	}
	return table.Flush()
}

func (c command) policyCheck() *cli.Command {
	var format string
	return &cli.Command{
		Name:  "check",
		Flags: []cli.Flag{formatFlag(&format, "text", "json")},
		Action: atMost(1, func(ctx *cli.Context) error {
			return c.runPolicyCheck(ctx.Context, ctx.Args().First(), format)
		}),
	}
}

func (c command) runPolicyCheck(ctx context.Context, file, format string) error {
	name := file
	if file == "" {
		name = policy.Path
		err := inRepo(ctx, func(r *repo.Repo) error {
			g, err := r.Layout(ctx)
			file = filepath.Join(g.Top, policy.Path)
			return err
		})
		if err != nil {
			return err
		}
	}
	data, err := c.readInput(file)
	if err != nil {
		return err
	}
	result := &judge.Result{Report: report.Report{Acta: report.Release, Range: name}}
	p, err := snapshot.ParsePolicy(data)
	if malformed, ok := errors.AsType[*policy.Error](err); ok {
		result.Add([]report.Finding{rules.PolicyFinding(name, malformed)}, nil)
		return c.print(result, format, false)
	} else if err != nil {
		return err
	}
	if !p.Admits(report.Release) {
		result.Warnings = append(
			result.Warnings, fmt.Sprintf("it asks for acta %s, and this is %s", p.Releases, report.Release),
		)
	}
	if format == "text" {
		c.Stdout.Printf("%s can be read\n", name)
		return c.finish(result.Warnings, nil, exitClean)
	}
	return c.print(result, format, false)
}
