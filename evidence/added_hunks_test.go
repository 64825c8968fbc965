package evidence

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A stub that is added is found by asking only what the hunks touch, unless it stood as it is.
func TestHunksHideNoAddedStub(t *testing.T) {
	t.Parallel()
	found := 0
	for before, after := range changedSources(t) {
		was, err := before.model(t.Context(), nil, everyBody)
		if err != nil || was == nil {
			continue
		}
		m, err := after.model(t.Context(), nil, everyBody)
		if err != nil || m == nil {
			continue
		}
		some, err := AddedStubs(t.Context(), nil, before, after)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range m.newStubs(m.stubs(false), was) {
			if slices.Contains(some, s) {
				found++
				continue
			}
			lines := bytes.SplitAfter(after.Bytes, []byte("\n"))[s.Line-1 : s.EndLine]
			if !bytes.Contains(before.Bytes, bytes.Join(lines, nil)) {
				t.Errorf("%s: %+v is not found\n%s\n==== became\n%s", after.Path, s, before.Bytes, after.Bytes)
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d stubs were added", found)
	}
}

// changedSources are the sources of the cases of all languages, several together in a file, each with a version in which
// some lines are gone, moved or replaced by those of another source.
func changedSources(t *testing.T) func(yield func(before, after Source) bool) {
	byLanguage := map[string][]Source{}
	for _, files := range caseFiles(t) {
		for _, f := range files {
			if g := grammarOf(f.Name); g.Grammar != nil && len(f.Data) < 3000 {
				byLanguage[g.Name] = append(byLanguage[g.Name], Source{Path: f.Name, Bytes: f.Data})
			}
		}
	}
	return func(yield func(before, after Source) bool) {
		for name, sources := range byLanguage {
			random := rand.New(rand.NewPCG(13, uint64(len(name))))
			for i, first := range sources {
				other := sources[random.IntN(len(sources))]
				text := append(slices.Clone(first.Bytes), other.Bytes...)
				lines := strings.SplitAfter(string(text), "\n")
				from := random.IntN(len(lines))
				to := min(len(lines), from+random.IntN(4))
				var come []string
				if i%2 == 0 {
					all := strings.SplitAfter(string(sources[random.IntN(len(sources))].Bytes), "\n")
					k := random.IntN(len(all))
					come = all[k:min(len(all), k+random.IntN(4))]
				}
				changed := strings.Join(slices.Concat(lines[:from], come, lines[to:]), "")
				if !yield(Source{Path: first.Path, Bytes: text}, Source{Path: first.Path, Bytes: []byte(changed)}) {
					return
				}
			}
		}
	}
}
