package evidence

import (
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

// location is the target of a path after links. obstacle says why there is none, if it is not just missing.
type location struct {
	Entry
	obstacle string
}

func (j *call) locate(tree *Tree, name string) location {
	for range maxLinks {
		entry := j.Stat(tree, name)
		entry.Path = name
		rest := ""
		if entry.Kind == Missing {
			entry, rest = j.obstacleOf(tree, name)
		}
		switch {
		case entry.Kind == Submodule && rest != "":
			return location{obstacle: fmt.Sprintf("it lies in the submodule %s, whose content is not in this repository",
				entry.Path)}
		case entry.Kind != Symlink:
			return location{Entry: entry}
		}
		next, ok := linkTarget(entry.Path, string(j.Reads.read(tree, entry)))
		if !ok {
			return location{obstacle: fmt.Sprintf("%s is a symbolic link that leaves the repository", entry.Path)}
		}
		name = path.Join(next, rest)
	}
	return location{obstacle: fmt.Sprintf("it leads through more than %d symbolic links", maxLinks)}
}

// obstacleOf returns the first link or submodule on the way to a missing path, and the rest of the path; an entry of
// kind Missing if there is none.
func (j *call) obstacleOf(tree *Tree, name string) (Entry, string) {
	for i, r := range name {
		if r != '/' || i == 0 {
			continue
		}
		switch entry := j.Stat(tree, name[:i]); entry.Kind {
		case Symlink, Submodule:
			entry.Path = name[:i]
			return entry, name[i+1:]
		case File, Missing:
			return Entry{Path: name}, ""
		}
	}
	return Entry{Path: name}, ""
}

// linkTarget resolves the target of a link; ok is false if it leaves the tree.
func linkTarget(from, target string) (string, bool) {
	if path.IsAbs(target) {
		return "", false
	}
	to := path.Join(path.Dir(from), target)
	return to, to != ".." && !strings.HasPrefix(to, "../")
}

func (j *call) noFile(e parser.Evidence, found location) Result {
	if found.obstacle != "" {
		return unclear(e, found.obstacle, "")
	}
	problem := Problem{Code: codeFileNotFound, Path: e.Path}
	switch found.Kind {
	case Folder:
		problem.Message = fmt.Sprintf("Evidence file not found: %s is a folder, not a file.", e.Path)
		problem.Hint = "cite a file below it"
		return refusal("a folder is not a file", problem)
	case Submodule:
		problem.Message = fmt.Sprintf("Evidence file not found: %s is a submodule, which has no lines here.", e.Path)
		problem.Hint = "cite it by its path alone: " + e.Path
		return refusal("a submodule is not a file", problem)
	}
	if words := strings.Fields(e.Path); len(words) > 1 { // prose may end in evidence: around auth.py:42
		at := e
		at.Path = words[len(words)-1]
		if j.Stat(&j.Tree, at.Path).Kind == File {
			return badForm(e.Path, asWritten(e), canonical(at))
		}
	}
	problem.Message = fmt.Sprintf(fileNotFound, e.Path)
	if found.Path != e.Path {
		problem.Message = fmt.Sprintf("Evidence file not found: %s is a symbolic link to %s, which does not exist.", e.Path,
			found.Path)
	}
	near := j.nearestPath(e.Path)
	if near != "" {
		near = canonical(parser.Evidence{Path: near, Start: e.Start, End: e.End, IsRemoved: e.IsRemoved})
	}
	problem.Hint, problem.IsCorrection = near, near != ""
	return refusal("file not found", problem)
}

func (j *call) nearestPath(name string) string {
	if j.IsBrief {
		return ""
	}
	return nearest(j.AllPaths(&j.Tree), name)
}

// nearest returns the likeliest correction of a name: the same file in the nearest folder, in any case, or one whose
// name a comma cuts; "" if there is none.
func nearest(names []string, name string) (found string) {
	best := -1
	for _, n := range names {
		if !strings.EqualFold(path.Base(n), path.Base(name)) && !strings.HasSuffix(n, ","+name) {
			continue
		}
		if rank := nearness(n, name); rank > best || rank == best && n < found {
			best, found = rank, n
		}
	}
	return found
}

// hintUnstaged adds hints for changes in the work tree that are not staged. Line endings do not count.
func (j *call) hintUnstaged(e parser.Evidence, r *Result) {
	if j.WorkTree == nil || len(r.Problems) == 0 {
		return
	}
	work, readErr := j.WorkTree.WorkFile(j.Ctx, e.Path, j.Limits.maxFileBytes())
	entry := j.Stat(&j.Tree, e.Path)
	var staged []byte
	if entry.Kind == File {
		staged = j.Reads.read(&j.Tree, entry)
	}
	lf := func(b []byte) string { return strings.ReplaceAll(string(b), "\r\n", "\n") }
	if j.Err != nil || readErr == nil && entry.Kind == File && lf(work) == lf(staged) {
		return // no hint
	}
	message := "Evidence '%s' is not staged: it is in the work tree, but not in the commit."
	add, name := "git add ", e.Path
	if strings.ContainsAny(name, " \t\n'\"\\$`&|;<>()*?[]{}!~#") {
		name = "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
	}
	if add += name; j.IsPartial {
		add, message = fmt.Sprintf("name %s in the commit as well: git commit … %[1]s", name),
			"Evidence '%s' is not part of this commit, which takes only the paths that it names."
	}
	for i := range r.Problems {
		switch p := &r.Problems[i]; {
		case p.Code == codeNotRemoved && errors.Is(readErr, fs.ErrNotExist):
			p.Hint = fmt.Sprintf("%s is gone from the work tree, and that is not staged: %s", e.Path, add)
		case readErr != nil:
		case p.Code == codeFileNotFound && entry.Kind == Missing, p.Code == codeOutOfRange && e.End <= newText(work).count():
			p.Message, p.Hint, p.IsCorrection = fmt.Sprintf(message, canonical(e)), add, false
		case p.Code == EmptyImpl, p.Code == codePartialStub, p.Code == codeNotInDiff:
			p.Hint = fmt.Sprintf("%s has changes that are not staged: %s", e.Path, add)
		}
	}
}

// formHint corrects malformed evidence: the parser's hint, or for an absolute path a file of the tree.
func (j *call) formHint(e parser.Evidence) string {
	at := parser.ParseEvidence(strings.TrimLeft(asWritten(e), "/"), report.Pos{})
	if e.Hint != "" || len(at) != 1 || at[0].Err != "" || at[0].Path == "" {
		return e.Hint
	}
	if at[0].Path = j.nearestPath(at[0].Path); at[0].Path == "" {
		return ""
	}
	return canonical(at[0])
}
