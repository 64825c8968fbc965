package serve

import (
	"bufio"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/acta-git/acta/judge"
)

func renameAway(w *world) error { return os.Rename(w.dir, w.dir+".gone") }

func (s *server) page(path string) string {
	s.t.Helper()
	answer := s.request("GET", path, "")
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != 200 {
		s.t.Fatalf("%s: %s %v\n%.300s", path, answer.Status, err, body)
	}
	return string(body)
}

// What the page shows is read before anybody asks: it is drawn although the objects have gone meanwhile.
func TestThePageIsReadBeforeItIsAskedFor(t *testing.T) {
	w := story(t)
	s := serve(t, nil, w)
	s.warm(t.Context())
	objects := filepath.Join(w.dir, ".git", "objects")
	if err := os.Rename(objects, objects+".gone"); err != nil {
		t.Fatal(err)
	}
	page := s.page("/")
	for _, part := range []string{"password login", "executor-01", "src/auth.py"} {
		if !strings.Contains(page, part) {
			t.Errorf("the page does not show %q", part)
		}
	}
	if i := strings.Index(page, "cannot be read"); i >= 0 {
		t.Errorf("the page says %.200s", page[i-100:])
	}
}

// What commits, files and plans say is text, never a part of the page.
func TestHostileTexts(t *testing.T) {
	const evil = `<script>alert(1)</script><img src=x onerror=alert(2)>"'&` + "\u202epy.ko\u2066"
	w := newWorld(t, "evil")
	w.write("working_plan/current.json", `{"id": "root", "type": "root", "description": "<b>plan</b>", "status": "in_progress", "children": [{"id": "T01", "type": "atomic", "description": "<script>alert(3)</script>", "status": "in_progress", "paths": ["<u>why</u>/**", "src"], "checklist": [{"item": "Add <img src=x> run()"}]}]}`)
	w.write("src/<b>.py", function("run(x)", `y = "</code></td><script>alert(4)</script>`+"\u202e"+`evil"`, "return x + y")+"# <!-- <script> --> "+"\x1b[31m\n")
	w.commit("<i>mallory</i>", "2026-01-26T10:00", "ACT: T01 "+evil+"\n\n</pre><script>alert(5)</script>\n\nDone: Add <img src=x> run() | src/<b>.py:1-3\nActor: <i>mallory</i>\nReason: <u>why</u>\n")
	commit := w.git(nil, "rev-parse", "HEAD")
	s := serve(t, nil, w)
	claim := "/claim?" + url.Values{"commit": {commit}, "unit": {"T01"}, "item": {"Add <img src=x> run()"}}.Encode()
	pages := map[string]string{"/": s.page("/"), claim: s.page(claim), "/commit/" + commit: s.page("/commit/" + commit), "report": reportOf(t, w, judge.LandedRange{Head: "HEAD"})}
	for path, page := range pages {
		if n := strings.Count(page, "<script"); path != "report" && n != 3 || path == "report" && n != 1 {
			t.Errorf("%s has %d scripts", path, n)
		}
		for _, never := range []string{"<img", "<i>mallory", "<b>plan", "<u>why", "\x1b", "\u202e", "\u2066"} {
			if strings.Contains(page, never) {
				t.Errorf("%s holds %q", path, never)
			}
		}
	}
	if !strings.Contains(html.UnescapeString(pages[claim]), "<script>alert(4)</script>⟨U+202E⟩evil") {
		t.Errorf("the code is not shown as it is:\n%s", pages[claim])
	}
	if !strings.Contains(html.UnescapeString(pages["/"]), "in <u>why</u>/**, src") {
		t.Error("the paths of T01 are not shown as they are")
	}
	if !strings.Contains(html.UnescapeString(pages["/commit/"+commit]), "</pre><script>alert(5)</script>") {
		t.Error("the message is not shown as it is")
	}
}

func TestCommitPage(t *testing.T) {
	w := story(t)
	page := serve(t, nil, w).page("/commit/" + w.git(nil, "rev-parse", "HEAD"))
	for _, part := range []string{"<code>src/mail.py</code>", "ACT: M02/S04/T10 mail", "contradiction", "Skipped: Add a queue", "executor-03"} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %s", part)
		}
	}
}

