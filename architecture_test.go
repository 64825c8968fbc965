// Package acta_test holds the house rules of the whole module.
package acta_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/acta-git/acta/"

// floors are the packages of docs/architecture.md, from the top down. An import only ever points down.
var floors = []string{
	"cmd/acta", "cmd/acta-serve", "dashboard", "mcp", "agent", "loop", "hooks", "ledger", "heartbeat", "worklog", "planchange", "lease", "judge", "history",
	"snapshot", "check", "score", "evidence", "plan", "policy", "parser", "repo", "attest", "results", "shell", "excerpt", "program", "journal", "localstate", "diag",
}

// onlyImporters names who alone may import what.
var onlyImporters = map[string][]string{
	"github.com/urfave/cli":             {"cmd/acta", "cmd/acta-serve"},
	"github.com/go-git/":                {"repo"},
	"github.com/smacker/go-tree-sitter": {"evidence"},
	"github.com/yuin/goldmark":          {"parser"},
	"mvdan.cc/sh":                       {"shell"},
	"os/exec":                           {"program", "repo", "heartbeat", "loop", "cmd/acta"},
	// A hook starts faster without the protocol's library.
	"github.com/modelcontextprotocol/": {"mcp"},
	"github.com/google/jsonschema-go":  {"mcp"},
	module + "mcp":                     {"cmd/acta"},
	// Nor does it start with what serves the page.
	"github.com/prometheus/":        {"dashboard"},
	"github.com/alecthomas/chroma/": {"dashboard"},
	module + "dashboard":            {"cmd/acta-serve"},
	"github.com/jackc/pgx/":         {"ledger"},
	"github.com/pressly/goose/":     {"ledger"},
	module + "ledger/postgres":      {"cmd/acta-serve"},
}

type source struct {
	path, pkg string // pkg is the top package: evidence for evidence/lang/python
	file      *ast.File
}

// sources parses every Go file that is no test.
func sources(t *testing.T) []source {
	t.Helper()
	var all []source
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
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(filepath.ToSlash(path), "release/") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		all = append(all, source{path, packageOf(filepath.ToSlash(filepath.Dir(path))), file})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 20 {
		t.Fatalf("found only %d source files; the test looks in the wrong place", len(all))
	}
	return all
}

// packageOf is the floor that a folder belongs to: evidence for evidence/lang/python.
func packageOf(dir string) string {
	for _, f := range floors {
		if dir == f || strings.HasPrefix(dir, f+"/") {
			return f
		}
	}
	return dir
}

func imports(f *ast.File) []string {
	var out []string
	for _, i := range f.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			panic(err) // the parser has checked it
		}
		out = append(out, path)
	}
	return out
}

func TestImportsPointDown(t *testing.T) {
	for _, s := range sources(t) {
		from := slices.Index(floors, s.pkg)
		if from < 0 {
			t.Errorf("%s: package %s has no floor in docs/architecture.md", s.path, s.pkg)
			continue
		}
		for _, path := range imports(s.file) {
			rest, ours := strings.CutPrefix(path, module)
			if !ours {
				continue
			}
			to := packageOf(rest)
			if to != s.pkg && slices.Index(floors, to) <= from {
				t.Errorf("%s: %s must not import %s, which does not lie below it", s.path, s.pkg, to)
			}
		}
	}
}

func TestSomeImportsBelongToOnePackage(t *testing.T) {
	for _, s := range sources(t) {
		for _, path := range imports(s.file) {
			for prefix, allowed := range onlyImporters {
				if strings.HasPrefix(path, prefix) && !slices.Contains(allowed, s.pkg) {
					t.Errorf("%s: only %v may import %s", s.path, allowed, path)
				}
			}
			if s.pkg == "diag" && strings.Contains(strings.Split(path, "/")[0], ".") {
				t.Errorf("%s: diag imports the standard library only, not %s", s.path, path)
			}
		}
	}
}

// A library never ends the process, prints, or sets itself up behind the reader's back, and one place opens files.
func TestLibrariesNeitherExitNorPrintNorInitialise(t *testing.T) {
	for _, s := range sources(t) {
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Name.Name == "init" && n.Recv == nil {
					t.Errorf("%s: has an init function", s.path)
				}
			case *ast.SelectorExpr:
				x, ok := n.X.(*ast.Ident)
				if !ok {
					return true
				}
				switch name := x.Name + "." + n.Sel.Name; name {
				case "os.Exit":
					if !slices.Contains([]string{"cmd/acta/main.go", "cmd/acta-serve/main.go"}, s.path) {
						t.Errorf("%s: %s", s.path, name)
					}
				case "os.Open", "os.ReadFile", "os.DirFS":
					if !slices.Contains([]string{"localstate/open.go", "cmd/acta/run_unix.go"}, s.path) && !strings.Contains(s.path, "/peer/") &&
						!strings.HasPrefix(s.path, "repo/repotest/") {
						t.Errorf("%s: %s opens whatever stands there; localstate opens regular files", s.path, name)
					}
				case "log.Fatal", "log.Fatalf", "os.Stdout", "os.Stderr", "fmt.Print", "fmt.Printf", "fmt.Println":
					if !strings.HasPrefix(s.pkg, "cmd/") {
						t.Errorf("%s: %s", s.path, name)
					}
				}
			}
			return true
		})
	}
}

func TestEveryPackageSaysWhatItIs(t *testing.T) {
	documented := map[string]bool{}
	for _, s := range sources(t) {
		dir := filepath.Dir(s.path)
		documented[dir] = documented[dir] || s.file.Doc != nil
	}
	for dir, ok := range documented {
		if !ok {
			t.Errorf("%s has no package comment", dir)
		}
	}
}
