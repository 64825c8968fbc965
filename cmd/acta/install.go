package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/hooks/host"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

func (c command) runInstall(call *cli.Context) (err error) {
	o := installOptions{call.String("repo"), call.Bool("global"), hooks.Options{
		Server: call.Bool("server"), Seal: call.Bool("seal"),
	}}
	if o.Binary, err = os.Executable(); err != nil {
		return err
	}
	return c.changeHooks(call.Context, o, true)
}

func (c command) runUninstall(call *cli.Context) error {
	return c.changeHooks(call.Context, installOptions{repo: call.String("repo"), global: call.Bool("global")}, false)
}

type installOptions struct {
	repo   string
	global bool
	hooks.Options
}

func (c command) changeHooks(ctx context.Context, o installOptions, install bool) error {
	done, err := c.changePlace(ctx, o, install)
	for _, a := range done {
		c.Stdout.Printf("%s: ", a.Path)
		fmt.Fprintln(c.Stdout, a.Note) // may contain lines for another tool's file
	}
	if err == nil && len(done) == 0 {
		c.Stdout.Printf("nothing to do\n")
	}
	if errors.Is(err, hooks.ErrNotCalled) {
		return exitError(exitFindings)
	}
	return err
}

func (c command) changePlace(ctx context.Context, o installOptions, install bool) ([]hooks.Action, error) {
	switch {
	case o.global && o.repo != ".":
		return nil, usagef("give only one of --repo and --global")
	case o.global && install:
		return hooks.Global{Env: os.Environ()}.Install(ctx, o.Options)
	case o.global:
		return hooks.Global{Env: os.Environ()}.Uninstall(ctx)
	}
	r, err := repo.Open(ctx, o.repo, repo.Options{})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if install {
		return hooks.Install(ctx, r, o.Options)
	}
	return hooks.Uninstall(ctx, r)
}

func (c command) runDoctor(call *cli.Context) error {
	ctx := call.Context
	r, err := repo.Open(ctx, call.String("repo"), repo.Options{})
	if err != nil {
		return err
	}
	defer r.Close()
	d, err := hooks.Doctor(ctx, r, nil)
	if err == nil {
		err = warnOfHosts(ctx, r, d)
	}
	if err != nil {
		return err
	}
	if call.String("format") == "json" {
		d.Problems = append([]string{}, d.Problems...)
		err = report.WriteIndented(c.Stdout, doctorOutput{report.Release, d.AllFire(), d})
	} else {
		c.printDiagnosis(d)
	}
	if err == nil && !d.AllFire() {
		return exitError(exitFindings)
	}
	return err
}

func warnOfHosts(ctx context.Context, r *repo.Repo, d *hooks.Diagnosis) error {
	top, err := r.Top(ctx)
	if err != nil || top == "" {
		return err
	}
	for _, h := range host.Configured(top) {
		if off := host.HooksOffReason(h); off != "" {
			d.Problems = append(d.Problems, off)
		}
	}
	return nil
}

func (c command) printDiagnosis(d *hooks.Diagnosis) {
	for _, trial := range d.Trials {
		c.Stdout.Printf("%-22s %-14s %s\n", trial.Hook, trial.State, trial.Command)
		if trial.Reason != "" && !(trial.IsOptional && trial.State == hooks.NotInstalled) {
			c.Stdout.Printf("    %s\n", trial.Reason)
		}
	}
	for _, p := range d.Problems {
		c.Stdout.Printf("warning: %s\n", p)
	}
	if d.AllFire() {
		c.Stdout.Printf("every hook refused the false claim\n")
	} else if c.Stdout.Printf("not every hook refused the false claim\n"); d.Remedy != "" {
		c.Stdout.Printf("to do: %s\n", d.Remedy)
	}
}
