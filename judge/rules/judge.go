package rules

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// minReason is the shortest reason for a skipped item, in characters (docs/format.md).
const minReason = 10

// maxPathHints is the largest number of claims whose findings name the nearest path: each name is searched in the whole
// tree.
const maxPathHints = 500

// judge gives every claim its verdict, several at a time, since parsing takes most of the time.
func (f *gathering) judge() {
	f.claims = make([]*judgedClaim, len(f.Claims))
	if len(f.Claims) > maxPathHints {
		f.Judge.IsBrief = true
	}
	errs := make([]error, len(f.Claims))
	var workers errgroup.Group
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for i, c := range f.Claims {
		workers.Go(func() error {
			judge := *f.Judge // a judge serves one goroutine, the cache all
			judge.Change = f.Source
			f.claims[i], errs[i] = f.judgeClaim(f.Ctx, &judge, c)
			return nil
		})
	}
	_ = workers.Wait() // errors are kept per claim
	f.Note(errors.Join(errs...))
	for _, c := range f.claims {
		f.checkWeakenedTests(c)
	}
}

func (f *facts) judgeClaim(ctx context.Context, judge *evidence.Judge, c Claim) (*judgedClaim, error) {
	j := &judgedClaim{Claim: c, Kind: f.kindOf(c.Item.Value)}
	if c.UnclearReason != "" {
		j.Verdict, j.Why = report.Unclear, c.UnclearReason
		return j, nil
	}
	var err error
	j.ItemVerdict, err = judge.Item(ctx, c.Claim, j.Kind)
	return j, err
}

func (f *facts) verdict(c *judgedClaim) report.ClaimVerdict {
	if why := BlockReason(f.Part); why != "" && c.Status == parser.Pending {
		c.Why = "blocked: " + why
	}
	return report.ClaimVerdict{
		Unit: f.Part.Unit.Value, Item: c.Item.Value, Status: string(c.Status), Evidence: c.EvidenceText.Value,
		IsOptional: f.isOptional(c.Item.Value), Kind: string(c.Kind), IsRelative: c.IsRelative,
		Verdict: c.Verdict, Reason: c.Why, IsContradiction: c.Contradiction, IsFormError: c.IsFormal,
	}
}

// kindOf is the registered item's; without one its words say it.
func (f *facts) kindOf(item string) evidence.Kind {
	if i := f.registry.find(item); i != nil && i.Kind != "" {
		return evidence.Kind(i.Kind)
	}
	return evidence.Kind(parser.KindOf(item))
}

// isOptional reports whether a unit with a checklist does not ask for the item.
func (f *facts) isOptional(item string) bool {
	i := f.registry.find(item)
	return i == nil && len(f.Registered) > 0 || i != nil && i.IsOptional
}

func isTooShort(reason string) bool {
	return utf8.RuneCountInString(strings.TrimSpace(reason)) < minReason
}

// reasonProblem says why a reason does not count; "" where it does.
func reasonProblem(reason string) string {
	switch {
	case isTooShort(reason):
		return fmt.Sprintf("its reason has less than %d characters", minReason)
	case !hasWords(reason):
		return "its reason has no words"
	}
	return ""
}

// hasWords reports whether a reason has a word of four different letters, or two different words of two letters. In
// scripts without spaces a letter counts as a word.
func hasWords(reason string) bool {
	seen := map[string]bool{}
	isSeparator := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }
	for _, word := range strings.FieldsFunc(strings.ToLower(reason), isSeparator) {
		letters := map[rune]bool{}
		for _, r := range word {
			letters[r] = true
			if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
				unicode.Myanmar) {
				seen[string(r)] = true
			}
		}
		if len(letters) >= 4 {
			return true
		}
		if utf8.RuneCountInString(word) > 1 {
			seen[word] = true
		}
	}
	return len(seen) > 1
}
