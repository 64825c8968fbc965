package evidence

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// Step is one earlier commit of the unit: its tree and the one before it, nil for a root commit.
type Step struct {
	Before *Tree
	After  Tree
	Change Change
}

// EarlierCommits are the unit's earlier commits that count.
type EarlierCommits interface {
	// Steps yields them, the newest first. The last pair may be an error. History that is cut off is ErrShallow: what was
	// not found before it may lie beyond.
	Steps(ctx context.Context) iter.Seq2[Step, error]
}

// ErrShallow says that the history ends here because a shallow clone left out the rest.
var ErrShallow = fmt.Errorf("the history is cut here by a shallow clone")

// relate holds lines that were judged against the unit's change: this commit's,
// then those of its earlier commits. Lines outside of it show nothing for the
// unit; the claim is unclear then, whatever stands there. A stub stays one.
func (j *Judge) relate(ctx context.Context, p *place, r *Result) error {
	if j.Base == nil {
		return nil
	}
	if r.Verdict == report.NotVerified {
		return j.shifted(ctx, p, r)
	}
	inside, cut, err := j.unit(ctx, func(s Step) (bool, error) { return j.changedIn(ctx, p, s) })
	if err != nil || inside {
		return err
	}
	why, hint := "no commit of the task changed these lines", ""
	if p.kept {
		why, hint = "the change leaves the code of these lines unchanged",
			"cite what is new, or say in the item what was done: its comments, form, order"
	}
	if cut {
		why = "this commit did not change these lines, and " + ErrShallow.Error()
	}
	outside := comparing(p.because(codeNotInDiff, fmt.Sprintf("Evidence '%s' lies outside of the task's change: %s.",
		canonical(p.Evidence), why), why, cmp.Or(hint, j.changedNear(ctx, p))))
	r.Verdict, r.Outside, r.Cut = report.Unclear, true, cut
	r.Reason = strings.TrimPrefix(r.Reason+"; "+why, "; ")
	r.Problems = append(r.Problems, outside.Problems...)
	return nil
}

// shifted looks again at unanchored lines that hold nothing, in a commit that has landed: a rebase, a formatter or a
// squash may have moved what they cited. Where the commit itself did not write the cited lines, but wrote at least as
// many together elsewhere in the file, which hold, the claim is unclear.
func (j *Judge) shifted(ctx context.Context, p *place, r *Result) error {
	if !j.Landed || j.Base == nil || p.Evidence.Symbol != "" || !r.fails(EmptyImpl, codeOutOfRange) {
		return nil
	}
	v, err := j.since(ctx, j.Base, &j.Tree, p.entry)
	if err != nil || v.comparison == nil ||
		p.last <= p.text.count() && p.holds(func(line int) bool { return v.mayTouch[line-1] }) {
		return err
	}
	for _, wrote := range runs(v.added()) {
		there := p.Claim
		there.Evidence.Start, there.Evidence.End = wrote.first, wrote.last
		if wrote.last-wrote.first < p.Evidence.End-p.Evidence.Start {
			continue
		}
		if found, err := j.judge(ctx, there); err != nil || found.Verdict == report.Verified {
			*r = undecided(p.Evidence, "the cited lines are empty, but the commit added code at "+lines(wrote.first, wrote.last),
				canonical(there.Evidence))
			return err
		}
	}
	return nil
}

// since compares a file of a later tree with what it was in an earlier one. There is no comparison where it was none,
// or is the same, or the two cannot be compared.
func (j *Judge) since(ctx context.Context, earlier, later *Tree, now Entry) (v revision, err error) {
	v = revision{before: earlier, after: later, now: now}
	if v.old, err = Origin(ctx, earlier, later, now.Path); err != nil || v.old.Kind != File || v.same() {
		return v, err
	}
	v.comparison, _, err = j.compare(ctx, earlier, v.old, later, now)
	return v, err
}

// same reports whether the file is as it was.
func (v revision) same() bool { return v.old.Kind == File && v.old.ID == v.now.ID && v.old.ID != "" }

// isRemark reports whether lines are no evidence for the one reason that they hold comments or prose.
func (p *place) isRemark(r *Result) bool {
	if p.model == nil || p.model.grammar.Is("prose") {
		return r.Verdict == report.Unclear && (p.model != nil || parser.IsProse(p.entry.Path))
	}
	return r.fails(EmptyImpl) && !r.Contradiction && p.model.hasProse(p.text.span(p.first, p.last))
}

// holds reports whether one of the lines that the change must touch is so.
func (p *place) holds(is func(line int) bool) bool {
	for line := p.changed.first; line <= p.changed.last; line++ {
		if is(line) {
			return true
		}
	}
	return false
}

