package evidence

import (
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// asksForNew reports whether an item of kind code begins by saying that something new is made, and speaks of nothing
// but code. Of 17,251 commits in 26 public repositories whose subject begins so, 9 add no line.
func (c Claim) asksForNew() bool {
	return (c.Kind == "" || c.Kind == KindCode) && parser.IsCreation(c.Item) &&
		!fits("non code words", parser.WithoutType(c.Item))
}

// asideReason says why a verified path or removal shows no code; "" if it may, or if the item is about that file or
// such work.
func (j *call) asideReason(c Claim) string {
	e := c.Evidence
	isOf := func(n parser.Name) bool { return !n.IsCall && n.IsObject && matchesPath(e.Path, n.Text) }
	if !c.asksForCode() || e.Start > 0 && !(e.IsRemoved && c.asksForNew()) ||
		slices.ContainsFunc(parser.Names(c.Item), isOf) {
		return ""
	}
	why := "it is a removal, and the item does not ask for one"
	if !e.IsRemoved {
		if !j.isRenamed(c, Step{Before: j.Base, After: j.Tree}) {
			return j.emptyReason(c, j.Stat(&j.Tree, e.Path), j.Stat(j.Base, e.Path))
		}
		why = "it is a renamed file, and the item asks for new code"
	}
	if fits("removal words", c.Item) || !parser.IsCreation(c.Item) && !HasDefinitions(e.Path) {
		return "" // the removed or renamed file was no code
	}
	return why
}

// emptyReason is asideReason for a file without lines: the item may ask for an empty file.
func (j *call) emptyReason(c Claim, entry, before Entry) string {
	if fits("non code words", c.Item) || fits("asset words", c.Item) || entry.Kind == File &&
		(entry.ID != before.ID || entry.Mode == before.Mode) && j.size(&j.Tree, entry) == 0 {
		return ""
	}
	return "it has no lines of code, and the item asks for code"
}

// noWorkReason says why verified lines are no work of the author's: they only import, or others wrote them; "" if they
// may be, or if the item asks for that file.
func (p *place) noWorkReason() string {
	name := p.Path
	// A file of nothing but imports may be there to offer them to others.
	if m := p.model; m != nil && m.grammar.IsCode() && p.asksForCode() && !fits("import words", p.Item) &&
		m.onlyImports(p.text.span(p.first, p.last)) && !m.onlyImports(stretch{0, len(m.kinds)}) {
		return "it only imports, and the item asks for code"
	}
	if !p.asksForNew() || strings.Contains(strings.ToLower(p.Item), strings.ToLower(path.Base(name))) {
		return ""
	}
	switch {
	case IsLock(path.Base(name)):
		return "a lock file is written by a program, and the item asks for code"
	case strings.Contains("/"+name, "/vendor/"), strings.Contains("/"+name, "/node_modules/"):
		return "vendored code is written by others, and the item asks for code"
	case p.isGenerated():
		return "the file says that a program generated it, and the item asks for code"
	}
	return p.declarationReason()
}

// onlyImports reports whether lines of code hold imports, and nothing else. Of 54,244 commits in 27 public repositories
// 265 add nothing but imports; the subjects of 91 use no word for that.
func (m *model) onlyImports(s stretch) bool {
	found := false
	for _, k := range m.kinds[s.start:s.end] {
		switch k & kindMask {
		case blank, comment, bracket:
		case weak:
			found = true
		default:
			return false
		}
	}
	isHeader := func(d *definition) bool { return d.outer < s.end && max(d.body, d.outer+1) > s.start }
	return found && len(m.overlapping(m.decorators, s)) == 0 && !slices.ContainsFunc(m.definitions, isHeader)
}

// IsLock reports whether a file is a package manager's lock file, by its base name.
func IsLock(base string) bool {
	return path.Ext(base) == ".lock" || slices.Contains([]string{"go.sum", "package-lock.json", "npm-shrinkwrap.json",
		"pnpm-lock.yaml"}, base)
}

func (p *place) isGenerated() bool {
	return patternOf("marked generated").FindIndex(p.text.bytes[:min(len(p.text.bytes), 2000)]) != nil
}

// applyAsides makes verified results unclear if none of their places shows new code, and reports whether it did.
func applyAsides(c []Claim, results []Result) bool {
	if slices.ContainsFunc(results, func(r Result) bool { return r.Verdict != report.Verified || r.Aside == "" }) {
		return false
	}
	for i := range results {
		r := &results[i]
		r.Verdict, r.Reason = report.Unclear, r.Aside
		r.Problems = append(r.Problems, markRelative(unclear(c[i].Evidence, r.Aside,
			"cite the code, or say in the item what was done")).Problems...)
	}
	return true
}

// declarationReason says why verified lines are not the code that an item asks for: they only declare an interface,
// hold data, or are a test double; "" if they may be.
func (p *place) declarationReason() string {
	item := strings.ToLower(parser.WithoutType(p.Item))
	if p.model == nil || p.Kind == KindTest || fits("declaration words", item) {
		return ""
	}
	base := path.Base(p.Path)
	switch {
	case strings.HasSuffix(base, ".pyi"), strings.HasSuffix(base, ".d.ts"):
		return "a file of declarations has no code, and the item asks for code"
	case slices.Contains([]string{".json", ".toml", ".yaml", ".yml"}, path.Ext(base)) &&
		fits("call with brackets", item):
		return "data is no code, and the item asks for a function"
	}
	span := p.text.span(p.first, p.last)
	switch {
	case p.model.onlyDeclares(span):
		return "it only declares an interface, and the item asks for code that implements it"
	case holdsDoubles(p.Path) && p.model.holdsOnly(span, p.model.isDouble):
		return "it is a test double, and the item asks for the real code"
	}
	return ""
}

func (m *model) onlyDeclares(s stretch) bool {
	return !strings.Contains(strings.ReplaceAll(m.withoutComments(s), "=>", ""), "=") &&
		m.holdsOnly(s, func(d *definition) bool {
			return d.kind != function && d.start >= s.start && fits("interface header", m.headerText(d))
		}) &&
		!slices.ContainsFunc(m.definitions, func(d *definition) bool {
			return d.kind == function && d.body >= 0 && d.status == sound && d.outer < s.end && d.end > s.start
		})
}

// isDouble reports whether a definition, its owner or an enclosing definition is named as a test double.
func (m *model) isDouble(d *definition) bool {
	for o := d; o != nil; o = o.parent {
		if fits("double name", o.name) {
			return true
		}
	}
	return fits("double name", d.owner)
}

// holdsOnly reports whether all code of a stretch belongs to definitions with a property.
func (m *model) holdsOnly(s stretch, is func(*definition) bool) bool {
	end, found := s.start, false
	outside := func(to int) bool {
		return slices.ContainsFunc(m.kinds[end:max(end, to)], func(k kind) bool { return k&kindMask == real })
	}
	for _, d := range m.definitions {
		if d.outer >= s.end || d.end <= end {
			continue
		}
		if !is(d) || outside(min(d.outer, s.end)) {
			return false
		}
		end, found = min(d.end, s.end), true
	}
	return found && !outside(s.end)
}
