package results

import (
	"path"
	"slices"
	"strings"
)

// answer says whether a case is a test's.
type answer uint8

const (
	no answer = iota
	perhaps
	yes
)

// matchCase reports whether a case belongs to a test function; the case's name contains the function's.
func (x *Index) matchCase(t Test, e entry) answer {
	if path.Ext(t.Path) == ".go" {
		return x.matchGo(t, e)
	}
	if !isNamed(t, e.Name) {
		return no
	}
	switch e.path {
	case t.Path:
		if len(t.Groups) == 0 || slices.Contains(words(e.Class+" "+e.Suite+" "+e.Name), t.Groups[len(t.Groups)-1]) {
			return yes
		}
		return no
	case "":
	default:
		if len(t.Groups) > 0 { // a class elsewhere may inherit it
			return perhaps
		}
		return no
	}
	class := strings.NewReplacer("$", ".", "::", ".").Replace(e.Class)
	switch path.Ext(t.Path) {
	case ".rs":
		return x.matchRust(t, e)
	case ".py", ".java", ".kt", ".kts", ".scala", ".groovy", ".cs", ".fs", ".vb", ".php", ".swift":
		return x.matchModule(t, class)
	}
	return perhaps
}

// isNamed reports whether a name of a report is that of a function, with parameters or the modules around it.
func isNamed(t Test, name string) bool {
	if i := strings.IndexAny(name, "[({ #"); i > 0 {
		name = name[:i]
	}
	return slices.Contains(words(name), t.Name)
}

// matchModule compares modules and classes: tests.test_a.TestA is class TestA of tests/test_a.py, com.x.LoginTest.Inner
// is class Inner in com/x/LoginTest.java.
func (x *Index) matchModule(t Test, class string) answer {
	base, ending := path.Base(t.Path), path.Ext(t.Path)
	around, ok := strings.CutSuffix("."+class, strings.Join(append([]string{""}, t.Groups...), "."))
	isPython := ending == ".py"
	if !ok || !isPython && (len(t.Groups) == 0 || t.Groups[0] != strings.TrimSuffix(base, ending)) {
		return perhaps // a class elsewhere may inherit it
	}
	file := strings.ReplaceAll(strings.TrimPrefix(around, "."), ".", "/")
	if isPython {
		file += ending
	} else {
		file = path.Join(file, base)
	}
	similar := x.paths.similar(file)
	if len(similar) == 0 && !isPython { // namespaces are no folders everywhere
		similar = x.paths.similar(base)
	}
	isTopLevel := len(t.Groups) == 0
	switch {
	case len(similar) == 1 && similar[0].path == t.Path, len(similar) > 1 && file == t.Path && isTopLevel:
		return yes
	case !slices.ContainsFunc(similar, func(f candidate) bool { return f.path == t.Path }) && isTopLevel:
		return no
	}
	return perhaps
}

// matchRust compares modules: a::b::tests::works is in src/a/b.rs of the crate that the report names.
func (x *Index) matchRust(t Test, e entry) answer {
	root, inside, ok := strings.Cut("/"+t.Path, "/src/")
	binary := ""
	if !ok {
		if root, inside, ok = strings.Cut("/"+t.Path, "/tests/"); !ok {
			return perhaps
		}
		binary, inside = strings.TrimSuffix(inside, ".rs"), ""
	}
	modules := strings.Split(strings.TrimSuffix(inside, ".rs"), "/")
	if last := modules[len(modules)-1]; last == "lib" || last == "main" || last == "mod" || last == "" {
		modules = modules[:len(modules)-1]
	}
	want := strings.Join(slices.Concat(modules, t.Groups, []string{t.Name}), "::")
	crate, target, _ := strings.Cut(e.Class, "::")
	folder := path.Base(root)
	switch plain := strings.NewReplacer("-", "_"); {
	case e.Name != want || target != binary:
		return no
	case plain.Replace(folder) == plain.Replace(crate), root == "" && len(x.paths.byBase["Cargo.toml"]) == 1:
		return yes
	}
	return perhaps
}

// matchGo compares packages, and names: TestX/with_y is a part of TestX, TestSuite/TestX a method of a suite.
func (x *Index) matchGo(t Test, e entry) answer {
	parts := strings.Split(e.Name, "/")
	method := len(t.Groups) > 0
	if !method && parts[0] != t.Name || method && !slices.Contains(parts[1:], t.Name) {
		return no
	}
	folder, ok := x.folders[e.Class]
	if !ok {
		folder = x.paths.Folder(e.Class)
		x.folders[e.Class] = folder
	}
	switch {
	case folder == "":
		return perhaps
	case folder != path.Dir(t.Path):
		return no
	case method: // its suite is unknown
		return perhaps
	}
	return yes
}

// HasStrays reports whether a case may be of the test's file but has none of that file's test names: then the report
// may use display names.
func (x *Index) HasStrays(t Test, all []Test) bool {
	if path.Ext(t.Path) == ".go" {
		return false // Go has no display names
	}
	groups := plainTitle(t.Groups...)
	key := t.Path + "\x00" + groups
	if cached, ok := x.strayCache[key]; ok {
		return cached
	}
	stem := strings.TrimSuffix(path.Base(t.Path), path.Ext(t.Path))
	x.strayCache[key] = slices.ContainsFunc(x.cases, func(e entry) bool {
		around := e.Class + " " + e.Suite
		isPossible := e.path == t.Path || e.path == "" && (slices.Contains(words(around), stem) ||
			t.IsTitled && (groups == "" || hasWords(plainTitle(around, e.Name), groups)))
		return isPossible && !slices.ContainsFunc(all, func(s Test) bool {
			return s.HasUnknownName || slices.Contains(words(e.Name), s.Name) ||
				s.IsTitled && hasWords(plainTitle(e.Name), plainTitle(s.Name))
		})
	})
	return x.strayCache[key]
}

// Tally counts the cases of some files.
type Tally struct {
	// Known are the cases of files with these endings, Unknown those of unknown files.
	Known, Unknown int
	// Failed are the names of known cases that failed, also when retried.
	Failed []string
}

// Tally counts the cases of files that have one of the endings.
func (x *Index) Tally(endings []string) Tally {
	var t Tally
	isDone := map[run]bool{}
	for _, e := range x.cases {
		isDone[e.run()] = isDone[e.run()] || e.Outcome == Passed
	}
	for _, e := range x.cases {
		switch ending := x.endingOf(e); {
		case ending == "":
			t.Unknown++
		case slices.Contains(endings, ending):
			if t.Known++; e.Outcome == Failed && !isDone[e.run()] {
				isDone[e.run()] = true // once is enough
				t.Failed = append(t.Failed, strings.TrimPrefix(e.Class+"."+e.Name, "."))
			}
		}
	}
	return t
}

// endingOf is that of the file of a case, "" where that is not known.
func (x *Index) endingOf(e entry) string {
	if e.path != "" {
		return path.Ext(e.path)
	}
	if cached, ok := x.endings[e.Class]; ok {
		return cached
	}
	found := ""
	names := strings.Split(strings.ReplaceAll(e.Class, "$", "."), ".")
	for n := len(names); n > 0 && found == "" && e.Class != ""; n-- {
		for _, ending := range []string{".py", ".java", ".kt", ".scala", ".groovy"} {
			if similar := x.paths.similar(strings.Join(names[:n], "/") + ending); len(similar) > 0 {
				found = ending
			}
		}
	}
	if found == "" && x.paths.Folder(e.Class) != "" {
		found = ".go"
	}
	x.endings[e.Class] = found
	return found
}
