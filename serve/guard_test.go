package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

const (
	upvote = `{"vote": "up", "actor": "executor-01"}`
	bearer = "Bearer " + testToken
	isJSON = "application/json"
)

func TestWritesNeedTheToken(t *testing.T) {
	s := serve(t, nil, story(t))
	cookie := s.signIn()
	for name, c := range map[string]struct {
		headers []string
		code    int
	}{
		"nothing":              {nil, 401},
		"bearer":               {[]string{"Authorization", bearer}, 200},
		"bearer, small":        {[]string{"Authorization", "bearer " + testToken}, 200},
		"wrong bearer":         {[]string{"Authorization", "Bearer " + testToken + "x"}, 401},
		"empty bearer":         {[]string{"Authorization", "Bearer "}, 401},
		"basic":                {[]string{"Authorization", "Basic " + testToken}, 401},
		"cookie":               {[]string{"Cookie", cookie}, 200},
		"cookie, elsewhere":    {[]string{"Cookie", cookie, "Origin", "http://evil.example"}, 403},
		"cookie, no origin":    {[]string{"Cookie", cookie, "Origin", "null"}, 403},
		"a made-up cookie":     {[]string{"Cookie", "acta_session=" + strings.Repeat("0", 64)}, 401},
		"an empty cookie":      {[]string{"Cookie", "acta_session="}, 401},
		"bearer of own origin": {[]string{"Authorization", bearer, "Origin", s.URL}, 200},
		"the token in the URL": {[]string{"X-Forwarded-Authorization", bearer}, 401},
	} {
		answer := s.request("POST", "/api/score/feedback?token="+testToken, upvote, append(c.headers, "Content-Type", isJSON)...)
		if answer.StatusCode != c.code {
			t.Errorf("%s: %s, expected %d", name, answer.Status, c.code)
		}
	}
}

func TestSigningIn(t *testing.T) {
	s := serve(t, nil, newWorld(t, "empty"))
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	if answer := s.request("POST", "/signin", "token=wrong", form...); answer.StatusCode != 401 || len(answer.Cookies()) != 0 {
		t.Errorf("a wrong token: %s, cookies %v", answer.Status, answer.Cookies())
	}
	answer := s.request("POST", "/signin", "token="+testToken, form...)
	cookies := answer.Cookies()
	if answer.StatusCode != 303 || len(cookies) != 1 {
		t.Fatalf("the token: %s, cookies %v", answer.Status, cookies)
	}
	if c := cookies[0]; !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || strings.Contains(c.Value, testToken) {
		t.Errorf("the cookie is %v", c)
	}
	if answer := s.request("POST", "/signin", "token="+testToken, append(form, "Origin", "http://evil.example")...); answer.StatusCode != 403 {
		t.Errorf("from another origin: %s", answer.Status)
	}
}

