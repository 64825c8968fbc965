package evidence

import (
	"context"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/parser"
)

// asksToMake reports whether an item of kind code begins by saying that something new is made, and names nothing that
// is no code. Of 17,251 commits of 26 public repositories whose subject begins so, 9 add no line.
func (c Claim) asksToMake() bool {
	if c.Kind != "" && c.Kind != KindCode || !parser.Makes(c.Item) {
		return false
	}
	item := strings.ToLower(parser.WithoutType(c.Item))
	for w := range strings.FieldsFuncSeq(item, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if slices.ContainsFunc(otherwise, func(begin string) bool { return strings.HasPrefix(w, begin) }) {
			return false
		}
	}
	return !strings.Contains(item, strings.ToLower(path.Base(c.Evidence.Path)))
}

// otherwise are the beginnings of words for what may be done without a line of code of one's own.
var otherwise = []string{
	"asset", "binar", "bytecode", "chmod", "compil", "delet", "dependenc", "drop", "execut", "generat", "link", "lock",
	"mode", "move",
	"moving", "package", "permission", "pin", "remov", "renam", "replac", "submodule", "symlink", "vendor",
}

// aside says why a path or a removal that holds shows no code; "" where it may, or where the item is about that file,
// or about what was done to it.
func (j *Judge) aside(ctx context.Context, c Claim) (string, error) {
	e := c.Evidence
	isOf := func(n parser.Name) bool { return n.File && n.Object && isCalled(e.Path, n.Text) }
	if !c.asksForCode() || e.Start > 0 && !(e.Removed && c.asksToMake()) ||
		slices.ContainsFunc(parser.Names(c.Item), isOf) {
		return "", nil
	}
	act, why := &takesAway, "a removal shows nothing that is new, and the item asks for it"
	if !e.Removed {
		s := &source{}
		entry, err := j.Tree.Stat(ctx, e.Path)
		if err == nil && entry.Kind == File {
			s, err = j.read(ctx, &j.Tree, entry)
		}
		if err != nil {
			return "", err
		}
		before, err := j.Base.stat(ctx, e.Path)
		if err != nil {
			return "", err
		}
		moved, err := j.renamed(ctx, e.Path, entry, before)
		switch {
		case err != nil:
			return "", err
		case entry.Kind == Submodule:
			act, why = &ofModules, "a submodule's code is not of this repository, and the item asks for code"
		case moved:
			why = "it is a file under another name, and the item asks for new code"
		case entry.Kind != File || s.why != "" || before.ID == entry.ID && before.Mode != entry.Mode:
			act, why = &ofFiles, "a link, another mode and a file without lines hold no code, and the item asks for it"
		default:
			return "", nil
		}
	}
	if act.MatchString(c.Item) || act == &takesAway && !parser.Makes(c.Item) && !HasDefinitions(e.Path) {
		return "", nil // what is gone or renamed was no code
	}
	return why, nil
}

var (
	// takesAway is how an item says that something goes, or goes elsewhere; the others are words for what has no
	// lines.
	takesAway = lang.Lazy(`(?i)\b(remov|delet|drop|renam|mov|extract|split|merg|replac|migrat|convert|revert` +
		`|reorgani|get rid|clean|unused|obsolete|no longer|dead)\w*`)
	removes   = lang.Lazy(`(?i)^\W*(remov|delet|drop)`)
	ofModules = lang.Lazy(`(?i)\b(submodules?|bump|upgrade|update|sync|pin|vendor\w*)\b`)
	ofFiles   = lang.Lazy(`(?i)\b(chmod|modes?|permissions?|executable|runnable|(sym)?link(s|ed)?` +
		`|assets?|binar\w+|compile[ds]?|images?|icons?|logos?|fonts?|pictures?|screenshots?` +
		`|fixtures?|lfs|archives?|media|sounds?|videos?|samples?)\b|\+x\b`)
)

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

var markedGenerated = lang.Lazy(`(?m)^\W{0,4}(Code generated .* DO NOT EDIT\.?|@generated\b)`)

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
