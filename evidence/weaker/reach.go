package weaker

import (
	"context"
	"hash/maphash"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/gate"
)

// code is a changed file of production code, and what it defines before or after.
type code struct {
	path  string
	names map[string]bool
}

// readCode reads the changed files of production code, as far as more than blanks differ in them.
func (k *comparison) readCode() {
	k.changedNames = map[string]bool{}
	for _, name := range k.Paths {
		k.depends = k.depends || gate.IsManifest(name)
		_, read := k.files[name]
		if evidence.HoldsTests(name) || read && evidence.LanguageOf(name) != "rust" || !evidence.HasDefinitions(name) {
			continue
		}
		var sides [2]map[string]uint64
		for side := range sides {
			sides[side] = readOf(k.trees, side, func(ctx context.Context, tree *evidence.Tree) (map[string]uint64, error) {
				return tree.Sums(ctx, name, written)
			})
		}
		if sides[0][""] == sides[1][""] {
			continue
		}
		c := code{name, map[string]bool{}}
		for i, of := range sides {
			for defined, sum := range of {
				if len(defined) > 2 {
					c.names[defined] = true
					k.changedNames[defined] = k.changedNames[defined] || sum != sides[1-i][defined]
				}
			}
		}
		k.code = append(k.code, c)
	}
}

// written sums up how the definitions of a source read, by their names, and by "" all of it: without blanks, and in
// Rust without the tests in it.
func written(o *evidence.Outline) map[string]uint64 {
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

// anyOther reports whether anything changes but tests and prose: code, data, the versions of what is depended on.
func (k *comparison) anyOther() bool {
	return slices.ContainsFunc(k.Paths, func(p string) bool {
		if !evidence.HasDefinitions(p) {
			return !isProse(p) && !IsSnapshot(p)
		}
		return slices.ContainsFunc(k.code, func(c code) bool { return c.path == p })
	})
}

// isProse reports a file that is for readers: no text that tests read.
func isProse(name string) bool {
	return slices.Contains([]string{".md", ".rst", ".txt", ".adoc"}, strings.ToLower(path.Ext(name))) &&
		(!evidence.HoldsTests(name) && !fits("data", name) || strings.HasPrefix(base(name), "README"))
}

// reach reports whether production code reads otherwise that a unit reaches: it names what is defined there, or its
// file is called after it or imports it.
func (k *comparison) reach(u *unit) bool {
	spoken := false
	for _, c := range k.code {
		if meet(c.names, u.reached) || u.file.isOf(c.path) {
			return true
		}
		spoken = spoken || evidence.LanguageOf(c.path) == u.file.Language
	}
	return k.depends || len(k.code) > 0 && !spoken
}

// readImports finds the words of the imports of a file, and of its name.
func (f *file) readImports() map[string]bool {
	words := map[string]bool{plain(regexpOf("affixes").ReplaceAllString(base(f.Path), "")): true}
	for _, line := range regexpOf("importing").FindAllString(string(f.Source)) {
		for _, w := range regexpOf("segment").FindAllString(line) {
			words[plain(w)] = true
		}
	}
	return words
}

// isOf reports whether a file of tests is called after a source, stands beside it, or imports it or a folder of it.
func (f *file) isOf(changed string) bool {
	if dir := path.Dir(changed); dir == path.Dir(f.Path) {
		return true
	}
	return slices.ContainsFunc(strings.FieldsFunc(strings.TrimSuffix(changed, path.Ext(changed)), isPartOfPath),
		func(part string) bool {
			return len(part) > 2 && !isListed("vague folders", strings.ToLower(part)) && f.imported().words[plain(part)]
		}) || len(base(changed)) > 3 && !isListed("vague folders", base(changed)) && holds(string(f.Source), base(changed))
}

func isPartOfPath(r rune) bool { return r == '/' || r == '.' }

// plain is a name in lower case and without what parts its words.
func plain(name string) string { return unparted.Replace(strings.ToLower(name)) }

var unparted = strings.NewReplacer("_", "", "-", "")

// meet reports whether two sets have a name in common.
func meet(some, others map[string]bool) bool {
	for name := range others {
		if some[name] && others[name] {
			return true
		}
	}
	return false
}
