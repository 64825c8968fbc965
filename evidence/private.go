package evidence

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

// UnusedFunction is a private function that a place cites and that the rest of its file does not name.
type UnusedFunction struct {
	// Name is its own, Line where it begins.
	Name string
	Line int
}

// unused are the private functions of the cited lines, or the one that they lie in, whose names stand nowhere else in
// the file. What a language calls private its description says; what is decorated, a test, or an entry point to some
// program or framework is none.
func (p *place) unused() []UnusedFunction {
	m := p.model
	if m == nil || len(m.grammar.Private) == 0 || holdsDoubles(m.path) || p.isGenerated() {
		return nil
	}
	var all []UnusedFunction
	cited := 0
	for i := range m.definitions {
		d := &m.definitions[i]
		from, to := m.linesOf(d)
		if d.kind != function || !(p.first <= from && to <= p.last) && !(m.commented(from) <= p.first && p.last <= to) {
			continue
		}
		if cited++; cited > maxUnused {
			return nil
		}
		above := m.text.span(m.commented(from), from).start
		if m.isPrivate(d) && !names(m.text.bytes[:above], d.name) && !names(m.text.bytes[d.end:], d.name) {
			all = append(all, UnusedFunction{d.name, from})
		}
	}
	return all
}

// maxUnused is how many functions lines may cite to be asked about them: each takes a search of the file.
const maxUnused = 20

// isPrivate reports whether nobody outside of the repository can name a function, and nothing but a call by its name
// makes it run. What stands in an object is called by who goes through that; in a file that the grammar could not read
// whole, where a function ends is not sure. An operator and a very short name cannot be looked for.
func (m *model) isPrivate(d *definition) bool {
	from, _ := m.linesOf(d)
	above, header := m.of(stretch{m.text.span(m.commented(from), from).start, d.start}), m.headerText(d)
	if d.title || d.member && d.parent < 0 || len(m.broken) > 0 || len(m.decoratorsOf(d)) > 0 ||
		len(d.name) < 2 || !isAnchor(strings.TrimLeft(d.name, "#")) || asked.MatchString(above+header) {
		return false
	}
	f := m.headerFacts(d, maxAround)
	f.Add("export", export.MatchString(header) || export.MatchString(above[strings.LastIndexByte(above, '\n')+1:]))
	f.Add("module", modular.Match(m.text.bytes))
	return f.MatchAny(m.grammar.Private)
}

var (
	// export is how a definition says that it is one, and how it is made one of something else: module.exports.f = ….
	export = lang.Lazy(`^\s*export\b|^[^=({]*\.[\w$]+\s*=`)
	// modular is how a source says that it is a module, whose functions others know only where it exports them.
	modular = lang.Lazy(`(?m)^\s*(import|export)\b|\brequire\(`)
)

// asked is how what stands above a definition, or in its header, tells a tool or a linker of it.
var asked = lang.Lazy(`(?m)^\s*//(go:|export )|__attribute__|__declspec|#\s*\[|@\w|EXPORT|\bDEFINE|noinspection`)

// names reports whether a name stands in a text as a word, or a beginning or an end of it beside what programs put it
// together with: getattr(self, "_visit_" + kind), cmd_ ## name.
func names(text []byte, name string) bool {
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

// The bounds of a search for a name: beyond them it may be anywhere.
const (
	maxNaming      = 20_000   // files
	maxNamingBytes = 64 << 20 // of all of them
)

// Unreferenced reports whether no other file of the tree names a function of a cited file. It is asked seldom: most
// private functions are named where they stand. A tree of more than 20,000 files, or of more than 64 MiB of text, may
// name anything.
func (j *Judge) Unreferenced(ctx context.Context, file string, u UnusedFunction) (bool, error) {
	all := func(string) bool { return true }
	found, whole, err := j.search(ctx, file, all, func(p string, _ Entry, src []byte) bool { return names(src, u.Name) })
	return found == "" && whole, err
}

// search returns the first of the wanted files of the tree, but for one, that visit finds something in; those nearest
// to that one come first. whole: no file was left out.
func (j *Judge) search(
	ctx context.Context, file string, wanted func(path string) bool,
	visit func(path string, entry Entry, src []byte) bool,
) (found string, whole bool, err error) {
	paths, err := j.Tree.Paths(ctx)
	if err != nil || len(paths) > maxNaming {
		return "", false, err
	}
	paths = slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return p == file || !wanted(p) })
	near := func(p string) int { return -nearness(p, file) }
	slices.SortStableFunc(paths, func(a, b string) int { return near(a) - near(b) })
	left := maxNamingBytes
	for _, p := range paths {
		entry, err := j.Tree.Stat(ctx, p)
		if err != nil {
			return "", false, err
		}
		if entry.Kind != File {
			continue
		}
		src, why, err := j.version(ctx, &j.Tree, entry)
		left -= len(src)
		switch {
		case err != nil || left < 0 || why != "" && why != noLines:
			return "", false, err
		case why == "" && visit(p, entry, src):
			return p, true, nil
		}
	}
	return "", true, nil
}

// nearness is how many folders two files share, and one more where they are of one language.
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
