package weaker

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/lang"
)

var (
	importing = lang.Lazy(`^\s*(?:import|from|require\w*|use|using|include|#include|package|namespace|mod` +
		`|@testable|load|alias|const|let|var|open)\b`)
	conditional = lang.Lazy(`(?m)^\s*(?:using\s+(?:static\s+)?[\w.]+;|#include\b.*)`)
	segment     = lang.Lazy(`[A-Za-z_][\w-]+`)
	relative    = lang.Lazy("[\"'`](/?\\.{1,2}(?:/[^\"'`]*)?)[\"'`]")
)

// imports are what a file of tests imports.
type imports struct {
	path, language string
	// names are those in its import statements.
	names map[string]bool
	// folders and beside are where relative imports lead to; beside without their endings.
	folders, beside []string
	// tested is the plain name of the source that the file is called after.
	tested string
	// followed: what its helpers import is in it.
	followed bool
}

// importsOf reads what a file imports: the names in its import statements, and where relative ones lead to.
func importsOf(f *file) *imports {
	all := &imports{path: f.Path, language: f.Language, names: map[string]bool{}, tested: testedBy(f.Path)}
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
			all.folders = append(all.folders, target, path.Dir(target))
			all.beside = append(all.beside, target)
		}
		for _, w := range segment.FindAllString(source) {
			all.names[strings.ToLower(w)] = true
			if strings.HasSuffix(w, "helper") {
				all.beside = append(all.beside, path.Join(path.Dir(f.Path), w))
			}
		}
	}
	if f.Language == "python" {
		all.beside = append(all.beside, path.Join(path.Dir(f.Path), "conftest"))
	}
	return all
}

// maxHelpers bounds how many helpers of tests are read for what they import in turn.
const maxHelpers = 6

// follow reads what a file imports, and adds what the helpers of tests import that it imports.
func (k *comparison) follow(ctx context.Context, f *file) error {
	if f.imports == nil {
		own, err := k.importsAt(ctx, f.Path)
		if err != nil {
			return err
		}
		if f.imports = own; own == nil {
			f.imports = &imports{path: f.Path, language: f.Language, tested: testedBy(f.Path), followed: true}
		}
	}
	all := f.imports
	if all.followed {
		return nil
	}
	all.followed = true
	read := 0
	for _, target := range slices.Clone(all.beside) {
		name := strings.TrimSuffix(target, path.Ext(f.Path)) + path.Ext(f.Path)
		if read == maxHelpers || !evidence.HoldsTests(name) || name == f.Path {
			continue
		}
		helper, err := k.importsAt(ctx, name)
		if err != nil {
			return err
		}
		if helper == nil {
			continue
		}
		read++
		maps.Copy(all.names, helper.names)
		all.folders = append(all.folders, helper.folders...)
	}
	return nil
}

// importsAt reads what a file of the earlier tree imports; nil where it cannot be read.
func (k *comparison) importsAt(ctx context.Context, name string) (*imports, error) {
	o, err := k.Before.Outline(ctx, name)
	if err != nil || o == nil {
		return nil, err
	}
	root, _ := lower(o)
	return importsOf(&file{Outline: o, root: root}), nil
}

// reaches reports whether a changed file is one that this one imports, or stands in a package that it imports or
// is of.
func (f *imports) reaches(changed string) bool {
	dir := path.Dir(changed)
	if f.tested != "" && f.tested == plainBase(changed) {
		return true
	}
	if dir == path.Dir(f.path) && dir != "." || dir == "." && path.Dir(f.path) == "." {
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
			(f.names[part] || f.names[strings.ReplaceAll(part, "-", "_")]) {
			return true
		}
		// A folder called as a namespace.
		if names := strings.Split(part, "."); len(names) > 1 && !slices.ContainsFunc(names, func(n string) bool {
			return !f.names[n]
		}) {
			return true
		}
	}
	return sameCrate(f.path, changed)
}

// testedBy is the plain name of the source that a file of tests is called after; "" where its name says nothing.
func testedBy(name string) string {
	if own := plainBase(affixes.ReplaceAllString(base(name), "")); len(own) > 2 && !isListed("vague folders", own) {
		return own
	}
	return ""
}

// affixes are what the name of a file of tests has besides that of the source.
var affixes = lang.Lazy(`^(?i:tests?)[_-]|[._-](?i:tests?|specs?|unittest)$|(Tests?|Specs?|TestCase)$`)

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
