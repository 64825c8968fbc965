package serve

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"github.com/acta-git/acta/record/ledger"
	"github.com/acta-git/acta/report"
)

// description is openapi.json as it is served, valid, and what finds its routes.
func description(t *testing.T, s *server) (*openapi3.T, routers.Router) {
	t.Helper()
	served, err := io.ReadAll(s.request("GET", "/openapi.json", "").Body)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(served)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	return doc, router
}

// Every route of the API is described, and nothing is that is not there.
func TestEveryRouteIsDescribed(t *testing.T) {
	s := serve(t, nil, newWorld(t, "empty"))
	doc, _ := description(t, s)
	var described, served []string
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			described = append(described, method+" "+path)
		}
	}
	for _, r := range s.routes() {
		if r.isDocumented {
			served = append(served, r.pattern)
		} else if strings.Contains(r.pattern, "/api/") {
			t.Errorf("%s is not documented", r.pattern)
		}
	}
	slices.Sort(described)
	slices.Sort(served)
	if len(served) < 9 || !slices.Equal(described, served) {
		t.Errorf("described: %v\nserved:    %v", described, served)
	}
	if doc.Info.Version != report.Release {
		t.Errorf("the document is of release %s", doc.Info.Version)
	}
}

// Every answer is as it is described, those that are none included, and every
// description of an answer is tried.
func TestAnswersAreAsDescribed(t *testing.T) {
	full, empty := story(t), newWorld(t, "empty")
	s := serve(t, nil, full, empty)
	alone := serve(t, nil, newWorld(t, "alone"))
	remote := serve(t, func(o *Options) { o.IsLoopback = false }, newWorld(t, "remote"))
	_, router := description(t, s)
	auth := []string{"Authorization", bearer, "Content-Type", isJSON}
	tried := map[string]bool{}
	for _, c := range []struct {
		s            *server
		method, path string
		body         string
		headers      []string
		code         int
	}{
		{s, "GET", "/api/score", "", nil, 200}, {alone, "GET", "/api/score", "", nil, 200},
		{s, "GET", "/api/score?repo=shop", "", nil, 200}, {s, "GET", "/api/score/history?repo=x", "", nil, 404},
		{s, "GET", "/api/score/repositories", "", nil, 200},
		{alone, "GET", "/api/score/repositories", "", nil, 200}, {s, "GET", "/api/score/history", "", nil, 200}, {alone, "GET", "/api/score/history", "", nil, 200},
		{s, "POST", "/api/score/feedback", upvote, auth, 200}, {s, "POST", "/api/score/feedback", `{"vote": "down"}`, auth, 200},
		{s, "POST", "/api/score/feedback", `{"vote": "up", "commit": "HEAD"}`, auth, 200},
		{s, "POST", "/api/score/feedback", `{"vote": "x"}`, auth, 400}, {alone, "POST", "/api/score/feedback", `{"vote": "up"}`, auth, 400},
		{s, "POST", "/api/score/feedback", upvote, []string{"Content-Type", isJSON}, 401},
		{s, "POST", "/api/score/feedback", upvote, append([]string{"Origin", "null"}, auth...), 403},
		{s, "POST", "/api/score/feedback", strings.Repeat(" ", maxBody+1), auth, 413}, {s, "POST", "/api/score/feedback", upvote, []string{"Authorization", bearer, "Content-Type", "text/html"}, 415},
		{s, "POST", "/api/reports", resultOf(full), auth, 200}, {s, "POST", "/api/reports", resultOf(nil), auth, 409}, {s, "POST", "/api/reports", `{}`, auth, 400}, {s, "POST", "/api/reports", `{`, auth, 400},
		{s, "POST", "/api/reports", resultOf(full), []string{"Content-Type", isJSON}, 401}, {s, "POST", "/api/reports", resultOf(full), append([]string{"Origin", "null"}, auth...), 403},
		{s, "POST", "/api/reports", strings.Repeat(" ", maxBody+1), auth, 413}, {s, "POST", "/api/reports", resultOf(full), append([]string{"Content-Encoding", "br"}, auth...), 415},
		{s, "GET", "/api/worklog", "", nil, 200}, {s, "GET", "/api/worklog?limit=1", "", nil, 200}, {s, "GET", "/api/worklog?limit=0", "", nil, 400},
		{s, "GET", "/api/worklog?repo=shop", "", nil, 200}, {s, "GET", "/api/worklog?repo=nothing", "", nil, 404}, {alone, "GET", "/api/worklog", "", nil, 200},
		{s, "GET", "/api/plan", "", nil, 200}, {s, "GET", "/api/plan?repo=shop&repo=empty", "", nil, 200}, {s, "GET", "/api/plan?repo=x", "", nil, 404},
		{s, "GET", "/api/claims", "", nil, 200}, {s, "GET", "/api/claims?repo=shop", "", nil, 200}, {s, "GET", "/api/claims?repo=x", "", nil, 404}, {alone, "GET", "/api/claims", "", nil, 200},
		{s, "GET", "/healthz", "", nil, 200}, {s, "GET", "/openapi.json", "", nil, 200},
		{remote, "GET", "/api/score", "", nil, 401}, {remote, "GET", "/healthz", "", nil, 401}, {remote, "GET", "/api/claims", "", []string{"Authorization", bearer}, 200},
		{s, "GET", "/api/claims", "", []string{"Origin", "http://evil.example"}, 403}, {s, "GET", "/api/plan", "", []string{"Host", "evil.example"}, 421},
	} {
		answer := c.s.request(c.method, c.path, c.body, c.headers...)
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		if answer.StatusCode != c.code {
			t.Errorf("%s %s: %s, expected %d\n%s", c.method, c.path, answer.Status, c.code, body)
			continue
		}
		r, err := http.NewRequestWithContext(t.Context(), c.method, c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		route, params, err := router.FindRoute(r)
		if err != nil {
			t.Fatalf("%s %s: %v", c.method, c.path, err)
		}
		input := &openapi3filter.ResponseValidationInput{
			RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route},
			Status:                 answer.StatusCode, Header: answer.Header, Body: io.NopCloser(bytes.NewReader(body)),
			Options: &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true},
		}
		if err := openapi3filter.ValidateResponse(t.Context(), input); err != nil {
			t.Errorf("%s %s: %v\n%.400s", c.method, c.path, err, body)
		}
		if c.code == 200 {
			tried[c.method+" "+route.Path] = true
		}
	}
	for _, r := range s.routes() {
		if r.isDocumented && !tried[r.pattern] {
			t.Errorf("no answer of %s was tried", r.pattern)
		}
	}
}

