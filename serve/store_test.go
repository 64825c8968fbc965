package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/acta-git/acta/record/ledger"
)

// shared is a store of no repositories that are not served, and keeps no reports.
type shared struct{ ledger.Store }

func (shared) Version(context.Context) (int64, error) { return 0, nil }

func (shared) Repositories(context.Context, ledger.Query) ([]ledger.RepositoryDays, error) {
	return nil, nil
}

func (shared) Receive(context.Context, *ledger.Report) (ledger.Received, error) {
	return ledger.Received{}, nil
}

// unreachable is a database that does not answer.
type unreachable struct{ shared }

func (unreachable) Version(context.Context) (int64, error) {
	return 0, errors.New("connection refused")
}

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
		o.Scores.Shared = unreachable{shared{o.Scores.Own}}
	}, w)
	code, page := text(dead, "/")
	if code != http.StatusOK || strings.Contains(page, "No claims yet.") || !strings.Contains(page, "The score cannot be read.") ||
		!strings.Contains(page, "make sure that the database of `acta serve --db` is running") || !strings.Contains(page, "connection refused") {
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

// fleet is a store that tells repositories apart, as a database does.
type fleet struct {
	shared
	repositories int
}

func (f fleet) Repositories(context.Context, ledger.Query) (all []ledger.RepositoryDays, _ error) {
	for i := range f.repositories {
		days := []ledger.RepositoryDay{{Date: "2026-01-25", Points: -15, NotVerified: i}, {Date: "2026-01-26", Points: 10, Verified: 1}}
		all = append(all, ledger.RepositoryDays{Repository: fmt.Sprintf("acme/shop-%02d", i), Days: days})
	}
	return all, nil
}

// The page lists the repositories of a database, those with most claims, without a link to what is not served here.
func TestThePageListsRepositoriesOfADatabase(t *testing.T) {
	w := newWorld(t, "shop")
	w.git(w.env(), "commit", "-q", "--allow-empty", "-m", "Begin")
	with := func(n int) *server {
		return serve(t, func(o *Options) { o.Scores.Shared = fleet{shared{o.Scores.Own}, n} }, w)
	}
	page := with(maxRepos + 2).page("/")
	for want, n := range map[string]int{
		`<th scope="row">acme/shop-`: maxRepos, `<th scope="row">acme/shop-51</th><td>−5</td><td>1</td><td>51</td><td>0</td>`: 1,
		"2 more with fewer claims are not shown": 1, `<th scope="row">acme/shop-01<`: 0,
	} {
		if got := strings.Count(page, want); got != n {
			t.Errorf("%q stands there %d times, not %d", want, got, n)
		}
	}
	if strings.Contains(with(1).page("/"), "by-repository") {
		t.Error("one repository is listed")
	}
}
