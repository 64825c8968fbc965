package tests

import (
	"bytes"
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/language"
)

// code is a changed file of production code.
type code struct {
	path string
	// names are all that it defines, before or after; gone those that it defines no more, changed those that read
	// otherwise.
	names, gone, changed map[string]bool
	// other: what stands outside of definitions reads otherwise.
	other bool
	// added: the file is new. Only what names it can have come to need it.
	added bool
}

// readCode reads the changed files of production code.
func (k *comparison) readCode(ctx context.Context) error {
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
		c := code{path: path, names: map[string]bool{}, gone: map[string]bool{}, changed: map[string]bool{},
			added: !was.stands, other: was.whole != is.whole}
		for name, text := range was.of {
			c.names[name] = true
			if now, ok := is.of[name]; !ok {
				c.gone[name] = true
			} else if now != text {
				c.changed[name] = true
			}
		}
		for name := range is.of {
			c.names[name] = true
			if _, ok := was.of[name]; !ok {
				c.changed[name] = true
			}
		}
		k.code = append(k.code, c)
	}
	return nil
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
		k.code = append(k.code, code{path: name, other: true})
	}
	return err
}

var testModule = language.Lazy(`#\[\s*(?:cfg\s*\(\s*test|test\b|[\w:]+::test\b)`)

