package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// pkg is one package of the repository.
type pkg struct {
	path  string // its folder, from the top, with forward slashes
	files []file
	tests int // lines of its tests
	// module is the folder of its module, "" for the product's.
	module string
}

// file is one Go file that is no test.
type file struct {
	path    string
	lines   int
	longest int // the longest line, in characters
	syntax  *ast.File
	at      *token.FileSet
}

// generated is how a file says that no person wrote it: https://go.dev/s/generatedcode.
var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// read parses the Go files below top, sorted by package.
func read(top string) ([]*pkg, error) {
	byPath := map[string]*pkg{}
	var modules []string
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); path != top && (name == "testdata" || strings.HasPrefix(name, ".") || name == "node_modules") {
				return fs.SkipDir
			}
			return nil
		}
		name, err := filepath.Rel(top, path)
		name = filepath.ToSlash(name)
		switch {
		case err != nil:
			return err
		case strings.HasSuffix(name, "/go.mod"):
			modules = append(modules, strings.TrimSuffix(name, "/go.mod"))
		case strings.HasSuffix(name, ".go"):
			return add(byPath, name, path)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var all []*pkg
	for _, p := range byPath {
		for _, m := range modules {
			if p.path == m || strings.HasPrefix(p.path, m+"/") {
				p.module = m
			}
		}
		if len(p.files) > 0 {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b *pkg) int { return strings.Compare(a.path, b.path) })
	return all, nil
}

func add(byPath map[string]*pkg, name, at string) error {
	src, err := os.ReadFile(at)
	if err != nil {
		return err
	}
	if generated.Match(src) {
		return nil
	}
	folder := path.Dir(name)
	if byPath[folder] == nil {
		byPath[folder] = &pkg{path: folder}
	}
	lines := bytes.Count(src, []byte{'\n'})
	if strings.HasSuffix(name, "_test.go") {
		byPath[folder].tests += lines
		return nil
	}
	f := file{path: name, lines: lines, at: token.NewFileSet()}
	for line := range bytes.Lines(src) {
		f.longest = max(f.longest, utf8.RuneCount(bytes.TrimRight(line, "\n")))
	}
	if f.syntax, err = parser.ParseFile(f.at, name, src, parser.ParseComments); err != nil {
		return err
	}
	byPath[folder].files = append(byPath[folder].files, f)
	return nil
}

// lines of a node, from its first to its last.
func (f *file) span(n ast.Node) int {
	return f.at.Position(n.End()).Line - f.at.Position(n.Pos()).Line + 1
}
