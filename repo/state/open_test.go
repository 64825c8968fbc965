package state

import (
	"fmt"
	"os"
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
