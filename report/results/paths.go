package results

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// withSlashes is a path with the slashes of git.
func withSlashes(p string) string { return strings.ReplaceAll(p, `\`, "/") }

// isAbsolute reports a path from the root of a file system, a drive of Windows included.
func isAbsolute(p string) bool {
	return strings.HasPrefix(p, "/") || len(p) > 2 && p[1] == ':' && p[2] == '/'
}

// Paths are the files of a tree, for matching paths of reports.
type Paths struct {
	files  map[string]bool
	byBase map[string][]string
	// modules maps the names of Go modules to their folders, "" for the top.
	modules map[string]string
}

// NewPaths indexes the files of a tree, with its Go modules' names and folders.
func NewPaths(files []string, modules map[string]string) *Paths {
	p := &Paths{map[string]bool{}, map[string][]string{}, modules}
	for _, f := range files {
		p.files[f] = true
		p.byBase[path.Base(f)] = append(p.byBase[path.Base(f)], f)
	}
	return p
}

// module is the path in the tree of a path that begins with a Go module's name; "" if it does not.
func (p *Paths) module(written string) string {
	longest, found := "", ""
	for name, dir := range p.modules {
		if rest, ok := strings.CutPrefix(written+"/", name+"/"); ok && len(name) >= len(longest) {
			longest, found = name, cmp.Or(path.Join(dir, rest), ".")
		}
	}
	return found
}

// shift maps paths of a report to the tree: the prefix to remove, and the one to add.
type shift struct{ removed, added string }

// candidate is a file of the tree that a path of a report may be of.
type candidate struct {
	path string
	shift
}

// Map finds the files that the paths of one report mean. A path means a file if one ends in the other, in whole
// folders, and no other file fits. Of several files, it is the one with the same shift as the other paths. Other paths
// stay unknown, and so do ambiguous ones if the report has several roots.
func (p *Paths) Map(written []string, roots int) map[string]string {
	mapped := map[string]string{}
	candidates := map[string][]candidate{}
	shifts := map[shift]bool{}
	for _, w := range written {
		if at := p.module(w); p.files[at] {
			mapped[w] = at
			continue
		}
		switch similar := p.similar(w); {
		case len(similar) == 1:
			shifts[similar[0].shift] = true
			fallthrough
		case len(similar) > 1:
			candidates[w] = similar
		}
	}
	for w, similar := range candidates {
		if len(similar) == 1 && (len(shifts) == 1 || strings.Contains(similar[0].path, "/") && strings.Contains(w, "/")) {
			mapped[w] = similar[0].path
			continue
		}
		matching := slices.DeleteFunc(similar, func(f candidate) bool { return !shifts[f.shift] })
		if len(shifts) == 1 && len(matching) == 1 && roots < 2 {
			mapped[w] = matching[0].path
		}
	}
	return mapped
}

// similar are the files of the tree that end in a path, or that it ends in.
func (p *Paths) similar(written string) []candidate {
	w := path.Clean(withSlashes(written))
	for strings.HasPrefix(w, "../") {
		w = strings.TrimPrefix(w, "../")
	}
	var all []candidate
	for _, f := range p.byBase[path.Base(w)] {
		if off, ok := strings.CutSuffix("/"+w, "/"+f); ok {
			all = append(all, candidate{f, shift{removed: off}})
		} else if on, ok := strings.CutSuffix("/"+f, "/"+w); ok {
			all = append(all, candidate{f, shift{added: on}})
		}
	}
	return all
}

// Folder is the folder of a Go package, "." for the top; "" if unknown. Some tools write only the last part of a
// package's path.
func (p *Paths) Folder(pkg string) string {
	if dir := p.module(pkg); dir != "" {
		return dir
	}
	folder := ""
	for f := range p.files {
		dir := path.Dir(f)
		if path.Ext(f) == ".go" && dir != folder && (dir == pkg || strings.HasSuffix(dir, "/"+pkg)) {
			if folder != "" {
				return ""
			}
			folder = dir
		}
	}
	return folder
}
