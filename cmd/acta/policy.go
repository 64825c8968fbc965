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

func (c command) runPolicy(ctx context.Context, call *cli.Context, r *repo.Repo) error {
	p, err := snapshot.Head(r).Policy(ctx)
	if err != nil {
		return err
	}
	if call.String("format") == "json" {
		return report.WriteIndented(c.Stdout, policyOutput{report.Release, policy.Path, p.Values()})
	}
	table := tabwriter.NewWriter(c.Stdout, 0, 0, 2, ' ', 0)
	for _, v := range p.Values() {
		from := "default"
		if v.Line > 0 {
			from = fmt.Sprintf("%s:%d", policy.Path, v.Line)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", from, v.Key, report.OneLine(cmp.Or(v.Value, "-")))
	}
	return table.Flush()
}

func (c command) runPolicyCheck(ctx context.Context, call *cli.Context, r *repo.Repo) error {
	file, format := call.Args().First(), call.String("format")
	name := file
	if file == "" {
		g, err := r.Layout(ctx)
		if err != nil {
			return err
		}
		name, file = policy.Path, filepath.Join(g.Top, policy.Path)
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
		result.Warnings = append(result.Warnings,
			fmt.Sprintf("it asks for acta %s, and this is %s", p.Releases, report.Release))
	}
	if p.Since != "" {
		if _, err := r.Commit(ctx, p.Since); err != nil {
			result.Warnings = append(result.Warnings, fmt.Sprintf("its since cannot be read: %v", err))
		}
	}
	if format == "text" {
		c.Stdout.Printf("%s can be read\n", name)
		return c.finish(result.Warnings, nil, exitClean)
	}
	return c.print(result, format, false)
}
