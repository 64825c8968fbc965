package evidence

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/acta-git/acta/parser"
)

// The messages of a place that the work tree has and the commit would not.
const (
	notStaged = "Evidence '%s' is not staged: it is in the work tree, and the commit would not have it."
	leftOut   = "Evidence '%s' is not part of this commit, which takes only the paths that it names."
)

// unstaged reads the work tree's version of a file where it differs from what is to be committed; ok is false where it
// does not, or there is no work tree. How lines end is no difference.
func (j *Judge) unstaged(ctx context.Context, path string, staged []byte) (work []byte, ok bool) {
	if j.Work == nil {
		return nil, false
	}
	work, err := j.Work(ctx, path, j.Limits.maxFileBytes())
	if err != nil {
		return nil, false // all that is lost is a hint
	}
	lf := func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")) }
	return work, staged == nil || !bytes.Equal(lf(work), lf(staged))
}

// onlyInWorkTree says of a problem what brings the file into the commit.
func (j *Judge) onlyInWorkTree(p Problem, e parser.Evidence) Problem {
	message := notStaged
	if j.Partial {
		message = leftOut
	}
	p.Message, p.Hint = fmt.Sprintf(message, canonical(e)), j.addHint(e.Path)
	return p
}

// addHint is the command that brings a file into the commit.
func (j *Judge) addHint(path string) string {
	if j.Partial {
		return fmt.Sprintf("name %s in the commit as well: git commit … %[1]s", shellWord(path))
	}
	return "git add " + shellWord(path)
}

// shellWord writes a path as one word of a shell.
func shellWord(path string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._+-@%,:=", r)
	}
	if strings.IndexFunc(path, func(r rune) bool { return !plain(r) }) < 0 {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// removedInPart says of what is not removed that it is gone from the work tree, where it is.
func (j *Judge) removedInPart(ctx context.Context, e parser.Evidence, r *Result) {
	if j.Work == nil || !r.fails(NotRemoved) {
		return
	}
	if _, err := j.Work(ctx, e.Path, j.Limits.maxFileBytes()); !errors.Is(err, fs.ErrNotExist) {
		return
	}
	for i := range r.Problems {
		r.Problems[i].Hint = fmt.Sprintf("%s is gone from the work tree, and that is not staged: %s", e.Path,
			j.addHint(e.Path))
	}
}

// stagedInPart hints at what is not staged where what is staged does not show the claim.
func (j *Judge) stagedInPart(ctx context.Context, p *place, r *Result) {
	if len(r.Problems) == 0 {
		return
	}
	var hint string
	for i := range r.Problems {
		switch r.Problems[i].Code {
		case EmptyImpl, PartialStub, NotInDiff:
		default:
			continue
		}
		if hint == "" {
			if _, ok := j.unstaged(ctx, p.entry.Path, p.text.bytes); !ok {
				return
			}
			hint = fmt.Sprintf("%s has changes that are not staged: %s", p.entry.Path, j.addHint(p.entry.Path))
		}
		r.Problems[i].Hint = hint
	}
}
