package evidence

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// FuzzJudge: whatever bytes a file has and whatever lines are cited, the verdict
// is a verdict, the same one twice, and nothing panics.
func FuzzJudge(f *testing.F) {
	archives, err := filepath.Glob("lang/*/cases/*.txtar")
	if err != nil || len(archives) == 0 {
		f.Fatal("no cases to start from", err)
	}
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for i := 0; i < len(archive.Files); i += 6 { // a third of the sources
			f.Add(archive.Files[i].Data, i, i+3, "m", "code")
		}
	}
	f.Add([]byte("\xff\x00\ufeff\r\r\n\"\"\""), 0, -1, "..", "text")
	extensions := []string{".pyi", ".bats", ".txt", ".x"}
	for _, g := range grammars() {
		extensions = append(extensions, g.extensions[0])
	}
	f.Fuzz(func(t *testing.T, src []byte, first, last int, symbol, kind string) {
		for i, ext := range extensions {
			if (len(src)+i)%8 == 0 { // an eighth of the languages, by the input
				fuzzOne(t, "a"+ext, src, first, last, symbol, Kind(kind))
			}
		}
	})
}

func fuzzOne(t *testing.T, path string, src []byte, first, last int, symbol string, kind Kind) {
	first = max(first, 1)
	e := parser.Evidence{Path: path, Start: first, End: max(first, last), Symbol: symbol}
	base := memory{path: file("x = 1\n\ny = 2\n")}.tree()
	var results []Result
	for _, cache := range []*Cache{nil, NewCache()} {
		j := &Judge{Tree: memory{path: file(string(src))}.tree(), Base: &base, Cache: cache}
		r, err := j.Evidence(t.Context(), Claim{Evidence: e, Kind: kind})
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
		removed := parser.Evidence{Path: path, Start: 1, End: 2, IsRemoved: true}
		if _, err := j.Evidence(t.Context(), Claim{Evidence: removed}); err != nil {
			t.Fatal(err)
		}
	}
	r := results[0]
	if r.Verdict != report.Verified && r.Verdict != report.Unclear && r.Verdict != report.NotVerified {
		t.Errorf("%s: %v is no verdict", path, r.Verdict)
	}
	if r.Contradiction && r.Verdict != report.NotVerified {
		t.Errorf("%s: a contradiction beside %v", path, r.Verdict)
	}
	if !reflect.DeepEqual(r, results[1]) {
		t.Errorf("%s: %+v, then %+v", path, r, results[1])
	}
	if r.Anchor != "" {
		anchored(t, path, src, e, r)
	}
}

// anchored: an anchor leads back to the lines that it was made of.
func anchored(t *testing.T, path string, src []byte, e parser.Evidence, r Result) {
	e.Symbol = r.Anchor
	j := &Judge{Tree: memory{path: file(string(src))}.tree()}
	again, err := j.Evidence(t.Context(), Claim{Evidence: e})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range again.Problems {
		if p.Code == codeMoved && r.Verdict == report.Verified {
			t.Errorf("%s: the anchor %s leads elsewhere: %+v", path, r.Anchor, p)
		}
	}
}

// TestPrefixesOfRealFilesAreJudged cuts the cases at many bytes: each is what an editor holds half way.
func TestPrefixesOfRealFilesAreJudged(t *testing.T) {
	cut := 0
	for path, name := range map[string]string{
		"a.py": "lang/python/cases/stubs.txtar", "a.go": "lang/golang/cases/stubs.txtar", "a.jsx": "lang/javascript/cases/stubs.txtar", "a.tsx": "lang/typescript/cases/stubs.txtar",
	} {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		src = src[:min(len(src), 3000)]
		for end := 0; end < len(src); end += 23 {
			if _, err := Functions(t.Context(), Source{Path: path, Bytes: src[:end]}); err != nil {
				t.Fatal(err)
			}
			cut++
		}
	}
	if cut < 500 {
		t.Errorf("only %d prefixes", cut)
	}
}