func TestOriginsAndHosts(t *testing.T) {
	s := serve(t, nil, newWorld(t, "empty"))
	host := strings.TrimPrefix(s.URL, "http://")
	auth := []string{"Authorization", bearer, "Content-Type", isJSON}
	for name, c := range map[string]struct {
		headers []string
		read    int
		refused bool // writes, too
	}{
		"a program":         {nil, 200, false},
		"own origin":        {[]string{"Origin", s.URL}, 200, false},
		"foreign":           {[]string{"Origin", "http://evil.example"}, 403, true},
		"other port":        {[]string{"Origin", "http://127.0.0.1:1"}, 403, true},
		"null":              {[]string{"Origin", "null"}, 403, true},
		"empty":             {[]string{"Origin", ""}, 403, true},
		"no port":           {[]string{"Origin", "http://127.0.0.1"}, 403, true},
		"two":               {[]string{"Origin", s.URL, "Origin", "http://evil.example"}, 403, true},
		"looks alike":       {[]string{"Origin", s.URL + ".evil.example"}, 403, true},
		"user in it":        {[]string{"Origin", "http://" + host + "@evil.example"}, 403, true},
		"same site":         {[]string{"Sec-Fetch-Site", "same-site"}, 403, true},
		"cross site":        {[]string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors"}, 403, true},
		"in a frame":        {[]string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"}, 403, true},
		"a link followed":   {[]string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, 200, true},
		"typed":             {[]string{"Sec-Fetch-Site", "none", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, 200, false},
		"wrong host":        {[]string{"Host", "evil.example"}, 421, true},
		"wrong port":        {[]string{"Host", "127.0.0.1:1"}, 421, true},
		"host without port": {[]string{"Host", "127.0.0.1"}, 421, true},
		"rebound":           {[]string{"Host", "evil.example", "Origin", "http://evil.example"}, 421, true},
	} {
		if answer := s.request("GET", "/api/score", "", c.headers...); answer.StatusCode != c.read {
			t.Errorf("%s reads: %s, expected %d", name, answer.Status, c.read)
		}
		want := 400 // there is no ACT to vote on
		if c.refused {
			want = max(c.read, 403)
		}
		if answer := s.request("POST", "/api/score/feedback", `{"vote": "up"}`, append(auth, c.headers...)...); answer.StatusCode != want {
			t.Errorf("%s writes: %s, expected %d", name, answer.Status, want)
		}
	}
}

// On an address that others reach, everything but the form to sign in needs the token.
func TestNotLoopback(t *testing.T) {
	s := serve(t, func(o *Options) { o.IsLoopback = false }, newWorld(t, "empty"))
	cookie := s.signIn()
	for _, r := range s.routes() {
		method, path, _ := strings.Cut(r.pattern, " ")
		path = strings.NewReplacer("{$}", "", "{id}", "0123456789", "{name}", "style.css").Replace(path)
		if path == "/events" || strings.HasPrefix(path, "/sign") {
			continue
		}
		want := 401
		if strings.HasPrefix(path, "/assets/") {
			want = 200
		}
		if answer := s.request(method, path, ""); answer.StatusCode != want {
			t.Errorf("%s without a token: %s", r.pattern, answer.Status)
		}
		if method != "GET" {
			continue
		}
		for name, header := range map[string][]string{"bearer": {"Authorization", bearer}, "cookie": {"Cookie", cookie}} {
			if answer := s.request(method, path, "", header...); answer.StatusCode == 401 {
				t.Errorf("%s with the %s: %s", r.pattern, name, answer.Status)
			}
		}
	}
	if answer := s.request("GET", "/", "", "Accept", "text/html"); answer.StatusCode != 303 || answer.Header.Get("Location") != "/signin" {
		t.Errorf("a browser gets %s to %s", answer.Status, answer.Header.Get("Location"))
	}
	if answer := s.request("GET", "/nothing", ""); answer.StatusCode != 401 {
		t.Errorf("what is not there: %s", answer.Status)
	}
}

func TestBodies(t *testing.T) {
	s := serve(t, nil, story(t))
	send := func(body string, chunked bool) int {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), "POST", s.URL+"/api/score/feedback", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if chunked {
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(body)), -1
		}
		r.Header.Set("Authorization", bearer)
		r.Header.Set("Content-Type", isJSON)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		return answer.StatusCode
	}
	fits := upvote + strings.Repeat(" ", maxBody-len(upvote))
	for _, chunked := range []bool{false, true} {
		if code := send(fits, chunked); code != 200 {
			t.Errorf("64 KiB, chunked %v: %d", chunked, code)
		}
		if code := send(fits[:1]+" "+fits[1:], chunked); code != 413 {
			t.Errorf("one byte more, chunked %v: %d", chunked, code)
		}
	}
	for body, want := range map[string]int{
		``: 400, `{}`: 400, `{"vote": "sideways"}`: 400, `[]`: 400, `{"vote": "up", "actor": "executor-01"} {}`: 400, `{"vote": "up", "whom": "x"}`: 400,
		`{"vote": "up", "commit": "ffffffffffffffff"}`: 400, `{"vote": "up", "commit": "--all"}`: 400, `{"vote": "up", "commit": "HEAD"}`: 200, `{"vote": "up"}`: 200,
		`{"vote": "up", "commit": "HEAD~2"}`: 200, `{"vote": "up", "commit": "HEAD~2000"}`: 400, `{"vote": "up", "commit": "HEAD:src"}`: 400, `{"vote": "up", "commit": "HEAD~2 --all"}`: 400,
		`{"vote": "up", "actor": "a\u0000b"}`: 400, `{"vote": "up", "actor": "a\nb"}`: 400, `{"vote": "up", "actor": "` + strings.Repeat("x", 257) + `"}`: 400,
	} {
		if code := send(body, false); code != want {
			t.Errorf("%s: %d, expected %d", body, code, want)
		}
	}
	if answer := s.request("POST", "/signin", strings.Repeat("x", maxBody+1), "Content-Type", "application/x-www-form-urlencoded"); answer.StatusCode != 413 {
		t.Errorf("a form that is too long: %s", answer.Status)
	}
	if answer := s.request("POST", "/api/score/feedback", upvote, "Authorization", bearer, "Content-Type", "text/plain"); answer.StatusCode != 415 {
		t.Errorf("text/plain: %s", answer.Status)
	}
	for _, headers := range [][]string{{"Authorization", bearer}, {"Authorization", bearer, "Content-Type", "application/x-www-form-urlencoded"}} {
		if answer := s.request("POST", "/api/score/feedback", upvote, headers...); answer.StatusCode != 200 {
			t.Errorf("JSON that does not say so, %q: %s", headers[2:], answer.Status)
		}
	}
}

func TestRateLimit(t *testing.T) {
	s := serve(t, nil, newWorld(t, "empty"))
	limited := 0
	for range 3 * guessBurst {
		answer := s.request("POST", "/signin", "token=guess", "Content-Type", "application/x-www-form-urlencoded")
		switch answer.StatusCode {
		case 401:
		case 429:
			limited++
			if answer.Header.Get("Retry-After") == "" {
				t.Fatal("429 without Retry-After")
			}
		default:
			t.Fatal(answer.Status)
		}
	}
	if limited == 0 {
		t.Error("a client may guess without end")
	}
	if answer := s.request("GET", "/api/score", ""); answer.StatusCode != 200 {
		t.Errorf("reading is limited with it: %s", answer.Status)
	}
}

// Who has guessed too often is refused with the right token too.
func TestGuessesEnd(t *testing.T) {
	s := serve(t, nil, story(t))
	s.guard.guesses = newLimits(0.001, 3)
	vote := func(token string) int {
		return s.request("POST", "/api/score/feedback", upvote, "Authorization", "Bearer "+token, "Content-Type", isJSON).StatusCode
	}
	for i, c := range []struct {
		token string
		code  int
	}{{testToken, 200}, {"a", 401}, {"b", 401}, {testToken, 200}, {testToken, 200}, {"c", 401}, {"d", 429}, {testToken, 429}} {
		if code := vote(c.token); code != c.code {
			t.Errorf("request %d, with %q: %d, expected %d", i+1, c.token, code, c.code)
		}
	}
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	if answer := s.request("POST", "/signin", "token="+testToken, form...); answer.StatusCode != 429 {
		t.Errorf("signing in with the right one: %s", answer.Status)
	}
}

// A writer that waits for its answers gets them all, however fast it writes.
func TestWritesWaitForTheirTurn(t *testing.T) {
	s := serve(t, nil, story(t))
	s.guard.writes = newLimits(60, 1)
	for i := range 12 {
		if answer := s.request("POST", "/api/score/feedback", upvote, "Authorization", bearer, "Content-Type", isJSON); answer.StatusCode != 200 {
			t.Errorf("write %d: %s", i+1, answer.Status)
		}
	}
}

// What would wait too long is refused, and what is refused has changed nothing.
func TestFloodOfWrites(t *testing.T) {
	s := serve(t, nil, story(t))
	s.guard.writes, s.guard.wait = newLimits(0.001, 3), 0
	const writes = 10
	codes := make(chan int, writes)
	for range writes {
		go func() {
			codes <- s.request("POST", "/api/score/feedback", upvote, "Authorization", bearer, "Content-Type", isJSON).StatusCode
		}()
	}
	count := map[int]int{}
	for range writes {
		count[<-codes]++
	}
	if count[200] != 3 || count[429] != writes-3 {
		t.Errorf("the answers are %v", count)
	}
	s.guard.writes = newLimits(writeRate, writeBurst)
	var said voteResult
	answer := s.request("POST", "/api/score/feedback", upvote, "Authorization", bearer, "Content-Type", isJSON)
	if err := json.NewDecoder(answer.Body).Decode(&said); err != nil || said.Score == nil || *said.Score != 50+4*3 {
		t.Errorf("%s %v %+v", answer.Status, err, said)
	}
}

func TestLimitsWait(t *testing.T) {
	l := newLimits(0.01, 1)
	gone, stop := context.WithCancel(t.Context())
	stop()
	if !l.wait(t.Context(), "a", time.Second) {
		t.Error("the first has to wait")
	}
	if l.wait(t.Context(), "a", time.Minute) {
		t.Error("one waits longer than the most")
	}
	if l.wait(gone, "a", time.Hour) {
		t.Error("one whose client has gone goes on")
	}
	if n := l.client("a").Tokens(); n < -0.01 {
		t.Errorf("those that did not go on have cost turns: %v are left", n)
	}
	if !l.wait(t.Context(), "b", time.Second) {
		t.Error("clients wait for each other")
	}
}

func TestLimitsForget(t *testing.T) {
	l := newLimits(guessRate, 1)
	for i := range 2*maxClients + 5 {
		if !l.allow(fmt.Sprint(i)) {
			t.Fatalf("client %d is refused its first request", i)
		}
	}
	if len(l.clients) > maxClients {
		t.Errorf("%d clients are remembered", len(l.clients))
	}
	if l.allow(fmt.Sprint(2*maxClients + 4)) {
		t.Error("a second request at once is let through")
	}
}

func TestHeadersOfEveryAnswer(t *testing.T) {
	s := serve(t, nil, newWorld(t, "empty"))
	for _, path := range []string{"/", "/api/score", "/assets/style.css", "/nothing", "/signin"} {
		for _, host := range []string{"", "evil.example"} {
			var headers []string
			if host != "" {
				headers = []string{"Host", host}
			}
			h := s.request("GET", path, "", headers...).Header
			policy := h.Get("Content-Security-Policy")
			for _, part := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"} {
				if !strings.Contains(policy, part) {
					t.Errorf("%s: the policy lacks %s", path, part)
				}
			}
			if strings.Contains(policy, "unsafe") || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Cross-Origin-Resource-Policy") != "same-origin" {
				t.Errorf("%s: %v", path, h)
			}
			if h.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s is open to other origins", path)
			}
		}
	}
	page, _ := io.ReadAll(s.request("GET", "/", "").Body)
	for _, never := range []string{"<script>", " style=", " onclick=", "http://", "https://", "javascript:"} {
		if strings.Contains(string(page), never) {
			t.Errorf("the page holds %q", never)
		}
	}
}

// Of many votes at once none is lost, and each is told the score after its own.
func TestVotesAtOnce(t *testing.T) {
	s := serve(t, nil, story(t))
	const votes = 20
	scores := make(chan int, votes)
	for range votes {
		go func() {
			var said voteResult
			answer := s.request("POST", "/api/score/feedback", upvote, "Authorization", bearer, "Content-Type", isJSON)
			if err := json.NewDecoder(answer.Body).Decode(&said); err != nil || said.Score == nil || said.Delta != 3 {
				t.Errorf("%s %v %+v", answer.Status, err, said)
				scores <- 0
				return
			}
			scores <- *said.Score
		}()
	}
	told := map[int]bool{}
	for range votes {
		told[<-scores] = true
	}
	for n := 1; n <= votes; n++ {
		if !told[50+3*n] {
			t.Errorf("nobody was told %d", 50+3*n)
		}
	}
}
