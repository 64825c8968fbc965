package weaker

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
)

// readModules finds where the names come from that a file of Python or JavaScript imports, as it is written there.
func (f *file) readModules() map[string]string {
	takes := map[string]string{}
	for _, p := range f.by.imports {
		re := p.InBytes(f.Source)
		names, from := re.SubexpIndex("names"), re.SubexpIndex("from")
		for _, m := range re.FindAllSubmatch(f.Source, -1) {
			for _, w := range identifiers.FindAllString(string(m[names])) {
				takes[w] = string(m[from])
			}
		}
	}
	return takes
}

// endings are what the name of a module of JavaScript may lack.
var endings = []string{"", ".ts", ".tsx", ".js", ".jsx", ".mts", ".mjs", ".cjs", ".vue", "/index.ts", "/index.js"}

// module is where a module stands that a file names, without an ending, where its name says so; else that name.
func (f *file) module(named string) string {
	if f.Language == "python" || !strings.HasPrefix(named, ".") {
		return named
	}
	return trimEnding(path.Join(path.Dir(f.Path), named))
}

func trimEnding(name string) string {
	for _, e := range endings[1:] {
		name = strings.TrimSuffix(name, e)
	}
	return name
}

// candidates are the paths at which a module of the tree may stand that a file names.
func (f *file) candidates(named string) (at []string) {
	if f.Language == "python" {
		if strings.HasPrefix(named, ".") {
			return []string{path.Dir(f.Path)}
		}
		first, _, _ := strings.Cut(named, ".")
		return []string{first, "src/" + first, first + ".py", "src/" + first + ".py"}
	}
	bases := []string{f.module(named)}
	if under, ok := strings.CutPrefix(strings.TrimPrefix(named, "~"), "@/"); ok || strings.HasPrefix(named, "~/") {
		under = strings.TrimPrefix(under, "/")
		bases = []string{"src/" + under, under}
	}
	for _, base := range bases {
		for _, e := range endings {
			at = append(at, trimEnding(base)+e)
		}
	}
	return at
}

// helpers are the files of tests that a module may be which a file names.
func (f *file) helpers(named string) []string {
	at := f.candidates(named)
	if f.Language == "python" {
		module := strings.ReplaceAll(strings.TrimLeft(named, "."), ".", "/") + ".py"
		at = []string{module, path.Join(path.Dir(f.Path), module)}
	}
	return slices.DeleteFunc(at, func(name string) bool { return !evidence.HoldsTests(name) || name == f.Path })
}

// uncalled is a function of another file of tests that a test called, and calls no longer, though it asks nothing more
// instead; "" for none.
func uncalled(b, a *unit) string {
	from := b.file.modules()
	if !b.test || len(from) == 0 || len(a.assertions) > len(b.assertions) {
		return ""
	}
	for named := range a.names {
		if !b.names[named] && a.file.modules()[named] != "" {
			return ""
		}
	}
	for _, named := range slices.Sorted(maps.Keys(b.names)) {
		if !a.names[named] && from[named] != "" && calls(b.file.Language, b.text(), named) &&
			len(b.file.helpers(from[named])) > 0 {
			return named
		}
	}
	return ""
}

// asserts reports whether a function of the first of some helpers asserted.
func (k *comparison) asserts(ctx context.Context, helpers []string, named string) (bool, error) {
	for _, name := range helpers {
		helper, err := open(ctx, k.Before, name)
		if err != nil || helper != nil {
			return helper != nil && helper.asserting[named] != nil, err
		}
	}
	return false, nil
}

// calls reports whether a source calls a function of its file, or of its own object. Where calls lack brackets, that it
// names it is enough.
func calls(language, source, named string) bool {
	if language == "ruby" {
		return true
	}
	for at := strings.Index(source, named+"("); at >= 0; {
		before := strings.TrimSuffix(strings.TrimSuffix(source[:at], "self."), "this.")
		if before == "" || !isWordByte(before[len(before)-1]) && before[len(before)-1] != '.' {
			return true
		}
		next := strings.Index(source[at+1:], named+"(")
		if next < 0 {
			return false
		}
		at += 1 + next
	}
	return false
}
