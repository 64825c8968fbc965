package judge

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// RevertMatcher matches the commits that a message says it reverts, by id or else by title. It is nil if the message
// reverts nothing.
func RevertMatcher(m *parser.Message) func(id string, reverted *parser.Message) bool {
	title, ok := quotedTitle("Revert", m.Subject.Value)
	switch {
	case len(m.Reverts) > 0:
		return func(id string, _ *parser.Message) bool {
			return slices.ContainsFunc(m.Reverts, func(t parser.Text) bool {
				return strings.HasPrefix(id, strings.ToLower(t.Value))
			})
		}
	case ok:
		return func(_ string, reverted *parser.Message) bool {
			return withoutNumber(title) == withoutNumber(reverted.Subject.Value)
		}
	}
	return nil
}

// RangeEnd is the end of a range. It shows what remains of earlier commits, whatever messages say.
type RangeEnd struct {
	*History
	policy *policy.Policy
	tree   repo.ID
	judge  *evidence.Judge
}

// End looks up the end of a range.
func (h *History) End(ctx context.Context, head string, p *policy.Policy) (*RangeEnd, error) {
	c, err := h.repo.Commit(ctx, head)
	if err != nil {
		return nil, err
	}
	return &RangeEnd{h, p, c.Tree, h.judgeOf(c.Tree, p)}, nil
}

// IsTakenBack reports whether a commit was taken back: part of its change is gone, and no changed code that it cites as
// done remains.
func (e *RangeEnd) IsTakenBack(ctx context.Context, commit string) (bool, error) {
	c, err := readCommit(ctx, e.repo, commit)
	if err != nil {
		return false, ignoreAbsent(err)
	}
	changed, before, err := commitChanges(ctx, e.repo, c.Commit)
	if err != nil {
		return repo.IsAbsent(err), ignoreAbsent(err) // cut off by a shallow clone, which is nobody's fault
	}
	since, err := e.repo.ChangedPaths(ctx, c.Tree, e.tree)
	if err != nil || !slices.ContainsFunc(changed, func(path string) bool { return slices.Contains(since, path) }) {
		return false, err
	}
	for _, part := range c.message.Parts {
		for _, claim := range part.Claims {
			for _, at := range claim.Evidence {
				if claim.Status != parser.Done || at.Err != "" || !slices.Contains(changed, at.Path) {
					continue
				}
				state, err := e.stateOf(ctx, c.Commit, before, evidence.Claim{Evidence: at, Item: claim.Item.Value})
				if err != nil || state != placeGone {
					return false, err
				}
			}
		}
	}
	return true, nil
}

// TakenBack lists the commits that a message names as reverted and that were taken back, with the commits of a reverted
// merge. A revert of a merge is assumed to keep the first parent.
func (e *RangeEnd) TakenBack(ctx context.Context, m *parser.Message) ([]repo.ID, error) {
	var all []repo.ID
	for _, reverted := range m.Reverts {
		c, err := e.repo.Commit(ctx, reverted.Value)
		isTakenBack := false
		if err == nil {
			isTakenBack, err = e.IsTakenBack(ctx, string(c.ID))
		}
		if isTakenBack && len(c.Parents) > 1 {
			var merged []repo.ID
			merged, err = e.repo.Range(ctx, string(c.Parents[0]), string(c.ID))
			all = append(all, merged...)
		}
		if ignoreAbsent(err) != nil {
			return nil, err
		}
		if isTakenBack {
			all = append(all, c.ID)
		}
	}
	return all, nil
}

// ignoreAbsent is an error, unless it says that something is not here.
func ignoreAbsent(err error) error {
	if repo.IsAbsent(err) {
		return nil
	}
	return err
}

// SettleReason says why a refuted claim no longer matters at the end of the range: its code is gone, or does what it
// says. "" if it still matters.
func (e *RangeEnd) SettleReason(ctx context.Context, commit string, v *report.ClaimVerdict) (string, error) {
	c, err := e.repo.Commit(ctx, commit)
	if err != nil {
		return "", err
	}
	_, before, err := commitChanges(ctx, e.repo, c)
	if err != nil {
		return "", ignoreAbsent(err)
	}
	reason := ""
	for _, at := range parser.ParseEvidence(v.Evidence, report.Pos{}) {
		state, err := e.stateOf(ctx, c, before, evidence.Claim{
			Evidence: at, Item: v.Item, Kind: evidence.Kind(v.Kind),
		})
		if err != nil || state == placeFails {
			return "", err
		}
		if state == placeHolds {
			reason = "it holds at the end of the range"
		} else if reason == "" {
			reason = "its cited code is gone at the end of the range"
		}
	}
	return reason, nil
}

// commitChanges lists the paths that a commit changed, and returns the tree before it; "" for a root commit.
func commitChanges(ctx context.Context, r *repo.Repo, c repo.Commit) (paths []string, before repo.ID, err error) {
	if before, err = treeBefore(ctx, r, c); err == nil {
		paths, err = r.ChangedPaths(ctx, before, c.Tree)
	}
	return paths, before, err
}

type placeState uint8

const (
	placeGone  placeState = iota // nothing new remains
	placeHolds                   // the code does what was claimed
	placeFails
)

