package evidence

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// memory is a Tree of files held in memory, with links, submodules and folders as well.
type memory map[string]node

type node struct {
	kind    EntryKind
	content string
	mode    string
	size    int64 // where it is not that of content
}

func (m memory) tree() Tree { return Tree{Files: m} }

func (m memory) Stat(_ context.Context, path string) (Entry, error) {
	n, ok := m[path]
	if !ok {
		return m.folder(path), nil
	}
	return Entry{Path: path, Kind: max(n.kind, File), ID: fmt.Sprintf("%x", n.content), Mode: n.mode}, nil
}

func (m memory) Size(_ context.Context, e Entry) (int64, error) {
	return max(m[e.Path].size, int64(len(m[e.Path].content))), nil
}

func (m memory) Read(_ context.Context, e Entry) ([]byte, error) {
	return []byte(m[e.Path].content), nil
}

func (m memory) Paths(context.Context) ([]string, error) {
	var paths []string
	for p := range m {
		paths = append(paths, p)
	}
	return paths, nil
}

func (m memory) Renamed(ctx context.Context, earlier *Tree, path string) (string, error) {
	old, err := earlier.Paths(ctx)
	for _, p := range old {
		if e, _ := earlier.Stat(ctx, p); m[p] == (node{}) && e.ID == fmt.Sprintf("%x", m[path].content) {
			return p, err
		}
	}
	return "", err
}

func (m memory) folder(path string) Entry {
	for p := range m {
		if strings.HasPrefix(p, path+"/") {
			return Entry{Path: path, Kind: Folder}
		}
	}
	return Entry{Path: path}
}

func file(content string) node { return node{content: content} }

// cite reads evidence as it is written in tests; malformed evidence is not for here.
func cite(t testing.TB, written string) parser.Evidence {
	t.Helper()
	e := parser.Evidence{Text: parser.Text{Value: written}}
	rest, symbol, _ := strings.Cut(written, "#")
	rest, e.IsRemoved = strings.CutPrefix(rest, "-")
	e.Symbol = symbol
	name, span, hasSpan := strings.Cut(rest, ":")
	e.Path = name
	if !hasSpan {
		return e
	}
	first, last, ranged := strings.Cut(span, "-")
	if !ranged {
		last = first
	}
	var err1, err2 error
	e.Start, err1 = strconv.Atoi(first)
	e.End, err2 = strconv.Atoi(last)
	if err1 != nil || err2 != nil {
		t.Fatalf("%q is no evidence", written)
	}
	return e
}

// describe writes a result as the cases do: verdict, «contradiction», codes.
func describe(r Result) string {
	words := []string{r.Verdict.String()}
	if r.Contradiction {
		words = append(words, "contradiction")
	}
	for _, p := range r.Problems {
		words = append(words, string(p.Code))
	}
	return strings.Join(words, " ")
}

// TestCases runs the cases of every language. A case is a source and a file of
// the same name that ends in .want, which holds one line for each thing expected:
//
//	<lines>[#symbol] <kind> <verdict> [contradiction] [codes…] [@anchor, or @- for none]
//	stub <line>-<end> <symbol> <reason> [exempt]
//
// The stubs are all that the file has.
func TestCases(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join("lang", "*", "cases", "*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatal("no cases", err)
	}
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		runArchive(t, name, archive)
	}
}

// minCases and minDataCases are how many cases a folder must have, of code and of data or prose.
const (
	minCases     = 40
	minDataCases = 15
)

func TestEveryLanguageHasCases(t *testing.T) {
	seen := map[string]bool{}
	for folder, files := range caseFiles(t) {
		want := minDataCases
		for _, f := range files {
			g := grammarOf(f.Name)
			if g == nil {
				t.Fatalf("%s: no grammar reads the case %s", folder, f.Name)
			}
			seen[g.Name] = true
			if g.IsCode() {
				want = minCases
			}
		}
		if len(files) < want {
			t.Errorf("%s has %d cases, want at least %d", folder, len(files), want)
		}
	}
	for _, g := range grammars() {
		if !seen[g.Name] {
			t.Errorf("no case is in %s", g.Name)
		}
	}
}

// grammars are the languages with all that is known of them.
func grammars() []*grammar {
	for _, g := range languages() {
		g.describe()
	}
	return languages()
}

func runArchive(t *testing.T, name string, archive *txtar.Archive) {
	for i := 0; i+1 < len(archive.Files); i += 2 {
		src, want := archive.Files[i], archive.Files[i+1]
		if want.Name != src.Name+".want" {
			t.Fatalf("%s: %s is followed by %s, not by its .want", name, src.Name, want.Name)
		}
		t.Run(name+"/"+src.Name, func(t *testing.T) { runCase(t, src.Name, src.Data, string(want.Data)) })
	}
	if len(archive.Files)%2 != 0 {
		t.Errorf("%s: a source without its .want", name)
	}
}

func runCase(t *testing.T, path string, src []byte, want string) {
	j := &Judge{Tree: memory{path: file(string(src))}.tree(), Cache: NewCache()}
	var wantStubs, gotStubs []string
	for line := range strings.Lines(want) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "//") {
			continue
		}
		if rest, ok := strings.CutPrefix(line, "stub "); ok {
			wantStubs = append(wantStubs, rest)
			continue
		}
		checkCited(t, j, path, line)
	}
	functions, err := Functions(t.Context(), Source{Path: path, Bytes: src})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range functions {
		if s.Reason == "" {
			continue
		}
		gotStubs = append(gotStubs, strings.TrimSpace(fmt.Sprintf("%d-%d %s %s %s", s.Line, s.EndLine, s.Symbol, s.Reason, s.Exempt)))
	}
	if got, want := strings.Join(gotStubs, "\n"), strings.Join(wantStubs, "\n"); got != want {
		t.Errorf("stubs:\n%s\nwant:\n%s", got, want)
	}
}

func checkCited(t *testing.T, j *Judge, path, line string) {
	t.Helper()
	fields := strings.Fields(line)
	if len(fields) < 3 {
		t.Fatalf("%q is no expectation", line)
	}
	want, anchor := strings.Join(fields[2:], " "), ""
	if i := strings.Index(want, " @"); i >= 0 {
		want, anchor = want[:i], want[i+2:]
	}
	r, err := j.Evidence(t.Context(), Claim{Evidence: cite(t, path+":"+fields[0]), Kind: Kind(fields[1])})
	if err != nil {
		t.Fatal(err)
	}
	if got := describe(r); got != want {
		t.Errorf("%s %s: %s (%s), want %s", fields[0], fields[1], got, r.Reason, want)
	}
	if anchor == "-" && r.Anchor != "" || anchor != "-" && anchor != "" && r.Anchor != anchor {
		t.Errorf("%s: anchor %q, want %q", fields[0], r.Anchor, anchor)
	}
	if r.Verdict != report.Verified && (len(r.Problems) == 0 || r.Reason == "") {
		t.Errorf("%s: %s without a problem or a reason", fields[0], r.Verdict)
	}
}
