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
	"github.com/acta-git/acta/serve"
)

// A log that was edited fails no answer, and is told of once, whichever of the stores reads it.
func TestABrokenLogFailsNoAnswer(t *testing.T) {
	p := newPlace(t)
	var said bytes.Buffer
	c := command{Stderr: &said, Env: p.env()}
	repos, err := c.open(t.Context(), []string{p.dir})
	if err != nil {
		t.Fatal(err)
	}
	own := serve.RepositoryScores(repos, "", c).Own
	now := time.Date(2026, 1, 26, 12, 0, 0, 0, time.UTC)
	if _, err := own.Subset(p.dir).AddFeedback(t.Context(), ledger.Vote{Word: ledger.Down, At: now, Voter: "Ada", Actor: "executor-01"}); err != nil || said.Len() > 0 {
		t.Fatal(err, said.String())
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
		days, err := own.Subset(p.dir).Days(t.Context(), ledger.Query{Actor: "executor-01", Now: now})
		if err != nil || *days[0].Score != 0 { // its claim, and a vote down
			t.Fatalf("%+v %v", days, err)
		}
	}
	if strings.Count(said.String(), "\n") != 1 || !strings.HasPrefix(said.String(), "acta: warning: "+log+":1: ") {
		t.Errorf("%q", said.String())
	}
}