func TestClaimPage(t *testing.T) {
	w := story(t)
	s := serve(t, nil, w)
	log := s.page("/")
	_, rest, ok := strings.Cut(log, `<span class="claim-item">Add total() to src/cart.py</span> <a class="span" href="`)
	if !ok {
		t.Fatal("the time line has no link to the span")
	}
	href, _, _ := strings.Cut(rest, `"`)
	page := s.page(html.UnescapeString(href))
	for _, part := range []string{"Cited code", "Code today", `data-state="hollowed"`, "src/cart.py:6-7", "total is a stub now"} {
		if !strings.Contains(page, part) {
			t.Errorf("the claim's page lacks %s", part)
		}
	}
	if n := strings.Count(page, `class="cited"`); n != 4 {
		t.Errorf("%d lines are marked, expected 2 of then and 2 of now", n)
	}
	for path, code := range map[string]int{
		"/claim": 400, "/claim?commit=HEAD": 400, "/claim?commit=--all&unit=x&item=y": 400, "/claim?commit=ffffffff&unit=x&item=y": 404,
		"/claim?commit=" + w.git(nil, "rev-parse", "HEAD") + "&unit=x&item=y": 404, "/commit/HEAD": 400, "/commit/ffffffff": 404, "/?repo=x": 404, "/assets/nothing.js": 404, "/assets/..%2fserver.go": 404,
	} {
		if answer := s.request("GET", path, ""); answer.StatusCode != code {
			t.Errorf("%s: %s, expected %d", path, answer.Status, code)
		}
	}
}

// What cannot be shown is said, and is no error.
func TestCodeThatCannotBeShown(t *testing.T) {
	w := newWorld(t, "odd")
	w.write("data.bin", "a\x00b\n")
	w.write("long.txt", strings.Repeat("x", 3*maxWide)+"\n"+strings.Repeat("line\n", 3000))
	w.write("huge.txt", strings.Repeat("0123456789abcde\n", maxBytes/16+1))
	w.commit("executor-01", "2026-01-26T10:00", "ACT: T01 odd\n\nDone: Add data.bin | data.bin\nDone: Add long.txt | long.txt:1-3001\nDone: Add huge.txt | huge.txt:1-2\n"+
		"Done: Add nothing.txt | nothing.txt:1-2\nDone: Fall off the end of long.txt | long.txt:9000-9001\nDone: Say it | no place at all\nActor: executor-01\n")
	commit := w.git(nil, "rev-parse", "HEAD")
	s := serve(t, nil, w)
	for item, want := range map[string]string{
		"Add data.bin": "binary", "Add long.txt": "Only the beginning", "Add huge.txt": "too large", "Add nothing.txt": "not there", "Fall off the end of long.txt": "has 3001 lines",
	} {
		page := s.page("/claim?" + url.Values{"commit": {commit}, "unit": {"T01"}, "item": {item}}.Encode())
		if !strings.Contains(page, want) {
			t.Errorf("%s: the page does not say %q", item, want)
		}
		if len(page) > 200_000 {
			t.Errorf("%s: the page has %d bytes", item, len(page))
		}
	}
}

