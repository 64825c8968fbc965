package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/prove"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

const proveCommand = "prove"

type proveOptions struct {
	*cli.Context
	commits string
	folder  string // the current folder, relative to the top
}

func (c command) runProve(ctx context.Context, call *cli.Context, r *repo.Repo) error {
	words := call.Args().Slice()
	at := slices.Index(words, "--")
	if at < 0 {
		at = len(words)
	}
	o := proveOptions{Context: call, commits: strings.Join(words[:at], " ")}
	if o.commits != "" && o.String("message") != "" || strings.Contains(o.commits, " ") {
		return usagef("prove takes one range, or --message FILE, and the command after --")
	}
	return c.prove(ctx, r, words[min(at+1, len(words)):], o)
}

func (c command) prove(ctx context.Context, r *repo.Repo, words []string, o proveOptions) error {
	span, err := c.provenRange(ctx, r, o)
	if err != nil {
		return err
	}
	if len(words) == 0 {
		if words, err = policyCommand(ctx, r, span.Base); err != nil {
			return err
		}
	}
	claims, tree, err := c.codeClaims(ctx, r, span, o.String("message"))
	if err != nil {
		return err
	}
	if unit := o.String("unit"); unit != "" {
		claims = slices.DeleteFunc(claims, func(claim judge.CodeClaim) bool {
			return claim.Unit != unit && path.Base(claim.Unit) != unit
		})
	}
	if o.folder, _, err = r.RelativeToTop(ctx, ".", "."); err != nil {
		return err
	}
	options := prove.Options{
		Command: words, Dir: o.folder, Env: repo.ForeignEnv(nil), Share: o.StringSlice("share"),
		MaxFunctions: o.Int("most"), Jobs: o.Int("jobs"), Timeout: o.Duration("timeout"), Coverage: o.String("coverage"),
		Watcher: proofWatcher{c, isTerminal(os.Stderr)},
	}
	proof, err := prove.Run(ctx, r, tree, claims, options)
	if failed, ok := errors.AsType[*prove.FailedError](err); ok {
		for line := range strings.Lines(failed.Output) {
			c.Stderr.Printf("    %s\n", strings.TrimRight(line, "\n"))
		}
	}
	if err != nil {
		return err
	}
	proof.Command = worklog.Mask(proof.Command)
	c.recordProof(ctx, r, proof, o)
	return c.printProof(proof, o.String("format"))
}

func (c command) provenRange(ctx context.Context, r *repo.Repo, o proveOptions) (judge.LandedRange, error) {
	if o.commits != "" {
		return c.rangeOf(ctx, r, o.commits)
	}
	head, err := r.Head(ctx)
	if err == nil && o.String("message") == "" && len(head.Parents) > 0 {
		return judge.LandedRange{Base: string(head.Parents[0]), Head: "HEAD"}, nil
	}
	return judge.LandedRange{Head: "HEAD"}, err
}

// policyCommand is the command of the base's policy, or HEAD's without a base, for a user who trusts it.
func policyCommand(ctx context.Context, r *repo.Repo, base string) ([]string, error) {
	p, err := snapshot.Base(r, cmp.Or(base, "HEAD")).Policy(ctx)
	if err != nil {
		return nil, err
	}
	if len(p.Prove.Command) == 0 {
		return nil, usagef("prove needs a command, for example: acta prove -- pytest -q; or prove.command in the policy")
	}
	return p.Prove.Command, r.CheckTrust(ctx)
}

func (c command) recordProof(ctx context.Context, r *repo.Repo, p *report.Proof, o proveOptions) {
	code, counts := parser.ProofRun(p.Noticed, p.Tried)
	now, command := time.Now(), report.ProofCommand(p.Command)
	_ = c.recordInSession(ctx, o.String("session"), func(s *worklog.Recorder) ([]string, error) {
		return s.Record(ctx, now, worklog.Operation{
			Time: worklog.FormatTime(now), Action: worklog.Bash, Status: worklog.Completed, Context: command,
			Details: worklog.Details{ExitCode: &code, Folder: cmp.Or(o.folder, "."), Tree: p.Tree, Proof: p},
		})
	})
	if !o.Bool("note") {
		return
	}
	if err := judge.NoteRun(ctx, r, judge.RunNote{
		Time: now.UTC().Truncate(time.Second), Command: command, Exit: code, Counts: counts.String(),
		Trees: []string{p.Tree}, Proof: p,
	}, cmp.Or(os.Getenv("ACTA_ACTOR"), "acta")); err != nil {
		c.warn("not noted in %s: %v", judge.RunNotes, err)
	}
}

func (c command) codeClaims(
	ctx context.Context, r *repo.Repo, span judge.LandedRange, message string,
) ([]judge.CodeClaim, repo.ID, error) {
	if message == "" {
		return span.CodeClaims(ctx, r)
	}
	text, rest, err := c.readMessage(message)
	if err != nil {
		return nil, "", err
	}
	return judge.StagedCommit{Message: text, Tail: rest}.CodeClaims(ctx, r)
}

// proofWatcher prints each answer of a proof as it comes, and on a terminal a progress bar with an estimate.
type proofWatcher struct {
	command
	hasBar bool
}

func (a proofWatcher) Answered(p report.FunctionProof, done, of int, each time.Duration) {
	if a.hasBar {
		_, _ = fmt.Fprint(a.Stderr.Raw(), "\r\x1b[K")
	}
	a.Stderr.Printf("acta: %s:%d %s: %s\n", p.Path, p.Line, p.Symbol, p.Answer)
	if a.hasBar && done < of {
		const width = 20
		full := width * done / of
		left := (time.Duration(of-done) * each).Round(time.Second)
		_, _ = fmt.Fprintf(a.Stderr.Raw(), "[%s%s] %d of %d, about %s left", strings.Repeat("#", full),
			strings.Repeat(".", width-full), done, of, left)
	}
}

func (c command) printProof(p *report.Proof, format string) error {
	if format == "text" {
		if err := report.WriteProof(c.Stdout, p); err != nil {
			return err
		}
	} else if err := c.write(&judge.Result{Report: p.Report()}, format); err != nil {
		return err
	}
	code, _ := parser.ProofRun(p.Noticed, p.Tried)
	return exitWith(code)
}
