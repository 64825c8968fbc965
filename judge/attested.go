package judge

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/attest"
	"github.com/acta-git/acta/attest/sshsig"
	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/history"
	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/snapshot"
)

// AttestNotes are the notes in which signed verdicts lie, on the commit that each is of.
const AttestNotes = "refs/notes/acta-attest"

// maxVerdicts bounds the verdicts over one commit whose signatures are looked at.
const maxVerdicts = 16

// Verdict is the result of the range as it is signed. Where a commit could not be judged there is none to sign.
func (l Landed) Verdict(ctx context.Context, r *repo.Repo, result *Result, at time.Time) (attest.Verdict, error) {
	if len(result.Undecided) > 0 {
		return attest.Verdict{}, errors.New("the range was not judged as a whole, so there is no verdict over it")
	}
	basis, err := l.basis(ctx, r)
	if err == nil && basis.Commits == 0 {
		err = errors.New("the range has no commits, so there is nothing to sign a verdict over")
	}
	return attest.Verdict{
		TimeCreated: at.UTC(), Basis: basis, Code: result.Code(), Report: *result.ForJSON(),
		Warnings: append([]string{}, result.Warnings...),
	}, err
}

// basis is what a verdict over the range rests on.
func (l Landed) basis(ctx context.Context, r *repo.Repo) (attest.Basis, error) {
	head, err := r.Commit(ctx, l.Head)
	if err != nil {
		return attest.Basis{}, err
	}
	ids, err := r.Range(ctx, l.Base, l.Head)
	if err != nil {
		return attest.Basis{}, err
	}
	base := snapshot.MergeBase(r, l.Base, l.Head)
	b, err := newBasis(ctx, head, ids, base)
	if err != nil || l.Base == "" {
		return b, err
	}
	parted, err := base.Commit(ctx)
	b.Base = string(parted.ID)
	return b, err
}

// newBasis is the basis of a verdict over commits up to tip, by the rules here, under the policy that stands somewhere.
// Where they begin is left to the caller.
func newBasis(
	ctx context.Context, tip repo.Commit, ids []repo.ID, policyOf snapshot.Snapshot,
) (attest.Basis, error) {
	hash, err := policyOf.PolicyHash(ctx)
	return attest.Basis{
		Commit: string(tip.ID), Tree: string(tip.Tree), Commits: len(ids), List: listDigest(ids),
		Policy: hash, Release: diag.Release, Rules: rulesDigest(),
	}, err
}

