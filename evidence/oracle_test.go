package evidence

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// corpusStep is every how many files of a corpus a comparison reads where all would take long; ACTA_CORPUS=all reads them all.
func corpusStep(step int) int {
	if os.Getenv("ACTA_CORPUS") == "all" {
		return 1
	}
	return step
}

// corpus lists every step-th file below root that ends in ext, sorted.
func corpus(t *testing.T, root, ext string, step int) []string {
	var files []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && strings.HasSuffix(path, ext) {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var chosen []string
	for i := 0; i < len(files); i += step {
		chosen = append(chosen, files[i])
	}
	return chosen
}

// goSources is the folder of Go's own sources.
func goSources(t *testing.T) string {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(strings.TrimSpace(string(root)), "src")
}

// TestStubsAgreeWithGoAST compares Stubs with a reading of Go's own sources by go/ast.
func TestStubsAgreeWithGoAST(t *testing.T) {
	t.Parallel()
	src := goSources(t)
	files := corpus(t, src, ".go", 1)
	if len(files) < 5000 {
		t.Fatalf("%d Go files below %s, which is no corpus", len(files), src)
	}
	files = corpus(t, src, ".go", corpusStep(16)) // they are of one kind
	var compared, found atomic.Int32
	onAllCores(files, func(path string) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
			return
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, path, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return
		}
		want := goStubs(set, parsed)
		if compareStubs(t, path, src, want) {
			compared.Add(1)
			found.Add(int32(len(want)))
		}
	})
	t.Logf("%d of %d files compared, %d stubs", compared.Load(), len(files), found.Load())
	if int(compared.Load()) < len(files)*9/10 || found.Load() == 0 {
		t.Errorf("only %d of %d files compared, %d stubs", compared.Load(), len(files), found.Load())
	}
}

// onAllCores calls do for every file.
func onAllCores(files []string, do func(path string)) {
	var group sync.WaitGroup
	next := make(chan string)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for path := range next {
				do(path)
			}
		})
	}
	for _, path := range files {
		next <- path
	}
	close(next)
	group.Wait()
}

// compareStubs compares the stubs of a file with those that another reading found;
// it reports whether that could be done: not where the grammar cannot read the file.
func compareStubs(t *testing.T, path string, src []byte, want []string) bool {
	m, err := analyse(context.Background(), grammarOf(path), path, newText(src)) // as Stubs does, but once
	if err != nil {
		t.Logf("not compared: %v", err)
		return false
	}
	var got []string
	for _, d := range m.stubs(false) {
		s := m.stubOf(d)
		got = append(got, fmt.Sprintf("%d\t%d\t%s\t%s", s.Line, s.EndLine, s.Symbol, s.Reason))
	}
	if strings.HasSuffix(path, ".py") {
		for i := range got {
			got[i] = strings.Replace(got[i], string(todoOnly), string(docstringOnly), 1) // the script knows no difference
		}
	}
	// Of what does little the other reading does not know whether it is hollow: it ends in a question mark.
	want = slices.DeleteFunc(want, func(row string) bool {
		open, ok := strings.CutSuffix(row, "?")
		got = slices.DeleteFunc(got, func(r string) bool { return ok && strings.HasPrefix(r, open) })
		return ok
	})
	slices.Sort(got)
	slices.Sort(want)
	if slices.Equal(got, want) {
		return true
	}
	if len(m.errors) > 0 {
		t.Logf("%s: the grammar cannot read it", path)
		return false
	}
	// What may be empty on purpose is unclear, and no stub: the model says so of that very definition.
	unclear := map[string]bool{}
	for _, d := range m.definitions {
		if d.status == vague {
			s := m.stubOf(d)
			unclear[fmt.Sprintf("%d\t%d\t%s\t", s.Line, s.EndLine, s.Symbol)] = true
		}
	}
	want = slices.DeleteFunc(want, func(row string) bool { return unclear[row[:strings.LastIndexByte(row, '\t')+1]] })
	if slices.Equal(got, want) {
		return true
	}
	diffStubs(t, path, got, want)
	return true
}

