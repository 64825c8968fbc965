package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/attest"
	"github.com/acta-git/acta/judge/attest/sshsig"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

func (c command) runAttest(ctx context.Context, call *cli.Context, r *repo.Repo) error {
	if (call.String("key") == "") == (call.String("signer") == "") {
		return usagef("attest needs either --key FILE or --signer CMD")
	}
	span, err := c.rangeOf(ctx, r, call.Args().First())
	if err != nil {
		return err
	}
	span.Reports = reportFiles{command: c, call: call, repo: r}
	result, err := span.Judge(ctx, r)
	if err != nil {
		return err
	}
	printer := c
	printer.Stdout = c.Stderr // standard output is the attestation's
	printed := printer.print(result, "text", false)
	if len(result.Undecided) > 0 {
		return printed
	}
	verdict, err := c.verdict(ctx, r, span, result)
	if err != nil {
		return err
	}
	payloads, err := verdict.Statements()
	if err != nil {
		return err
	}
	bundle, err := c.envelopes(ctx, payloads, call)
	if err != nil {
		return err
	}
	if err := c.writeBundle(ctx, r, verdict, bundle, call); err != nil {
		return err
	}
	return printed
}

// verdict is the result with its time: SOURCE_DATE_EPOCH, else the commit's, so that equal input gives equal bytes.
func (c command) verdict(
	ctx context.Context, r *repo.Repo, span judge.LandedRange, result *judge.Result,
) (attest.Verdict, error) {
	head, err := r.Commit(ctx, span.Head)
	if err != nil {
		return attest.Verdict{}, err
	}
	at := head.Committer.When
	if epoch := os.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return attest.Verdict{}, usagef("SOURCE_DATE_EPOCH must be a number of seconds since 1970, not %q", epoch)
		}
		at = time.Unix(seconds, 0)
	}
	return span.Verdict(ctx, r, result, at)
}

func (c command) writeBundle(
	ctx context.Context, r *repo.Repo, v attest.Verdict, bundle []byte, call *cli.Context,
) error {
	output := call.String("output")
	if call.Bool("notes") {
		err := r.AddNote(ctx, repo.NoteLine{
			Ref: judge.AttestNotes, Commit: repo.ID(v.Basis.Commit), Line: string(bundle), Name: "acta", When: v.TimeCreated,
			Message: "Verdict over " + v.Basis.Commit + "\n",
		})
		if err != nil || output == "" {
			return err
		}
	}
	if output == "" || output == "-" {
		_, err := c.Stdout.Write(bundle)
		return err
	}
	return os.WriteFile(output, bundle, 0o666)
}

func (c command) envelopes(ctx context.Context, payloads [][]byte, call *cli.Context) ([]byte, error) {
	var bundle bytes.Buffer
	for _, payload := range payloads {
		sig, err := c.sign(ctx, call, attest.PAE(attest.PayloadType, payload))
		if err != nil {
			return nil, err
		}
		signature, _ := sshsig.Parse(sig) // other signers may use other keys than SSH's
		e := attest.Envelope{
			Payload: payload, PayloadType: attest.PayloadType, Signatures: []attest.Signature{{KeyID: signature.Key, Sig: sig}},
		}
		if err := report.WriteLine(&bundle, e); err != nil {
			return nil, err
		}
	}
	return bundle.Bytes(), nil
}

// sign runs the user's signing program in the user's terminal: it may ask for a passphrase or a touch.
func (c command) sign(ctx context.Context, call *cli.Context, data []byte) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "ssh-keygen", "-q", "-Y", "sign", "-n", sshsig.Namespace, "-f", call.String("key"))
	if signer := call.String("signer"); signer != "" {
		cmd = exec.CommandContext(ctx, "sh", "-c", signer)
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

// maxEnvelopes bounds the envelopes of a call: each costs some milliseconds of ssh-keygen.
const maxEnvelopes = 1000

func (c command) runAttestVerify(ctx context.Context, call *cli.Context, r *repo.Repo) error {
	if call.String("signers") == "" {
		return usagef("attest verify needs to know whom to trust: --signers FILE")
	}
	commit, err := r.Commit(ctx, call.String("commit"))
	if err != nil {
		return err
	}
	signers, err := readArgument(call.String("signers"))
	if err != nil {
		return err
	}
	var bundle []byte
	if file := call.Args().First(); file != "" {
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
	code, hasVerdict := exitClean, false
	var skipped []string
	for i, e := range envelopes {
		s, by, err := sshsig.Open(ctx, signers, &e)
		var refused *sshsig.RefusedError
		switch {
		case errors.As(err, &refused):
			skipped = append(skipped, fmt.Sprintf("envelope %d is not valid: %s", i+1, refused.Reason))
			continue
		case err != nil:
			return err
		}
		if why := mismatch(s, commit); why != "" {
			skipped = append(skipped, fmt.Sprintf("envelope %d, signed by %s, is not of this commit: %s", i+1, by.Name, why))
			continue
		}
		c.Stdout.Printf("%s\n", attestedLine(s, by))
		if s.Verdict != nil {
			hasVerdict, code = true, max(code, s.Verdict.Code)
		}
	}
	for _, why := range skipped {
		c.warn("%s", why)
	}
	if !hasVerdict {
		c.Stderr.Printf("acta: refused: of %d envelope(s), none is a verdict of an allowed signer over %.12s\n",
			len(envelopes), commit.ID)
		return exitError(exitFindings)
	}
	return exitWith(code)
}

// mismatch says why a statement is not about a commit and its tree, "" if it is.
func mismatch(s *attest.Statement, c repo.Commit) string {
	switch {
	case s.Commit != string(c.ID):
		return fmt.Sprintf("it is of commit %.12s, and not %.12s", s.Commit, c.ID)
	case s.Tree != string(c.Tree):
		return fmt.Sprintf("it is of tree %.12s, and that of commit %.12s is %.12s", s.Tree, c.ID, c.Tree)
	}
	return ""
}

func attestedLine(s *attest.Statement, by sshsig.Signer) string {
	line := fmt.Sprintf("%.12s: %s (%s) as of %s", s.Commit, by.Name, by.Key, s.TimeCreated.Format(time.RFC3339))
	v := s.Verdict
	if v == nil {
		return line + ": " + s.PredicateType
	}
	result := "nothing is refused"
	if v.Code != exitClean {
		result = fmt.Sprintf("refused, %d error(s)", v.Report.Count(report.Error))
	}
	return fmt.Sprintf("%s: %s, in %d commit(s) since %.12s, %d claim(s), under the policy %.12s, by acta %s", line,
		result, v.Basis.Commits, cmp.Or(v.Basis.Base, "the root"), len(v.Report.Verdicts), v.Basis.Policy, v.Basis.Release)
}
