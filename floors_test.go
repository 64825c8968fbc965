package acta_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/acta-git/acta/bench/house/explained"
)

// The limits of CONTRIBUTING.md.
const (
	maxFile     = 400 // lines
	maxFunction = 60  // lines
	maxLine     = 120 // characters
)

// closed are the structs that hold values alone: what a field of function type answers can neither be printed nor compared.
var closed = map[string]string{"check": "Input", "evidence/language": "Language"}

// exceptionsFile has a line for what is above a limit today: file, limit, and how often. It only ever gets shorter.
const exceptionsFile = "testdata/floors.txt"

// generated is how a file says that no person wrote it: https://go.dev/s/generatedcode.
var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// TestNothingIsAboveTheLimits: files, functions and lines stay short, and exported names are explained. An exception that
// allows more than there is fails too, so that what was mended stays so. ACTA_UPDATE=1 writes the exceptions anew, as
// where a file was moved, and only where that allows no more of anything than before.
func TestNothingIsAboveTheLimits(t *testing.T) {
	above, allowed := measured(t), exceptions(t)
	if os.Getenv("ACTA_UPDATE") != "" {
		update(t, above, allowed)
		return
	}
	for _, key := range slices.Sorted(maps.Keys(above)) {
		if n := above[key]; n.count > allowed[key] {
			t.Errorf("%s: %d, and %d may be\n\t%s", key, n.count, allowed[key], strings.Join(n.where, "\n\t"))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(allowed)) {
		if n := above[key].count; n < allowed[key] {
			t.Errorf("%s: %d, and %s allows %d; lower it: ACTA_UPDATE=1 go test . -run Limits",
				key, n, exceptionsFile, allowed[key])
		}
	}
}

// update writes the exceptions that there must be today, where they are no more than those that there were.
func update(t *testing.T, above map[string]breach, allowed map[string]int) {
	t.Helper()
	var text strings.Builder
	more := map[string]int{} // by limit
	for key, n := range allowed {
		more[key[strings.LastIndexByte(key, ' ')+1:]] -= n
	}
	for _, key := range slices.Sorted(maps.Keys(above)) {
		more[key[strings.LastIndexByte(key, ' ')+1:]] += above[key].count
		fmt.Fprintf(&text, "%s %d\n", key, above[key].count)
	}
	for limit, n := range more {
		if n > 0 {
			t.Fatalf("%s: there are %d more than %s allows; mend them first", limit, n, exceptionsFile)
		}
	}
	if err := os.WriteFile(exceptionsFile, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// breach is how often a file is above a limit, and where.
type breach struct {
	count int
	where []string
}

// measured are the breaches of all files, by file and limit.
func measured(t *testing.T) map[string]breach {
	t.Helper()
	above := map[string]breach{}
	seen := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != "." {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		seen++
		return measure(filepath.ToSlash(path), func(limit, where string) {
			key := filepath.ToSlash(path) + " " + limit
			b := above[key]
			above[key] = breach{b.count + 1, append(b.where, where)}
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 200 {
		t.Fatalf("found only %d source files; the test looks in the wrong place", seen)
	}
	return above
}

// measure tells of each place where a file is above a limit.
func measure(path string, is func(limit, where string)) error {
	src, err := os.ReadFile(path)
	if err != nil || generated.Match(src) {
		return err
	}
	n := 0
	for line := range bytes.Lines(src) {
		n++
		if long := utf8.RuneCount(bytes.TrimRight(line, "\n")); long > maxLine {
			is("long-line", fmt.Sprintf("%s:%d: a line of %d characters, of which %d may be", path, n, long, maxLine))
		}
	}
	if n > maxFile {
		is("long-file", fmt.Sprintf("%s: %d lines, of which %d may be", path, n, maxFile))
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
				is("long-function", fmt.Sprintf("%s: %s has %d lines, of which %d may be", at(n), n.Name.Name, lines, maxFunction))
			}
			if explained.LacksComment(n) {
				is("no-comment", at(n)+": "+n.Name.Name+" has no comment")
			}
		case *ast.GenDecl:
			for _, name := range explained.Uncommented(n) {
				is("no-comment", at(name)+": "+name.Name+" has no comment")
			}
		case *ast.TypeSpec:
			if closed[filepath.ToSlash(filepath.Dir(path))] == n.Name.Name {
				for _, field := range functionFields(n) {
					is("function-field", at(field)+": a field of function type")
				}
			}
		}
		return true
	})
	return nil
}

// functionFields are the fields of a struct whose type is a function.
func functionFields(of *ast.TypeSpec) []*ast.Field {
	s, is := of.Type.(*ast.StructType)
	if !is {
		return nil
	}
	var fields []*ast.Field
	for _, field := range s.Fields.List {
		if _, is := field.Type.(*ast.FuncType); is {
			fields = append(fields, field)
		}
	}
	return fields
}

// exceptions reads what may be above a limit.
func exceptions(t *testing.T) map[string]int {
	t.Helper()
	data, err := os.ReadFile(exceptionsFile)
	if err != nil {
		t.Fatal(err)
	}
	allowed := map[string]int{}
	for line := range strings.Lines(string(data)) {
		var path, limit string
		var n int
		if _, err := fmt.Sscanf(line, "%s %s %d", &path, &limit, &n); err != nil || n < 1 {
			t.Fatalf("%s: %q is no «FILE LIMIT COUNT»", exceptionsFile, line)
		}
		allowed[path+" "+limit] = n
	}
	return allowed
}
