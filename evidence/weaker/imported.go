package weaker

import (
	"path"
	"strings"
	"sync"
)

// imports are read on first use: the modules of imported names, and the words of the imports and of the file's name.
type imports struct {
	once    sync.Once
	modules map[string]string
	words   map[string]bool
}

func (f *file) imports() *imports {
	f.importCache.once.Do(func() { f.importCache.modules, f.importCache.words = f.importedModules(), f.importWords() })
	return f.importCache
}

func (f *file) importedModules() map[string]string {
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
	for _, e := range endings {
		at = append(at, f.module(name)+e)
	}
	return at
}
