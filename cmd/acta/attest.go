package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/attest"
	"github.com/acta-git/acta/attest/sshsig"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/results"
)

type attestOptions struct {
	key, signer, output string
	notes               bool
	junit               cli.StringSlice
}

func (c command) attest() *cli.Command {
	var o attestOptions
	return &cli.Command{
		Name:      "attest",
		Usage:     "judge a range as `acta verify` does, and sign the verdict",
		ArgsUsage: "[BASE..HEAD]",
		Description: "Writes in-toto statements about the commit at the end of the range and about its tree, in DSSE\n" +
			"envelopes, one a line (docs/attest.md). A verdict that refuses is written as well. Without a range: what\n" +
			"`acta verify` takes. What was found goes to standard error; equal input gives equal bytes.",
		Flags: []cli.Flag{
			textFlag(&o.key, "key", "sign by ssh-keygen with the key in `FILE`; a .pub is a key of ssh-agent"),
			textFlag(&o.signer, "signer", "sign by `CMD`, run by sh -c: it reads what to sign, and prints the signature"),
			&cli.StringFlag{
				Name: "output", Aliases: []string{"o"}, Usage: "write to `FILE`; - is standard output", Destination: &o.output,
			},
			listFlag(&o.junit, "junit", "sign the reports of tests that `GLOB` matches, too: JUnit XML, go test -json, TAP"),
			boolFlag(&o.notes, "notes", "add it to the note on the commit in "+judge.AttestNotes),
		},
		Subcommands: []*cli.Command{c.attestVerify()},
		Action: atMost(1, func(ctx *cli.Context) error {
			if (o.key == "") == (o.signer == "") {
				return usagef("attest needs either --key FILE or --signer CMD")
			}
			return inRepo(ctx.Context, func(r *repo.Repo) error {
				return c.runAttest(ctx.Context, r, ctx.Args().First(), o)
			})
		}),
	}
}

func (c command) runAttest(ctx context.Context, r *repo.Repo, commits string, o attestOptions) error {
	var landed judge.Landed
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
	head, err := r.Commit(ctx, landed.Head)
	if err != nil {
		return err
	}
	at, err := c.attestedAt(head.Committer.When)
	if err != nil {
		return err
	}
	verdict, err := landed.Verdict(ctx, r, result, at)
	if err != nil {
		return err
	}
	bundle, err := c.signed(ctx, verdict, o)
	if err != nil {
		return err
	}
	if o.notes {
		err = r.AddNote(ctx, repo.NoteLine{
			Ref: judge.AttestNotes, On: head.ID, Line: string(bundle), Name: "acta", When: at,
			Message: "Verdict over " + string(head.ID) + "\n",
		})
	}
	if err == nil && (o.output != "" || !o.notes) {
		err = c.writeOutput(o.output, bundle)
	}
	if err != nil {
		return err
	}
	return printed
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

// signed are the envelopes of a verdict.
func (c command) signed(ctx context.Context, v attest.Verdict, o attestOptions) ([]byte, error) {
	payloads, err := v.Statements()
	if err != nil {
		return nil, err
	}
	tests, err := testStatements(v, o.junit.Value())
	if err != nil {
		return nil, err
	}
	payloads = append(payloads, tests...)
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

// testStatements are what the reports of tests say that patterns match, each of which must match one.
func testStatements(v attest.Verdict, patterns []string) ([][]byte, error) {
	var all [][]byte
	for _, pattern := range patterns {
		found, err := doublestar.FilepathGlob(pattern, doublestar.WithFilesOnly())
		if err != nil {
			return nil, usagef("%q is no pattern of files: %v", pattern, err)
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("no file matches %q: run the tests so that they write it, or name another", pattern)
		}
		slices.Sort(found)
		for _, name := range found {
			data, err := readAtMost(name, results.MaxFileBytes)
			if err != nil {
				return nil, err
			}
			payload, err := v.Basis.Tests(filepath.ToSlash(name), data, v.TimeCreated)
			if err != nil {
				return nil, err
			}
			all = append(all, payload)
		}
	}
	return all, nil
}

// readAtMost reads a file that has no more than so many bytes.
func readAtMost(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%s has more than the %d bytes that are read of such a file", name, most)
	}
	return data, err
}

// sign asks the user's own program, with the user's environment and terminal: it may want a passphrase, or a touch.
func (c command) sign(ctx context.Context, o attestOptions, data []byte) ([]byte, error) {
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

// writeOutput writes to a file, or to standard output for "-" and "".
func (c command) writeOutput(name string, data []byte) error {
	if name == "" || name == "-" {
		_, err := c.Stdout.Write(data)
		return err
	}
	return os.WriteFile(name, data, 0o666)
}
