package main

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// hook is the command with the hooks as subcommands; those that judge one commit can print JSON.
func (c command) hook() *cli.Command {
	var commands []*cli.Command
	for _, p := range hooks.Points() {
		run := func(ctx context.Context, call *cli.Context, r *repo.Repo) error { return c.runHook(ctx, call, r, p) }
		commands = append(commands, &cli.Command{Name: p.Name, Action: repoAction(run)}) // git may pass more arguments
	}
	return cmd("hook", nil, commands...)
}

// envAnswer is set by the hooks' scripts: the exit code of a hook that refuses nothing.
const envAnswer = "ACTA_ANSWER"

// envUnadvised is set by commit-msg's script if pre-commit's script has left its checks to commit-msg.
const envUnadvised = "ACTA_UNADVISED"

func (c command) runHook(ctx context.Context, call *cli.Context, r *repo.Repo, h hooks.Point) error {
	args, format := call.Args().Slice(), cmp.Or(call.String("format"), "text")
	if wants := call.Command.ArgsUsage; len(args) < len(strings.Fields(wants)) {
		return usagef("hook %s takes %s, as git calls it", h.Name, wants)
	}
	wasAdvised := h.Name == "commit-msg" && format == "text" && os.Getenv(envUnadvised) == ""
	answer, err := h.Run(ctx, r, hooks.Call{
		Args: args, Stdin: c.Stdin, Env: os.Environ(), WasAdvised: wasAdvised,
	})
	if err == nil && wasAdvised {
		removePreCommitWarnings(answer)
	}
	c.budget = &budget{allCommand: "acta check"}
	if h.Name == "pre-applypatch" {
		c.budget.allCommand += " --message " + c.displayPath(hooks.PatchMessage(os.Environ()))
	}
	if err == nil {
		err = c.printAnswer(answer, format)
		if n := c.budget.omitted; n > 0 {
			c.Stderr.Printf("acta: and %d more: acta audit\n", n)
		}
	}
	if answer != nil {
		c.record.setCaller(answer.Message)
		c.recordClaims(ctx, r, answer)
	}
	switch {
	case err == nil:
		return nil
	case h.Subject == "":
		c.warn("%v", err)
		return nil
	case format == "text":
		c.printRefusal(ctx, r, h, args, answer, err)
	}
	c.record.addMessage(refusal, h.Subject+" was refused")
	return err
}

func (c command) recordClaims(ctx context.Context, r *repo.Repo, a *hooks.Answer) {
	for _, result := range a.Results {
		if result.Result == nil || result.Code() == exitClean || len(result.Verdicts) == 0 {
			continue
		}
		c.record.addRefusedClaims(&result.Report, func(v report.ClaimVerdict) string {
			if v.Commit == "" {
				return stagedActor(ctx, r, a.Message, v.Unit)
			}
			actor, err := judge.ActorOf(ctx, r, v.Commit, v.Unit)
			if err != nil {
				return "" // the record fails open
			}
			return actor
		})
	}
}

func stagedActor(ctx context.Context, r *repo.Repo, message []byte, unit string) string {
	if actor := judge.ActorIn(parser.Parse(message), unit); actor != "" {
		return actor
	}
	names, err := r.Author(ctx)
	if err != nil {
		return ""
	}
	return names[0]
}

// removePreCommitWarnings removes warnings that pre-commit has just given for the same commit.
func removePreCommitWarnings(a *hooks.Answer) {
	for _, result := range a.Results {
		result.Findings = slices.DeleteFunc(result.Findings, func(f report.Finding) bool {
			return f.Rule == rules.StubAdded && f.Severity < report.Error
		})
	}
}

