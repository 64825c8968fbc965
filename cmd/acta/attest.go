package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/attest"
	"github.com/acta-git/acta/attest/sshsig"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/results"
)

type attestOptions struct {
	key, signer, output string
	notes               bool
	results             resultOptions
}

func (c command) attest() *cli.Command {
	var o attestOptions
	return &cli.Command{
		Name: "attest",
		Flags: append([]cli.Flag{
			textFlag(&o.key, "key", "sign by ssh-keygen with the key in `FILE`; a .pub is a key of ssh-agent"),
			textFlag(&o.signer, "signer", "sign by `CMD`, run by sh -c: it reads what to sign, and prints the signature"),
			&cli.StringFlag{
				Name: "output", Aliases: []string{"o"}, Usage: "write to `FILE`; - is standard output", Destination: &o.output,
			},
			boolFlag(&o.notes, "notes", "add it to the note on the commit in "+judge.AttestNotes),
		}, o.results.flags()...),
		Subcommands: []*cli.Command{c.attestVerify()},
		Action: atMost(1, func(ctx *cli.Context) error {
			if (o.key == "") == (o.signer == "") {
				return usagef("attest needs either --key FILE or --signer CMD")
			}
			return inRepo(ctx.Context, func(r *repo.Repo) error {
				return c.runAttest(ctx.Context, r, ctx.Args().First(), &o)
			})
		}),
	}
}

func (c command) runAttest(ctx context.Context, r *repo.Repo, commits string, o *attestOptions) error {
	reports := &keptReports{reportFiles: reportFiles{command: c, options: &o.results, repo: r}}
	landed := judge.Landed{Reports: reports}
	var err error
	if commits != "" {
		landed.Base, landed.Head, err = splitRange(commits)
	} else {
		landed.Base, landed.Head, err = c.defaultRange(ctx, r)
	}
	if err != nil {
		return err
	}
	result, err := landed.Judge(ctx, r)
	if err != nil {
		return err
	}
	found := c
	found.Stdout = c.Stderr // standard output is the attestation's
	printed := found.print(result, "text", false)
	if len(result.Undecided) > 0 {
		return printed
	}
	verdict, err := c.verdict(ctx, r, landed, result)
	if err != nil {
		return err
	}
	payloads, err := verdict.Statements()
	if err != nil {
		return err
	}
	tests, err := reports.statements(verdict)
	if err != nil {
		return err
	}
	bundle, err := c.signed(ctx, append(payloads, tests...), o)
	if err != nil {
		return err
	}
	if err := c.deliver(ctx, r, verdict, bundle, o); err != nil {
		return err
	}
	return printed
}

// verdict is the result with the time that it bears.
func (c command) verdict(
	ctx context.Context, r *repo.Repo, landed judge.Landed, result *judge.Result,
) (attest.Verdict, error) {
	head, err := r.Commit(ctx, landed.Head)
	if err != nil {
		return attest.Verdict{}, err
	}
	at, err := c.attestedAt(head.Committer.When)
	if err != nil {
		return attest.Verdict{}, err
	}
	return landed.Verdict(ctx, r, result, at)
}

// deliver puts the lines where the options want them.
func (c command) deliver(
	ctx context.Context, r *repo.Repo, v attest.Verdict, bundle []byte, o *attestOptions,
) error {
	if o.notes {
		err := r.AddNote(ctx, repo.NoteLine{
			Ref: judge.AttestNotes, On: repo.ID(v.Basis.Commit), Line: string(bundle), Name: "acta", When: v.TimeCreated,
			Message: "Verdict over " + v.Basis.Commit + "\n",
		})
		if err != nil || o.output == "" {
			return err
		}
	}
	if o.output == "" || o.output == "-" {
		_, err := c.Stdout.Write(bundle)
		return err
	}
	return os.WriteFile(o.output, bundle, 0o666)
}

// attestedAt is the time that a verdict bears: SOURCE_DATE_EPOCH, else that of the commit, so that equal input gives
// equal bytes.
func (c command) attestedAt(committed time.Time) (time.Time, error) {
	given := c.Getenv("SOURCE_DATE_EPOCH")
	if given == "" {
		return committed, nil
	}
	seconds, err := strconv.ParseInt(given, 10, 64)
	if err != nil {
		return time.Time{}, usagef("SOURCE_DATE_EPOCH is a number of seconds since 1970, not %q", given)
	}
	return time.Unix(seconds, 0), nil
}

// signed are payloads in envelopes, a line each.
func (c command) signed(ctx context.Context, payloads [][]byte, o *attestOptions) ([]byte, error) {
	var bundle []byte
	for _, payload := range payloads {
		sig, err := c.sign(ctx, o, attest.PAE(attest.PayloadType, payload))
		if err != nil {
			return nil, err
		}
		said, _ := sshsig.Parse(sig) // what another program signs with may be no SSH key
		e := attest.Envelope{
			Payload: payload, PayloadType: attest.PayloadType, Signatures: []attest.Signature{{KeyID: said.Key, Sig: sig}},
		}
		line, err := e.Line()
		if err != nil {
			return nil, err
		}
		bundle = append(bundle, line...)
	}
	return bundle, nil
}

// keptReports remembers the reports that were held against the claims, so that those are signed and no others.
type keptReports struct {
	reportFiles
	read *results.Set
}

// Read implements judge.Reports.
func (k *keptReports) Read(ctx context.Context, p *policy.Policy) (_ *results.Set, err error) {
	k.read, err = k.reportFiles.Read(ctx, p)
	return k.read, err
}

// statements are what the reports of tests say that were run over the commit of a verdict.
func (k *keptReports) statements(v attest.Verdict) ([][]byte, error) {
	if k.read == nil {
		return nil, nil
	}
	var all [][]byte
	for _, file := range k.read.Files {
		if file.Kind != string(results.OfTests) {
			continue
		}
		payload, err := v.Basis.Tests(file, k.read.Tests[len(all)], v.TimeCreated)
		if err != nil {
			return nil, err
		}
		all = append(all, payload)
	}
	return all, nil
}

// sign asks the user's own program, with the user's environment and terminal: it may want a passphrase, or a touch.
func (c command) sign(ctx context.Context, o *attestOptions, data []byte) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "ssh-keygen", "-q", "-Y", "sign", "-n", sshsig.Namespace, "-f", o.key)
	if o.signer != "" {
		cmd = exec.CommandContext(ctx, "sh", "-c", o.signer)
	}
	var out bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(data), &out, c.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("nothing was signed: %s: %w", strings.Join(cmd.Args, " "), err)
	}
	if out.Len() == 0 {
		return nil, fmt.Errorf("nothing was signed: %s printed no signature", strings.Join(cmd.Args, " "))
	}
	return out.Bytes(), nil
}