func get[T any](t *testing.T, s *server, path string) (v T) {
	t.Helper()
	answer := s.request("GET", path, "")
	if answer.StatusCode != 200 {
		t.Fatalf("%s: %s", path, answer.Status)
	}
	if err := json.NewDecoder(answer.Body).Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestScoreAnswers(t *testing.T) {
	w := story(t)
	s := serve(t, nil, w)
	all := get[allScores](t, s, "/api/score")
	if all.Total.Actor != "" || len(all.Actors) != 3 || all.Actors[0].Actor != "executor-01" || *all.Actors[0].Score != 50 {
		t.Errorf("%+v", all)
	}
	past := get[scoreHistory](t, s, "/api/score/history")
	if len(past.Total) != 8 || past.Total[7].Date != "2026-01-26" || past.Total[0].Date != "2026-01-19" || len(past.Actors) != 3 || len(past.Actors[0].Days) != 8 {
		t.Errorf("%+v", past)
	}
	if none := get[allScores](t, serve(t, nil, newWorld(t, "empty")), "/api/score"); none.Total.Score != nil || len(none.Actors) != 0 {
		t.Errorf("no history is no score: %+v", none)
	}
	// A vote on a commit is kept where other machines find it.
	commit := w.git(nil, "rev-parse", "HEAD")
	answer := s.request("POST", "/api/score/feedback", `{"vote": "down", "commit": "`+commit[:12]+`"}`, "Authorization", bearer, "Content-Type", isJSON)
	var said voteResult
	if err := json.NewDecoder(answer.Body).Decode(&said); err != nil || said.Delta != -10 || *said.Score != -55 || said.Actor != "executor-03" {
		t.Errorf("%s %v %+v", answer.Status, err, said)
	}
	if note := w.git(nil, "notes", "--ref", "acta-feedback", "show", commit); !strings.Contains(note, `"Olga Operator"`) {
		t.Errorf("the note says %s", note)
	}
	if now := get[allScores](t, s, "/api/score").Actors[2]; *now.Score != -55 {
		t.Errorf("after the vote: %d", *now.Score)
	}
}

// What has landed is there when it is asked for, whatever keeps the refs.
func TestAnswersAreOfNow(t *testing.T) {
	w := story(t)
	s := serve(t, nil, w)
	before := get[allScores](t, s, "/api/score").Actors[1]
	for i, pack := range []bool{false, true, false} {
		if pack {
			w.git(nil, "pack-refs", "--all")
		}
		name := "more" + strings.Repeat("x", i)
		w.write("src/"+name+".py", function(name+"(n)", "m = n * "+strings.Repeat("2", i+1), "return m - n"))
		w.commit("executor-02", "2026-01-26T18:0"+string(rune('0'+i)), "ACT: M02/S03/T06 "+name+"\n\nDone: Add "+name+"() to src/"+name+".py | src/"+name+".py:1-3\nActor: executor-02\n")
		if now := get[allScores](t, s, "/api/score").Actors[1]; *now.Score != *before.Score+5*(i+1) {
			t.Errorf("commit %d: %d, expected %d", i, *now.Score, *before.Score+5*(i+1))
		}
	}
	if log, err := io.ReadAll(s.request("GET", "/api/worklog", "").Body); err != nil || !strings.Contains(string(log), "morexx") {
		t.Error("the worklog does not tell of it", err)
	}
}

func TestSeveralRepositories(t *testing.T) {
	shop, bank := story(t), newWorld(t, "shop")
	bank.write("src/bank.py", function("pay(x)", "return x.pay()"))
	bank.commit("executor-09", "2026-01-26T10:00", "ACT: B01 pay\n\nDone: Add pay() to src/bank.py | src/bank.py:1-2\nActor: executor-09\n")
	s := serve(t, nil, shop, bank, newWorld(t, "empty"))
	names := get[health](t, s, "/healthz").Repos
	if len(names) != 3 || names[0] == names[1] || !strings.HasSuffix(names[0], "/shop") || names[2] != "empty" {
		t.Fatalf("they are called %v", names)
	}
	if all := get[allScores](t, s, "/api/score"); len(all.Actors) != 4 || *all.Total.Score != 15 {
		t.Errorf("the score of all: %+v", all)
	}
	if one := get[allScores](t, s, "/api/score?repo="+url.QueryEscape(names[1])); len(one.Actors) != 1 || *one.Total.Score != 10 {
		t.Errorf("the score of one: %+v", one)
	}
	if two := get[scoreHistory](t, s, "/api/score/history?repo=empty&repo="+url.QueryEscape(names[1])); len(two.Actors) != 1 || *two.Total[7].Score != 10 {
		t.Errorf("the score of two: %+v", two)
	}
	ofRepos := get[[]ledger.RepositoryDays](t, s, "/api/score/repositories")
	if len(ofRepos) != 2 || ofRepos[1].Repository != names[1] || ofRepos[1].Days[0].Points != 10 {
		t.Errorf("the repositories: %+v", ofRepos)
	}
	if page := s.page("/"); !strings.Contains(page, `<a href="/?repo=`+url.QueryEscape(names[1])+`">`+names[1]+`</a></th><td>10</td><td>1</td><td>0</td><td>0</td>`) {
		t.Error("the page does not list the repositories")
	}
	for _, name := range names {
		list := get[struct{ Sessions []struct{ Repo string } }](t, s, "/api/worklog?repo="+url.QueryEscape(name))
		for _, one := range list.Sessions {
			if one.Repo != name {
				t.Errorf("asked for %s, got a session of %s", name, one.Repo)
			}
		}
	}
	plans := get[struct {
		Plans []struct {
			Repo string
			Plan *struct{ ID string }
		}
	}](t, s, "/api/plan")
	if len(plans.Plans) != 3 || plans.Plans[0].Plan == nil || plans.Plans[1].Plan != nil {
		t.Errorf("%+v", plans)
	}
	// A vote about a commit goes to the repository that has it.
	commit := bank.git(nil, "rev-parse", "HEAD")
	if answer := s.request("POST", "/api/score/feedback", `{"vote": "up", "commit": "`+commit+`"}`, "Authorization", bearer, "Content-Type", isJSON); answer.StatusCode != 200 {
		t.Error(answer.Status)
	}
	if note := bank.git(nil, "notes", "--ref", "acta-feedback", "show", commit); !strings.Contains(note, "executor-09") {
		t.Error(note)
	}
	for _, path := range []string{"/claim?commit=" + commit + "&unit=B01&item=Add+pay()+to+src/bank.py", "/commit/" + commit} {
		if answer := s.request("GET", path, ""); answer.StatusCode != 400 {
			t.Errorf("%s of no repository: %s", path, answer.Status)
		}
		sep := "?"
		if strings.Contains(path, "?") {
			sep = "&"
		}
		if answer := s.request("GET", path+sep+"repo="+url.QueryEscape(names[1]), ""); answer.StatusCode != 200 {
			t.Errorf("%s: %s", path, answer.Status)
		}
	}
}

// A repository that is gone is unavailable, and the rest goes on.
func TestUnavailable(t *testing.T) {
	w := newWorld(t, "empty")
	s := serve(t, nil, w)
	w.git(nil, "config", "core.bare", "false")
	if err := renameAway(w); err != nil {
		t.Fatal(err)
	}
	if answer := s.request("GET", "/healthz", ""); answer.StatusCode != 503 {
		t.Error(answer.Status)
	}
	if answer := s.request("GET", "/", ""); answer.StatusCode != 200 {
		t.Errorf("the page: %s", answer.Status)
	}
}

func TestWhatIsNotThere(t *testing.T) {
	s := serve(t, nil, newWorld(t, "empty"))
	for _, c := range []struct {
		method, path string
		code         int
		allow        string
	}{
		{"GET", "/api/nothing", 404, ""}, {"GET", "/api/score/", 404, ""}, {"GET", "/api/score/feedback", 404, ""}, {"DELETE", "/api/score", 404, ""},
	} {
		answer := s.request(c.method, c.path, "")
		var p problem
		err := json.NewDecoder(answer.Body).Decode(&p)
		if err != nil || answer.StatusCode != c.code || answer.Header.Get("Allow") != c.allow || p.Message == "" || p.Hint == "" {
			t.Errorf("%s %s: %s, allowed %q, %+v, %v", c.method, c.path, answer.Status, answer.Header.Get("Allow"), p, err)
		}
	}
}
