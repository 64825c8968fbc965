package worklog

import (
	"errors"
	"os"
	"testing"
)

// A session whose beginning can no longer be read is found where no other runs.
func TestASessionThatLostItsBeginningIsChosen(t *testing.T) {
	common := t.TempDir()
	lost, err := Start(common, Beginning{ID: "20260126_143215-aaaa", Tier: "STRICT", Started: when, WorkTree: "/r/.git"})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(lost.file(".json"), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if l, err := Choose(common, "/r/.git", ""); err != nil || l.ID != lost.ID {
		t.Errorf("%v, %v", l, err)
	}
	other, err := Start(common, Beginning{ID: "20260126_143216-bbbb", Tier: "STRICT", Started: when, WorkTree: "/r/.git"})
	if err != nil {
		t.Fatal(err)
	}
	if l, err := Choose(common, "/r/.git", ""); err != nil || l.ID != other.ID {
		t.Errorf("beside another: %v, %v", l, err)
	}
	if _, err := lost.End(t.Context(), when, Success); err != nil {
		t.Fatal(err)
	}
	if _, err := Choose(common, "/elsewhere", ""); !errors.Is(err, ErrNoSession) {
		t.Errorf("elsewhere: %v", err)
	}
}
