package main

import (
	"cmp"
	"context"
	"os"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/record/ledger"
	"github.com/acta-git/acta/repo"
)

// rangeMemory is from how many bytes on the collector works harder, so that a range of any length fits in 400 MB: what
// grammars hold, which it does not know of, comes on top.
const rangeMemory = 256 << 20

// boundMemory has the collector work harder from rangeMemory on, unless GOMEMLIMIT says otherwise.
func boundMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(rangeMemory)
	}
}

func (c command) runVerify(call *cli.Context) error {
	to, err := c.delivery(call)
	if err != nil {
		return err
	}
	return inRepo(call.Context, func(r *repo.Repo) error { return c.verify(call.Context, call, r, to) })
}

func (c command) verify(ctx context.Context, call *cli.Context, r *repo.Repo, to *ledger.Delivery) error {
	commits := call.Args().First()
	base, head, err := c.rangeOf(ctx, r, commits)
	if err != nil {
		return err
	}
	boundMemory()
	reports := reportFiles{command: c, call: call, repo: r}
	landed := judge.Landed{Base: base, Head: head, Reports: reports}
	result, err := landed.Judge(ctx, r)
	if err != nil {
		return err
	}
	if call.Bool("run-verifiers") {
		if err := landed.RunVerifier(ctx, r, os.Environ(), result); err != nil {
			return err
		}
	}
	printed := c.print(result, call.String("format"), false)
	if err := c.tell(ctx, call, to, judgedRange{base, head, commits != ""}); err != nil {
		return err // what is required and was not done is exit code 3
	}
	return printed
}

// rangeOf is the range that is named, else the one that the surroundings name.
func (c command) rangeOf(ctx context.Context, r *repo.Repo, commits string) (base, head string, err error) {
	if commits != "" {
		return splitRange(commits)
	}
	return c.defaultRange(ctx, r)
}

// splitRange reads BASE..HEAD; an empty side is HEAD, as git has it, and a single
// revision has no base.
func splitRange(s string) (base, head string, err error) {
	if strings.Contains(s, "...") {
		return "", "", usagef("%q has three dots; the commits of HEAD that BASE lacks are BASE..HEAD", s)
	}
	base, head, found := strings.Cut(s, "..")
	if !found {
		return "", base, nil
	}
	return cmp.Or(base, "HEAD"), cmp.Or(head, "HEAD"), nil
}
