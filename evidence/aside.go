package evidence

import (
	"context"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence/language"
)

// asksToMake reports whether an item of kind code begins by saying that something new is made, and names nothing that
// is no code. Of 17,251 commits of 26 public repositories whose subject begins so, 9 add no line.
func (c Claim) asksToMake() bool {
	if c.Kind != "" && c.Kind != KindCode {
		return false
	}
	item := strings.ToLower(plainItem(c.Item))
	words := strings.FieldsFunc(item, func(r rune) bool { return !unicode.IsLetter(r) })
	if len(words) == 0 || !slices.Contains(makes, words[0]) {
		return false
	}
	for _, w := range words {
		if slices.ContainsFunc(otherwise, func(begin string) bool { return strings.HasPrefix(w, begin) }) {
			return false
		}
	}
	return !strings.Contains(item, strings.ToLower(path.Base(c.Evidence.Path)))
}

// makes are the verbs of what is new.
var makes = []string{"add", "create", "define", "develop", "implement", "introduce", "provide", "write"}

// otherwise are the beginnings of words for what may be done without a line of code of one's own.
var otherwise = []string{
	"asset", "binar", "bytecode", "chmod", "compil", "delet", "dependenc", "drop", "execut", "generat", "link", "lock",
	"mode", "move",
	"moving", "package", "permission", "pin", "remov", "renam", "replac", "submodule", "symlink", "vendor",
}

// aside says why a path or a removal that holds shows no code that is new; "" where it may.
func (j *Judge) aside(ctx context.Context, c Claim) (string, error) {
	e := c.Evidence
	switch {
	case !c.asksToMake():
		return "", nil
	case e.Removed:
		return "a removal shows nothing that is new, and the item asks for it", nil
	case e.Start > 0:
		return "", nil
	}
	entry, err := j.Tree.Stat(ctx, e.Path)
	if err != nil {
		return "", err
	}
	switch {
	case entry.Kind == Symlink:
		return "a symbolic link holds no code, and the item asks for it", nil
	case entry.Kind == Submodule:
		return "a submodule's code is not of this repository, and the item asks for code", nil
	case slices.Contains([]string{".pyc", ".pyo", ".class", ".o"}, path.Ext(e.Path)):
		return "a compiled file holds no code that was written, and the item asks for it", nil
	case j.Base == nil:
		return "", nil
	}
	before, err := j.Base.Stat(ctx, e.Path)
	if err != nil {
		return "", err
	}
	if before.ID != "" && before.ID == entry.ID && before.Mode != entry.Mode {
		return "only its mode is another, and the item asks for new code", nil
	}
	if moved, err := j.renamed(ctx, entry, before); err != nil || !moved || entry.Kind != File {
		return "", err
	}
	return "it is a file under another name, and the item asks for new code", nil
}

// unwritten says why lines that hold were written by no author of the change; "" where they may have been.
func (p *place) unwritten() string {
	if !p.asksToMake() {
		return ""
	}
	name := p.entry.Path
	switch {
	case IsLock(path.Base(name)):
		return "a lock file is written by a program, and the item asks for code"
	case slices.ContainsFunc(strings.Split(path.Dir(name), "/"),
		func(s string) bool { return s == "vendor" || s == "node_modules" }):
		return "vendored code is written by others, and the item asks for code"
	case markedGenerated.FindIndex(p.text.bytes[:min(len(p.text.bytes), maxMarked)]) != nil:
		return "the file says that a program generated it, and the item asks for code"
	}
	return p.declared()
}

// IsLock reports whether a package manager wrote a file, by its base name: which packages it found for what was asked.
func IsLock(base string) bool {
	return path.Ext(base) == ".lock" || slices.Contains([]string{"go.sum", "package-lock.json", "npm-shrinkwrap.json",
		"pnpm-lock.yaml"}, base)
}

// maxMarked is how far into a file a program's mark is looked for.
const maxMarked = 2000

var markedGenerated = language.Lazy(`(?m)^\W{0,4}(Code generated .* DO NOT EDIT\.?|@generated\b)`)

// setAside makes the results of places unclear that all hold and show no code that is new, and reports whether it did.
func setAside(c []Claim, results []Result) bool {
	for _, r := range results {
		if r.Verdict != diag.Verified || r.Aside == "" {
			return false
		}
	}
	for i := range results {
		r := &results[i]
		r.Verdict, r.Reason = diag.Unclear, r.Aside
		r.Problems = append(r.Problems, comparing(undecided(c[i].Evidence, r.Aside,
			"cite the code, or say in the item what was done")).Problems...)
	}
	return true
}
