package evidence

import (
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/acta-git/acta/parser"
)

// caseSources visits every source of the languages' cases.
func caseSources(t *testing.T, visit func(path, src string)) {
	t.Helper()
	archives, err := filepath.Glob(filepath.Join("lang", "*", "cases", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			if grammarOf(f.Name) != nil {
				found++
				visit(f.Name, string(f.Data))
			}
		}
	}
	if found < 160 {
		t.Fatalf("found %d sources; the test looks in the wrong place", found)
	}
}

// modelOf reads a source; nil where its content cannot be read.
func modelOf(t *testing.T, name, src string) *model {
	t.Helper()
	m, err := analyse(t.Context(), grammarOf(name), name, newText([]byte(src)))
	if err != nil {
		return nil
	}
	return m
}

// lineOf cites a definition by its lines alone.
func lineOf(m *model, name string, d *definition) Claim {
	first, last := m.linesOf(d)
	return Claim{Evidence: parser.Evidence{Path: name, Start: first, End: last}}
}

// followed follows a claim from one version of a tree to another.
func followed(t *testing.T, was, is memory, renamed string, c Claim) Trace {
	t.Helper()
	return following(t, was, is, renamed)(c)
}

// following follows claims from one version of a tree to another.
func following(t *testing.T, was, is memory, renamed string) func(Claim) Trace {
	cache := NewCache()
	f := &Follower{Judge: &Judge{Tree: is.tree(), Cache: cache}}
	if renamed != "" {
		to := map[string]string{}
		for path := range was {
			to[path] = renamed
		}
		f.Trail = trail{to, nil}
	}
	then := &Judge{Tree: was.tree(), Cache: cache}
	return func(c Claim) Trace {
		t.Helper()
		got, err := f.Follow(t.Context(), then, c)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
}

// Whatever a source holds: in the same file, and below blank lines, every
// definition and every line of it holds; in the file renamed it has moved.
func TestFollowingWhatDidNotChangeHolds(t *testing.T) {
	caseSources(t, func(name, src string) {
		m := modelOf(t, name, src)
		if m == nil || strings.HasPrefix(src, byteOrderMark) || strings.HasPrefix(src, "#!") {
			return
		}
		var claims []Claim
		for i := range m.definitions {
			claims = append(claims, lineOf(m, name, m.definitions[i]))
		}
		for line := 1; line <= m.text.count(); line++ {
			if strings.TrimSpace(m.text.at(line)) != "" {
				claims = append(claims, Claim{Evidence: parser.Evidence{Path: name, Start: line, End: line}})
			}
		}
		was, shifted, to := memory{name: file(src)}, memory{name: file("\n\n" + src)}, path.Join("elsewhere", name)
		unchanged, below, renamed := following(t, was, was, ""), following(t, was, shifted, ""), following(t, was, memory{to: file(src)}, to)
		for _, c := range claims {
			if got := unchanged(c); got.State != StateHolds || got.Line != c.Evidence.Start || got.EndLine != c.Evidence.End {
				t.Errorf("%s: unchanged: %s (%s)\n%s", canonical(c.Evidence), shown(got), got.Reason, src)
			}
			if got := below(c); got.State != StateHolds {
				t.Errorf("%s: shifted: %s (%s)\n%s", canonical(c.Evidence), shown(got), got.Reason, src)
			}
			if got := renamed(c); got.State != StateMoved || got.Path != to || got.Line != c.Evidence.Start {
				t.Errorf("%s: renamed: %s (%s)\n%s", canonical(c.Evidence), shown(got), got.Reason, src)
			}
		}
	})
}

// A function whose body is emptied is hollowed where the engine calls what is
// left a stub and called what was there none, and nothing else ever is.
func TestHollowedIsWhatTheEngineCallsAStub(t *testing.T) {
	hollowed := 0
	caseSources(t, func(name, src string) {
		m := modelOf(t, name, src)
		if m == nil || m.grammar.Name == "python" || len(m.errors) > 0 {
			return
		}
		for _, d := range m.definitions {
			if d.kind != function || d.body < 0 || src[d.body] != '{' || d.isTitled || len(m.findSymbol(d.symbol)) != 1 {
				continue
			}
			emptied := src[:d.body] + "{}" + src[d.bodyEnd:]
			n := modelOf(t, name, emptied)
			if n == nil || len(n.findSymbol(d.symbol)) != 1 {
				continue
			}
			now := n.findSymbol(d.symbol)[0]
			got := followed(t, memory{name: file(src)}, memory{name: file(emptied)}, "", lineOf(m, name, d))
			want := d.status == sound && now.status == stub
			if hollow := got.State == StateHollowed; hollow && !want || want && got.State < StateUnclear {
				t.Errorf("%s: %s is %s (%s), and was %d; it is %d\n%s", name, d.symbol, shown(got), got.Reason, d.status, now.status, src)
			}
			if got.State == StateHollowed {
				hollowed++
			}
		}
	})
	if hollowed < 30 {
		t.Errorf("only %d functions were hollowed", hollowed)
	}
}

// FuzzFollow: whatever two versions of a file hold and whatever is cited, there is
// one state, the same one twice, it stands within the file, and nothing panics.
func FuzzFollow(f *testing.F) {
	archives, err := filepath.Glob(filepath.Join("testdata", "drift", "*.txtar"))
	if err != nil || len(archives) == 0 {
		f.Fatal("no cases to start from", err)
	}
	for i, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		trees := snapshots(archive)
		for path, was := range trees["was"] {
			f.Add([]byte(was.content), []byte(trees["is"][path].content), 1+i%3, 2+i%5, uint8(i), string(KindCode))
		}
	}
	f.Fuzz(func(t *testing.T, was, is []byte, first, last int, language uint8, kind string) {
		name := "a.txt"
		if i := int(language) % (len(grammars()) + 1); i < len(grammars()) {
			name = "a" + grammars()[i].extensions[0]
		}
		c := Claim{Evidence: parser.Evidence{Path: name, Start: max(first, 1), End: max(first, last, 1)}, Kind: Kind(kind)}
		got := followed(t, memory{name: file(string(was))}, memory{name: file(string(is))}, "", c)
		if again := followed(t, memory{name: file(string(was))}, memory{name: file(string(is))}, "", c); got != again {
			t.Errorf("%+v, then %+v", got, again)
		}
		if text, err := got.State.MarshalText(); err != nil || len(text) == 0 {
			t.Errorf("%+v: %v", got, err)
		}
		if got.State < StateUnclear && (got.Line < 1 || got.EndLine < got.Line || got.EndLine > newText(is).count()) {
			t.Errorf("%+v stands outside of the file, which has %d lines", got, newText(is).count())
		}
	})
}
