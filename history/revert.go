package history

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/snapshot"
)

// Reverting tells of the commits that a message says it reverts, by their ids or, where it names none, by their titles.
// It is nil where the message says nothing of the kind.
func Reverting(m *parser.Message) func(id string, reverted *parser.Message) bool {
	title, ok := quotedBy("Revert", m.Subject.Value)
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

// End is the end of a range, which is asked what is left there of what landed before, whatever messages say.
type End struct {
	repo  *repo.Repo
	tree  repo.ID
	judge evidence.Judge
}

// End looks up the end of a range.
func (h *History) End(ctx context.Context, head string, p *policy.Policy) (*End, error) {
	c, err := h.repo.Commit(ctx, head)
	if err != nil {
		return nil, err
	}
	judge := evidence.Judge{Tree: snapshot.Tree(h.repo, c.Tree), Cache: h.Evidence, Limits: limits(p)}
	return &End{h.repo, c.Tree, judge}, nil
}

// TookBack reports whether a commit was taken back: something that it changed is not as it left it, and nothing of what
// it changed and cites as done stands.
func (e *End) TookBack(ctx context.Context, commit string) (bool, error) {
	c, err := readCommit(ctx, e.repo, commit)
	if err != nil {
		return false, ignoring(err)
	}
	did, before, err := changedBy(ctx, e.repo, c.Commit)
	if err != nil {
		return repo.IsAbsent(err), ignoring(err) // a shallow clone left it out, and nobody is charged for that
	}
	since, err := e.repo.Differing(ctx, c.Tree, e.tree)
	if err != nil || !slices.ContainsFunc(did, func(path string) bool { return slices.Contains(since, path) }) {
		return false, err
	}
	for i := range c.message.Parts {
		for _, claim := range c.message.Parts[i].Claims {
			for _, at := range claim.Evidence {
				if claim.Status != parser.Done || at.Err != "" || !slices.Contains(did, at.Path) {
					continue
				}
				rest, err := e.rest(ctx, c.Commit, before, evidence.Claim{Evidence: at, Item: claim.Item.Value})
				if err != nil || rest != gone {
					return false, err
				}
			}
		}
	}
	return true, nil
}

// TakenBack lists the commits that a message says it reverts, by their ids, and that were taken back; those that came
// with a merge too, as far as they are here. A revert of a merge is taken for one that goes back to its first parent.
func (e *End) TakenBack(ctx context.Context, m *parser.Message) ([]repo.ID, error) {
	var all []repo.ID
	for _, reverted := range m.Reverts {
		c, err := e.repo.Commit(ctx, reverted.Value)
		took := false
		if err == nil {
			took, err = e.TookBack(ctx, string(c.ID))
		}
		if took && len(c.Parents) > 1 {
			var merged []repo.ID
			merged, err = e.repo.Range(ctx, string(c.Parents[0]), string(c.ID))
			all = append(all, merged...)
		}
		if ignoring(err) != nil {
			return nil, err
		}
		if took {
			all = append(all, c.ID)
		}
	}
	return all, nil
}

// ignoring is an error, unless it says that something is not here.
func ignoring(err error) error {
	if repo.IsAbsent(err) {
		return nil
	}
	return err
}

// Settles says why a claim of a commit that did not hold is no mistake any more at the end of the range: what it cites
// is gone, or does what it says. "" where it still is one.
func (e *End) Settles(ctx context.Context, commit string, v *diag.ClaimVerdict, kind evidence.Kind) (string, error) {
	c, err := e.repo.Commit(ctx, commit)
	if err != nil {
		return "", err
	}
	_, before, err := changedBy(ctx, e.repo, c)
	if err != nil {
		return "", ignoring(err)
	}
	why := ""
	for _, at := range parser.ParseEvidence(v.Evidence, diag.Pos{}) {
		rest, err := e.rest(ctx, c, before, evidence.Claim{Evidence: at, Item: v.Item, Kind: kind})
		if err != nil || rest == fails {
			return "", err
		}
		if rest == holds {
			why = "at the end of the range it holds"
		} else if why == "" {
			why = "what it cites is gone at the end of the range"
		}
	}
	return why, nil
}

// changedBy lists what a commit changed, and gives the snapshot before it; nil for a root commit.
func changedBy(ctx context.Context, r *repo.Repo, c repo.Commit) ([]string, *evidence.Tree, error) {
	if len(c.Parents) == 0 {
		paths, err := r.Differing(ctx, "", c.Tree)
		return paths, nil, err
	}
	parent, err := r.Commit(ctx, string(c.Parents[0]))
	if err != nil {
		return nil, nil, err
	}
	before := snapshot.Tree(r, parent.Tree)
	paths, err := r.Differing(ctx, parent.Tree, c.Tree)
	return paths, &before, err
}

// rest is what is left of a cited place.
type rest uint8

const (
	gone  rest = iota // nothing, or what was there before the commit
	holds             // what stands there does what was claimed
	fails
)

// rest finds what is left of a place that a commit cites: of the definitions that it cites wherever they are now, by
// their names, else of its lines.
func (e *End) rest(ctx context.Context, c repo.Commit, before *evidence.Tree, claim evidence.Claim) (rest, error) {
	at, then := claim.Evidence, snapshot.Tree(e.repo, c.Tree)
	if at.Err != "" || at.Removed {
		return e.judged(ctx, claim)
	}
	if at.Start > 0 {
		cited, err := definitions(ctx, &then, at.Path)
		if cited = citedOf(cited, at); err != nil || len(cited) > 0 {
			return e.named(ctx, c, before, claim, cited)
		}
	}
	follower := evidence.Follower{Judge: &e.judge}
	trace, err := follower.Follow(ctx, &evidence.Judge{Tree: then}, claim)
	if err != nil || trace.State > evidence.StateMoved && trace.State != evidence.StateUnclear {
		return gone, err
	}
	return e.judged(ctx, claim)
}

// judged judges a claim at the end of the range, what its item names included.
func (e *End) judged(ctx context.Context, claim evidence.Claim) (rest, error) {
	v, err := e.judge.Item(ctx, parser.Claim{
		Status: parser.Done, Item: parser.Text{Value: claim.Item}, Evidence: []parser.Evidence{claim.Evidence},
	}, claim.Kind)
	if err == nil && v.Verdict == diag.Verified {
		return holds, nil
	}
	return fails, err
}

// named finds what is left of definitions: what has their names in their file, or in one that has changed since. What
// was so before the commit is nothing of its.
func (e *End) named(
	ctx context.Context, c repo.Commit, before *evidence.Tree, claim evidence.Claim, cited []Defined,
) (rest, error) {
	at := claim.Evidence.Path
	paths, err := e.repo.Differing(ctx, c.Tree, e.tree)
	if err != nil {
		return fails, err
	}
	namesake := func(d Defined) bool { return slices.ContainsFunc(cited, d.isCalled) }
	now, err := Among(ctx, &e.judge.Tree, at, paths, namesake)
	if err != nil {
		return fails, err
	}
	var old []Defined
	if before != nil {
		if old, err = Among(ctx, before, at, paths, namesake); err != nil {
			return fails, err
		}
	}
	left := gone
	for _, d := range now {
		is := slices.IndexFunc(cited, d.isCalled)
		if slices.ContainsFunc(old, d.same) && (d.Path != at || cited[is].text != d.text) {
			continue
		}
		claim.Evidence = parser.Evidence{Path: d.Path, Start: d.Line, End: d.EndLine}
		if left, err = e.judged(ctx, claim); err != nil || left == fails {
			return fails, err
		}
	}
	return left, nil
}

// Defined is a definition of a file, with its path and its text.
type Defined struct {
	// Name is qualified by what encloses it: Class.method, outer.inner; in Go Type.Method.
	Name string
	// Line is where it begins, decorators and modifiers included, EndLine its last line.
	Line, EndLine int
	Path, text    string
}

// isCalled reports whether two definitions have one name, whatever encloses them.
func (d Defined) isCalled(o Defined) bool {
	last := func(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
	return last(d.Name) == last(o.Name)
}

func (d Defined) same(o Defined) bool {
	return d.Path == o.Path && d.Name == o.Name && d.text == o.text
}

// Among are the definitions that fit in a file, and in others of its language.
func Among(
	ctx context.Context, t *evidence.Tree, at string, others []string, fits func(Defined) bool,
) (all []Defined, err error) {
	for i, path := range append([]string{at}, others...) {
		if i > 0 && (path == at || evidence.LanguageOf(path) != evidence.LanguageOf(at)) {
			continue
		}
		found, err := definitions(ctx, t, path)
		if err != nil {
			return nil, err
		}
		all = append(all, slices.DeleteFunc(found, func(d Defined) bool { return !fits(d) })...)
	}
	return all, nil
}

// definitions are those of a file that have a name; none where it cannot be read.
func definitions(ctx context.Context, t *evidence.Tree, path string) (all []Defined, err error) {
	o, err := t.Outline(ctx, path)
	if o == nil || err != nil {
		return nil, err
	}
	line := func(at int) int { return 1 + bytes.Count(o.Source[:at], []byte("\n")) }
	for _, d := range o.Definitions {
		if !d.Titled {
			text := strings.TrimSpace(string(o.Source[d.Outer:d.End]))
			first := line(d.Outer)
			all = append(all, Defined{d.Symbol, first, first + strings.Count(text, "\n"), path, text})
		}
	}
	return all, nil
}

// citedOf are the definitions that begin in cited lines, else the innermost around them.
func citedOf(all []Defined, at parser.Evidence) []Defined {
	var begin, around []Defined
	for _, d := range all {
		switch {
		case at.Start <= d.Line && d.Line <= at.End:
			begin = append(begin, d)
		case d.Line < at.Start && at.Start <= d.EndLine:
			around = []Defined{d}
		}
	}
	if len(begin) > 0 {
		return begin
	}
	return around
}

// RevertedParts are the parts whose title the message holds in the subject of a revert, as git writes it:
// `Revert "ACT: T01 login"`. What was reverted twice is there again. Of several parts with one title the oldest are
// meant.
func RevertedParts(m *parser.Message) map[int]bool {
	lines := strings.Split(m.String(), "\n")
	times := map[string]int{}
	for _, l := range lines {
		if title, ok := quotedBy("Revert", bare(l)); ok {
			if again, twice := quotedBy("Revert", title); twice {
				times[again]--
			} else {
				times[title]++
			}
		} else if title, ok := quotedBy("Reapply", bare(l)); ok {
			times[title]--
		}
	}
	reverted := map[int]bool{}
	for i := range m.Parts {
		at := m.Parts[i].Summary.Span.Start.Line
		if at == 0 {
			at = m.Parts[i].Unit.Span.Start.Line
		}
		if at < 1 || at > len(lines) {
			continue
		}
		if title := bare(lines[at-1]); times[title] > 0 {
			times[title]--
			reverted[i] = true
		}
	}
	return reverted
}

// bare is a line without what a squash puts before it: indentation and a bullet.
func bare(line string) string {
	line = strings.TrimSpace(line)
	if rest, ok := strings.CutPrefix(line, "* "); ok {
		line = strings.TrimSpace(rest)
	}
	return line
}

// quotedBy is the title that «Revert "title"» names, or «Revert "title" (#12)».
func quotedBy(verb, line string) (title string, ok bool) {
	if title, ok = strings.CutPrefix(line, verb+` "`); ok {
		title, ok = strings.CutSuffix(withoutNumber(title), `"`)
	}
	return title, ok
}

// withoutNumber is a title without the number of a pull request that stands at its end.
func withoutNumber(title string) string {
	title = strings.TrimSpace(title)
	if at := strings.LastIndex(title, " (#"); at >= 0 && strings.Trim(title[at+3:], "0123456789") == ")" {
		return title[:at]
	}
	return title
}
