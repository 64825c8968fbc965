package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/score"
)

// operator is that of a repository whose HEAD has a policy.
func (s *scratch) operator(policy string) *Operator {
	s.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, ".acta.yaml"), []byte(policy), 0o666); err != nil {
		s.Fatal(err)
	}
	s.git("add", ".")
	s.git("commit", "-q", "-m", "Policy")
	r, err := repo.Open(s.Context(), s.dir, repo.Options{Env: s.env()})
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { _ = r.Close() })
	return &Operator{Repo: r, State: filepath.Join(s.dir, ".git"), Env: s.env(), Agreed: true, Now: noon}
}

// lockdown is the score of an actor that is one.
func lockdown(actor string) Score {
	points := -45
	return Score{Actor: actor, Date: "2026-01-26", Score: &points, Target: 50, Floor: 50, Penalty: score.Lockdown.String(), Reward: "none", Interval: 8}
}

// webhook is a server that notes what comes to it.
type webhook struct {
	*httptest.Server
	mu   sync.Mutex
	came []string
	// answer is what it does beside; nil answers 200.
	answer http.HandlerFunc
}

func newWebhook(t *testing.T) *webhook {
	w := &webhook{}
	w.Server = httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		body, err := io.ReadAll(in.Body)
		if err != nil {
			t.Error(err)
		}
		w.mu.Lock()
		w.came = append(w.came, in.Method+" "+in.URL.RequestURI()+" "+in.Header.Get("Content-Type")+" "+string(body))
		answer := w.answer
		w.mu.Unlock()
		if answer != nil {
			answer(out, in)
		}
	}))
	t.Cleanup(w.Close)
	return w
}

func (w *webhook) has(t *testing.T, want ...string) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if got := strings.Join(w.came, ""); got != strings.Join(want, "") {
		t.Errorf("it got\n%s\nwant\n%s", got, strings.Join(want, ""))
	}
	w.came = nil
}

// must tells, and fails where telling does.
func (o *Operator) must(t *testing.T, s Score) bool {
	t.Helper()
	told, err := o.Tell(t.Context(), s)
	if err != nil {
		t.Error(err)
	}
	return told
}

func TestAWebhookIsToldOnce(t *testing.T) {
	hook := newWebhook(t)
	o := newScratch(t).operator("score: {notify: {webhook: '" + hook.URL + "/hook?repo=shop'}}\n")
	message := func(actor string) string {
		data, err := json.Marshal(lockdown(actor))
		if err != nil {
			t.Fatal(err)
		}
		return "POST /hook?repo=shop application/json " + string(data) + "\n"
	}
	fine, none, escalated := lockdown("a"), lockdown("a"), lockdown("a")
	fine.Penalty, none.Score, escalated.Penalty = "none", nil, score.Escalated.String()
	for _, s := range []Score{fine, none, escalated} {
		if o.must(t, s) {
			t.Errorf("told of %+v", s)
		}
	}
	hook.has(t)
	for _, actor := range []string{"a", "a", "", "a", ""} {
		o.must(t, lockdown(actor))
	}
	hook.has(t, message("a"), message(""))
	// The next day is another one.
	next := lockdown("a")
	next.Date = "2026-01-27"
	if !o.must(t, next) || o.must(t, next) {
		t.Error("not told once on the next day")
	}
}

func TestOfManyAtOnceOneTells(t *testing.T) {
	hook := newWebhook(t)
	s := newScratch(t)
	o := s.operator("score: {notify: {webhook: '" + hook.URL + "'}}\n")
	var all sync.WaitGroup
	var told atomic.Int32
	for range 8 {
		all.Go(func() {
			r, err := repo.Open(t.Context(), s.dir, repo.Options{Env: s.env()})
			if err != nil {
				t.Error(err)
				return
			}
			defer r.Close()
			one := *o
			one.Repo = r
			if one.must(t, lockdown("a")) {
				told.Add(1)
			}
		})
	}
	all.Wait()
	if n := len(hook.came); told.Load() != 1 || n != 1 {
		t.Errorf("%d told, the webhook heard %d", told.Load(), n)
	}
}

