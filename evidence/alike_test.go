package evidence

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// alikeFiles are sources whose verdicts were not the same on every run: a large one with a stub at its top took longer than a
// bound allowed where others worked beside it. The Lua ones end in the middle of what a scanner has begun, or begin with what it might have.
func alikeFiles() map[string]string {
	files := map[string]string{}
	for i, text := range []string{
		"local s = [==[ open\nfunction a() end\n", "local q = 'open\nfunction b() end\n", "--[=[ a comment\nfunction c() end\n",
		"]] function d() end\nlocal t = [[ x ]]\n", "' function e() end\n", "function f() end -- it's\nfunction g() return \"]]\" end\n",
		"-- it's \"so\"\nfunction h()\n  -- TODO\nend\n", "local s = [[\nx\n]]\nfunction i() return s end\n", "function j() return 'a' .. \"b\" .. [=[c]=] end\n",
	} {
		files[fmt.Sprintf("f%d.lua", i)] = strings.Repeat(text, 1+i%3*40)
	}
	var large strings.Builder
	large.WriteString("def charge(card):\n    pass\n")
	for i := 0; large.Len() < 300_000; i++ {
		fmt.Fprintf(&large, "\ndef rate_%d(amount, days):\n    if days > %d:\n        return amount * %d + days\n    return amount\n", i, i%31, i)
	}
	files["large.py"] = large.String()
	return files
}

// readAlike is what the engine takes from a source, as text.
func readAlike(t *testing.T, path, src string) string {
	t.Helper()
	g := grammarOf(path)
	if g == nil {
		t.Fatalf("%s has no grammar", path)
	}
	s, err := g.parse(context.Background(), nil, Source{Path: path, Bytes: []byte(src)}, everyBody)
	var of strings.Builder
	m := newDefinitions(g, path, newText([]byte(src)), s)
	s.reader.followFunctions(m)
	for i, d := range m.definitions {
		fmt.Fprintf(&of, "%d: %+v %+v\n", i, d.effect, *d.header)
	}
	s.tree, s.reader = nil, nil // whose addresses are no part of what is read, nor are these
	for i := range s.captures {
		s.captures[i].signature, s.captures[i].header = nil, nil
	}
	return fmt.Sprintf("%s%+v %v", of.String(), s, err)
}

// What is read of a source does not depend on what else is read, before it or beside it.
func TestASourceIsReadAlikeBesideOthers(t *testing.T) {
	files := alikeFiles()
	want := map[string]string{}
	for path, src := range files {
		readAlike(t, "ok.lua", "function ok() return 1 end\n")
		want[path] = readAlike(t, path, src)
	}
	var wg sync.WaitGroup
	for range 4 * runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for turn := range 10 {
				for path, src := range files { // in another order each time
					if turn > 0 && len(src) > 100_000 {
						continue // once for each of them is load enough
					}
					if got := readAlike(t, path, src); got != want[path] {
						t.Errorf("%s: read alone\n%.300s\nbeside others\n%.300s", path, want[path], got)
					}
				}
			}
		})
	}
	wg.Wait()
	if !strings.HasSuffix(want["large.py"], " <nil>") {
		t.Errorf("the large file is not read: %.300s", want["large.py"])
	}
}
