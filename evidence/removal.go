package evidence

import (
	"fmt"
	"path"
	"slices"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// removal judges evidence of a removal, by this commit or an earlier one of the unit.
func (j *call) removal(e parser.Evidence) Result {
	var here *Result
	isGone, isCut := j.anyUnitCommit(func(s Step) bool {
		since := *j
		since.Base = s.Before
		before, then := j.Stat(s.Before, e.Path), j.Stat(&s.After, e.Path)
		if here != nil && (before.Kind == Missing || then.ID == before.ID && then.Kind == before.Kind) {
			return false
		}
		r := since.judgeRemoval(e, before)
		if here == nil {
			here = &r
		}
		return r.Verdict == report.Verified
	})
	switch {
	case isGone:
		return verified()
	case isCut && slices.ContainsFunc(here.Problems, func(p Problem) bool { return p.IsRelative }):
		r := markRelative(unclear(e, "this commit does not remove it, and "+ErrShallow.Error(), ""))
		r.IsCut = true
		return r
	}
	return *here
}

func (j *call) judgeRemoval(e parser.Evidence, before Entry) Result {
	now := j.Stat(&j.Tree, e.Path)
	switch {
	case j.Base == nil:
		return markRelative(unclear(e, "there is no commit before this one", ""))
	case before.Kind == Missing && (now.Kind == Missing || e.Start > 0): // another unit's commits may have removed it
		return markRelative(unclear(e, "it exists neither before nor after this commit", ""))
	case e.Start > 0 && before.Kind == File:
		return markRelative(j.judgeRemovedLines(e, before, now))
	case now.Kind == Missing:
		return verified()
	}
	r := notRemoved(e, "the path is still there")
	if e.Start > 0 { // the base has no lines there
		r = markRelative(r)
	}
	return r
}

func notRemoved(e parser.Evidence, reason string) Result {
	p := Problem{
		Code: codeNotRemoved, Path: e.Path,
		Message: fmt.Sprintf("Evidence '%s' says that something was removed, but %s.", canonical(e), reason),
		Hint:    "remove it, or report the item as skipped with a reason",
	}
	return refusal(reason, p)
}

func (j *call) judgeRemovedLines(e parser.Evidence, before, now Entry) Result {
	old, why := j.version(j.Base, before)
	if why != "" {
		return unclear(e, why, "")
	}
	t := newText(old)
	if e.End > t.count() {
		return refusal("line out of range", Problem{
			Code: codeOutOfRange, Path: e.Path,
			Message: fmt.Sprintf(outOfRange, e.End, t.count(), t.count()),
			Hint:    "the lines of a removal are those of the file before this commit",
		})
	}
	if now.Kind != File {
		return verified()
	}
	c, why := j.compare(j.Base, before, &j.Tree, now)
	if why != "" {
		return unclear(e, why, "")
	}
	return countRemoved(e, t, c.mayBeRemoved)
}

// countRemoved judges by the lines with words, or by all if none has words: a diff may keep any of several equal blank
// lines and brackets.
func countRemoved(e parser.Evidence, t text, gone []bool) Result {
	hasWord := func(line int) bool { return hasWordIn([]byte(t.at(line))) }
	any, cited, kept := true, 0, 0
	for line := e.Start; line <= e.End; line++ {
		any = any && !hasWord(line)
	}
	for line := e.Start; line <= e.End; line++ {
		if any || hasWord(line) {
			if cited++; !gone[line-1] {
				kept++
			}
		}
	}
	switch kept {
	case 0:
		return verified()
	case cited:
		return notRemoved(e, "the lines are still there")
	}
	return unclear(e, fmt.Sprintf("%d of its %d lines are still there", kept, cited), "cite the lines that are gone")
}

// judgePath judges a path without lines: it must be a file without lines, and changed.
func (j *call) judgePath(c Claim) Result {
	e := c.Evidence
	entry := j.Stat(&j.Tree, e.Path)
	switch entry.Kind {
	case Missing, Folder:
		found := j.locate(&j.Tree, e.Path)
		if found.Kind == File {
			return unclear(e, "it is reached through a symbolic link, so whether it changed is not known", found.Path)
		}
		return j.noFile(e, found)
	}
	before := j.Stat(j.Base, e.Path)
	f := &source{whyUnreadable: noLinesReason}
	if entry.Kind == File {
		f = j.read(&j.Tree, entry)
	}
	total, same := f.text.count(), entry.ID == before.ID && entry.Kind == before.Kind
	switch {
	case total == 0 && (f.whyUnreadable == "" || f.whyUnreadable == noLinesReason) && entry.Kind == File && !same &&
		c.asksForCode() && isSource(e.Path):
		return unclear(e, "it is a file of code by its name, and has no lines", "")
	case same && entry.Mode != before.Mode, !same && total == 0:
		return verified()
	case total == 0:
		return j.judgeUnchangedPath(e)
	case j.isRenamed(e.Path, entry, before):
		return verified()
	}
	return markRelative(badForm(e.Path, canonical(e), fmt.Sprintf("%s:%s", e.Path, lines(1, total))))
}

func (j *call) judgeUnchangedPath(e parser.Evidence) Result {
	changed, isCut := j.anyUnitCommit(func(s Step) bool {
		then, before := j.Stat(&s.After, e.Path), j.Stat(s.Before, e.Path)
		return then.Kind != before.Kind || then.ID != before.ID || then.Mode != before.Mode
	})
	if changed {
		return verified()
	}
	why := "this commit does not change it"
	if isCut {
		why += ", and " + ErrShallow.Error()
	}
	r := markRelative(unclear(e, why, ""))
	r.IsCut = isCut
	return r
}

func (c Claim) asksForCode() bool { return c.Kind == "" || c.Kind == KindCode || c.Kind == KindTest }

// isSource reports whether a file of this name must hold code.
func isSource(name string) bool {
	g := grammarOf(name)
	fits := func(glob string) bool { ok, err := path.Match(glob, path.Base(name)); return ok && err == nil }
	return g != nil && !slices.ContainsFunc(g.Empties, fits)
}

func (j *call) isRenamed(path string, entry, before Entry) bool {
	if j.Base == nil || before.Kind != Missing {
		return false
	}
	origin := j.origin(j.Base, &j.Tree, path)
	return origin.Kind == File && origin.ID == entry.ID
}
