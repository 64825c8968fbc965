package house_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// The limits of CONTRIBUTING.md.
const (
	maxFile     = 400 // lines
	maxFunction = 60  // lines
	maxLine     = 120 // characters
)

// tables are the files whose structs are rows of a table of functions. Elsewhere a struct holds values and interfaces:
// what a field of function type answers can neither be printed nor compared, and its name leads to no method.
var tables = []string{"judge/rules/rule.go", "hooks/points.go"}

// generated is how a file says that no person wrote it: https://go.dev/s/generatedcode.
var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// TestNothingIsAboveTheLimits: files, functions and lines stay short, and exported names are explained.
func TestNothingIsAboveTheLimits(t *testing.T) {
	seen := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if path == "bench" || d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != "." {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		seen++
		return measure(filepath.ToSlash(path), func(where string) { t.Error(where) })
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 200 {
		t.Fatalf("found only %d source files; the test looks in the wrong place", seen)
	}
}

// measure tells of each place where a file is above a limit.
func measure(path string, is func(where string)) error {
	src, err := os.ReadFile(path)
	if err != nil || generated.Match(src) {
		return err
	}
	n := 0
	for line := range bytes.Lines(src) {
		n++
		if long := utf8.RuneCount(bytes.TrimRight(line, "\n")); long > maxLine {
			is(fmt.Sprintf("%s:%d: a line of %d characters, of which %d may be", path, n, long, maxLine))
		}
	}
	if n > maxFile {
		is(fmt.Sprintf("%s: %d lines, of which %d may be", path, n, maxFile))
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, src, parser.ParseComments)
	if err != nil {
		return err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		at := func(n ast.Node) string { return fmt.Sprintf("%s:%d", path, set.Position(n.Pos()).Line) }
		switch n := n.(type) {
		case *ast.FuncDecl:
			if lines := set.Position(n.End()).Line - set.Position(n.Pos()).Line + 1; lines > maxFunction {
				is(fmt.Sprintf("%s: %s has %d lines, of which %d may be", at(n), n.Name.Name, lines, maxFunction))
			}
			if lacksComment(n) {
				is(at(n) + ": " + n.Name.Name + " has no comment")
			}
		case *ast.GenDecl:
			for _, name := range uncommented(n) {
				is(at(name) + ": " + name.Name + " has no comment")
			}
		case *ast.StructType:
			for _, field := range n.Fields.List {
				if _, isFunc := field.Type.(*ast.FuncType); isFunc && !slices.Contains(tables, path) {
					is(at(field) + ": a field of function type")
				}
			}
		}
		return true
	})
	return nil
}

// lacksComment reports whether a function is exported, of no type that nobody outside can name, and has no comment.
func lacksComment(n *ast.FuncDecl) bool {
	return n.Name.IsExported() && n.Doc == nil && isOfExported(n)
}

func isOfExported(n *ast.FuncDecl) bool {
	if n.Recv == nil || len(n.Recv.List) == 0 {
		return true
	}
	of := n.Recv.List[0].Type
	if star, is := of.(*ast.StarExpr); is {
		of = star.X
	}
	name, is := of.(*ast.Ident)
	return !is || name.IsExported()
}

// uncommented are the exported names of a declaration that neither it nor their own line explains.
func uncommented(n *ast.GenDecl) []*ast.Ident {
	var names []*ast.Ident
	for _, spec := range n.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			if n.Doc == nil && s.Doc == nil && s.Comment == nil {
				names = append(names, s.Name)
			}
		case *ast.ValueSpec:
			if n.Doc == nil && s.Doc == nil && s.Comment == nil {
				names = append(names, s.Names...)
			}
		}
	}
	return slices.DeleteFunc(names, func(name *ast.Ident) bool { return !name.IsExported() })
}
