package evidence

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// maxLinks bounds how many symbolic links are followed for one path, as Linux does.
const maxLinks = 40

// located is what a path leads to once links are followed. obstacle says what
// stands in the way where that is neither an entry nor plainly nothing.
type located struct {
	Entry
	obstacle string
}

// locate finds what a path leads to in a tree.
func (j *Judge) locate(ctx context.Context, tree *Tree, name string) (located, error) {
	for range maxLinks {
		entry, err := tree.Stat(ctx, name)
		if err != nil {
			return located{}, err
		}
		entry.Path = name
		rest := ""
		if entry.Kind == Missing {
			if entry, rest, err = inTheWay(ctx, tree, name); err != nil {
				return located{}, err
			}
		}
		switch {
		case entry.Kind == Submodule && rest != "":
			return located{obstacle: fmt.Sprintf("it lies in the submodule %s, whose content is not in this repository",
				entry.Path)}, nil
		case entry.Kind != Symlink:
			return located{Entry: entry}, nil
		}
		target, err := tree.Read(ctx, entry)
		if err != nil {
			return located{}, err
		}
		next, ok := linked(entry.Path, string(target))
		if !ok {
			return located{obstacle: fmt.Sprintf("%s is a symbolic link that leaves the repository", entry.Path)}, nil
		}
		name = path.Join(next, rest)
	}
	return located{obstacle: fmt.Sprintf("it leads through more than %d symbolic links", maxLinks)}, nil
}

// inTheWay returns the first link or submodule on the way to a missing path, and
// the rest of the path below it; an entry of kind Missing when there is none.
func inTheWay(ctx context.Context, tree *Tree, name string) (Entry, string, error) {
	for i, r := range name {
		if r != '/' || i == 0 {
			continue
		}
		entry, err := tree.Stat(ctx, name[:i])
		if err != nil {
			return Entry{}, "", err
		}
		switch entry.Kind {
		case Symlink, Submodule:
			entry.Path = name[:i]
			return entry, name[i+1:], nil
		case File, Missing:
			return Entry{Path: name}, "", nil
		}
	}
	return Entry{Path: name}, "", nil
}

// linked resolves the target of a link; ok is false when it leaves the tree.
func linked(from, target string) (string, bool) {
	if path.IsAbs(target) {
		return "", false
	}
	to := path.Join(path.Dir(from), target)
	return to, to != ".." && !strings.HasPrefix(to, "../")
}

// noFile is the result of a path with lines that leads to no file.
func (j *Judge) noFile(ctx context.Context, e parser.Evidence, found located) (Result, error) {
	if found.obstacle != "" {
		return undecided(e, found.obstacle, ""), nil
	}
	problem := Problem{Code: codeFileNotFound, Path: e.Path}
	switch found.Kind {
	case Folder:
		problem.Message = fmt.Sprintf("Evidence file not found: %s is a folder, not a file.", e.Path)
		problem.Hint = "cite a file below it"
		return refused("a folder is not a file", problem), nil
	case Submodule:
		problem.Message = fmt.Sprintf("Evidence file not found: %s is a submodule, which has no lines here.", e.Path)
		problem.Hint = "cite it by its path alone: " + e.Path
		return refused("a submodule is not a file", problem), nil
	}
	if words := strings.Fields(e.Path); len(words) > 1 { // prose may end in evidence: around auth.py:42
		at := e
		at.Path = words[len(words)-1]
		if entry, err := j.Tree.Stat(ctx, at.Path); err != nil || entry.Kind == File {
			return badForm(e.Path, written(e), canonical(at)), err
		}
	}
	problem.Message = fmt.Sprintf(fileNotFound, e.Path)
	if found.Path != e.Path {
		problem.Message = fmt.Sprintf("Evidence file not found: %s is a symbolic link to %s, which does not exist.", e.Path,
			found.Path)
	}
	near, err := j.near(ctx, e.Path)
	if near != "" {
		near = canonical(parser.Evidence{Path: near, Start: e.Start, End: e.End, IsRemoved: e.IsRemoved})
	}
	problem.Hint, problem.Corrects = near, near != ""
	return refused("file not found", problem), err
}

// near returns the path of the tree that is nearest to one that is not there.
func (j *Judge) near(ctx context.Context, name string) (string, error) {
	if j.Brief {
		return "", nil
	}
	paths, err := j.Tree.Paths(ctx)
	return nearest(paths, name), err
}

// nearest returns the name that is most likely meant by one that is not among them: the same file in the nearest
// folder, letters in any case; "" for none.
func nearest(names []string, name string) (found string) {
	best := -1
	for _, n := range names {
		if !strings.EqualFold(path.Base(n), path.Base(name)) {
			continue
		}
		if rank := nearness(n, name); rank > best || rank == best && n < found {
			best, found = rank, n
		}
	}
	return found
}

// unstaged says of what a place lacks that the work tree has it, and how that comes into the commit. How lines end is
// no difference.
func (j *Judge) unstaged(ctx context.Context, e parser.Evidence, r *Result) {
	if j.Work == nil || len(r.Problems) == 0 {
		return
	}
	work, gone := j.Work.WorkFile(ctx, e.Path, j.Limits.maxFileBytes())
	entry, err := j.Tree.Stat(ctx, e.Path)
	var staged []byte
	if err == nil && entry.Kind == File {
		staged, err = j.Tree.Read(ctx, entry)
	}
	lf := func(b []byte) string { return strings.ReplaceAll(string(b), "\r\n", "\n") }
	if err != nil || gone == nil && entry.Kind == File && lf(work) == lf(staged) {
		return // at worst a hint is lost
	}
	message := "Evidence '%s' is not staged: it is in the work tree, but not in the commit."
	add, name := "git add ", e.Path
	if strings.ContainsAny(name, " \t\n'\"\\$`&|;<>()*?[]{}!~#") {
		name = "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
	}
	if add += name; j.Partial {
		add, message = fmt.Sprintf("name %s in the commit as well: git commit … %[1]s", name),
			"Evidence '%s' is not part of this commit, which takes only the paths that it names."
	}
	for i := range r.Problems {
		switch p := &r.Problems[i]; {
		case p.Code == codeNotRemoved && errors.Is(gone, fs.ErrNotExist):
			p.Hint = fmt.Sprintf("%s is gone from the work tree, and that is not staged: %s", e.Path, add)
		case gone != nil:
		case p.Code == codeFileNotFound && entry.Kind == Missing, p.Code == codeOutOfRange && e.End <= newText(work).count():
			p.Message, p.Hint, p.Corrects = fmt.Sprintf(message, canonical(e)), add, false
		case p.Code == EmptyImpl, p.Code == codePartialStub, p.Code == codeNotInDiff:
			p.Hint = fmt.Sprintf("%s has changes that are not staged: %s", e.Path, add)
		}
	}
}

// formHint corrects malformed evidence: what the parser says, or for an absolute path a file of the tree.
func (j *Judge) formHint(ctx context.Context, e parser.Evidence) (string, error) {
	at := parser.ParseEvidence(strings.TrimLeft(written(e), "/"), report.Pos{})
	if e.Hint != "" || len(at) != 1 || at[0].Err != "" || at[0].Path == "" {
		return e.Hint, nil
	}
	near, err := j.near(ctx, at[0].Path)
	if at[0].Path = near; near == "" || err != nil {
		return "", err
	}
	return canonical(at[0]), nil
}