func diffStubs(t *testing.T, path string, got, want []string) {
	t.Helper()
	for _, row := range got {
		if !slices.Contains(want, row) {
			t.Errorf("%s: invented: %s", path, row)
		}
	}
	for _, row := range want {
		if !slices.Contains(got, row) {
			t.Errorf("%s: missed: %s", path, row)
		}
	}
}

var goMark = regexp.MustCompile(`\b(TODO|FIXME)\b|^[\s/*]*(?i:todo|fixme)\b|(?i:\b(not[\s_-]*(yet[\s_-]*)?(been[\s_-]*)?implemented|unimplemented|isn'?t\s+implemented|implement[\s_]+me)\b)`)

// goStubs reads a file's stubs from its syntax tree.
func goStubs(set *token.FileSet, file *ast.File) []string {
	var rows []string
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		reason := goReason(file, f)
		if reason == "" && goDoesLittle(f.Body) {
			reason = "?"
		}
		if reason != "" {
			rows = append(rows, fmt.Sprintf("%d\t%d\t%s\t%s",
				set.PositionFor(f.Pos(), false).Line, set.PositionFor(f.End(), false).Line, goSymbol(f), reason))
		}
	}
	return rows
}

// goDoesLittle reports whether a body sends, sets and calls nothing but what prints, fails or makes values.
func goDoesLittle(body *ast.BlockStmt) bool {
	little := true
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt, *ast.GoStmt, *ast.DeferStmt, *ast.IncDecStmt:
			little = false
		case *ast.UnaryExpr:
			little = little && n.Op != token.ARROW
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				_, name := left.(*ast.Ident)
				little = little && name
			}
		case *ast.CallExpr:
			name := ""
			switch f := n.Fun.(type) {
			case *ast.Ident:
				name = f.Name
			case *ast.SelectorExpr:
				name = f.Sel.Name
			}
			little = little && goHarmless.MatchString(name)
		}
		return little
	})
	return little
}

var goHarmless = regexp.MustCompile(`^(panic|throw|fatal|(Fp|P|p|Sp)rint(ln|f)?|Log.*|Error.*|Fatal.*|Skip.*|Parallel|Helper|New|make|len|new|Sleep|string|int|bool)$`)

func goReason(file *ast.File, f *ast.FuncDecl) StubReason {
	marked := false
	for _, group := range file.Comments {
		if group.End() < f.Body.Pos() || group.Pos() > f.Body.End() {
			continue
		}
		for _, c := range group.List {
			marked = marked || c.Pos() > f.Body.Pos() && c.End() < f.Body.End() && goMark.MatchString(c.Text)
		}
	}
	reason, discards := emptyBody, false
	if marked {
		reason = todoOnly
	}
	for _, statement := range f.Body.List {
		switch s := statement.(type) {
		case *ast.EmptyStmt:
		case *ast.BlockStmt:
			if !goEmpty(s) {
				return ""
			}
		case *ast.ReturnStmt:
			if goUnwritten(s.Results) {
				reason = reasonNotImplemented
				continue
			}
			if !marked || slices.ContainsFunc(s.Results, func(e ast.Expr) bool { return !goZero(e) }) {
				return ""
			}
			reason = goStronger(reason, placeholderReturn)
		case *ast.ExprStmt:
			said := goSays(f, s.X)
			if said == "" {
				return ""
			}
			reason = goStronger(reason, said)
		case *ast.AssignStmt:
			if !goDiscards(s) {
				return ""
			}
			discards = true
		default:
			return ""
		}
	}
	if discards && !marked && reason != reasonNotImplemented {
		return ""
	}
	return reason
}

