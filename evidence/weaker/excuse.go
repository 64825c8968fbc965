package weaker

import (
	"bytes"
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/lang"
)

// code is a changed file of production code.
type code struct {
	path string
	// names are all that it defines, before or after, but for very short names; program: they are not known.
	names   map[string]bool
	program bool
	// other: what stands outside of definitions reads otherwise.
	other bool
	// added: the file is new. Only what names it can have come to need it.
	added bool
}

// readCode reads the changed files of production code.
func (k *comparison) readCode(ctx context.Context) error {
	k.goneNames, k.otherwise = map[string]int{}, map[string]bool{}
	for _, path := range k.Paths {
		k.depends = k.depends || manifest.MatchString(path)
		if _, read := k.files[path]; evidence.HoldsTests(path) || read && evidence.LanguageOf(path) != "rust" ||
			!evidence.HasDefinitions(path) {
			if err := k.readProgram(ctx, path); err != nil {
				return err
			}
			continue
		}
		was, err := k.textsAt(ctx, k.Before, path)
		if err != nil {
			return err
		}
		is, err := k.textsAt(ctx, k.After, path)
		if err != nil {
			return err
		}
		c := code{path: path, added: !was.stands, other: was.whole != is.whole}
		k.code = append(k.code, c.defining(k, was, is))
	}
	return nil
}

// defining notes what a file defines in two versions, and what it defines no longer or otherwise.
func (c code) defining(k *comparison, was, is texts) code {
	names := map[string]bool{}
	for _, side := range []texts{was, is} {
		for name := range side.of {
			names[name] = len(name) > 2
		}
	}
	c.names = names
	for _, name := range slices.Sorted(maps.Keys(names)) {
		before, stood := was.of[name]
		now, stands := is.of[name]
		if !names[name] || stood && stands && before == now {
			continue
		}
		k.otherwise[name] = true
		if _, known := k.goneNames[name]; !stands && !known {
			k.goneNames[name] = len(k.goneNames)
		}
	}
	return c
}

// readProgram adds a script whose name says nothing of its language. What it defines is not known.
func (k *comparison) readProgram(ctx context.Context, name string) error {
	if path.Ext(name) != "" || evidence.HoldsTests(name) {
		return nil
	}
	entry, err := k.Before.Stat(ctx, name)
	if err != nil || entry.Kind != evidence.File {
		return err
	}
	if size, err := k.Before.Size(ctx, entry); err != nil || size > maxGate {
		return err
	}
	src, err := k.Before.Read(ctx, entry)
	if err == nil && bytes.HasPrefix(src, []byte("#!")) {
		k.code = append(k.code, code{path: name, other: true, program: true})
	}
	return err
}

var testModule = lang.Lazy(`#\[\s*(?:cfg\s*\(\s*test|test\b|[\w:]+::test\b)`)

// testNames are the names of the tests of a file on either side.
func (k *comparison) testNames(name string) map[string]bool {
	found := map[string]bool{}
	for _, f := range k.files[name].sides {
		if f == nil {
			continue
		}
		for _, u := range f.units {
			if u.test {
				found[u.name] = true
			}
		}
	}
	return found
}

// withoutTests is a source of Rust without the tests in it.
func withoutTests(o *evidence.Outline, named map[string]bool) *evidence.Outline {
	if o == nil || o.Language != "rust" {
		return o
	}
	code := *o
	code.Source = slices.Clone(o.Source)
	code.Definitions = nil
	for _, d := range o.Definitions {
		// Attributes may stand outside of the definition.
		if named[d.Name] || testModule.Match(o.Source[d.Outer:max(d.Outer, min(d.Body+1, len(o.Source)))]) {
			for i := d.Outer; i < d.End; i++ {
				code.Source[i] = ' '
			}
		}
	}
	for _, d := range o.Definitions {
		if strings.TrimSpace(string(code.Source[d.Outer:d.End])) != "" {
			code.Definitions = append(code.Definitions, d)
		}
	}
	return &code
}

// anyOther reports whether anything changes but tests and prose: code, data, the versions of what is depended on.
func (k *comparison) anyOther() bool {
	for _, p := range k.Paths {
		if evidence.HoldsTests(p) && evidence.HasDefinitions(p) {
			continue
		}
		if isProse(p) || IsSnapshot(p) {
			continue
		}
		if !slices.ContainsFunc(k.code, func(c code) bool { return c.path == p && !c.other }) {
			return true
		}
	}
	return false
}

// isProse reports a file that is for readers: no text that tests read.
func isProse(name string) bool {
	return slices.Contains([]string{".md", ".rst", ".txt", ".adoc"}, strings.ToLower(path.Ext(name))) &&
		(!evidence.HoldsTests(name) && !data.MatchString(name) || strings.HasPrefix(base(name), "README"))
}

// reach reports whether production code reads otherwise that a unit reaches, by name or through what its file imports.
func (k *comparison) reach(u *unit) (changed bool) {
	if k.depends {
		return true
	}
	none, of := true, u.file.imports
	for i := range k.code {
		c := &k.code[i]
		if meet(c.names, u.reached) || of.names[strings.ToLower(base(c.path))] || !c.added && of.reaches(c.path) {
			if c.other {
				return true
			}
			none = false
		}
	}
	foreign := slices.ContainsFunc(k.code, func(c code) bool { return c.other && !c.program }) &&
		!slices.ContainsFunc(k.code, func(c code) bool { return evidence.LanguageOf(c.path) == u.file.Language })
	return none && (foreign || len(k.code) >= muchCode)
}

// muchCode is how many files of production code change where a test reaches one of them, though no name leads there.
const muchCode = 20

// manifest names what a tree depends on, and in which version.
var manifest = lang.Lazy(`(^|/)(go\.(mod|sum)|package(-lock)?\.json|yarn\.lock|pnpm-lock\.yaml` +
	`|Cargo\.(toml|lock)|pom\.xml` +
	`|[^/]*\.gradle(\.kts)?|libs\.versions\.toml|[^/]*\.(cs|fs)proj|[^/]*\.props|Gemfile(\.lock)?|[^/]*\.gemspec` +
	`|composer\.(json|lock)` +
	`|Package\.(swift|resolved)|Podfile(\.lock)?|requirements[^/]*\.txt|(Pipfile|poetry|uv)(\.lock)?|setup\.(py` +
	`|cfg)|pyproject\.toml|mix\.(exs|lock)|Godeps\.json)$`)

// excuseChanged says why a test may ask for less of which code changes that it names; "" where that explains nothing.
func (k *comparison) excuseChanged(form string, u *unit) string {
	if isListed("plain forms", strings.ReplaceAll(form, " ", "-")) || !meet(k.otherwise, u.reached) {
		return ""
	}
	return "the code that it tests changes with it"
}

// meet reports whether two sets have a name in common.
func meet(some, others map[string]bool) bool {
	if len(others) < len(some) {
		some, others = others, some
	}
	for name, in := range some {
		if in && others[name] {
			return true
		}
	}
	return false
}
