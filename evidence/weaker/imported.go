package weaker

import (
	"path"
	"strings"
	"sync"
)

// imports are what a file imports, read when it is first asked for: where the names come from, and the words of its
// imports and of its name.
type imports struct {
	once    sync.Once
	modules map[string]string
	words   map[string]bool
}

// imported is what the file imports.
func (f *file) imported() *imports {
	f.imports.once.Do(func() { f.imports.modules, f.imports.words = f.readModules(), f.readImports() })
	return f.imports
}

// readModules finds where the names come from that a file of Python or JavaScript imports, as it is written there.
func (f *file) readModules() map[string]string {
	takes := map[string]string{}
	for _, p := range f.by["imports"] {
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

// endings are what the name of a module of JavaScript may lack.
var endings = []string{"", ".ts", ".tsx", ".js", ".jsx", ".mts", ".mjs", ".cjs", ".vue", "/index.ts", "/index.js"}

// module is where a module stands that a file names, without an ending, where its name says so; else that name.
func (f *file) module(named string) string {
	if f.Language != "python" && strings.HasPrefix(named, ".") {
		named = path.Join(path.Dir(f.Path), named)
	}
	return regexpOf("module ending").ReplaceAllString(named, "")
}

// candidates are the paths at which a module of the tree may stand that a file names.
func (f *file) candidates(named string) (at []string) {
	if f.Language == "python" {
		inner := strings.ReplaceAll(strings.TrimLeft(named, "."), ".", "/")
		if at = []string{path.Join(path.Dir(f.Path), inner+".py")}; strings.HasPrefix(named, ".") {
			return append(at, path.Dir(f.Path))
		}
		first, _, _ := strings.Cut(inner, "/")
		return append(at, inner+".py", first, "src/"+first, first+".py", "src/"+first+".py")
	}
	for _, e := range endings {
		at = append(at, f.module(named)+e)
	}
	return at
}
