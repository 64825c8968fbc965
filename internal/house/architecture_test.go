// Package house_test holds the house rules of the whole module.
package house_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/acta-git/acta/"

// floors are the rooms of docs/architecture.md, from the top down: those of one floor do not know each other, and an
// import that leaves its room only ever points down.
var floors = [][]string{
	{"cmd"}, {"serve", "hooks"}, {"record"}, {"judge"}, {"evidence", "plan", "repo"}, {"parser"}, {"report"},
}

// elsewhere are the folders of Go at the root that no executable is made of.
var elsewhere = []string{"internal"}

// onlyImporters names who alone may import what: packages with all below them.
var onlyImporters = map[string][]string{
	"github.com/urfave/cli":             {"cmd/acta", "cmd/acta-serve"},
	"github.com/go-git/":                {"repo"},
	"github.com/smacker/go-tree-sitter": {"evidence"},
	"github.com/yuin/goldmark":          {"parser"},
	"mvdan.cc/sh":                       {"parser/shell"},
	"os/exec":                           {"repo", "record/heartbeat", "hooks/loop", "cmd/acta"},
	// A hook starts faster without the protocol's library.
	"github.com/modelcontextprotocol/": {"hooks/mcp"},
	"github.com/google/jsonschema-go":  {"hooks/mcp"},
	module + "hooks/mcp":               {"cmd/acta"},
	// Nor does it start with what serves the page.
	"github.com/prometheus/":          {"serve"},
	"github.com/alecthomas/chroma/":   {"serve"},
	module + "serve":                  {"cmd/acta-serve"},
	"github.com/jackc/pgx/":           {"record/ledger"},
	"github.com/pressly/goose/":       {"record/ledger"},
	module + "record/ledger/postgres": {"cmd/acta-serve"},
}

// TestMain lets all tests name files as seen from the root.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

type source struct {
	path, pkg string // pkg is the folder: evidence/lang/python
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
		if path = filepath.ToSlash(path); !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		all = append(all, source{path, filepath.ToSlash(filepath.Dir(path)), file})
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

// room is the folder at the root in which a package stands.
func room(pkg string) string {
	name, _, _ := strings.Cut(pkg, "/")
	return name
}

// floorOf is how many floors lie above a room, or -1.
func floorOf(room string) int {
	return slices.IndexFunc(floors, func(floor []string) bool { return slices.Contains(floor, room) })
}

// isIn reports whether a package is one of those named, or stands below it.
func isIn(pkg string, named []string) bool {
	return slices.ContainsFunc(named, func(n string) bool { return pkg == n || strings.HasPrefix(pkg, n+"/") })
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
		from := room(s.pkg)
		if floorOf(from) < 0 && !slices.Contains(elsewhere, from) {
			t.Errorf("%s: %s is no room of docs/architecture.md", s.path, from)
		}
		for _, path := range imports(s.file) {
			rest, ours := strings.CutPrefix(path, module)
			if to := room(rest); ours && to != from && floorOf(to) <= floorOf(from) {
				t.Errorf("%s: %s must not import %s, which does not lie below it", s.path, from, rest)
			}
		}
	}
}

// The root holds rooms, and the folders of CONTRIBUTING.md, alone.
func TestTheRootHoldsRooms(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	ignored, err := os.ReadFile(".gitignore")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		known := floorOf(e.Name()) >= 0 || slices.Contains(elsewhere, e.Name()) ||
			strings.Contains(string(ignored), "\n/"+e.Name()+"/\n") || // a release that is being made
			slices.Contains([]string{"docs", "bench", "working_plan"}, e.Name())
		if e.IsDir() && !known && !strings.HasPrefix(e.Name(), ".") {
			t.Errorf("%s is no room of docs/architecture.md", e.Name())
		}
	}
}

func TestSomeImportsBelongToOnePackage(t *testing.T) {
	for _, s := range sources(t) {
		for _, path := range imports(s.file) {
			for prefix, allowed := range onlyImporters {
				if strings.HasPrefix(path, prefix) && !isIn(s.pkg, allowed) && !isIn(s.pkg, []string{strings.TrimPrefix(prefix, module)}) {
					t.Errorf("%s: only %v may import %s", s.path, allowed, path)
				}
			}
			if s.pkg == "report" && strings.Contains(strings.Split(path, "/")[0], ".") {
				t.Errorf("%s: report imports the standard library only, not %s", s.path, path)
			}
		}
	}
}

// A library never ends the process, prints, or sets itself up behind the reader's back, and one place opens files.
func TestLibrariesNeitherExitNorPrintNorInitialise(t *testing.T) {
	for _, s := range sources(t) {
		if strings.HasPrefix(s.pkg, "internal/") {
			continue
		}
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
					if !slices.Contains([]string{"repo/state/open.go", "cmd/acta/run_unix.go"}, s.path) && !strings.Contains(s.path, "/peer/") &&
						!strings.HasPrefix(s.path, "repo/repotest/") {
						t.Errorf("%s: %s opens whatever stands there; repo/state opens regular files", s.path, name)
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
