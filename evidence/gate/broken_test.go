package gate_test

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/acta-git/acta/evidence/gate"
)

// Whatever a file of a gate holds, it is read: those of the cases, with bytes put in, taken out and doubled.
func TestBrokenFilesAreRead(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range casesOf(archive) {
			for range 15 {
				for path, before := range c.before {
					was, broken := memory{path: before}, memory{path: broken(random, c.after[path])}
					for _, trees := range [][2]memory{{was, broken}, {broken, was}} {
						_, err := gate.Compare(t.Context(), []string{path}, trees[0].tree(), trees[1].tree())
						if err != nil {
							t.Fatalf("%s: %v", c.name, err)
						}
					}
				}
			}
		}
	}
}

func broken(random *rand.Rand, src []byte) []byte {
	const signs = "[]{}:\"'#-=\n\t ,*&<!;|>(%"
	out := slices.Clone(src)
	for range 1 + random.IntN(6) {
		if len(out) == 0 {
			return out
		}
		at := random.IntN(len(out))
		switch end := at + random.IntN(len(out)-at); random.IntN(4) {
		case 0:
			out[at] = signs[random.IntN(len(signs))]
		case 1:
			out = slices.Delete(out, at, end)
		case 2:
			out = slices.Insert(out, end, slices.Clone(out[at:end])...)
		case 3:
			out = slices.Insert(out, at, signs[random.IntN(len(signs))])
		}
	}
	return out
}
