package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/record/ledger"
)

// A log that was edited fails no answer, and is told of once, whichever of the stores reads it.
func TestABrokenLogFailsNoAnswer(t *testing.T) {
	p := newPlace(t)
	var said []string
	c := command{Env: p.env()}
	open := c.ledger(func(w string) { said = append(said, w) })
	memory := ledger.NewMemory(func(string) string { return time.Now().String() })
	now := time.Date(2026, 1, 26, 12, 0, 0, 0, time.UTC)
	if _, err := open([]string{p.dir}, memory).AddFeedback(t.Context(), ledger.Vote{At: now, By: "Ada", Actor: "executor-01"}); err != nil || len(said) > 0 {
		t.Fatal(err, said)
	}
	log := journal.Feedback(filepath.Join(p.dir, ".git")).Path()
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(log, bytes.Replace(data, []byte(`"down"`), []byte(`"up"`), 1), 0o666); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		days, err := open([]string{p.dir}, memory).Days(t.Context(), ledger.Query{Actor: "executor-01", Now: now})
		if err != nil || *days[0].Score != 0 { // its claim, and a vote down
			t.Fatalf("%+v %v", days, err)
		}
	}
	if len(said) != 1 || !strings.HasPrefix(said[0], log+":1: ") {
		t.Errorf("%q", said)
	}
}
