package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/attest"
	"github.com/acta-git/acta/attest/sshsig"
	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/snapshot"
)

// maxEnvelopes bounds what one call checks: each costs some milliseconds of ssh-keygen.
const maxEnvelopes = 1000

type attestVerifyOptions struct{ signers, base, commit string }

func (c command) attestVerify() *cli.Command {
	var o attestVerifyOptions
	return &cli.Command{
		Name: "verify",
		Description: "FILE is what `acta attest` wrote, - standard input; without it the note on the commit is read\n" +
			"(" + judge.AttestNotes + "). Exit code 0 says that an allowed signer has found nothing wrong with the\n" +
			"commit; it is 1 for a verdict that refuses, and where none holds, with a line for each that does not.",
		Flags: []cli.Flag{
			textFlag(&o.signers, "signers", "the allowed signers are those of `FILE` (ssh-keygen(1))"),
			textFlag(&o.base, "base", "they are those whom the policy of `REV` trusts, a commit before what is judged"),
			&cli.StringFlag{
				Name: "commit", Usage: "the verdict must be one over `REV`", Value: "HEAD", Destination: &o.commit,
			},
		},
		Action: atMost(1, func(ctx *cli.Context) error {
			if (o.signers == "") == (o.base == "") {
				return usagef("attest verify needs to know whom to trust: either --signers FILE or --base REV")
			}
			return inRepo(ctx.Context, func(r *repo.Repo) error {
				return c.runAttestVerify(ctx.Context, r, ctx.Args().First(), o)
			})
		}),
	}
}

func (c command) runAttestVerify(ctx context.Context, r *repo.Repo, file string, o attestVerifyOptions) error {
	commit, err := r.Commit(ctx, o.commit)
	if err != nil {
		return err
	}
	signers, err := allowedSigners(ctx, r, o)
	if err != nil {
		return err
	}
	var bundle []byte
	if file != "" {
		bundle, err = c.readInput(file)
	} else {
		bundle, err = r.Note(ctx, judge.AttestNotes, commit.ID)
	}
	if err != nil {
		return err
	}
	envelopes := attest.Envelopes(bundle)
	if len(envelopes) > maxEnvelopes {
		return usagef("there are %d envelopes, and at most %d are checked at once: split the file", len(envelopes),
			maxEnvelopes)
	}
	code, holds := exitClean, false
	var passed []string
	for i, e := range envelopes {
		s, by, err := sshsig.Open(ctx, signers, &e)
		var refused *sshsig.RefusedError
		switch {
		case errors.As(err, &refused):
			passed = append(passed, fmt.Sprintf("envelope %d does not hold: %s", i+1, refused.Why))
			continue
		case err != nil:
			return err
		}
		if why := isOver(s, commit); why != "" {
			passed = append(passed, fmt.Sprintf("envelope %d, signed by %s, is not of this commit: %s", i+1, by.Name, why))
			continue
		}
		c.Stdout.Printf("%s\n", sayAttested(s, by))
		if s.Verdict != nil {
			holds, code = true, max(code, s.Verdict.Code)
		}
	}
	for _, why := range passed {
		c.warn("%s", why)
	}
	if !holds {
		c.Stderr.Printf("acta: refused: of %d envelope(s), none is a verdict of an allowed signer over %.12s\n",
			len(envelopes), commit.ID)
		return exit(exitFindings)
	}
	if code != exitClean {
		return exit(code)
	}
	return nil
}

// allowedSigners are those of a file, or those whom the policy of a commit trusts.
func allowedSigners(ctx context.Context, r *repo.Repo, o attestVerifyOptions) ([]byte, error) {
	if o.signers != "" {
		data, err := os.ReadFile(o.signers)
		if err != nil {
			return nil, usageError{err}
		}
		return data, nil
	}
	signers, err := snapshot.At(r, o.base).Signers(ctx)
	if err == nil && signers == nil {
		err = &policy.ConfigError{Err: fmt.Errorf(
			"the policy of %s trusts nobody; name signers under trust, or give --signers FILE", o.base)}
	}
	return signers, err
}

// isOver says why a statement is not one of a commit and its tree, "" where it is.
func isOver(s *attest.Statement, c repo.Commit) string {
	switch {
	case s.Commit != string(c.ID):
		return fmt.Sprintf("it is of commit %.12s, and not %.12s", s.Commit, c.ID)
	case s.Tree != string(c.Tree):
		return fmt.Sprintf("it is of tree %.12s, and that of commit %.12s is %.12s", s.Tree, c.ID, c.Tree)
	}
	return ""
}

// sayAttested is a statement that holds, in a line.
func sayAttested(s *attest.Statement, by sshsig.Signer) string {
	said := fmt.Sprintf("%.12s: %s (%s) as of %s", s.Commit, by.Name, by.Key, s.TimeCreated.Format(time.RFC3339))
	v := s.Verdict
	if v == nil {
		return said + ": " + s.PredicateType
	}
	result := "nothing is refused"
	if v.Code != exitClean {
		result = fmt.Sprintf("refused, %d error(s)", v.Report.Count(diag.Error))
	}
	return fmt.Sprintf("%s: %s, in %d commit(s) since %.12s, %d claim(s), under the policy %.12s, by acta %s", said,
		result, v.Basis.Commits, cmp.Or(v.Basis.Base, "the root"), len(v.Report.Verdicts), v.Basis.Policy, v.Basis.Release)
}
