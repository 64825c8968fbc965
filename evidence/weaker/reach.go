package weaker

import (
	"hash/maphash"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/gate"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/report"
)

func (f *file) readModules() map[string]string {
	takes := map[string]string{}
	for _, p := range f.framework["imports"] {
		re := p.InBytes(f.Source)
		names, from := re.SubexpIndex("names"), re.SubexpIndex("from")
		for _, m := range re.FindAllSubmatch(f.Source, -1) {
			for _, w := range wordsIn(string(m[names])) {
				takes[w] = string(m[from])
			}
		}
	}
	return takes
}

// endings may be missing in the name of a JavaScript module.
var endings = []string{"", ".ts", ".tsx", ".js", ".jsx", ".mts", ".mjs", ".cjs", ".vue", "/index.ts", "/index.js"}

// module returns the path of a relative module without extension; else its name.
func (f *file) module(name string) string {
	if f.Language != "python" && strings.HasPrefix(name, ".") {
		name = path.Join(path.Dir(f.Path), name)
	}
	return regexpOf("module ending").ReplaceAllString(name, "")
}

// candidates returns the paths of the tree that a module may have.
func (f *file) candidates(name string) (at []string) {
	if f.Language == "python" {
		inner := strings.ReplaceAll(strings.TrimLeft(name, "."), ".", "/")
		if at = []string{path.Join(path.Dir(f.Path), inner+".py")}; strings.HasPrefix(name, ".") {
			return append(at, path.Dir(f.Path))
		}
		first, _, _ := strings.Cut(inner, "/")
		return append(at, inner+".py", first, "src/"+first, first+".py", "src/"+first+".py")
	}
	return report.Map(endings, func(e string) string { return f.module(name) + e })
}

// changedSource is a changed file of production code with the names that it defines before or after.
type changedSource struct {
	path  string
	names map[string]bool
	isNew bool
}

// readCode reads the changed files of production code that differ in more than blanks.
func (k *comparison) readCode() {
	k.changedNames = map[string]bool{}
	for _, name := range k.Paths {
		k.dependenciesChange = k.dependenciesChange || gate.IsManifest(name)
		_, read := k.files[name]
		if evidence.HoldsTests(name) || read && evidence.LanguageOf(name) != "rust" || !evidence.HasDefinitions(name) {
			continue
		}
		var sides [2]map[string]uint64
		for side := range sides {
			sides[side], _ = evidence.ReadOf(k.Reads, func() (any, error) {
				return k.side(side).Reading(k.Ctx, name, "sums", func(o *evidence.Outline) any { return definitionSums(o) })
			}).(map[string]uint64)
		}
		if sides[0][""] == sides[1][""] {
			continue
		}
		c := changedSource{name, map[string]bool{}, len(sides[0]) == 0}
		for i, sums := range sides {
			for defined, sum := range sums {
				if len(defined) > 2 {
					c.names[defined] = true
					k.changedNames[defined] = k.changedNames[defined] || sum != sides[1-i][defined]
				}
			}
		}
		k.sources = append(k.sources, c)
	}
}

// definitionSums returns hashes of a source's definitions by name, and under "" of all of it: without blanks, and in
// Rust without tests.
func definitionSums(o *evidence.Outline) map[string]uint64 {
	src := slices.Clone(o.Source)
	for _, d := range o.Definitions {
		if o.Language == "rust" && regexpOf("test module").Match(src[d.Outer:max(d.Outer, min(d.Body+1, len(src)))]) {
			copy(src[d.Outer:d.End], strings.Repeat(" ", d.End-d.Outer))
		}
	}
	texts := map[string]string{}
	for _, d := range o.Definitions {
		texts[d.Name] += flat(string(src[d.Outer:d.End]))
	}
	texts[""] = flat(string(src))
	all := map[string]uint64{}
	for name, text := range texts {
		if text != "" {
			all[name] = maphash.String(seed, text)
		}
	}
	return all
}

var seed = maphash.MakeSeed()

// changesMoreThanTests reports whether anything but tests and prose changes: code, data, versions of dependencies.
func (k *comparison) changesMoreThanTests() bool {
	return slices.ContainsFunc(k.Paths, func(p string) bool {
		if !evidence.HasDefinitions(p) {
			return !isProse(p) && !IsSnapshot(p)
		}
		return slices.ContainsFunc(k.sources, func(c changedSource) bool { return c.path == p })
	})
}

// isProse reports whether a file is for readers, not a text that tests read.
func isProse(name string) bool {
	return slices.Contains([]string{".md", ".rst", ".txt", ".adoc"}, strings.ToLower(path.Ext(name))) &&
		(!evidence.HoldsTests(name) && !fits("data", name) || strings.HasPrefix(baseName(name), "README"))
}

// reachesChange reports whether changed production code may affect a unit: the unit names its definitions, or the
// file's name or imports point to it. Code that was there before may be tested from another language.
func (k *comparison) reachesChange(u *unit) bool {
	sameLanguage, isOldChanged := false, false
	for _, c := range k.sources {
		if intersect(c.names, u.reachable) || u.file.isOf(c.path) {
			return true
		}
		sameLanguage = sameLanguage || evidence.LanguageOf(c.path) == u.file.Language
		isOldChanged = isOldChanged || !c.isNew
	}
	return k.dependenciesChange || isOldChanged && !sameLanguage
}

func (f *file) readImportWords() map[string]bool {
	words := map[string]bool{lang.FoldStyle(regexpOf("affixes").ReplaceAllString(baseName(f.Path), "")): true}
	for _, line := range regexpOf("importing").FindAllString(string(f.Source)) {
		for _, w := range regexpOf("segment").FindAllString(line) {
			words[lang.FoldStyle(w)] = true
		}
	}
	return words
}

// isOf reports whether a file of tests is named after a source, stands beside it, or imports it or its folder.
func (f *file) isOf(changed string) bool {
	if dir := path.Dir(changed); dir == path.Dir(f.Path) {
		return true
	}
	return slices.ContainsFunc(strings.FieldsFunc(strings.TrimSuffix(changed, path.Ext(changed)), isPartOfPath),
		func(part string) bool {
			return len(part) > 2 && !isListed("vague folders", strings.ToLower(part)) && f.importWords[lang.FoldStyle(part)]
		}) || len(baseName(changed)) > 3 && !isListed("vague folders", baseName(changed)) &&
		lang.HasWord(string(f.Source), baseName(changed))
}

func isPartOfPath(r rune) bool { return r == '/' || r == '.' }

// intersect reports whether two sets have a name in common.
func intersect(some, others map[string]bool) bool {
	for name := range others {
		if some[name] && others[name] {
			return true
		}
	}
	return false
}