func TestWhatFailedIsTriedAgain(t *testing.T) {
	hook, other := newWebhook(t), newWebhook(t)
	to := func(url string, code int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/hook" {
				http.Redirect(w, r, url, code)
			}
		}
	}
	o := newScratch(t).operator("score: {notify: {webhook: '" + hook.URL + "/hook'}}\n")
	for _, c := range []struct {
		answer http.HandlerFunc
		want   string
	}{
		{func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "<p>\nno such hook", http.StatusNotFound) }, "answered 404 Not Found: no such hook"},
		{to(other.URL, http.StatusTemporaryRedirect), "answered 307 Temporary Redirect"},
		{to("/elsewhere", http.StatusPermanentRedirect), "answered 308 Permanent Redirect"},
	} {
		hook.mu.Lock()
		hook.answer = c.answer
		hook.mu.Unlock()
		told, err := o.Tell(t.Context(), lockdown("a"))
		if told || err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "/hook") {
			t.Errorf("told is %v: %v, want %s and no path", told, err, c.want)
		}
	}
	other.has(t)
	hook.mu.Lock()
	hook.answer, hook.came = nil, nil
	hook.mu.Unlock()
	if !o.must(t, lockdown("a")) {
		t.Error("not told in the end")
	}
	if len(hook.came) != 1 || !strings.HasPrefix(hook.came[0], "POST /hook application/json {") {
		t.Errorf("%q", hook.came)
	}
	if o.must(t, lockdown("a")) {
		t.Error("told twice")
	}
}

// Of two ways one that was gone is not gone again because the other failed.
func TestWaysAreGoneByThemselves(t *testing.T) {
	hook := newWebhook(t)
	hook.answer = func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }
	s := newScratch(t)
	o := s.operator("score: {notify: {run: [sh, -c, 'echo \"$ACTA_ACTOR $ACTA_SCORE/$ACTA_TARGET\" >>told'], webhook: '" + hook.URL + "'}}\n")
	for range 2 {
		if _, err := o.Tell(t.Context(), lockdown("a")); err == nil || !strings.Contains(err.Error(), "503") {
			t.Error(err)
		}
	}
	hook.mu.Lock()
	hook.answer = nil
	hook.mu.Unlock()
	if !o.must(t, lockdown("a")) || o.must(t, lockdown("a")) {
		t.Error("the webhook was not told once")
	}
	if data, err := os.ReadFile(filepath.Join(s.dir, "told")); string(data) != "a -45/50\n" {
		t.Errorf("%q, %v", data, err)
	}
}

// Whoever ends without a word is waited for as long as telling may take, and no longer.
func TestAnotherTellsWhereOneDied(t *testing.T) {
	s := newScratch(t)
	o := s.operator("score: {notify: {run: ['true'], timeout: 20s}}\n")
	path := filepath.Join(o.State, "acta", toldFile)
	for _, c := range []struct {
		state string
		told  bool
	}{
		{`{"day": "2026-01-26", "actors": [{"actor": "a", "way": "run", "told": false, "until": "2026-01-26T12:00:25Z"}]}`, false},
		{`{"day": "2026-01-26", "actors": [{"actor": "a", "way": "run", "told": false, "until": "2026-01-26T12:00:00Z"}]}`, true},
		{`{"day": "2026-01-26", "actors": [{"actor": "a", "way": "run", "told": false, "until": "2026-01-26T13:00:00Z"}]}`, true},
		{`{"day": "2026-01-26", "actors": [{"actor": "b", "way": "run", "told": true}]}`, true},
		{`{"day": "2026-01-25", "actors": [{"actor": "a", "way": "run", "told": true}]}`, true},
		{`{"day": "2026-01-26", "actors": [null]}`, true},
		{`{"day`, true},
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(c.state), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := o.must(t, lockdown("a")); got != c.told {
			t.Errorf("%s: told is %v", c.state, got)
		}
	}
}

func TestAProgramThatDoesNotTell(t *testing.T) {
	s := newScratch(t)
	for policy, want := range map[string]string{
		"{run: [sleep, '300'], timeout: 50ms}": "sleep was ended: it took longer than 50ms",
		"{run: [./no-such-program]}":           "./no-such-program cannot be started: ",
		"{run: [sh, -c, 'exit 4']}":            "sh ended with exit status 4",
	} {
		if _, err := s.operator("score: {notify: "+policy+"}\n").Tell(t.Context(), lockdown("a")); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", policy, err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	hook := newWebhook(t)
	hook.answer = func(_ http.ResponseWriter, r *http.Request) {
		stop()
		<-r.Context().Done()
	}
	o := s.operator("score: {notify: {webhook: '" + hook.URL + "'}}\n")
	if _, err := o.Tell(ctx, lockdown("a")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	hook.mu.Lock()
	hook.answer = nil
	hook.mu.Unlock()
	if o.Now = noon.Add(time.Second); !o.must(t, lockdown("a")) {
		t.Error("an interrupted call keeps the next one from telling")
	}
}
