package evidence

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// removal judges evidence that says something is gone: since the commit before, or by an earlier commit of the unit.
func (j *Judge) removal(ctx context.Context, e parser.Evidence) (Result, error) {
	var here *Result
	gone, cut, err := j.unit(ctx, func(s Step) (bool, error) {
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
		r, err := since.removed(ctx, e, before)
		if here == nil {
			here = &r
		}
		return r.Verdict == report.Verified, err
	})
	switch {
	case err != nil:
		return Result{}, err
	case gone:
		return verified(), nil
	case cut && slices.ContainsFunc(here.Problems, func(p Problem) bool { return p.Compares }):
		r := comparing(undecided(e, "this commit does not remove it, and "+ErrShallow.Error(), ""))
		r.Cut = true
		return r, nil
	}
	return *here, nil
}

// removed judges evidence of a removal since the base, by what stood at its path there.
func (j *Judge) removed(ctx context.Context, e parser.Evidence, before Entry) (Result, error) {
	now, err := j.Tree.Stat(ctx, e.Path)
	switch {
	case err != nil:
		return Result{}, err
	case j.Base == nil:
		return comparing(undecided(e, "there is no commit before this one", "")), nil
	case before.Kind == Missing && (now.Kind == Missing || e.Start > 0): // another unit's commits may have removed it
		return comparing(undecided(e, "it exists neither before nor after this commit", "")), nil
	case e.Start > 0 && before.Kind == File:
		r, err := j.removedLines(ctx, e, before, now)
		return comparing(r), err
	case now.Kind == Missing:
		return verified(), nil
	}
	r := stillThere(e, "the path is still there")
	if e.Start > 0 { // the base has no lines there
		r = comparing(r)
	}
	return r, nil
}

func stillThere(e parser.Evidence, what string) Result {
	p := Problem{
		Code: codeNotRemoved, Path: e.Path,
		Message: fmt.Sprintf("Evidence '%s' says that something was removed, but %s.", canonical(e), what),
		Hint:    "remove it, or report the item as skipped with a reason",
	}
	return refused(what, p)
}

// removedLines compares the cited lines of the base's file with the file as it is now.
func (j *Judge) removedLines(ctx context.Context, e parser.Evidence, before, now Entry) (Result, error) {
	old, why, err := j.version(ctx, j.Base, before)
	if err != nil || why != "" {
		return undecided(e, why, ""), err
	}
	t := newText(old)
	if e.End > t.count() {
		return refused("line out of range", Problem{
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
		return undecided(e, why, ""), err
	}
	return countRemoved(e, t, c.mayGone), nil
}

// countRemoved judges by the lines that say something, unless none of them does: where blank lines and brackets repeat,
// a diff may keep either.
func countRemoved(e parser.Evidence, t text, gone []bool) Result {
	says := func(line int) bool { return hasWordIn([]byte(t.at(line))) }
	any, cited, kept := true, 0, 0
	for line := e.Start; line <= e.End; line++ {
		any = any && !says(line)
	}
	for line := e.Start; line <= e.End; line++ {
		if any || says(line) {
			if cited++; !gone[line-1] {
				kept++
			}
		}
	}
	switch kept {
	case 0:
		return verified()
	case cited:
		return stillThere(e, "the lines are still there")
	}
	return undecided(e, fmt.Sprintf("%d of its %d lines are still there", kept, cited), "cite the lines that are gone")
}

// bare judges a path without lines: only for what has none, and is changed.
func (j *Judge) bare(ctx context.Context, c Claim) (Result, error) {
	e := c.Evidence
	entry, err := j.Tree.Stat(ctx, e.Path)
	if err != nil {
		return Result{}, err
	}
	switch entry.Kind {
	case Missing, Folder:
		found, err := j.locate(ctx, &j.Tree, e.Path)
		if err != nil || found.Kind == File {
			return undecided(e, "it is reached through a symbolic link, so whether it changed is not known", found.Path), err
		}
		return j.noFile(ctx, e, found)
	}
	before, err := j.Base.stat(ctx, e.Path)
	if err != nil {
		return Result{}, err
	}
	f := &source{why: noLines}
	if entry.Kind == File {
		if f, err = j.read(ctx, &j.Tree, entry); err != nil {
			return Result{}, err
		}
	}
	total, same := f.text.count(), entry.ID == before.ID && entry.Kind == before.Kind
	switch {
	case total == 0 && (f.why == "" || f.why == noLines) && entry.Kind == File && !same && c.asksForCode() &&
		isSource(e.Path):
		return undecided(e, "it is a file of code by its name, and has no lines", ""), nil
	case same && entry.Mode != before.Mode, !same && total == 0:
		return verified(), nil
	case total == 0:
		return j.changedPath(ctx, e)
	}
	if moved, err := j.renamed(ctx, e.Path, entry, before); err != nil || moved {
		return verified(), err
	}
	return comparing(badForm(e.Path, canonical(e), fmt.Sprintf("%s:%s", e.Path, lines(1, total)))), nil
}

// changedPath judges a path without lines that this commit does not change.
func (j *Judge) changedPath(ctx context.Context, e parser.Evidence) (Result, error) {
	changed, cut, err := j.unit(ctx, func(s Step) (bool, error) {
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
	if cut {
		why += ", and " + ErrShallow.Error()
	}
	r := comparing(undecided(e, why, ""))
	r.Cut = cut
	return r, nil
}

// asksForCode reports whether the item asks for something that a file of code must hold.
func (c Claim) asksForCode() bool { return c.Kind == "" || c.Kind == KindCode || c.Kind == KindTest }

// isSource reports whether a file of this name must hold code.
func isSource(name string) bool {
	g := grammarOf(name)
	fits := func(glob string) bool { ok, err := path.Match(glob, path.Base(name)); return ok && err == nil }
	return g != nil && !slices.ContainsFunc(g.Empties, fits)
}

// renamed reports whether a new entry is a file of the base under another name.
func (j *Judge) renamed(ctx context.Context, path string, entry, before Entry) (bool, error) {
	if j.Base == nil || before.Kind != Missing {
		return false, nil
	}
	was, err := Origin(ctx, j.Base, &j.Tree, path)
	return was.Kind == File && was.ID == entry.ID, err
}
