package judge

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/acta-git/acta/judge/attest"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// AttestNotes are the notes in which signed verdicts lie, on the commit that each is of.
const AttestNotes = "refs/notes/acta-attest"

// Verdict is the result of the range, ready to be signed. If a commit could not be judged, it fails.
func (l LandedRange) Verdict(ctx context.Context, r *repo.Repo, result *Result, at time.Time) (attest.Verdict, error) {
	if len(result.Undecided) > 0 {
		return attest.Verdict{}, errors.New("some commits of the range could not be judged, so there is no verdict to sign")
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

func (l LandedRange) basis(ctx context.Context, r *repo.Repo) (attest.Basis, error) {
	head, errHead := r.Commit(ctx, l.Head)
	ids, errRange := r.Range(ctx, l.Base, l.Head)
	hash, errPolicy := snapshot.Base(r, l.Base).PolicyHash(ctx)
	b := attest.Basis{
		Commit: string(head.ID), Tree: string(head.Tree), Commits: len(ids), List: listDigest(ids),
		Policy: hash, Release: report.Release, Rules: rulesDigest(),
	}
	if err := cmp.Or(errHead, errRange, errPolicy); err != nil || l.Base == "" {
		return b, err
	}
	parted, err := snapshot.MergeBase(r, l.Base, l.Head).Commit(ctx)
	b.Base = string(parted.ID)
	return b, err
}

// listDigest is the SHA-256 of ids, sorted, a line each.
func listDigest(ids []repo.ID) string {
	sum := sha256.New()
	for _, id := range slices.Sorted(slices.Values(ids)) {
		fmt.Fprintln(sum, id)
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

func rulesDigest() string {
	sum := sha256.New()
	for _, r := range rules.Rules() {
		page := r.Page()
		fmt.Fprintln(sum, r.ID, r.Severity, r.MilderSeverity, page.Title, page.Doc)
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}