// Beside today's score stands what all days add up to, and beside a unit its risk, a high one in the colour of what is bad.
func TestBrowserLifetimeAndRisk(t *testing.T) {
	w := story(t)
	risky := strings.NewReplacer(`"id": "M01"`, `"id": "M01", "risk": "low"`, `"id": "T04"`, `"id": "T04", "risk": "high"`)
	w.write("working_plan/current.json", risky.Replace(w.git(nil, "show", "HEAD:working_plan/current.json")))
	w.commit("navigator", "2026-01-26T16:00", "Tell what is risky")
	b := newTab(t, "light", desk)
	b.open(serve(t, nil, w).URL)
	lifetime := ask[string](b, `[...document.querySelectorAll("#today dt")].find(e => e.textContent === "Lifetime").nextElementSibling.textContent`)
	points := ask[int](b, `[...document.querySelectorAll("#chart-table [data-score]")].reduce((sum, e) => sum + Number(e.dataset.score), 0)`)
	if want := "25 12 verified, 2 not, 2 contradictions"; lifetime != want || points != 25 {
		t.Errorf("the lifetime is %q, expected %q; its days have %d points", lifetime, want, points)
	}
	b.run(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("#plan details").forEach(d => d.open = true)`))
	heads := ask[[]string](b, `[...document.querySelectorAll("#plan .unit-id")].map(e => e.parentElement).flatMap(e =>
		[...e.children].filter(c => c.innerText.endsWith("risk")).map(c => e.querySelector(".unit-id").innerText + " " + c.innerText + " " + getComputedStyle(c).color))`)
	want := []string{"M01 low risk rgb(98, 93, 84)", "T04 high risk rgb(180, 35, 24)"}
	if !slices.Equal(heads, want) {
		t.Errorf("the plan shows %q, expected %q", heads, want)
	}
}

// Items of one commit that differ in case alone are two: each has its own claim in the plan, on its page, and in what became of it.
func TestItemsThatDifferInCase(t *testing.T) {
	w := newWorld(t, "case")
	w.write("working_plan/current.json", `{"id": "R", "type": "parent", "description": "r", "status": "in_progress", "children": [{"id": "T01", "type": "atomic",
		"description": "both", "status": "in_progress", "checklist": [{"item": "Add Get() to a.py"}, {"item": "Add get() to a.py"}]}]}`)
	w.write("a.py", function("Get(x)", "return x.all[0]")+function("get(x)", "pass"))
	commit := w.commit("executor-01", "2026-01-26T10:00", "ACT: T01 both\n\nDone: Add Get() to a.py | a.py:1-2\nDone: Add get() to a.py | a.py:3-4\nActor: executor-01\n")
	s := serve(t, nil, w)
	_, tree, _ := strings.Cut(s.page("/"), `<section id="plan"`)
	tree, _, _ = strings.Cut(tree, "</section>")
	first, second, _ := strings.Cut(tree, "Add Get() to a.py")
	if !strings.Contains(first, `data-verdict="verified"`) || strings.Contains(first, `data-verdict="contradiction"`) || !strings.Contains(second, `data-verdict="contradiction"`) {
		t.Errorf("the plan shows\n%s", tree)
	}
	for item, want := range map[string]string{"Add Get() to a.py": "a.py:1-2", "Add get() to a.py": "a.py:3-4"} {
		if page := s.page("/claim?" + url.Values{"commit": {commit}, "unit": {"T01"}, "item": {item}}.Encode()); !strings.Contains(page, want) {
			t.Errorf("the page of %s does not show %s", item, want)
		}
	}
}

// The stream says hello with the mark of what is there, then tells of a commit.
func TestEvents(t *testing.T) {
	w := story(t)
	s := serve(t, nil, w)
	answer := s.request("GET", "/events", "")
	if kind := answer.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Fatal(kind)
	}
	lines := bufio.NewScanner(answer.Body)
	next := func(want string) {
		t.Helper()
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), want) {
				return
			}
		}
		t.Fatalf("the stream ended before it said %q", want)
	}
	next("event: hello")
	w.commit("executor-01", "2026-01-26T18:00", "Say nothing")
	next("event: change")
	next("data: commit")
	// The end of the server ends the stream.
	s.broadcast.close()
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "event:") {
			t.Error(lines.Text())
		}
	}
	if answer := s.request("GET", "/events", ""); answer.StatusCode != http.StatusServiceUnavailable {
		t.Error(answer.Status)
	}
}

func TestNewsIsNotLost(t *testing.T) {
	n := newBroadcast()
	a := n.subscribe("1")
	n.update("1", "commit")
	n.update("2", "commit")
	n.update("3", "commit") // the reader is busy: one is enough
	if <-a != "commit" || len(a) != 0 {
		t.Error("a change was told twice or not at all")
	}
	n.unsubscribe(a)
	b := n.subscribe("7") // what came while nobody listened is in the page
	n.update("7", "commit")
	if len(b) != 0 {
		t.Error("old news is told")
	}
	for range maxListeners - 1 {
		n.subscribe("7")
	}
	if n.subscribe("7") != nil {
		t.Error("there is no end to who may listen")
	}
}

func TestAssets(t *testing.T) {
	s := serve(t, nil, newWorld(t, "empty"))
	answer := s.request("GET", "/assets/page.js", "")
	mark := answer.Header.Get("ETag")
	if answer.StatusCode != 200 || mark == "" || !strings.Contains(answer.Header.Get("Content-Type"), "javascript") {
		t.Errorf("%s %v", answer.Status, answer.Header)
	}
	if again := s.request("GET", "/assets/page.js", "", "If-None-Match", mark); again.StatusCode != http.StatusNotModified {
		t.Error(again.Status)
	}
	if licence := s.page("/assets/uPlot.LICENSE"); !strings.Contains(licence, "MIT") {
		t.Error("the chart library's licence does not lie beside it")
	}
}

// Readers share a page, but not with who has signed in, nor after a vote.
func TestASharedPageIsOfNow(t *testing.T) {
	s := serve(t, nil, story(t))
	before := s.page("/")
	signed, err := io.ReadAll(s.request("GET", "/", "", "Cookie", s.signIn()).Body)
	if err != nil || !strings.Contains(string(signed), "data-vote") || strings.Contains(before, "data-vote") || strings.Contains(s.page("/"), "data-vote") {
		t.Error("who has signed in has a page of their own, and nobody else has it", err)
	}
	if answer := s.request("POST", "/api/score/feedback", upvote, "Authorization", bearer, "Content-Type", isJSON); answer.StatusCode != 200 {
		b, _ := io.ReadAll(answer.Body)
		t.Fatal(answer.Status, string(b))
	}
	if !strings.Contains(before, "<title>5 · Acta") || !strings.Contains(s.page("/"), "<title>8 · Acta") {
		t.Errorf("the page does not tell of the vote:\n%.300s\n%.300s", before, s.page("/"))
	}
}

// A box that was ticked is on the page as a claim of an ACT is: in the worklog, in the plan, and by itself.
func TestThePageShowsPlansInMarkdown(t *testing.T) {
	w := newWorld(t, "boxes")
	w.write(".acta.yaml", "plan: [\"specs/*/tasks.md\"]\n")
	w.write("specs/001/tasks.md", "- [ ] T001 Create src/store.py\n- [ ] T002 Make it nice\n")
	w.write("specs/002/tasks.md", "- [ ] T001 Create src/rows.py\n")
	w.commit("navigator", "2026-01-26T10:00", "Plan")
	w.write("specs/001/tasks.md", "- [x] T001 Create src/store.py\n- [ ] T002 Make it nice\n")
	w.write("src/store.py", function("put(rows, key, row)", "rows[key] = row", "return len(rows)"))
	w.write("specs/002/tasks.md", "- [x] T001 Create src/rows.py\n")
	w.write("src/rows.py", function("first(rows)", "pass"))
	commit := w.commit("executor-01", "2026-01-26T11:00", "Keep rows")
	s := serve(t, nil, w)
	page := html.UnescapeString(s.page("/"))
	for _, part := range []string{
		"1 verified, 1 not, 1 contradiction", "Keep rows", "specs/001/tasks.md", "002.T001", "contradiction",
	} {
		if !strings.Contains(page, part) {
			t.Errorf("the page does not show %q", part)
		}
	}
	if n := strings.Count(page, ">verified<"); n != 2 {
		t.Errorf("the page says %d times of a box that it is verified, want once in the worklog, once in the plan", n)
	}
	claim := s.page("/claim?" + url.Values{"commit": {commit}, "unit": {"specs/001/tasks.md/T001"}, "item": {"Create src/store.py"}}.Encode())
	if !strings.Contains(claim, "rows[key] = row") {
		t.Error("the claim does not show its code")
	}
}
