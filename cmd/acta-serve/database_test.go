package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/acta-git/acta/record/ledger"
	"github.com/acta-git/acta/repo/program/peer"
	"github.com/acta-git/acta/serve"
)

func startDatabase(t *testing.T) (*peer.Postgres, string) {
	t.Helper()
	db, err := peer.StartPostgres(t.Context(), "fsync=off", "full_page_writes=off", "shared_buffers=16MB")
	if errors.Is(err, peer.ErrNoPostgres) && os.Getenv("ACTA_REQUIRE") != "all" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Stop(); err != nil {
			t.Error(err)
		}
	})
	dsn, err := db.Database(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return db, dsn
}

// post sends what this repository holds, as a job with that token.
func (r *running) post(token string) (ledger.Received, error) {
	r.Helper()
	store := &ledger.Repositories{Dirs: []string{r.dir}, Env: r.env()}
	report, err := store.Report(r.Context(), ledger.Range{Head: "HEAD", Name: "acme/shop"})
	if err != nil {
		r.Fatal(err)
	}
	d := ledger.Delivery{URL: r.url, Token: token, Timeout: 15 * time.Second}
	return d.Send(r.Context(), report)
}

// history is what the server says of an actor's days.
func (r *running) history(actor string) (days []ledger.Score) {
	r.Helper()
	resp, err := http.Get(r.url + "/api/score/history")
	if err != nil {
		r.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	var all struct{ Actors []serve.ActorDays }
	if err != nil || resp.StatusCode != 200 || json.Unmarshal(body, &all) != nil {
		r.Fatalf("%v: %s\n%s", err, resp.Status, body)
	}
	for _, a := range all.Actors {
		if a.Actor == actor {
			return a.Days
		}
	}
	return nil
}

// A fleet's ledger from its first start on: jobs report, people vote, server and database start again, and the score is that of the repository.
func TestServeFromADatabase(t *testing.T) {
	db, dsn := startDatabase(t)
	p := newPlace(t)
	if err := os.WriteFile(filepath.Join(p.dir, "cart.py"), []byte("def add(cart, item):\n    cart.append(item)\n    return cart\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	p.git("add", ".")
	p.git("commit", "-q", "-m", "ACT: T02 cart\n\nDone: Add add to cart.py | cart.py:1-3\nActor: executor-02\n")
	outside := *p
	outside.dir = t.TempDir()
	tokens := filepath.Join(p.home, "reports")
	if err := os.WriteFile(tokens, []byte("only-reports\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"serve", "--addr", "127.0.0.1:0", "--report-token-file", tokens}
	begin := func() *running {
		r := outside.start([]string{"ACTA_TOKEN=t1", "ACTA_DB=" + dsn}, args...)
		r.place = p
		return r
	}
	s := begin()
	if got, err := s.post("only-reports"); err != nil || got != (ledger.Received{Verdicts: 2, New: 2}) {
		t.Fatalf("%+v, %v", got, err)
	}
	if got, err := s.post("only-reports"); err != nil || got.New != 0 {
		t.Errorf("again: %+v, %v", got, err)
	}
	for _, token := range []string{"t1", "other"} {
		if _, err := s.post(token); err == nil || !strings.Contains(err.Error(), "401") {
			t.Errorf("%s reports: %v", token, err)
		}
	}
	if code := s.end(); code != 0 {
		t.Errorf("exit code %d", code)
	}

	s = begin()
	if got, err := s.post("only-reports"); err != nil || got.New != 0 {
		t.Errorf("after a restart: %+v, %v", got, err)
	}
	want, err := (&ledger.Repositories{Dirs: []string{p.dir}, Env: p.env()}).Days(t.Context(), ledger.Query{Actor: "executor-02", Now: time.Now(), PastDays: 7})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.history("executor-02"); !reflect.DeepEqual(got, want) {
		t.Errorf("the server says\n%+v\nand the repository\n%+v", got, want)
	}

	if err := db.End(); err != nil {
		t.Fatal(err)
	}
	if err := db.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := s.post("only-reports"); err != nil || got.New != 0 {
		t.Errorf("after the database started again: %+v, %v", got, err)
	}
	for range 2 { // of one voter the last vote counts
		body := fmt.Sprintf(`{"vote": "up", "commit": %q}`, strings.TrimSpace(p.git("rev-parse", "HEAD")))
		req, err := http.NewRequestWithContext(t.Context(), "POST", s.url+"/api/score/feedback", bytes.NewReader([]byte(body)))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer t1")
		req.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Delta, Score int }
		if err := json.NewDecoder(resp.Body).Decode(&got); err != nil || got.Delta != 3 || got.Score != 3 {
			t.Errorf("%v: %s, %+v", err, resp.Status, got)
		}
		resp.Body.Close()
	}
	if days := s.history("executor-02"); *days[len(days)-1].Score != 3 {
		t.Errorf("%+v", days)
	}
	s.end()
}

func TestDatabasesThatCannotBe(t *testing.T) {
	p := newPlace(t)
	for dsn, want := range map[string]int{"mysql://localhost/x": 2, "postgres://u:hunter2@/x?host=/nonexistent": 3} {
		code, _, complaints := p.call(nil, "serve", "--addr", "127.0.0.1:0", "--db", dsn)
		if code != want || strings.Contains(complaints, "hunter2") {
			t.Errorf("%s: %d\n%s", dsn, code, complaints)
		}
	}
	if code, _, complaints := p.call(nil, "serve", "--addr", "127.0.0.1:0", "--report-token-file", "missing"); code != 2 {
		t.Errorf("%d\n%s", code, complaints)
	}
}