// stateOf finds what remains of a cited place, wherever it is now. Code from before the commit does not count.
func (e *RangeEnd) stateOf(
	ctx context.Context, c repo.Commit, before repo.ID, claim evidence.Claim,
) (placeState, error) {
	if claim.Evidence.Err != "" || claim.Evidence.IsRemoved {
		return e.judgeClaim(ctx, claim)
	}
	earlier := e.judgeOf(c.Tree, e.policy)
	trace, err := follower(e.repo, earlier, e.judge).Follow(ctx, earlier, claim)
	if err != nil {
		return placeFails, err
	}
	places := []parser.Evidence{claim.Evidence}
	switch {
	case trace.State == evidence.StateGone:
		if places, err = e.namesakes(ctx, c, earlier, claim); err != nil {
			return placeFails, err
		}
	case trace.State != evidence.StateUnclear && claim.Evidence.Start > 0:
		places[0] = parser.Evidence{Path: trace.Path, Start: trace.Line, End: trace.EndLine}
	}
	state := placeGone
	for _, claim.Evidence = range places {
		if trace.State > evidence.StateMoved && before != "" {
			earlier, err := follower(e.repo, e.judge, e.judgeOf(before, e.policy)).Follow(ctx, e.judge, claim)
			if err != nil {
				return placeFails, err
			}
			if earlier.State <= evidence.StateMoved {
				continue
			}
		}
		if state, err = e.judgeClaim(ctx, claim); err != nil || state == placeFails {
			return placeFails, err
		}
	}
	return state, nil
}

// namesakes are the definitions with the name of a cited one, in files that changed since a commit.
func (e *RangeEnd) namesakes(
	ctx context.Context, c repo.Commit, earlier *evidence.Judge, claim evidence.Claim,
) ([]parser.Evidence, error) {
	r, err := earlier.Evidence(ctx, claim)
	symbol := cmp.Or(claim.Evidence.Symbol, r.Anchor)
	if err != nil || symbol == "" {
		return nil, err
	}
	changed, errChanged := e.repo.ChangedPaths(ctx, c.Tree, e.tree)
	found, err := namesakes(ctx, &e.judge.Tree, claim.Evidence.Path, changed, symbol)
	return found, cmp.Or(errChanged, err)
}

// namesakes are the definitions of a symbol in those paths that have the language of file.
func namesakes(
	ctx context.Context, t *evidence.Tree, file string, paths []string, symbol string,
) (all []parser.Evidence, err error) {
	for _, path := range paths {
		if evidence.LanguageOf(path) != evidence.LanguageOf(file) {
			continue
		}
		places, errLines := t.Lines(ctx, path, symbol)
		err = cmp.Or(err, errLines)
		for _, at := range places {
			all = append(all, parser.Evidence{Path: path, Start: at[0], End: at[1]})
		}
	}
	return all, err
}

// judgeClaim judges a claim at the end of the range, including the names in its item.
func (e *RangeEnd) judgeClaim(ctx context.Context, claim evidence.Claim) (placeState, error) {
	v, err := e.judge.Item(ctx, parser.Claim{
		Status: parser.Done, Item: parser.Text{Value: claim.Item}, Evidence: []parser.Evidence{claim.Evidence},
	}, claim.Kind)
	if err == nil && v.Verdict == report.Verified {
		return placeHolds, nil
	}
	return placeFails, err
}

// RevertedParts are the parts whose title is in a revert's subject in the message: `Revert "ACT: T01 login"`. A second
// revert restores a part. Of several parts with one title, the oldest are meant.
func RevertedParts(m *parser.Message) map[int]bool {
	lines := strings.Split(m.String(), "\n")
	times := map[string]int{}
	for _, l := range lines {
		if title, ok := quotedTitle("Revert", withoutBullet(l)); ok {
			if original, isTwice := quotedTitle("Revert", title); isTwice {
				times[original]--
			} else {
				times[title]++
			}
		} else if title, ok := quotedTitle("Reapply", withoutBullet(l)); ok {
			times[title]--
		}
	}
	reverted := map[int]bool{}
	for i, part := range m.Parts {
		at := cmp.Or(part.Summary.Span.Start.Line, part.Unit.Span.Start.Line)
		if at < 1 || at > len(lines) {
			continue
		}
		if title := withoutBullet(lines[at-1]); times[title] > 0 {
			times[title]--
			reverted[i] = true
		}
	}
	return reverted
}

func withoutBullet(line string) string {
	line = strings.TrimSpace(line)
	if rest, ok := strings.CutPrefix(line, "* "); ok {
		line = strings.TrimSpace(rest)
	}
	return line
}

// quotedTitle is the title that «Revert "title"» names, or «Revert "title" (#12)».
func quotedTitle(verb, line string) (title string, ok bool) {
	if title, ok = strings.CutPrefix(line, verb+` "`); ok {
		title, ok = strings.CutSuffix(withoutNumber(title), `"`)
	}
	return title, ok
}

// withoutNumber removes a pull request's number from the end of a title.
func withoutNumber(title string) string {
	title = strings.TrimSpace(title)
	if at := strings.LastIndex(title, " (#"); at >= 0 && strings.Trim(title[at+3:], "0123456789") == ")" {
		return title[:at]
	}
	return title
}
