package dashboard

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
)

// A store that does not answer is told from one that holds nothing, by page and API, with what to do about it.
func TestADeadStoreIsNoEmptyOne(t *testing.T) {
	w := newWorld(t, "shop")
	w.git(w.env(), "commit", "-q", "--allow-empty", "-m", "Begin")
	text := func(s *server, path string) (int, string) {
		res := s.request(http.MethodGet, path, "")
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, string(body)
	}
	if _, page := text(serve(t, nil, w), "/"); !strings.Contains(page, "No claims yet.") {
		t.Error("an empty store is not told")
	}
	dead := serve(t, func(o *Options) {
		o.Scores.Version = func(context.Context) (int64, error) { return 0, errors.New("connection refused") }
	}, w)
	code, page := text(dead, "/")
	if code != http.StatusOK || strings.Contains(page, "No claims yet.") || !strings.Contains(page, "The score cannot be read.") ||
		!strings.Contains(page, "see that the database that `acta serve --db` names runs") || !strings.Contains(page, "connection refused") {
		t.Errorf("the page of a dead store (%d) says it holds nothing, or not what to do", code)
	}
	if code, said := text(dead, "/api/score"); code != http.StatusServiceUnavailable || strings.Contains(said, "acta doctor") || !strings.Contains(said, "database") {
		t.Errorf("/api/score: %d %s", code, said)
	}
}

// The page says that there are claims which have not landed.
func TestThePageSaysWhatHasNotLanded(t *testing.T) {
	w := newWorld(t, "shop")
	w.git(w.env(), "commit", "-q", "--allow-empty", "-m", "Begin")
	w.git(w.env(), "checkout", "-q", "-b", "topic")
	w.git(w.env(), "commit", "-q", "--allow-empty", "-m", "ACT: T01 work\n\nDone: Add it | a.py:1\n")
	res := serve(t, nil, w).request(http.MethodGet, "/", "")
	body, err := io.ReadAll(res.Body)
	if err != nil || !strings.Contains(string(body), "1 ACT of HEAD has not landed on") || !strings.Contains(string(body), "acta score --ref HEAD") {
		t.Errorf("the page does not say it (%v)", err)
	}
}
