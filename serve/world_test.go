package serve

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/acta-git/acta/repo/repotest"
)

const testToken = "correct-horse-battery-staple"

// testNow is today in the tests' repositories.
var testNow = time.Date(2026, 1, 26, 18, 30, 0, 0, time.UTC)

// world is a repository with a history, made by real git.
type world struct {
	*testing.T
	dir, home string
	statuses  map[string]string // of the story's plan
}

// newWorld is a repository without a commit, in a folder of that name.
func newWorld(t *testing.T, name string) *world {
	t.Helper()
	home := t.TempDir()
	w := &world{T: t, dir: filepath.Join(home, name), home: home}
	if err := os.Mkdir(w.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	w.git(nil, "init", "-q", "-b", "main", "--template=")
	w.git(nil, "config", "user.name", "Olga Operator")
	w.git(nil, "config", "user.email", "olga@example.invalid")
	return w
}

// env keeps the developer's git configuration out.
func (w *world) env(more ...string) []string {
	return repotest.Env(w.home, more...)
}

func (w *world) git(env []string, args ...string) string {
	w.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = w.dir, w.env(env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

func (w *world) write(path, content string) {
	w.Helper()
	file := filepath.Join(w.dir, path)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
		w.Fatal(err)
	}
}

// commit commits everything, as an actor at a time of day, and returns its id.
func (w *world) commit(actor, at, message string) string {
	w.Helper()
	when := at + ":00Z"
	w.git(nil, "add", "-A")
	w.git([]string{
		"GIT_AUTHOR_NAME=" + actor, "GIT_AUTHOR_EMAIL=" + actor + "@agents.invalid", "GIT_AUTHOR_DATE=" + when,
		"GIT_COMMITTER_NAME=" + actor, "GIT_COMMITTER_EMAIL=" + actor + "@agents.invalid", "GIT_COMMITTER_DATE=" + when,
	}, "commit", "-q", "--allow-empty", "-m", message)
	return w.git(nil, "rev-parse", "HEAD")
}

func function(name string, body ...string) string {
	return "def " + name + ":\n    " + strings.Join(body, "\n    ") + "\n"
}

// adapt commits the plan with statuses changed.
func (w *world) adapt(at, title string, statuses ...string) {
	w.Helper()
	for i := 0; i < len(statuses); i += 2 {
		w.statuses[statuses[i]] = statuses[i+1]
	}
	w.write("working_plan/current.json", os.Expand(storyPlan, func(id string) string { return cmp.Or(w.statuses[id], "pending") }))
	w.commit("navigator", at, title+"\n")
}

// story is a week of work in a repository: claims that hold, one that never did,
// one whose code was hollowed out since, and a plan with work in progress.
func story(t *testing.T) *world {
	t.Helper()
	w := newWorld(t, "shop")
	w.statuses = map[string]string{"T04-threshold": "0.0"}
	w.write("README.md", "# Shop\n")
	w.adapt("2026-01-20T08:00", "A shop, and its plan")
	login := function("login(store, name, password)", "user = store.find(name)", "if user is None or not user.matches(password):",
		"    raise Refused(name)", "return store.session(user)")
	w.write("src/auth.py", login)
	w.commit("executor-01", "2026-01-20T09:30", "ACT: M01/S01/T01 password login\n\n"+
		"Done: Add login to src/auth.py | src/auth.py:1-5\nActor: executor-01\nReason: plan-phase complete\n")
	w.adapt("2026-01-20T09:45", "ADAPT: M01/S01/T01 complete", "T01", "complete", "S01", "in_progress", "M01", "in_progress", "shop", "in_progress")
	w.write("src/auth.py", login+"\n\n"+function("logout(store, token)", "store.forget(token)", "return True"))
	w.write("tests/test_auth.py", function("test_login(store)", "assert login(store, 'ada', 'secret').user == 'ada'", "assert len(store.sessions) == 1"))
	w.commit("executor-01", "2026-01-21T10:05", "ACT: M01/S01/T02 logout\n\n"+
		"Done: Add logout to src/auth.py | src/auth.py:8-10\nDone: Test login in tests/test_auth.py | tests/test_auth.py:1-3\nActor: executor-01\n")
	w.adapt("2026-01-21T10:20", "ADAPT: M01/S01/T02 complete", "T02", "complete")
	w.adapt("2026-01-21T10:25", "ADAPT: M01/S01 accounts are done", "S01", "complete")
	w.write("src/cart.py", function("add(cart, item, count=1)", "cart.lines[item] = cart.lines.get(item, 0) + count", "return cart")+"\n\n"+
		function("total(cart, prices)", "return sum(prices[item] * count for item, count in cart.lines.items())"))
	w.commit("executor-02", "2026-01-22T11:20", "ACT: M01/S02/T03 cart\n\n"+
		"Done: Add add() to src/cart.py | src/cart.py:1-3\nDone: Add total() to src/cart.py | src/cart.py:6-7\nActor: executor-02\n")
	w.adapt("2026-01-22T11:40", "ADAPT: M01/S02/T03 complete", "T03", "complete", "S02", "in_progress")
	w.write("src/pay.py", function("charge(card, amount)", "pass"))
	w.commit("executor-02", "2026-01-23T16:40", "ACT: M01/S02/T04 payment\n\nDone: Add charge() to src/pay.py | src/pay.py:1-2\n"+
		"Skipped: Add refund() to src/pay.py | The gateway does not refund yet\nActor: executor-02\n")
	w.adapt("2026-01-23T17:00", "ADAPT: M01/S02/T04 again", "T04", "in_progress", "T04-threshold", "0.25")
	w.write("src/pay.py", function("charge(card, amount)", "if amount <= 0:", "    raise ValueError(amount)", "return card.gateway.charge(card.token, amount)")+
		"\n\n"+function("refund(charge)", "return charge.gateway.refund(charge.id)"))
	w.commit("executor-02", "2026-01-24T09:10", "ACT: M01/S02/T04 payment, this time whole\n\n"+
		"Done: Add charge() to src/pay.py | src/pay.py:1-4\nDone: Add refund() to src/pay.py | src/pay.py:7-8\nActor: executor-02\n")
	w.write("src/cart.py", function("add(cart, item, count=1)", "cart.lines[item] = cart.lines.get(item, 0) + count", "return cart")+"\n\n"+
		function("total(cart, prices)", "raise NotImplementedError"))
	w.commit("executor-03", "2026-01-25T15:00", "Rework prices")
	for i, name := range []string{"search", "suggest", "rank", "filter_by", "page"} {
		w.write("src/search.py", searchUpTo(i+1))
		first := strings.Count(searchUpTo(i), "\n") + 1
		w.commit("executor-01", fmt.Sprintf("2026-01-26T%02d:15", 9+i), fmt.Sprintf("ACT: M02/S03/T0%d %s\n\nDone: Add %s() to src/search.py | src/search.py:%d-%d\nActor: executor-01\n",
			5+i, name, name, first, first+2))
	}
	w.adapt("2026-01-26T14:10", "ADAPT: M02/S03/T05 complete", "T05", "complete", "S03", "in_progress", "M02", "in_progress")
	w.write("src/mail.py", function("send(to, text)", "raise NotImplementedError"))
	w.commit("executor-03", "2026-01-26T14:50", "ACT: M02/S04/T10 mail\n\nDone: Add send() to src/mail.py | src/mail.py:1-2\n"+
		"Skipped: Add a queue to src/mail.py | Mail is few, it can be sent at once\nActor: executor-03\nSession: 20260126_144500-abcd\n")
	return w
}

func searchUpTo(n int) string {
	all := ""
	for i, name := range []string{"search", "suggest", "rank", "filter_by", "page"}[:n] {
		if i > 0 {
			all += "\n\n"
		}
		all += function(name+"(index, words)", fmt.Sprintf("found = index.%s(words, depth=%d)", name, i+1), fmt.Sprintf("return found.ordered(by=%q)", name))
	}
	return all
}

const storyPlan = `{"id": "shop", "type": "parent", "description": "A shop that people like", "status": "${shop}", "children": [
  {"id": "M01", "type": "parent", "description": "Sell", "status": "${M01}", "children": [
    {"id": "S01", "type": "parent", "description": "Accounts", "status": "${S01}", "children": [
      {"id": "T01", "type": "atomic", "description": "Password login", "status": "${T01}", "checklist": [{"item": "Add login to src/auth.py"}]},
      {"id": "T02", "type": "atomic", "description": "Logout", "status": "${T02}", "checklist": [{"item": "Add logout to src/auth.py"}, {"item": "Test login in tests/test_auth.py", "required": false, "kind": "test"}]}]},
    {"id": "S02", "type": "parent", "description": "Checkout", "status": "${S02}", "children": [
      {"id": "T03", "type": "atomic", "description": "Cart", "status": "${T03}", "checklist": [{"item": "Add add() to src/cart.py"}, {"item": "Add total() to src/cart.py"}]},
      {"id": "T04", "type": "atomic", "description": "Payment", "status": "${T04}", "failure_threshold": ${T04-threshold}, "checklist": [{"item": "Add charge() to src/pay.py"}, {"item": "Add refund() to src/pay.py"}]}]}]},
  {"id": "M02", "type": "parent", "description": "Find", "status": "${M02}", "children": [
    {"id": "S03", "type": "parent", "description": "Search", "status": "${S03}", "children": [
      {"id": "T05", "type": "atomic", "description": "Search", "status": "${T05}", "checklist": [{"item": "Add search() to src/search.py"}]},
      {"id": "T06", "type": "atomic", "description": "Suggestions", "status": "${T06}", "checklist": [{"item": "Add suggest() to src/search.py"}]},
      {"id": "T07", "type": "atomic", "description": "Ranking", "status": "${T07}", "checklist": [{"item": "Add rank() to src/search.py"}]},
      {"id": "T08", "type": "atomic", "description": "Filters", "status": "${T08}", "checklist": [{"item": "Add filter_by() to src/search.py"}]},
      {"id": "T09", "type": "atomic", "description": "Pages", "status": "${T09}", "checklist": [{"item": "Add page() to src/search.py"}]}]},
    {"id": "S04", "type": "parent", "description": "Tell", "status": "${S04}", "children": [
      {"id": "T10", "type": "atomic", "description": "Mail", "status": "${T10}", "checklist": [{"item": "Add send() to src/mail.py"}, {"item": "Add a queue to src/mail.py", "required": false}]}]}]}]}
`

// server is a Server over worlds, reached as a client reaches it.
type server struct {
	*Server
	URL string
	t   *testing.T
}

// serve serves worlds on loopback; change may change what New is told.
func serve(t *testing.T, change func(*Options), worlds ...*world) *server {
	t.Helper()
	web := httptest.NewUnstartedServer(nil)
	o := Options{Token: testToken, IsLoopback: true, Hosts: []string{web.Listener.Addr().String()}}
	for _, w := range worlds {
		r, err := OpenRepository(t.Context(), w.dir, w.env())
		if err != nil {
			t.Fatal(err)
		}
		o.Repos = append(o.Repos, r)
	}
	Distinguish(o.Repos)
	if len(worlds) > 0 {
		o.Scores = RepositoryScores(o.Repos, "Olga Operator", nil)
		o.Scores.Time = testNow
	}
	if change != nil {
		change(&o)
	}
	s := New(o)
	ctx, cancel := context.WithCancel(context.Background())
	go s.watch(ctx)
	web.Config.Handler = s.Handler()
	web.Start()
	t.Cleanup(func() { s.broadcast.close(); web.Close(); cancel() })
	return &server{s, web.URL, t}
}

// request is a request to the server; headers are pairs of name and value, "Host" among them.
func (s *server) request(method, path, body string, headers ...string) *http.Response {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		if r.Header.Add(headers[i], headers[i+1]); headers[i] == "Host" {
			r.Host = headers[i+1]
		}
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = answer.Body.Close() })
	return answer
}

// signIn is the cookie of a browser that has signed in, as a Cookie header.
func (s *server) signIn() string {
	s.t.Helper()
	answer := s.request("POST", "/signin", url.Values{"token": {testToken}}.Encode(), "Content-Type", "application/x-www-form-urlencoded")
	for _, c := range answer.Cookies() {
		return c.Name + "=" + c.Value
	}
	s.t.Fatalf("no cookie was set: %s", answer.Status)
	return ""
}
