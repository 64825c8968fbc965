package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/ledger"
	"github.com/acta-git/acta/repo"
)

// rangeMemory is from how many bytes on the collector works harder, so that a range of any length fits in 400 MB: what
// grammars hold, which it does not know of, comes on top.
const rangeMemory = 192 << 20

// boundMemory has the collector work harder from rangeMemory on, unless GOMEMLIMIT says otherwise.
func boundMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(rangeMemory)
	}
}

type verifyOptions struct {
	format, shard, attested string
	merge, run              bool
	results                 resultOptions
	report                  reportOptions
}

func (c command) verify() *cli.Command {
	var o verifyOptions
	return &cli.Command{
		Name: "verify",
		Flags: append([]cli.Flag{
			formatFlag(&o.format, diag.Formats()...),
			textFlag(&o.shard, "shard", "judge part `I/N` of the range, for --merge; needs --format json"),
			boolFlag(&o.merge, "merge", "join the results of all shards, given as files"),
			boolFlag(&o.run, "run-verifiers",
				"where the range completes a task, run the verifier that the base's policy names for it (complete: "+
					"{verifier: NAME})"),
			textFlag(&o.attested, "attested", "look for a verdict to take in `FILE` too, as `acta attest` wrote it; the base's "+
				"policy says whose are taken (trust: {for: [verify]})"),
		}, append(o.results.flags(), o.report.flags()...)...),
		Action: func(ctx *cli.Context) error {
			delivery, err := c.delivery(&o.report)
			if err != nil {
				return err
			}
			switch {
			case delivery != nil && ctx.IsSet("shard"):
				return usagef("a shard is a part of a result: report from the job that joins them, with --merge")
			case o.run && (o.merge || ctx.IsSet("shard")):
				return usagef("--run-verifiers goes with a whole range: neither with --shard nor with --merge")
			case o.attested != "" && (o.merge || ctx.IsSet("shard")):
				return usagef("--attested goes with a whole range: neither with --shard nor with --merge")
			case o.merge && ctx.IsSet("shard"):
				return usagef("--merge joins shards, and --shard makes one")
			case o.merge && o.results.isSet():
				return usagef("reports of results are held against claims where the range is judged: give them to the last --shard")
			case o.merge:
				return c.runMerge(ctx.Context, ctx.Args().Slice(), &o, delivery)
			case ctx.IsSet("shard") && o.format != "json":
				return usagef("a shard is a part that only --merge can read; add --format json")
			}
			if err := arguments(ctx, 1); err != nil {
				return err
			}
			shard, err := parseShard(ctx.IsSet("shard"), o.shard)
			if err != nil {
				return err
			}
			return c.runVerify(ctx.Context, ctx.Args().First(), shard, &o, delivery)
		},
	}
}

func (c command) runVerify(
	ctx context.Context, commits string, shard judge.Shard, o *verifyOptions, to *ledger.Delivery,
) error {
	r, err := repo.Open(ctx, ".", repo.Options{})
	if err != nil {
		return err
	}
	defer r.Close()
	var base, head string
	if commits != "" {
		base, head, err = splitRange(commits)
	} else {
		base, head, err = c.defaultRange(ctx, r)
	}
	if err != nil {
		return err
	}
	boundMemory()
	line := c.watch("commits")
	reports := reportFiles{command: c, options: &o.results, repo: r}
	landed := judge.Landed{Base: base, Head: head, Shard: shard, Reports: reports, Progress: func(done, total int) {
		line.done, line.total = done, total
		line.tick()
	}}
	result, err := c.judgeOrTrust(ctx, r, landed, o)
	line.clear()
	if err != nil {
		return err
	}
	if o.run {
		said, err := landed.RunVerifier(ctx, r, os.Environ(), result)
		if err != nil {
			return err
		}
		if said != "" {
			c.warn("%s", said)
		}
	}
	printed := c.print(result, o.format, false)
	return c.reported(printed, c.tell(ctx, &o.report, to, judgedRange{base, head, commits != ""}))
}

// judgeOrTrust judges the range, or takes the verdict that the base's policy trusts. A shard is judged, and so is what
// reports are given for.
func (c command) judgeOrTrust(
	ctx context.Context, r *repo.Repo, landed judge.Landed, o *verifyOptions,
) (*judge.Result, error) {
	if landed.Shard != (judge.Shard{}) || o.results.isSet() {
		return landed.Judge(ctx, r)
	}
	var bundle []byte
	if o.attested != "" {
		var err error
		if bundle, err = c.readInput(o.attested); err != nil {
			return nil, err
		}
	}
	result, err := landed.JudgeOrTrust(ctx, r, bundle)
	if err == nil && result.Trusted != nil {
		c.Stderr.Printf("acta: not judged again: the verdict is that of %s\n", result.Trusted.Signer)
	}
	return result, err
}

// reported is how a run ends that was printed, and reported or not: what is required and was not done is exit code 3.
func (c command) reported(printed, report error) error {
	if report != nil {
		return report
	}
	return printed
}

// parseShard reads I/N.
func parseShard(given bool, s string) (judge.Shard, error) {
	if !given {
		return judge.Shard{}, nil
	}
	index, of, _ := strings.Cut(s, "/")
	i, wrong := strconv.Atoi(index)
	n, wrongToo := strconv.Atoi(of)
	shard := judge.Shard{Index: i, Of: n}
	if wrong != nil || wrongToo != nil || shard == (judge.Shard{}) {
		return shard, usagef("--shard must be I/N, for example 1/4, not %q", s)
	}
	if err := shard.Validate(); err != nil {
		return shard, usageError{err}
	}
	return shard, nil
}

// runMerge joins shards. What keeps the set from being whole is exit code 3: what
// a missing shard would have said is not known.
func (c command) runMerge(ctx context.Context, files []string, o *verifyOptions, to *ledger.Delivery) error {
	if len(files) == 0 {
		return usagef("--merge needs the files that `acta verify --shard I/N --format json` wrote")
	}
	var shards []*diag.Report
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return fmt.Errorf("a shard cannot be read: %w", err)
		}
		report := &diag.Report{}
		if err := json.Unmarshal(data, report); err != nil {
			return fmt.Errorf("%s is no shard's result: %w", name, err)
		}
		shards = append(shards, report)
	}
	result, err := judge.Merge(shards)
	if err != nil {
		return err
	}
	printed := c.print(result, o.format, false)
	base, head, err := splitRange(result.Range)
	if err != nil {
		return err
	}
	return c.reported(printed, c.tell(ctx, &o.report, to, judgedRange{base, head, true}))
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
	if base == "" {
		base = "HEAD"
	}
	if head == "" {
		head = "HEAD"
	}
	return base, head, nil
}
