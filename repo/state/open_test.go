package state

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// A shell hands over <(command) as an open pipe.
func TestWhatIsHandedOverOpenIsRead(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := w.WriteString("x"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := Open(fmt.Sprintf("/dev/fd/%d", r.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if data, err := ReadAll(f, 10); err != nil || string(data) != "x" {
		t.Errorf("%q, %v", data, err)
	}
}

// Of a long file the last lines are read, those that are whole.
func TestTheEndOfAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "t.jsonl")
	for _, c := range []struct{ text, want string }{
		{"", ""}, {"one\n", "one\n"}, {"12345678", "12345678"}, {"x\n12345678", "12345678"}, {"x\n\n2345678", "\n2345678"},
		{"x1\n345678\n", "345678\n"}, {"123456789", ""}, {"12345678\n", ""}, {"12345678\nab\nc", "ab\nc"},
	} {
		if err := os.WriteFile(file, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadEnd(file, 8); err != nil || string(got) != c.want {
			t.Errorf("of %q read %q, want %q: %v", c.text, got, c.want, err)
		}
	}
}