// unit reports whether one of the unit's commits is so, this one or an earlier one; cut, that this cannot be known for
// all of them.
func (j *Judge) unit(ctx context.Context, is func(Step) (bool, error)) (found, cut bool, err error) {
	found, err = is(Step{Before: j.Base, After: j.Tree, Change: j.Change})
	if found || err != nil || j.Past == nil {
		return found, false, err
	}
	for s, err := range j.Past.Steps(ctx) {
		if err == ErrShallow {
			return false, true, nil
		}
		if err == nil {
			found, err = is(s)
		}
		if found || err != nil {
			return found, false, err
		}
	}
	return false, false, nil
}

// changedIn reports whether a step touched lines that are among those of the place now, and more than their form.
// Versions that cannot be compared differ.
func (j *Judge) changedIn(ctx context.Context, p *place, s Step) (bool, error) {
	then, err := Origin(ctx, &s.After, &j.Tree, p.entry.Path)
	if err != nil || then.Kind != File {
		return false, err
	}
	v := revision{}
	if s.Before != nil {
		if v, err = j.since(ctx, s.Before, &s.After, then); err != nil || v.same() {
			return false, err
		}
	}
	from := func(line int) int { return line }
	if then.ID != p.entry.ID || then.ID == "" {
		since, why, err := j.compare(ctx, &s.After, then, &j.Tree, p.entry)
		if err != nil || why != "" {
			return err == nil, err
		}
		from = func(line int) int { return int(since.from[line-1]) }
	}
	if v.old.Kind != File { // the step wrote all of it
		return p.holds(func(line int) bool { return from(line) > 0 }), nil
	}
	if v.comparison == nil {
		return true, nil
	}
	at := lineRange{}
	touches := p.holds(func(line int) bool {
		was := from(line)
		if was > 0 && at.first == 0 {
			at.first = was
		}
		at.last = max(at.last, was)
		return was > 0 && v.mayTouch[was-1]
	})
	if !touches || p.remark { // comments that are cited for themselves are what was changed
		return touches, nil
	}
	changes, err := j.rewrites(ctx, p.Claim, v, at)
	p.kept = p.kept || err == nil && !changes
	return changes, err
}

// Origin returns what a file of a later tree was in an earlier one: the same path, or the one that it was renamed from.
func Origin(ctx context.Context, earlier, later *Tree, path string) (Entry, error) {
	e, err := earlier.Stat(ctx, path)
	if err != nil {
		return Entry{}, err
	}
	e.Path = path
	if e.Kind != Missing {
		return e, nil
	}
	old, err := later.Renamed(ctx, earlier, path)
	if err != nil || old == "" {
		return e, err
	}
	e, err = earlier.Stat(ctx, old)
	e.Path = old
	return e, err
}

const citeChanged = "cite lines that this commit, or an earlier ACT or For commit of the task, changed"

// changedNear says which lines of the file this commit changed, nearest to those cited; without any, what to cite
// instead.
func (j *Judge) changedNear(ctx context.Context, p *place) string {
	v, err := j.since(ctx, j.Base, &j.Tree, p.entry)
	if err != nil || v.comparison == nil {
		return citeChanged
	}
	all := runs(v.touched)
	if len(all) == 0 {
		return citeChanged
	}
	away := func(r lineRange) int { return max(p.first-r.last, r.first-p.last, 0) }
	at := slices.MinFunc(all, func(a, b lineRange) int { return away(a) - away(b) })
	return fmt.Sprintf("this commit changes %s:%s", p.entry.Path, lines(at.first, at.last))
}

// lineRange is a range of lines, both included.
type lineRange struct{ first, last int }

// runs returns the stretches of lines that are set, counted from 1.
func runs(set []bool) []lineRange {
	var found []lineRange
	for i, on := range set {
		switch {
		case !on:
		case len(found) > 0 && found[len(found)-1].last == i:
			found[len(found)-1].last = i + 1
		default:
			found = append(found, lineRange{i + 1, i + 1})
		}
	}
	return found
}

// stat tells what stands at a path; nothing where there is no tree.
func (t *Tree) stat(ctx context.Context, path string) (Entry, error) {
	if t == nil {
		return Entry{}, nil
	}
	return t.Stat(ctx, path)
}

// Same reports whether lines of two versions of a file say the same, without regard to white space.
func Same(old []byte, first, last int, now []byte, from, to int) bool {
	a := newText(old).lines(first, last)
	return len(a) > 0 && keyOf(a) == keyOf(newText(now).lines(from, to))
}