func (c command) printRefusal(
	ctx context.Context, r *repo.Repo, h hooks.Point, args []string, a *hooks.Answer, err error,
) {
	c.Stderr.Printf("acta: %s was refused", h.Subject)
	code := exitError(0)
	switch {
	case h.Name == "pre-applypatch":
		c.Stderr.Printf("\n    fix the code and git add it, or fix the message in %s, then run: git am --continue",
			c.displayPath(hooks.PatchMessage(os.Environ())))
	case h.Name == "commit-msg":
		c.Stderr.Printf("; its message is kept in %s", c.displayPath(args[0]))
		if errors.As(err, &code) {
			c.Stderr.Printf("\n    %s", c.retry(ctx, r, args[0]))
			if way := wayOut(a.Results[0].Result); way != "" {
				c.Stderr.Printf("\n    %s", way)
			}
		}
	}
	c.Stderr.Printf("\n")
}

// wayOut says what to do instead of claiming; nothing about a commit that claims no work, or whose task may not act.
func wayOut(r *judge.Result) string {
	barred := map[string]bool{}
	for _, f := range r.Findings {
		barred[f.Unit] = barred[f.Unit] || f.Severity == report.Error && !rules.IsWaivable(f.Rule)
	}
	for _, f := range r.Findings {
		if r.Acts > 0 && f.Severity == report.Error && f.Unit != "" && !barred[f.Unit] {
			return plan.WayOut(f.Unit)
		}
	}
	if len(r.Boxes) > 0 {
		return "if it cannot be done, untick the box"
	}
	return ""
}

func (c command) printAnswer(a *hooks.Answer, format string) error {
	c.printRemarks("", a.Warnings, nil)
	for _, result := range a.Results {
		if result.Ref == "" {
			return c.print(result.Result, format, true)
		}
		if err := c.printRef(result); err != nil {
			return err
		}
	}
	return exitWith(a.Code())
}

// printRef prints the findings of a refused ref, and warnings and weakened policies of others, to standard error, which
// git shows to whoever pushes.
func (c command) printRef(r hooks.Result) error {
	defer c.printRemarks(r.Ref+": ", r.Warnings, r.Undecided)
	if r.Result.Code() == exitClean {
		weakened := slices.DeleteFunc(slices.Clone(r.Findings), func(f report.Finding) bool {
			return f.Rule != rules.PolicyWeakened
		})
		c.record.addFindings(weakened)
		for _, f := range weakened {
			if !c.isOmitted(1) {
				c.Stderr.Printf("acta: %s: %s: %s [%s]\n", f.Severity, r.Ref, f.Message, f.Rule)
			}
		}
		return nil
	}
	c.record.addFindings(r.Findings)
	if c.isOmitted(minFindingLines) {
		return nil
	}
	c.Stderr.Printf("acta: refused: %s\n", r.Ref)
	span := r.Range
	if base, head, _ := strings.Cut(span, ".."); isZero(base) { // the ref is new
		span = head
	}
	return report.WriteDigest(c.Stderr, &r.Report, c.remainingLines(), "acta verify "+span)
}

// retry says how to commit again. An editor's message file still has comments or a diff, which must not be committed,
// so then the file is not named. git keeps the index that it makes for -a or a path in a file of another name.
func (c command) retry(ctx context.Context, r *repo.Repo, file string) string {
	again, option := "fix the code, or edit that message; then run", "-F "+c.displayPath(file)
	switch index := cmp.Or(os.Getenv("GIT_INDEX_FILE"), "index"); {
	case os.Getenv("GIT_EDITOR") != ":":
		return "fix the errors above, then run the same git commit again"
	case filepath.Base(index) != "index":
		return again + " the same git commit again, with " + option + " in place of its message"
	case hooks.IsAmend(ctx, r, os.Environ()):
		return again + ": git commit --amend " + option
	}
	return again + ": git commit " + option
}

// displayPath is a path that works from git's working directory: hooks run at the top of the work tree.
func (c command) displayPath(file string) string {
	if os.Getenv("GIT_PREFIX") == "" {
		return file
	}
	if abs, err := filepath.Abs(file); err == nil {
		return abs
	}
	return file
}