// testNames are the names of the tests of a file on either side, read as a whole.
func (k *comparison) testNames(ctx context.Context, name string) (map[string]bool, error) {
	found := map[string]bool{}
	for side, f := range k.files[name] {
		if f != nil && f.part {
			var err error
			if f, err = open(ctx, []*evidence.Tree{k.Before, k.After}[side], name); err != nil {
				return nil, err
			}
		}
		if f == nil {
			continue
		}
		for _, u := range f.units {
			if u.test {
				found[u.name] = true
			}
		}
	}
	return found, nil
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

// anyButTests reports whether anything changes that is neither a test nor prose.
func (k *comparison) anyButTests() bool {
	return slices.ContainsFunc(k.Paths, func(p string) bool { return !evidence.HoldsTests(p) && !isProse(p) })
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
	none := true
	for i := range k.code {
		c := &k.code[i]
		if named(c.names, u.reached) || u.file.imported[strings.ToLower(base(c.path))] || !c.added && u.file.reaches(c.path) {
			if c.other {
				return true
			}
			none = false
		}
	}
	foreign := slices.ContainsFunc(k.code, func(c code) bool { return c.other && c.names != nil }) &&
		!slices.ContainsFunc(k.code, func(c code) bool { return evidence.LanguageOf(c.path) == u.file.Language })
	return none && (foreign || len(k.code) >= muchCode)
}

// muchCode is how many files of production code change where a test reaches one of them, though no name leads there.
const muchCode = 20

// manifest names what a tree depends on, and in which version.
var manifest = language.Lazy(`(^|/)(go\.(mod|sum)|package(-lock)?\.json|yarn\.lock|pnpm-lock\.yaml` +
	`|Cargo\.(toml|lock)|pom\.xml` +
	`|[^/]*\.gradle(\.kts)?|libs\.versions\.toml|[^/]*\.(cs|fs)proj|[^/]*\.props|Gemfile(\.lock)?|[^/]*\.gemspec` +
	`|composer\.(json|lock)` +
	`|Package\.(swift|resolved)|Podfile(\.lock)?|requirements[^/]*\.txt|(Pipfile|poetry|uv)(\.lock)?|setup\.(py` +
	`|cfg)|pyproject\.toml|mix\.(exs|lock)|Godeps\.json)$`)

// named reports whether one of the names is mentioned.
func named(names, mentioned map[string]bool) bool {
	for n := range names {
		if len(n) > 2 && mentioned[n] {
			return true
		}
	}
	return false
}

var (
	importing = language.Lazy(`^\s*(?:import|from|require\w*|use|using|include|#include|package|namespace|mod` +
		`|@testable|load|alias|const|let|var|open)\b`)
	conditional = language.Lazy(`(?m)^\s*(?:using\s+(?:static\s+)?[\w.]+;|#include\b.*)`)
	segment     = language.Lazy(`[A-Za-z_][\w-]+`)
	relative    = language.Lazy("[\"'`](/?\\.{1,2}(?:/[^\"'`]*)?)[\"'`]")
)

// imports notes what the file imports: the names in its import statements, and where relative ones lead to.
func (f *file) imports() {
	f.imported, f.tested = map[string]bool{}, testedBy(f.Path)
	for _, s := range f.root.statements {
		source := string(f.Source[s.start:min(s.end, s.start+4*maxStatement)])
		if strings.HasPrefix(source, "#if") { // around the whole file, say
			source = strings.Join(conditional.FindAllString(source), "\n")
		}
		if !importing.MatchString(source) && !strings.HasPrefix(source, "#include") {
			continue
		}
		for _, m := range relative.In(source).FindAllStringSubmatch(source, -1) {
			target := path.Join(path.Dir(f.Path), m[1])
			f.folders = append(f.folders, target, path.Dir(target))
			f.beside = append(f.beside, target)
		}
		for _, w := range segment.FindAllString(source) {
			f.imported[strings.ToLower(w)] = true
			if strings.HasSuffix(w, "helper") {
				f.beside = append(f.beside, path.Join(path.Dir(f.Path), w))
			}
		}
	}
	if f.Language == "python" {
		f.beside = append(f.beside, path.Join(path.Dir(f.Path), "conftest"))
	}
}

// maxHelpers bounds how many helpers of tests are read for what they import in turn.
const maxHelpers = 6

// follow adds what the helpers of tests import that a file imports.
func (k *comparison) follow(ctx context.Context, f *file) error {
	if f.part {
		whole, err := k.Before.Outline(ctx, f.Path)
		if err != nil || whole == nil {
			return err
		}
		f.root, _ = lower(whole)
	}
	f.imports()
	read := 0
	for _, target := range slices.Clone(f.beside) {
		name := strings.TrimSuffix(target, path.Ext(f.Path)) + path.Ext(f.Path)
		if read == maxHelpers || !evidence.HoldsTests(name) || name == f.Path {
			continue
		}
		helper, err := k.Before.Outline(ctx, name)
		if err != nil {
			return err
		}
		if helper == nil {
			continue
		}
		read++
		root, _ := lower(helper)
		h := &file{Outline: helper, root: root}
		h.imports()
		maps.Copy(f.imported, h.imported)
		f.folders = append(f.folders, h.folders...)
	}
	return nil
}

// reaches reports whether a changed file is one that this one imports, or stands in a package that it imports or
// is of.
func (f *file) reaches(changed string) bool {
	dir := path.Dir(changed)
	if f.tested != "" && f.tested == plainBase(changed) {
		return true
	}
	if dir == path.Dir(f.Path) && dir != "." || dir == "." && path.Dir(f.Path) == "." {
		return true
	}
	for _, folder := range f.folders {
		if folder == "." && slices.Contains(f.beside, ".") {
			return true // the package itself
		}
		if folder != "." && (folder == dir || folder == changed || strings.HasPrefix(changed, folder+"/") ||
			strings.HasPrefix(changed, folder+".")) {
			return true
		}
	}
	for _, part := range strings.Split(strings.ToLower(dir)+"/"+strings.ToLower(base(changed)), "/") {
		if !isListed("vague folders", part) && len(part) > 1 &&
			(f.imported[part] || f.imported[strings.ReplaceAll(part, "-", "_")]) {
			return true
		}
		// A folder called as a namespace.
		if names := strings.Split(part, "."); len(names) > 1 && !slices.ContainsFunc(names, func(n string) bool {
			return !f.imported[n]
		}) {
			return true
		}
	}
	return sameCrate(f.Path, changed)
}

// testedBy is the plain name of the source that a file of tests is called after; "" where its name says nothing.
func testedBy(name string) string {
	if own := plainBase(affixes.ReplaceAllString(base(name), "")); len(own) > 2 && !isListed("vague folders", own) {
		return own
	}
	return ""
}

// affixes are what the name of a file of tests has besides that of the source.
var affixes = language.Lazy(`^(?i:tests?)[_-]|[._-](?i:tests?|specs?|unittest)$|(Tests?|Specs?|TestCase)$`)

// plainBase is the name of a file without its ending, in lower case and without what parts its words.
func plainBase(name string) string { return unparted.Replace(strings.ToLower(base(name))) }

var unparted = strings.NewReplacer("_", "", "-", "")

// sameCrate reports whether two files stand in one module: tests beside the sources, as Cargo, Maven and Gradle
// have them.
func sameCrate(test, changed string) bool {
	for _, mark := range []string{"src/", "tests/", "test/", "Tests/", "spec/"} {
		if i := strings.Index("/"+test, "/"+mark); i >= 0 {
			root := test[:i]
			return strings.HasPrefix(changed, root) && strings.Contains("/"+changed[len(root):], "/src/")
		}
	}
	return false
}

// excuseDemand says why one assertion of a test that stands may ask for less, as far as the two sides of the test tell.
func (k *comparison) excuseDemand(d demand, b, a *unit) string {
	removed := d.form == "assertion removed"
	other := d.before != nil && d.after != nil && d.before.subjectKey != d.after.subjectKey
	switch {
	case removed && a.test && isRewritten(b, a):
		return "the test is written anew and asks about as much"
	case removed && k.handedOn(d.before, b, a) != "":
		return "«" + k.handedOn(d.before, b, a) + "», which it calls now, asserts as much"
	case (removed || other) && k.isSplit(b, a):
		return "the test is several now, which ask about as much"
	case d.form == "assertion guarded" && isPlatform(d.after.guard):
		return "the condition is one of platform or version"
	case d.literal && given(b) != given(a):
		return handsOtherwise
	}
	return ""
}

// handedOn is a function of a changed file of tests that a test calls now and did not, and that demands no less than an
// assertion that is gone from it; "" for none.
func (k *comparison) handedOn(gone *assertion, b, a *unit) string {
	for _, u := range k.after {
		moved := u.file.Path != a.file.Path && b.file.asserting[u.name] != nil
		if u.test || u == a || !a.names[u.name] || !moved && (b.names[u.name] || k.asserted(u)) {
			continue
		}
		if slices.ContainsFunc(u.assertions, func(x *assertion) bool { return x.dead == "" && x.strength >= gone.strength }) {
			return u.name
		}
	}
	return ""
}

// asserted reports whether a function of that name asserted before.
func (k *comparison) asserted(u *unit) bool {
	return slices.ContainsFunc(k.before, func(was *unit) bool { return was.name == u.name && len(was.assertions) > 0 })
}

// excuseChanged says why a test may ask for less of which code changes that it names; "" where that explains nothing.
func (k *comparison) excuseChanged(form string, u *unit) string {
	direct := slices.ContainsFunc(k.code, func(c code) bool {
		return named(c.changed, u.reached) || named(c.gone, u.reached)
	})
	if isListed("plain forms", strings.ReplaceAll(form, " ", "-")) || !direct {
		return ""
	}
	return "the code that it tests changes with it"
}