// listDigest is the SHA-256 of ids, sorted, a line each.
func listDigest(ids []repo.ID) string {
	sum := sha256.New()
	for _, id := range slices.Sorted(slices.Values(ids)) {
		fmt.Fprintln(sum, id)
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// rulesDigest tells the rules of this build from those of another one of the same release.
func rulesDigest() string {
	sum := sha256.New()
	for _, r := range check.Rules() {
		page := r.Page()
		fmt.Fprintln(sum, r.ID, r.Severity, r.Otherwise, page.Title, page.Doc)
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// JudgeOrTrust is Judge, or where the base's policy says so (trust: {for: [verify]}) the verdict of a signer whom it
// trusts, over the same commits, tree, policy and rules. It is looked for in AttestNotes and in bundle, DSSE lines. One
// that cannot be taken is a warning that says why, and the range is judged as before.
func (l Landed) JudgeOrTrust(ctx context.Context, r *repo.Repo, bundle []byte) (*Result, error) {
	taken, passed := l.trusted(ctx, r, bundle)
	if taken != nil || ctx.Err() != nil {
		return taken, ctx.Err()
	}
	result, err := l.Judge(ctx, r)
	if err == nil {
		result.Warnings = append(passed, result.Warnings...)
	}
	return result, err
}

// trusted is the result that a trusted signer has signed, nil for none; passed says why others were passed over.
func (l Landed) trusted(ctx context.Context, r *repo.Repo, bundle []byte) (taken *Result, passed []string) {
	base := snapshot.MergeBase(r, l.Base, l.Head)
	p, err := base.Policy(ctx)
	if err != nil || !slices.Contains(p.Trust.For, policy.ForVerify) {
		return nil, nil // Judge tells of a policy that cannot be used
	}
	judgedAnew := func(err error) []string {
		return append(passed, fmt.Sprintf("no signed verdict was taken, and the range was judged: %v", err))
	}
	own, err := l.basis(ctx, r)
	if err != nil {
		return nil, judgedAnew(err)
	}
	note, err := r.Note(ctx, AttestNotes, repo.ID(own.Commit))
	if err != nil {
		return nil, judgedAnew(err)
	}
	signers, err := base.Signers(ctx)
	if err != nil {
		return nil, judgedAnew(err)
	}
	held, passed, err := heldVerdicts(ctx, signers, slices.Concat(note, []byte("\n"), bundle), own.Commit)
	if err != nil {
		return nil, judgedAnew(err)
	}
	for _, h := range held {
		if why := h.Basis.Differs(own); why != "" {
			passed = append(passed, h.passedOver(why))
			continue
		}
		if taken == nil || h.Code > taken.Code() { // of two, the one that refuses
			taken = &Result{Report: h.Report, Warnings: h.Warnings}
			taken.Trusted = &diag.Trusted{Signer: h.by.Name, Key: h.by.Key}
		}
	}
	if taken == nil {
		return nil, passed
	}
	if taken.Range, err = history.RangeName(ctx, r, l.Base, l.Head); err != nil {
		return nil, judgedAnew(err)
	}
	return taken, passed
}

// heldVerdict is a verdict whose signature holds.
type heldVerdict struct {
	*attest.Verdict
	by sshsig.Signer
}

func (h heldVerdict) passedOver(why string) string {
	return fmt.Sprintf("the verdict of %s over %.12s was not taken: %s", h.by.Name, h.Basis.Commit, why)
}

// heldVerdicts are the verdicts over a commit that allowed signers have signed; passed says why others do not hold.
func heldVerdicts(
	ctx context.Context, signers, bundle []byte, commit string,
) (held []heldVerdict, passed []string, err error) {
	looked := 0
	for _, e := range attest.Envelopes(bundle) {
		s, err := attest.ReadStatement(e.Payload)
		if err != nil || s.Verdict == nil || s.Commit != commit {
			continue // of another kind, or of another commit
		}
		if looked++; looked > maxVerdicts {
			return held, append(passed, fmt.Sprintf("only %d of the verdicts over %.12s were looked at", maxVerdicts,
				commit)), nil
		}
		s, by, err := sshsig.Open(ctx, signers, &e)
		var refused *sshsig.RefusedError
		switch {
		case errors.As(err, &refused):
			passed = append(passed, fmt.Sprintf("a verdict over %.12s was not taken: %s", commit, refused.Why))
		case err != nil:
			return nil, nil, err
		default:
			held = append(held, heldVerdict{s.Verdict, by})
		}
	}
	return held, passed, nil
}

// require adds to the result of a push what its policy asks for, a signed verdict over what arrives: where there is
// none the result is undecided, and the errors of one are errors here.
func (j *Push) require(ctx context.Context, in Update, p *policy.Policy, result *Result) {
	if in.Notes == nil || !slices.Contains(p.Trust.Require, policy.ForPreReceive) {
		return
	}
	tip := in.Commits[len(in.Commits)-1]
	taken, passed, err := j.verdict(ctx, in)
	switch {
	case err != nil:
		err = fmt.Errorf("the policy asks for a signed verdict over %.12s: %w", tip, err)
		result.Undecided = append(result.Undecided, err)
	case taken == nil:
		err = fmt.Errorf("the policy asks for a signed verdict over %.12s, and there is none%s; somebody who may sign "+
			"must run "+
			"`acta attest --notes`, and push %s with the branch", tip, strings.Join(append([]string{""}, passed...), "; "),
			AttestNotes)
		result.Undecided = append(result.Undecided, err)
	default:
		for _, f := range taken.Report.Findings {
			if f.Severity == diag.Error && !slices.Contains(result.Findings, f) {
				result.Findings = append(result.Findings, f)
			}
		}
	}
}

// verdict is the trusted verdict over what arrives, nil for none; of several, one that refuses.
func (j *Push) verdict(ctx context.Context, in Update) (taken *heldVerdict, passed []string, err error) {
	tip := in.Commits[len(in.Commits)-1]
	var bundle []byte
	for _, notes := range in.Notes {
		note, err := j.record.repo.Note(ctx, notes, tip)
		if err != nil {
			return nil, nil, err
		}
		bundle = append(append(bundle, note...), '\n')
	}
	signers, err := snapshot.At(j.record.repo, string(in.Base)).Signers(ctx)
	if err != nil {
		return nil, nil, err
	}
	held, passed, err := heldVerdicts(ctx, signers, bundle, string(tip))
	if err != nil {
		return nil, nil, err
	}
	for _, h := range held {
		why, err := j.covers(ctx, in, h.Basis)
		switch {
		case err != nil:
			return nil, nil, err
		case why != "":
			passed = append(passed, h.passedOver(why))
		case taken == nil || h.Code > taken.Code:
			taken = &h
		}
	}
	return taken, passed, nil
}

// covers says why a verdict is none over what arrives, "" where it is one: over the same tip, all commits that arrive,
// by the rules here, under the policy of the ref.
func (j *Push) covers(ctx context.Context, in Update, b attest.Basis) (why string, err error) {
	r := j.record.repo
	tip, err := r.Commit(ctx, string(in.Commits[len(in.Commits)-1]))
	if err != nil {
		return "", err
	}
	if b.Base != "" {
		if _, err := r.Commit(ctx, b.Base); repo.IsAbsent(err) {
			return fmt.Sprintf("it is over the commits since %.12s, which is not here", b.Base), nil
		} else if err != nil {
			return "", err
		}
	}
	ids, err := r.Range(ctx, b.Base, string(tip.ID))
	if err != nil {
		return "", err
	}
	own, err := newBasis(ctx, tip, ids, snapshot.At(r, string(in.Base)))
	if err != nil {
		return "", err
	}
	own.Base = b.Base
	if why := b.Differs(own); why != "" {
		return why, nil
	}
	for _, id := range in.Commits {
		if !slices.Contains(ids, id) {
			return fmt.Sprintf("it is not over commit %.12s", id), nil
		}
	}
	return "", nil
}
