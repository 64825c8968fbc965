package check

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
)

// minReason is the shortest reason for a skipped item, in characters (docs/format.md).
const minReason = 10

// maxHinted is how many claims a report may make whose findings name the nearest path: each name is looked for in the whole tree.
const maxHinted = 500

// judge gives every claim its verdict, several at a time: parsing is most of the
// work. The rules then only say what was found.
func (p *Pass) judge(ctx context.Context) error {
	p.claims = make([]judgedClaim, len(p.Claims))
	if len(p.Claims) > maxHinted {
		p.Judge.Brief = true
	}
	errs := make([]error, len(p.Claims))
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(p.Claims)) {
		workers.Go(func() {
			judge := *p.Judge // a judge serves one goroutine; the cache serves all
			for i := range next {
				p.claims[i], errs[i] = p.judgeClaim(ctx, &judge, p.Claims[i])
			}
		})
	}
	for i := range p.Claims {
		next <- i
	}
	close(next)
	workers.Wait()
	p.compared = map[int]bool{}
	for i, c := range p.claims {
		for _, r := range c.Results {
			if slices.ContainsFunc(r.Problems, func(e evidence.Problem) bool { return e.Compares }) {
				p.compared[i] = true
			}
		}
	}
	return errors.Join(errs...)
}

func (p *Pass) judgeClaim(ctx context.Context, judge *evidence.Judge, c Claim) (judgedClaim, error) {
	j := judgedClaim{Claim: c, Kind: p.kind(c.Item.Value)}
	j.Judged = diag.ClaimVerdict{
		Unit: p.Part.Unit.Value, Item: c.Item.Value, Status: string(c.Status), Evidence: c.Cited.Value, Optional: p.optional(c.Item.Value),
	}
	err := j.decide(ctx, judge)
	return j, err
}

// kind is the registered item's; an item that is not registered is code.
func (p *Pass) kind(item string) evidence.Kind {
	if i := p.known.find(item); i != nil && i.Kind != "" {
		return i.Kind
	}
	return evidence.KindCode
}

// optional reports whether a unit with a checklist does not ask for the item.
func (p *Pass) optional(item string) bool {
	i := p.known.find(item)
	return i == nil && len(p.Registered) > 0 || i != nil && i.Optional
}

func (j *judgedClaim) decide(ctx context.Context, judge *evidence.Judge) error {
	switch {
	case j.Status == parser.Pending:
		j.Judged.Verdict, j.Judged.Reason = diag.NotVerified, "reported as pending"
	case j.Status == parser.Skipped:
		j.Judged.Verdict, j.Judged.Reason = diag.Skipped, j.Reason.Value
	case len(j.Evidence) == 0:
		j.Judged.Verdict, j.Judged.Reason, j.Judged.Form = diag.NotVerified, "no evidence is cited", true
	default:
		return j.decideDone(ctx, judge)
	}
	return nil
}

// decideDone takes the worst of the cited places: a claim holds when all of them do.
func (j *judgedClaim) decideDone(ctx context.Context, judge *evidence.Judge) error {
	j.Judged.Verdict = diag.Verified
	var reasons []string
	var claims []evidence.Claim
	j.Judged.Form = true
	for _, e := range j.Evidence {
		claims = append(claims, evidence.Claim{Evidence: e, Item: j.Item.Value, Kind: j.Kind})
		r, err := judge.Evidence(ctx, claims[len(claims)-1])
		if err != nil {
			return err
		}
		j.Results = append(j.Results, r)
		j.Judged.Verdict = max(j.Judged.Verdict, r.Verdict)
		j.Judged.Contradiction = j.Judged.Contradiction || r.Contradiction
		j.Judged.Form = j.Judged.Form && (r.Verdict != diag.NotVerified || e.Err != "")
		if r.Reason != "" {
			reasons = append(reasons, r.Reason)
		}
	}
	j.Judged.Form = j.Judged.Form && j.Judged.Verdict == diag.NotVerified
	if why := evidence.SetAside(claims, j.Results); why != nil {
		j.Judged.Verdict, reasons = diag.Unclear, why
	}
	j.Judged.Reason = strings.Join(reasons, "; ")
	return nil
}

func tooShort(reason string) bool {
	return utf8.RuneCountInString(strings.TrimSpace(reason)) < minReason
}

// hasWords tells whether a reason holds a word of four different letters, or two different words of two. A letter of a script that
// is written without spaces counts as a word.
func hasWords(reason string) bool {
	seen := map[string]bool{}
	for _, word := range strings.FieldsFunc(strings.ToLower(reason), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		letters := map[rune]bool{}
		for _, r := range word {
			letters[r] = true
			if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
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
