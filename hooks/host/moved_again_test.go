package host

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// hidden takes away an object until it is put back: commits that have it cannot be judged so long.
func (b *bench) hidden(object string) (back func()) {
	b.Helper()
	id := b.git("rev-parse", object)
	file := filepath.Join(b.top, ".git", "objects", id[:2], id[2:])
	if err := os.Rename(file, file+".away"); err != nil {
		b.Fatal(err)
	}
	return func() {
		b.Helper()
		if err := os.Rename(file+".away", file); err != nil {
			b.Fatal(err)
		}
	}
}

// A lie that could not be judged when it was made is told at the next look, and once.
func TestWhatWasNotJudgedIsJudgedAtTheNextLook(t *testing.T) {
	h := claude{}
	for _, c := range []struct {
		event string // with "shell" it fails before anything is judged, since a session is to begin
		moved bool
	}{{"other", false}, {"other", true}, {"shell", false}} {
		b := prepared(t)
		b.tell(h, "s", "begin")
		b.made(hollowACT)
		back := b.hidden("HEAD^{tree}")
		if a := b.tell(h, "s", c.event); len(a.Warnings) == 0 || a.Refusal != nil {
			t.Fatalf("what cannot be judged is answered %+v", a)
		}

		back()
		if c.moved {
			b.made("More")
		}
		if said := told(t, h, b.tell(h, "s", "shell")); !strings.Contains(said, "acta: refused: commit ") {
			t.Errorf("at the next look the model is told %q", said)
		}
		if a := b.tell(h, "s", "shell"); a.Stdout != h.emptyAnswer().Stdout || a.Code != 0 {
			t.Errorf("it is told twice: %+v", a)
		}
	}
}

// What can never be judged is tried three times, and then left to verify: the host waits each time.
func TestWhatCannotBeJudgedIsNotTriedForEver(t *testing.T) {
	h := claude{}
	b := prepared(t)
	b.tell(h, "s", "begin")
	b.made(hollowACT)
	b.hidden("HEAD^{tree}")
	for i, want := range []bool{true, true, true, false, false} {
		a := b.tell(h, "s", "other")
		if strings.Contains(strings.Join(a.Warnings, "\n"), "could not be judged: commit") != want {
			t.Errorf("look %d warns %q", i+1, a.Warnings)
		}
	}
}
