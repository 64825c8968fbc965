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

// hookPoint is a hook as a command.
type hookPoint struct {
	name string
	run  func(context.Context, *repo.Repo, hooks.Call) (*hooks.Answer, error)
	// refused is what git does not do when the hook fails; "" where it never fails.
	refused string
}

// hook is the command whose subcommands are the hooks; those that judge one commit can print their report as JSON.
func (c command) hook() *cli.Command {
	var commands []*cli.Command
	for _, h := range []hookPoint{
		{"pre-commit", hooks.PreCommit, "the commit"},
		{"prepare-commit-msg", hooks.PrepareCommitMsg, ""},
		{"commit-msg", hooks.CommitMsg, "the commit"},
		{"post-commit", hooks.PostCommit, ""},
		{"applypatch-msg", hooks.DoNothing, ""},
		{"pre-applypatch", hooks.PreApplypatch, "the patch"},
		{"post-applypatch", hooks.DoNothing, ""},
		{"post-merge", hooks.DoNothing, ""},
		{"post-rewrite", hooks.PostRewrite, ""},
		{"pre-push", hooks.PrePush, "the push"},
		{"pre-receive", hooks.PreReceive, "the push"},
		{"reference-transaction", hooks.ReferenceTransaction, "the branch"},
	} {
		commands = append(commands, does(h.name, func(call *cli.Context) error { return c.runHook(call, h) }))
	}
	return does("hook", nil, commands...)
}

// envAnswer is set by the hooks' scripts: what a hook that refuses nothing ends with.
const envAnswer = "ACTA_ANSWER"

// envUnadvised is set by the hook script of commit-msg where that of pre-commit has left its questions to it.
const envUnadvised = "ACTA_UNADVISED"

func (c command) runHook(call *cli.Context, h hookPoint) error {
	ctx, args, format := call.Context, call.Args().Slice(), cmp.Or(call.String("format"), "text")
	if wants := call.Command.ArgsUsage; len(args) < len(strings.Fields(wants)) {
		return usagef("hook %s takes %s, as git calls it", h.name, wants)
	}
	r, err := repo.Open(ctx, ".", repo.Options{})
	if err != nil {
		return err
	}
	defer r.Close()
	advised := h.name == "commit-msg" && format == "text" && os.Getenv(envUnadvised) == ""
	answer, err := h.run(ctx, r, hooks.Call{
		Args: args, Stdin: c.Stdin, Env: os.Environ(), WasAdvised: advised,
	})
	if err == nil && advised {
		leaveToPreCommit(answer)
	}
	c.budget = &budget{all: "acta check"}
	if h.name == "pre-applypatch" {
		c.budget.all += " --message " + c.shown(hooks.PatchMessage(os.Environ()))
	}
	if err == nil {
		err = c.printAnswer(answer, format)
		c.sayLeft()
	}
	if answer != nil {
		c.record.saidBy(answer.Message)
		c.recordClaims(ctx, r, answer)
	}
	switch {
	case err == nil:
		return nil
	case h.refused == "":
		c.warn("%v", err)
		return nil
	case format == "text":
		c.sayRefused(h, args, err)
	}
	c.record.say(refusal, h.refused+" was refused")
	return err
}

// recordClaims records the claims of what was refused, with who made them.
func (c command) recordClaims(ctx context.Context, r *repo.Repo, a *hooks.Answer) {
	for _, result := range a.Results {
		if result.Result == nil || result.Code() == exitClean || len(result.Verdicts) == 0 {
			continue
		}
		c.record.refusedClaims(&result.Report, func(v report.ClaimVerdict) string {
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

// stagedActor is who makes the commit that is about to be made: as the ACT of the unit says, else its author.
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

// leaveToPreCommit takes out of commit-msg's answer the warnings that the same
// commit got from pre-commit a moment ago.
func leaveToPreCommit(a *hooks.Answer) {
	for _, result := range a.Results {
		result.Findings = slices.DeleteFunc(result.Findings, func(f report.Finding) bool {
			return f.Rule == rules.StubAdded && f.Severity < report.Error
		})
	}
}

// sayRefused says that git does not go on, and how to.
func (c command) sayRefused(h hookPoint, args []string, err error) {
	c.Stderr.Printf("acta: %s was refused", h.refused)
	found := exit(0)
	switch {
	case h.name == "pre-applypatch":
		c.Stderr.Printf("\n    fix the code and git add it, or fix the message in %s, then run: git am --continue",
			c.shown(hooks.PatchMessage(os.Environ())))
	case h.name == "commit-msg":
		c.Stderr.Printf("; its message is kept in %s", c.shown(args[0]))
		if errors.As(err, &found) {
			c.Stderr.Printf("\n    %s\n    %s", c.retry(args[0]), plan.WayOut)
		}
	}
	c.Stderr.Printf("\n")
}

// printAnswer prints what a hook found and turns it into the exit code.
func (c command) printAnswer(a *hooks.Answer, format string) error {
	c.remarks("", a.Warnings, nil)
	for _, result := range a.Results {
		if result.Ref == "" {
			return c.print(result.Result, format, true)
		}
		if err := c.printRef(result); err != nil {
			return err
		}
	}
	if code := a.Code(); code != exitClean {
		return exit(code)
	}
	return nil
}

// printRef prints what was found of a ref that is refused, and the warnings of
// another and what weakens its policy, to standard error, which git shows to whoever pushes.
func (c command) printRef(r hooks.Result) error {
	defer c.remarks(r.Ref+": ", r.Warnings, r.Undecided)
	if r.Result.Code() == exitClean {
		weakened := slices.DeleteFunc(slices.Clone(r.Findings), func(f report.Finding) bool {
			return f.Rule != rules.PolicyWeakened
		})
		c.record.findings(weakened)
		for _, f := range weakened {
			if !c.leave(1) {
				c.Stderr.Printf("acta: %s: %s: %s [%s]\n", f.Severity, r.Ref, f.Message, f.Rule)
			}
		}
		return nil
	}
	c.record.findings(r.Findings)
	if c.leave(leastLines) {
		return nil
	}
	c.Stderr.Printf("acta: refused: %s\n", r.Ref)
	base, head, _ := strings.Cut(r.Range, "..")
	if strings.Trim(base, "0") == "" { // the ref is new
		return report.WriteDigest(c.Stderr, &r.Report, c.room(), "acta verify "+head)
	}
	return report.WriteDigest(c.Stderr, &r.Report, c.room(), "acta verify "+r.Range)
}

// retry says how to go on. What an editor leaves in the message file (comments, a
// diff) must not be committed with it, so there only the editor is named.
func (c command) retry(file string) string {
	if os.Getenv("GIT_EDITOR") == ":" {
		return "fix the errors above, then run: git commit -F " + c.shown(file)
	}
	return "fix the errors above, then commit again"
}

// shown is the file as it can be named from where git was called: hooks run at
// the top of the work tree.
func (c command) shown(file string) string {
	if os.Getenv("GIT_PREFIX") == "" {
		return file
	}
	if abs, err := filepath.Abs(file); err == nil {
		return abs
	}
	return file
}
