package evidence

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

// UnusedFunction is a cited private function that the rest of its file does not name.
type UnusedFunction struct {
	// Line is its first line.
	Name string
	Line int
}

// unusedFunctions returns the private functions in the cited lines, or around them, whose names occur nowhere else in
// the file. Decorated functions, tests and entry points do not count.
func (p *place) unusedFunctions() []UnusedFunction {
	m := p.model
	if m == nil || len(m.grammar.Private) == 0 || holdsDoubles(m.path) || p.isGenerated() {
		return nil
	}
	var all []UnusedFunction
	count := 0
	for _, d := range m.definitions {
		from, to := m.linesOf(d)
		if d.kind != function || !(p.first <= from && to <= p.last) && !(m.commentStart(from) <= p.first && p.last <= to) {
			continue
		}
		if count++; count > maxUnused {
			return nil
		}
		above := m.text.span(m.commentStart(from), from).start
		if m.isPrivate(d) && !namesWord(m.text.bytes[:above], d.name) && !namesWord(m.text.bytes[d.end:], d.name) {
			all = append(all, UnusedFunction{d.name, from})
		}
	}
	return all
}

// maxUnused bounds the functions in cited lines: each takes a search of the file.
const maxUnused = 20

// isPrivate reports whether no code outside the repository can name a function, and only a call by name runs it.
// Members of objects do not count, nor do functions in files with errors, operators and very short names.
func (m *model) isPrivate(d *definition) bool {
	from, _ := m.linesOf(d)
	above, header := m.of(stretch{m.text.span(m.commentStart(from), from).start, d.start}), m.headerText(d)
	if d.isTitled || d.isMember && d.parent == nil || len(m.errorNodes) > 0 || len(m.decoratorsOf(d)) > 0 ||
		len(d.name) < 2 || !isAnchor(strings.TrimLeft(d.name, "#")) || fits("tool marker", above+header) {
		return false
	}
	f := m.headerFacts(d, maxOuterFacts)
	f.Add("export", fits("export start", header) ||
		fits("export start", above[strings.LastIndexByte(above, '\n')+1:]))
	f.Add("module", patternOf("module start").Match(m.text.bytes))
	return f.MatchAny(m.grammar.Private)
}

// namesWord reports whether a text has a name as a word, or a part of it that programs compose: getattr(self, "_visit_"
// + kind), cmd_ ## name.
func namesWord(text []byte, name string) bool {
	bare, code := strings.TrimLeft(name, "#"), strings.ReplaceAll(string(text), "${", " ")
	if lang.HasWord(code, bare) {
		return true
	}
	for i := 1; i < len(bare)-1; i++ {
		isHump := bare[i] >= 'A' && bare[i] <= 'Z' && bare[i-1] >= 'a' && bare[i-1] <= 'z'
		switch first := bare[:i]; {
		case bare[i] == '_' && (lang.HasWord(code, first+"_") || lang.HasWord(code, bare[i:])),
			isHump && (strings.Contains(code, first+`"`) || strings.Contains(code, first+"'")):
			return true
		}
	}
	return false
}

// The bounds of a search for a name.
const (
	maxNamingFiles = 20_000   // files
	maxNamingBytes = 64 << 20 // of all of them
)

// Unreferenced reports whether no other file of the tree names a function of a cited file. In a tree of more than
// 20,000 files, or of more than 64 MiB of text, this is not known.
func (j *Judge) Unreferenced(ctx context.Context, file string, u UnusedFunction) (bool, error) {
	k := j.call(ctx)
	found, isWhole := k.search(file, func(string) bool { return true },
		func(_ string, _ Entry, src []byte) bool { return namesWord(src, u.Name) })
	return found == "" && isWhole, k.Err
}

// search returns the first wanted file, except one, for which visit returns true, the nearest first. isWhole: no file
// was left out.
func (j *call) search(
	file string, wanted func(path string) bool, visit func(path string, entry Entry, src []byte) bool,
) (found string, isWhole bool) {
	paths := j.AllPaths(&j.Tree)
	if len(paths) > maxNamingFiles {
		return "", false
	}
	paths = slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return p == file || !wanted(p) })
	near := func(p string) int { return -nearness(p, file) }
	slices.SortStableFunc(paths, func(a, b string) int { return near(a) - near(b) })
	bytesLeft := maxNamingBytes
	for _, p := range paths {
		entry := j.Stat(&j.Tree, p)
		if entry.Kind != File {
			continue
		}
		src, why := j.version(&j.Tree, entry)
		switch bytesLeft -= len(src); {
		case bytesLeft < 0 || why != "" && why != noLinesReason:
			return "", false
		case why == "" && visit(p, entry, src):
			return p, true
		}
	}
	return "", j.Err == nil
}

// nearness counts the shared folders of two files, and more if they have the same extension.
func nearness(a, b string) int {
	n, x, y := 0, strings.Split(a, "/"), strings.Split(b, "/")
	for n < min(len(x), len(y))-1 && x[n] == y[n] {
		n++
	}
	if path.Ext(a) == path.Ext(b) {
		return 2*n + 1
	}
	return 2 * n
}
