package main

import (
	"context"
	"errors"
	"maps"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/planchange"
	"github.com/acta-git/acta/repo"
)

// changeOptions are those of every command that changes the plan.
type changeOptions struct {
	whose
	commit   bool
	observed cli.StringSlice
}

func (o *changeOptions) flags(more ...cli.Flag) []cli.Flag {
	more = append(more, o.whose.flags()...)
	return append(more,
		listFlag(&o.observed, "observation",
			"what was seen of the ACT, for the ADAPT: `\"PERSPECTIVE | FACT\"`, from the perspective of "+
				strings.Join(parser.Perspectives(), ", ")+"; may be repeated"),
		boolFlag(&o.commit, "commit",
			"commit the plan at once, as an ADAPT, through git and its hooks; what else is staged stays staged"))
}

// planChange is a change of the plan that a command was asked for.
type planChange struct {
	edit    func(root *plan.Unit) (plan.Change, error)
	summary string // of the ADAPT's title
	owned   bool   // only who holds the unit may
	// params are what the event says besides the unit: no time, no commit.
	params map[string]any
}

// changePlan makes a change, or says why it may not be made; then nothing was written.
func (c command) changePlan(ctx context.Context, o changeOptions, change planChange) error {
	for _, said := range o.observed.Value() {
		perspective, fact, _ := strings.Cut(said, "|")
		at := parser.Observation{
			Perspective: parser.Text{Value: strings.TrimSpace(perspective)}, Fact: parser.Text{Value: strings.TrimSpace(fact)},
		}
		if !at.Tells() || !o.commit {
			return usagef("--observation goes with --commit and says «PERSPECTIVE | FACT», with %s: found %q",
				strings.Join(parser.Perspectives(), ", "), said)
		}
	}
	return inRepo(ctx, func(r *repo.Repo) error {
		by, err := c.identify(ctx, r, o.whose)
		if err != nil {
			return err
		}
		dir, err := hooks.StateDir(ctx, r, c.Getenv)
		if err != nil {
			return err
		}
		done, err := planchange.Request{
			Repo: r, CommonDir: dir, By: by, Edit: change.edit, Owned: change.owned,
			Summary: change.summary, Commit: o.commit, Observed: o.observed.Value(), Out: c.Stderr, Env: os.Environ(),
			Hooked: hooks.AsksCommits(ctx, r),
			Done: func(done *planchange.Applied) {
				params := map[string]any{"unit": done.Unit}
				maps.Copy(params, change.params)
				c.saveEventOf(ctx, dir, by, string(done.Commit), params)
			},
		}.Apply(ctx)
		if errors.Is(err, repo.ErrRefused) {
			c.record.say(refusal, "git refused the ADAPT of a change of the plan")
			c.Stderr.Printf("acta: git made no commit, see above; the plan is as it was\n")
			return exit(exitFindings)
		}
		if err != nil {
			return refusedBy(err)
		}
		c.printChange(done)
		return nil
	})
}

// printChange says what was done, and warns of what must be seen.
func (c command) printChange(done *planchange.Applied) {
	for _, v := range done.Seen {
		c.warn("%s [%s]", v.Message, v.Rule)
	}
	for _, m := range done.Moves {
		c.Stdout.Printf("%s\n", m)
	}
	if done.NotRun != "" {
		c.Stdout.Printf("%s: %s\n", done.Unit, done.NotRun)
	}
	switch {
	case done.Commit != "":
		c.Stdout.Printf("committed as %.12s: ADAPT: %s\n", done.Commit, done.Unit)
	case len(done.Moves) == 0:
		c.Stdout.Printf("%s says so already\n", done.Path)
	}
}

// named is the unit that the command line names.
func named(ctx *cli.Context, what string) (string, error) {
	if err := arguments(ctx, 1); err != nil {
		return "", err
	}
	name := strings.TrimSpace(ctx.Args().First())
	if name == "" {
		return "", usagef("plan %s needs %s", ctx.Command.Name, what)
	}
	return name, nil
}
