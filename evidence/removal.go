package evidence

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// removal judges evidence of a removal, by this commit or an earlier one of the unit.
func (j *Judge) removal(ctx context.Context, e parser.Evidence) (Result, error) {
	var here *Result
	isGone, isCut, err := j.anyUnitCommit(ctx, func(s Step) (bool, error) {
		since := *j
		since.Base = s.Before
		before, err := s.Before.stat(ctx, e.Path)
		if err != nil {
			return false, err
		}
		then, err := s.After.Stat(ctx, e.Path)
		if err != nil || here != nil && (before.Kind == Missing || then.ID == before.ID && then.Kind == before.Kind) {
			return false, err
		}
		r, err := since.judgeRemoval(ctx, e, before)
		if here == nil {
			here = &r
		}
		return r.Verdict == report.Verified, err
	})
	switch {
	case err != nil:
		return Result{}, err
	case isGone:
		return verified(), nil
	case isCut && slices.ContainsFunc(here.Problems, func(p Problem) bool { return p.IsRelative }):
		r := markRelative(unclear(e, "this commit does not remove it, and "+ErrShallow.Error(), ""))
		r.IsCut = true
		return r, nil
	}
	return *here, nil
}

// judgeRemoval judges a removal since the base; before is the entry there.
func (j *Judge) judgeRemoval(ctx context.Context, e parser.Evidence, before Entry) (Result, error) {
	now, err := j.Tree.Stat(ctx, e.Path)
	switch {
	case err != nil:
		return Result{}, err
	case j.Base == nil:
		return markRelative(unclear(e, "there is no commit before this one", "")), nil
	case before.Kind == Missing && (now.Kind == Missing || e.Start > 0): // another unit's commits may have removed it
		return markRelative(unclear(e, "it exists neither before nor after this commit", "")), nil
	case e.Start > 0 && before.Kind == File:
		r, err := j.judgeRemovedLines(ctx, e, before, now)
		return markRelative(r), err
	case now.Kind == Missing:
		return verified(), nil
	}
	r := notRemoved(e, "the path is still there")
	if e.Start > 0 { // the base has no lines there
		r = markRelative(r)
	}
	return r, nil
}

func notRemoved(e parser.Evidence, reason string) Result {
	p := Problem{
		Code: codeNotRemoved, Path: e.Path,
		Message: fmt.Sprintf("Evidence '%s' says that something was removed, but %s.", canonical(e), reason),
		Hint:    "remove it, or report the item as skipped with a reason",
	}
	return refusal(reason, p)
}

// judgeRemovedLines compares the cited lines of the base's file with the file now.
func (j *Judge) judgeRemovedLines(ctx context.Context, e parser.Evidence, before, now Entry) (Result, error) {
	old, why, err := j.version(ctx, j.Base, before)
	if err != nil || why != "" {
		return unclear(e, why, ""), err
	}
	t := newText(old)
	if e.End > t.count() {
		return refusal("line out of range", Problem{
			Code: codeOutOfRange, Path: e.Path,
			Message: fmt.Sprintf(outOfRange, e.End, t.count(), t.count()),
			Hint:    "the lines of a removal are those of the file before this commit",
		}), nil
	}
	if now.Kind != File {
		return verified(), nil
	}
	c, why, err := j.compare(ctx, j.Base, before, &j.Tree, now)
	if err != nil || why != "" {
		return unclear(e, why, ""), err
	}
	return countRemoved(e, t, c.mayBeRemoved), nil
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
func (j *Judge) judgePath(ctx context.Context, c Claim) (Result, error) {
	e := c.Evidence
	entry, err := j.Tree.Stat(ctx, e.Path)
	if err != nil {
		return Result{}, err
	}
	switch entry.Kind {
	case Missing, Folder:
		found, err := j.locate(ctx, &j.Tree, e.Path)
		if err != nil || found.Kind == File {
			return unclear(e, "it is reached through a symbolic link, so whether it changed is not known", found.Path), err
		}
		return j.noFile(ctx, e, found)
	}
	before, err := j.Base.stat(ctx, e.Path)
	if err != nil {
		return Result{}, err
	}
	f := &source{whyUnreadable: noLinesReason}
	if entry.Kind == File {
		if f, err = j.read(ctx, &j.Tree, entry); err != nil {
			return Result{}, err
		}
	}
	total, same := f.text.count(), entry.ID == before.ID && entry.Kind == before.Kind
	switch {
	case total == 0 && (f.whyUnreadable == "" || f.whyUnreadable == noLinesReason) && entry.Kind == File && !same &&
		c.asksForCode() &&
		isSource(e.Path):
		return unclear(e, "it is a file of code by its name, and has no lines", ""), nil
	case same && entry.Mode != before.Mode, !same && total == 0:
		return verified(), nil
	case total == 0:
		return j.judgeUnchangedPath(ctx, e)
	}
	if moved, err := j.isRenamed(ctx, e.Path, entry, before); err != nil || moved {
		return verified(), err
	}
	return markRelative(badForm(e.Path, canonical(e), fmt.Sprintf("%s:%s", e.Path, lines(1, total)))), nil
}

// judgeUnchangedPath judges a path without lines that this commit does not change.
func (j *Judge) judgeUnchangedPath(ctx context.Context, e parser.Evidence) (Result, error) {
	changed, isCut, err := j.anyUnitCommit(ctx, func(s Step) (bool, error) {
		then, err := s.After.Stat(ctx, e.Path)
		if err != nil {
			return false, err
		}
		before, err := s.Before.stat(ctx, e.Path)
		return then.Kind != before.Kind || then.ID != before.ID || then.Mode != before.Mode, err
	})
	if err != nil || changed {
		return verified(), err
	}
	why := "this commit does not change it"
	if isCut {
		why += ", and " + ErrShallow.Error()
	}
	r := markRelative(unclear(e, why, ""))
	r.IsCut = isCut
	return r, nil
}

func (c Claim) asksForCode() bool { return c.Kind == "" || c.Kind == KindCode || c.Kind == KindTest }

// isSource reports whether a file of this name must hold code.
func isSource(name string) bool {
	g := grammarOf(name)
	fits := func(glob string) bool { ok, err := path.Match(glob, path.Base(name)); return ok && err == nil }
	return g != nil && !slices.ContainsFunc(g.Empties, fits)
}

// isRenamed reports whether a new entry is a renamed file of the base.
func (j *Judge) isRenamed(ctx context.Context, path string, entry, before Entry) (bool, error) {
	if j.Base == nil || before.Kind != Missing {
		return false, nil
	}
	origin, err := Origin(ctx, j.Base, &j.Tree, path)
	return origin.Kind == File && origin.ID == entry.ID, err
}