// goStronger returns the reason that says more about the intent.
func goStronger(a, b StubReason) StubReason {
	for _, r := range []StubReason{reasonNotImplemented, skippedTest, vacuousTest, placeholderReturn} {
		if a == r || b == r {
			return r
		}
	}
	return a
}

// goSays tells what a call comes to that does nothing; "" when it does something.
func goSays(f *ast.FuncDecl, e ast.Expr) StubReason {
	if goPanics(e) {
		return reasonNotImplemented
	}
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return ""
	}
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	receiver, ok := method.X.(*ast.Ident)
	if !ok {
		return ""
	}
	literals := !slices.ContainsFunc(call.Args, func(a ast.Expr) bool {
		name, isName := a.(*ast.Ident)
		_, isLiteral := a.(*ast.BasicLit)
		return !isLiteral && (!isName || name.Name != "nil" && name.Name != "true" && name.Name != "false")
	})
	switch {
	case len(receiver.Name) != 1:
	case strings.HasPrefix(method.Sel.Name, "Fatal"), strings.HasPrefix(method.Sel.Name, "Error"):
		if text, ok := firstText(call); ok && goMark.MatchString(text) && !goLimited.MatchString(text) {
			return reasonNotImplemented
		}
	case !goIsTest(f):
	case strings.HasPrefix(method.Sel.Name, "Skip"):
		return skippedTest
	case literals && slices.Contains([]string{"Parallel", "Helper", "Log", "Logf", "ReportAllocs"}, method.Sel.Name):
		return vacuousTest
	}
	return ""
}

func firstText(call *ast.CallExpr) (string, bool) {
	if len(call.Args) == 0 {
		return "", false
	}
	text, ok := call.Args[0].(*ast.BasicLit)
	if !ok {
		return "", false
	}
	return strings.Trim(text.Value, "\"`"), true
}

var goTestName = regexp.MustCompile(`^(Test|Benchmark|Fuzz)([^a-z]|$)`)

// goIsTest reports whether a function is one that `go test` runs.
func goIsTest(f *ast.FuncDecl) bool {
	if !goTestName.MatchString(f.Name.Name) || len(f.Type.Params.List) != 1 {
		return false
	}
	pointer, ok := f.Type.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	of, ok := pointer.X.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	name, ok := of.X.(*ast.Ident)
	return ok && name.Name == "testing"
}

// goDiscards reports whether an assignment only throws names away.
func goDiscards(s *ast.AssignStmt) bool {
	return !slices.ContainsFunc(s.Lhs, func(e ast.Expr) bool { name, ok := e.(*ast.Ident); return !ok || name.Name != "_" }) &&
		!slices.ContainsFunc(s.Rhs, func(e ast.Expr) bool {
			for {
				selector, ok := e.(*ast.SelectorExpr)
				if !ok {
					break
				}
				e = selector.X
			}
			_, ok := e.(*ast.Ident)
			return !ok
		})
}

// goUnwritten reports whether the last result is a new error that says so, and the others are zero.
func goUnwritten(results []ast.Expr) bool {
	if len(results) == 0 || slices.ContainsFunc(results[:len(results)-1], func(e ast.Expr) bool { return !goZero(e) }) {
		return false
	}
	call, ok := results[len(results)-1].(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	made, ok := call.Fun.(*ast.SelectorExpr)
	text, isText := call.Args[0].(*ast.BasicLit)
	return ok && isText && (made.Sel.Name == "New" || made.Sel.Name == "Errorf") && goMark.MatchString(text.Value) && !goLimited.MatchString(text.Value)
}

var goLimited = regexp.MustCompile(`(?i)implemented\s+(on|for|by|in|under|with|when|if|unless|outside)\b`)

// goEmpty reports whether a block holds nothing but empty statements and blocks.
func goEmpty(b *ast.BlockStmt) bool {
	return !slices.ContainsFunc(b.List, func(s ast.Stmt) bool {
		inner, block := s.(*ast.BlockStmt)
		_, empty := s.(*ast.EmptyStmt)
		return !empty && (!block || !goEmpty(inner))
	})
}

func goZero(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "nil" || e.Name == "false" || e.Name == "true"
	case *ast.BasicLit:
		return slices.Contains([]string{"0", "0.0", `""`, "``", `'\x00'`}, e.Value)
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	}
	return false
}

func goPanics(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return false
	}
	if name, ok := call.Fun.(*ast.Ident); !ok || name.Name != "panic" {
		return false
	}
	argument := call.Args[0]
	if made, ok := argument.(*ast.CallExpr); ok && len(made.Args) > 0 {
		if s, ok := made.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"New", "Errorf", "Sprintf", "Sprint"}, s.Sel.Name) {
			argument = made.Args[0]
		}
	}
	text, ok := argument.(*ast.BasicLit)
	if !ok || text.Kind != token.STRING {
		return false
	}
	value, err := strconv.Unquote(text.Value)
	return err == nil && goMark.MatchString(value)
}

func goSymbol(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return f.Name.Name
	}
	for e := f.Recv.List[0].Type; ; {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.Name + "." + f.Name.Name
		default:
			return f.Name.Name
		}
	}
}

//go:embed testdata/stubs.py
var pythonReader string

// pythonLibrary is the folder of Python's standard library, "" on a machine without Python.
func pythonLibrary(t *testing.T) string {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		if os.Getenv("ACTA_REQUIRE") == "all" {
			t.Fatal("no python3 on PATH, and ACTA_REQUIRE=all asks for every comparison")
		}
		t.Log("no python3 on PATH: nothing is compared")
		return ""
	}
	library, err := exec.Command(python, "-c", "import sysconfig; print(sysconfig.get_path('stdlib'))").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(library))
}

// TestStubsAgreeWithCPython compares Stubs with a reading of Python's standard library by CPython.
func TestStubsAgreeWithCPython(t *testing.T) {
	t.Parallel()
	library := pythonLibrary(t)
	if library == "" {
		return
	}
	own := 0 // of what was installed beside the library, some will do
	files := slices.DeleteFunc(corpus(t, library, ".py", corpusStep(8)), func(path string) bool {
		if !strings.Contains(path, "site-packages") {
			return false
		}
		own++
		return own%corpusStep(12) != 0
	})
	want := readWithPython(t, files)
	var compared, found atomic.Int32
	onAllCores(files, func(path string) {
		rows, parsed := want[path]
		src, err := os.ReadFile(path)
		if err != nil || !parsed {
			return
		}
		if compareStubs(t, path, src, rows) {
			compared.Add(1)
			found.Add(int32(len(rows)))
		}
	})
	t.Logf("%d of %d files compared, %d stubs", compared.Load(), len(files), found.Load())
	if int(compared.Load()) < len(want)*9/10 || found.Load() == 0 {
		t.Errorf("only %d of %d files compared, %d stubs", compared.Load(), len(want), found.Load())
	}
}

// readWithPython returns the stubs of each file that CPython can parse.
func readWithPython(t *testing.T, files []string) map[string][]string {
	t.Helper()
	stubs := map[string][]string{}
	for _, path := range files {
		stubs[path] = nil
	}
	var group sync.WaitGroup
	var mu sync.Mutex
	for part := range slices.Chunk(files, len(files)/runtime.GOMAXPROCS(0)+1) {
		group.Go(func() {
			cmd := exec.Command("python3", "-c", pythonReader)
			cmd.Stdin = strings.NewReader(strings.Join(part, "\n") + "\n")
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil {
				t.Errorf("%v: %s", err, stderr.Bytes())
			}
			mu.Lock()
			defer mu.Unlock()
			for line := range strings.Lines(string(out)) {
				path, row, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
				if path == "!" {
					delete(stubs, row)
					continue
				}
				stubs[path] = append(stubs[path], row)
			}
		})
	}
	group.Wait()
	return stubs
}
