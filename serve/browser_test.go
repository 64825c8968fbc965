package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/record/ledger"
	"github.com/acta-git/acta/repo/program/peer"
)

// chromium is the browser that the tests drive, started once. Without one they are
// skipped, unless ACTA_REQUIRE=all asks for every peer.
var chromium = sync.OnceValues(func() (context.Context, error) {
	var path string
	var err error
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err = exec.LookPath(name); err == nil {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("disable-features", "Translate,OptimizationHints,MediaRouter"), chromedp.Flag("lang", "en"))
	all, _ := chromedp.NewExecAllocator(context.Background(), options...) // TestMain ends it
	first, _ := chromedp.NewContext(all)
	return first, chromedp.Do(first)
})

func TestMain(m *testing.M) {
	code := m.Run()
	if browserStarted {
		if ctx, err := chromium(); err == nil {
			_ = chromedp.Cancel(ctx)
		}
	}
	os.Exit(code)
}

var browserStarted bool

// tab is a page of a browser of its own. What it asks for and what it complains of is kept.
type tab struct {
	*testing.T
	ctx      context.Context
	mu       sync.Mutex
	asked    []string
	complain []string
	// allowed are complaints that a test provokes.
	allowed []string
	// over says that the test is at its end and its servers close: what a page that is
	// still open asks them then, its icon say, fails and says nothing of the page.
	over bool
}

type size struct{ width, height int64 }

var (
	desk  = size{1280, 900}
	phone = size{360, 740}
)

// newTab opens one. At its end it must have asked only this machine, and complained of nothing.
func newTab(t *testing.T, theme string, s size) *tab {
	t.Helper()
	browser, err := chromium()
	peer.Need(t, "chromium", err)
	browserStarted = true
	b := &tab{T: t}
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext(), chromedp.WithListener(b.hear))
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx, chromedp.Func(func(ctx context.Context, page *chromedp.Target) error {
		media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"}}}
		screen := emulation.SetDeviceMetricsOverrideParams{Width: s.width, Height: s.height, DeviceScaleFactor: 1, Mobile: s == phone}
		_, err1 := cdp.Call(ctx, page, network.Enable, network.EnableParams{})
		_, err2 := cdp.Call(ctx, page, log.Enable, cdp.Empty{})
		_, err3 := cdp.Call(ctx, page, emulation.SetEmulatedMedia, media)
		_, err4 := cdp.Call(ctx, page, emulation.SetDeviceMetricsOverride, screen)
		return errors.Join(err1, err2, err3, err4)
	})); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	t.Cleanup(stop)
	b.ctx = ctx
	t.Cleanup(b.check)
	return b
}

func (b *tab) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over {
		return
	}
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		b.asked = append(b.asked, e.Request.URL)
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			text, _ := json.Marshal(e.Args)
			b.complain = append(b.complain, string(text))
		}
	case *runtime.EventExceptionThrown:
		b.complain = append(b.complain, fmt.Sprint(e.ExceptionDetails.Text, e.ExceptionDetails.Exception))
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			b.complain = append(b.complain, e.Entry.Text+" "+e.Entry.URL)
		}
	}
}

func (b *tab) check() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.asked) == 0 {
		b.Error("the page asked for nothing; the test listens in the wrong place")
	}
	for _, asked := range b.asked {
		u, err := url.Parse(asked)
		if err != nil || u.Scheme != "data" && u.Scheme != "file" && u.Scheme != "about" && u.Hostname() != "127.0.0.1" {
			b.Errorf("the page asked for %s, which is not on this machine", asked)
		}
	}
	for _, text := range b.complain {
		if !slices.ContainsFunc(b.allowed, func(part string) bool { return strings.Contains(text, part) }) {
			b.Errorf("the console says: %s", text)
		}
	}
}

func (b *tab) run(actions ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.Fatal(err)
	}
}

// ask evaluates an expression, a promise included.
func ask[T any](b *tab, expression string) (value T) {
	b.Helper()
	value, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.Fatalf("%v, of %s", err, expression[:min(len(expression), 200)])
	}
	return value
}

// until waits for an expression to be true.
func (b *tab) until(expression string) {
	b.Helper()
	for {
		_, err := chromedp.Run(b.ctx, chromedp.Poll[chromedp.Void](expression, chromedp.WithPollingTimeout(30*time.Second)))
		switch {
		case err == nil:
			return
		case b.ctx.Err() == nil && strings.Contains(err.Error(), "(-32000)"): // the page has gone on to another meanwhile
		default:
			b.Fatalf("%s never came true: %v", expression, err)
		}
	}
}

// open opens a page and waits until it is drawn and hears of news.
func (b *tab) open(url string) {
	b.Helper()
	b.Cleanup(func() { // after the server's own cleanup was registered: before the server closes
		b.mu.Lock()
		defer b.mu.Unlock()
		b.over = true
	})
	b.run(chromedp.Navigate(url))
	b.until(`document.readyState === "complete" && (!document.body?.dataset.live || document.documentElement.dataset.hears === "yes")`)
}

func (b *tab) signIn(s *server) {
	b.Helper()
	b.open(s.URL + "/signin")
	b.run(chromedp.SendKeys(chromedp.CSS("#token"), testToken+kb.Enter))
	b.until(`location.pathname === "/" && !document.querySelector("a[href=\"/signin\"]") && document.documentElement.dataset.hears === "yes"`)
}

// fixed is a store of one actor whose today is given.
type fixed struct{ day ledger.Score }

func (f fixed) Days(context.Context, ledger.Query) ([]ledger.Score, error) {
	d := f.day
	d.Actor = ""
	return []ledger.Score{d}, nil
}
func (f fixed) Leaderboard(ctx context.Context, q ledger.Query) ([]ledger.Score, [][]ledger.Score, error) {
	all, err := f.Days(ctx, q)
	return all, [][]ledger.Score{{f.day}}, err
}
func (f fixed) Points(context.Context, ledger.Query) ([]ledger.Point, error) { return nil, nil }
func (f fixed) AddFeedback(context.Context, ledger.Vote) (ledger.Effect, error) {
	return ledger.Effect{}, nil
}

// The colour of the shield follows the tier, each tier has its own, and the number
// is emerald, or red below nothing.
func TestBrowserPillByTier(t *testing.T) {
	b := newTab(t, "light", desk)
	shields := map[string]string{}
	for _, tier := range []struct {
		name, penalty, reward string
		score, failures       int
		colour, number        string
	}{
		{"lockdown", "lockdown", "none", -45, 3, "rgb(143, 20, 20)", "rgb(180, 35, 24)"},
		{"escalated", "escalated", "none", -5, 1, "rgb(185, 56, 21)", "rgb(180, 35, 24)"},
		{"tightened", "tightened", "none", 5, 0, "rgb(163, 77, 10)", "rgb(4, 120, 87)"},
		{"warning", "warning", "none", 10, 0, "rgb(138, 97, 0)", "rgb(4, 120, 87)"},
		{"normal", "none", "none", 20, 0, "rgb(61, 90, 128)", "rgb(4, 120, 87)"},
		{"good", "none", "good", 30, 0, "rgb(12, 107, 102)", "rgb(4, 120, 87)"},
		{"excellent", "none", "excellent", 40, 0, "rgb(4, 120, 87)", "rgb(4, 120, 87)"},
		{"outstanding", "none", "outstanding", 50, 2, "rgb(91, 63, 160)", "rgb(4, 120, 87)"},
	} {
		day := ledger.Score{Actor: "a", Date: "2026-01-26", Score: &tier.score, Target: 50, Floor: 50, Penalty: tier.penalty, Reward: tier.reward, Interval: 15, NotVerified: tier.failures}
		s := serve(t, func(o *Options) { o.Scores = &Scores{Shared: shared{fixed{day}}} }, newWorld(t, "empty"))
		b.open(s.URL)
		colour := ask[string](b, `getComputedStyle(document.querySelector("#today .shield")).fill`)
		number := ask[string](b, `getComputedStyle(document.querySelector("#today .pill-score")).color`)
		if colour != tier.colour || number != tier.number {
			t.Errorf("%s: the shield is %s, the number %s; expected %s and %s", tier.name, colour, number, tier.colour, tier.number)
		}
		if other := shields[colour]; other != "" {
			t.Errorf("%s has the colour of %s", tier.name, other)
		}
		shields[colour] = tier.name
		failures := ask[string](b, `(e => e ? e.textContent + " " + getComputedStyle(e).color : "")(document.querySelector("#today .pill-failures"))`)
		if want := fmt.Sprintf("%d failed rgb(180, 35, 24)", tier.failures); tier.failures > 0 && failures != want || tier.failures == 0 && failures != "" {
			t.Errorf("%s: failures are shown as %q", tier.name, failures)
		}
	}
	if len(shields) != 8 {
		t.Errorf("%d colours for 8 tiers", len(shields))
	}
}

// A vote by click is kept, and the page shows the new score without a reload.
func TestBrowserFeedbackByClick(t *testing.T) {
	s := serve(t, nil, story(t))
	b := newTab(t, "light", desk)
	b.signIn(s)
	score := func() string {
		return ask[string](b, `[...document.querySelectorAll("#board .actors > li")].find(e => e.textContent.includes("executor-01")).querySelector(".pill-score").textContent`)
	}
	if got := score(); got != "50" {
		t.Fatalf("the score is %s before the vote", got)
	}
	b.run(chromedp.Evaluate[chromedp.Void](`window.here = true`))
	b.run(chromedp.Click(chromedp.CSS(`button[aria-label^="Thumbs up for executor-01"]`)))
	b.until(`document.getElementById("said").textContent.startsWith("+3 for executor-01: 53")`)
	if got := score(); got != "53" || !ask[bool](b, `window.here`) {
		t.Errorf("after the vote the page shows %s; reloaded: %v", got, !ask[bool](b, `window.here === true`))
	}
	b.run(chromedp.Click(chromedp.CSS(`button[aria-label^="Thumbs down for executor-01"]`)))
	b.until(`document.getElementById("said").textContent.startsWith("−10 for executor-01: 43")`)
}

// The page shows a commit when it lands, keeps open what was open, and the focus where it was.
func TestBrowserLiveUpdate(t *testing.T) {
	w := story(t)
	s := serve(t, nil, w)
	b := newTab(t, "dark", desk)
	b.open(s.URL)
	b.run(chromedp.Evaluate[chromedp.Void](`document.getElementById("unit-M02/S04").open = true; document.querySelector("#chart summary").focus(); window.here = true`))
	if ask[bool](b, `document.body.textContent.includes("receipts by mail")`) {
		t.Fatal("it is there before it was committed")
	}
	w.write("src/mail.py", function("send(to, text)", "if not text:", "    raise ValueError(to)", "return gateway.post(to, text)"))
	w.commit("executor-03", "2026-01-26T17:20", "ACT: M02/S04/T10 receipts by mail\n\nDone: Add send() to src/mail.py | src/mail.py:1-4\nActor: executor-03\n")
	b.until(`document.querySelector("#log").textContent.includes("receipts by mail")`)
	b.until(`document.getElementById("said").textContent.includes("up to date")`)
	if !ask[bool](b, `window.here === true && document.getElementById("unit-M02/S04").open && document.activeElement.textContent === "As a table"`) {
		t.Error("the page was reloaded, folded, or lost the focus")
	}
}

// Tab goes through the page in the order in which it is read, and shows where it is.
func TestBrowserKeyboard(t *testing.T) {
	s := serve(t, nil, story(t))
	b := newTab(t, "light", desk)
	b.signIn(s)
	type stop struct {
		Name    string
		Outline bool
		Top     float64
		Section string
	}
	var stops []stop
	for range 400 {
		b.run(chromedp.KeyEvent(kb.Tab))
		e := ask[stop](b, `(e => ({Name: e.tagName + " " + (e.getAttribute("aria-label") || e.textContent).trim().slice(0, 40),
			Outline: getComputedStyle(e).outlineStyle !== "none", Top: e.getBoundingClientRect().top, Section: (e.closest("section[id]") || {}).id || ""}))(document.activeElement)`)
		if strings.HasPrefix(e.Name, "BODY") || len(stops) > 2 && e.Name == stops[0].Name {
			break
		}
		stops = append(stops, e)
	}
	var sections []string
	for _, e := range stops {
		if !e.Outline {
			t.Errorf("%s does not show that it has the focus", e.Name)
		}
		if e.Section != "" && (len(sections) == 0 || sections[len(sections)-1] != e.Section) {
			sections = append(sections, e.Section)
		}
	}
	if want := []string{"chart", "log", "board", "plan", "claims"}; !slices.Equal(sections, want) {
		t.Errorf("Tab goes through %v, expected %v", sections, want)
	}
	if len(stops) < 20 || stops[0].Name != "A Skip to the content" || stops[1].Name != "A Acta" {
		t.Errorf("%d stops, the first of them %v", len(stops), stops[:min(3, len(stops))])
	}
	// The first stop leads past the bar.
	b.open(s.URL)
	b.run(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter))
	b.until(`document.activeElement.id === "main"`)
	// A vote without a mouse.
	b.run(chromedp.Focus(chromedp.CSS(`button[aria-label^="Thumbs up for executor-02"]`)), chromedp.KeyEvent(kb.Enter))
	b.until(`document.getElementById("said").textContent.startsWith("+3 for executor-02")`)
	if label := ask[string](b, `document.activeElement.getAttribute("aria-label") || document.activeElement.tagName`); !strings.HasPrefix(label, "Thumbs up for executor-02") {
		t.Errorf("after the vote the focus is on %s", label)
	}
}

// A page of another port, which shares the cookies, changes nothing and reads nothing.
func TestBrowserOtherOrigin(t *testing.T) {
	s := serve(t, nil, story(t))
	b := newTab(t, "light", desk)
	b.signIn(s)
	var refused []string
	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><title>evil</title><form id=f method=post action="%s/feedback" target=frame><input name=vote value=down><input name=actor value=executor-01></form><iframe name=frame></iframe><iframe id=look src="%s/"></iframe>`, s.URL, s.URL)
	}))
	defer evil.Close()
	b.allowed = []string{s.URL, "403"} // the browser complains of what is refused
	b.run(chromedp.Navigate(evil.URL))
	b.until(`document.readyState === "complete"`)
	for _, try := range []string{
		fmt.Sprintf(`fetch(%q, {method: "POST", credentials: "include", headers: {"Content-Type": "application/json"}, body: '{"vote":"down","actor":"executor-01"}'}).then(r => "answered " + r.status, e => "refused")`, s.URL+"/api/score/feedback"),
		fmt.Sprintf(`fetch(%q, {method: "POST", mode: "no-cors", credentials: "include", body: new URLSearchParams({vote: "down", actor: "executor-01"})}).then(r => "sent " + r.type, e => "refused")`, s.URL+"/feedback"),
		fmt.Sprintf(`fetch(%q, {credentials: "include"}).then(r => r.text(), e => "refused")`, s.URL+"/api/score"),
		fmt.Sprintf(`new Promise(done => { const i = new Image(); i.onload = () => done("loaded"); i.onerror = () => done("refused"); i.src = %q; })`, s.URL+"/assets/shield.svg"),
	} {
		refused = append(refused, ask[string](b, try))
	}
	if refused[0] != "refused" || refused[2] != "refused" || refused[3] != "refused" {
		t.Errorf("the other origin was answered: %q", refused)
	}
	b.run(chromedp.Evaluate[chromedp.Void](`document.getElementById("f").submit()`))
	b.until(`[...performance.getEntriesByType("resource")].length >= 0 && document.readyState === "complete"`)
	var after allScores
	if err := json.NewDecoder(s.request("GET", "/api/score", "").Body).Decode(&after); err != nil {
		t.Fatal(err)
	}
	for _, a := range after.Actors {
		if a.Actor == "executor-01" && *a.Score != 50 {
			t.Errorf("the other origin changed the score to %d", *a.Score)
		}
	}
}

// The page can be read on a phone: nothing is wider than the screen, nothing too small to hit.
func TestBrowserPhone(t *testing.T) {
	s := serve(t, nil, story(t))
	b := newTab(t, "light", phone)
	b.allowed = []string{"404"} // the page of a commit that is not there
	for _, path := range pagesOf(t, s) {
		b.open(s.URL + path)
		if wide := ask[int](b, `document.documentElement.scrollWidth`); wide > int(phone.width) {
			t.Errorf("%s is %d wide: %s", path, wide, ask[string](b, `[...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > 361 && !e.closest(".scroll")).map(e => e.outerHTML.slice(0, 90)).slice(0, 5).join("\n")`))
		}
	}
}

// pagesOf are a page of each kind.
func pagesOf(t *testing.T, s *server) []string {
	t.Helper()
	var claims struct {
		Claims []struct{ Commit, Unit, Item, State string }
	}
	if err := json.NewDecoder(s.request("GET", "/api/claims", "").Body).Decode(&claims); err != nil || len(claims.Claims) == 0 {
		t.Fatal("there are no claims", err)
	}
	paths := []string{"/", "/signin", "/nothing-here-but-a-commit"}[:2]
	for _, c := range claims.Claims {
		if c.State == "hollowed" || c.State == "holds" && len(paths) == 2 {
			paths = append(paths, "/claim?"+url.Values{"commit": {c.Commit}, "unit": {c.Unit}, "item": {c.Item}}.Encode(), "/commit/"+c.Commit)
		}
	}
	if len(paths) < 6 {
		t.Fatalf("no claim is hollowed: %v", paths)
	}
	return append(paths, "/commit/ffffffffff")
}

// axe-core finds no serious violation, in light and dark.
func TestBrowserAxe(t *testing.T) {
	file := os.Getenv("ACTA_AXE")
	script, err := os.ReadFile(file)
	if file == "" {
		err = fmt.Errorf("ACTA_AXE does not say where axe.min.js of axe-core lies")
	}
	peer.Need(t, "axe-core", err)
	s := serve(t, nil, story(t))
	empty := serve(t, nil, newWorld(t, "empty"))
	for _, theme := range []string{"light", "dark"} {
		t.Run(theme, func(t *testing.T) {
			b := newTab(t, theme, desk)
			b.allowed = []string{"404"} // the page of a commit that is not there
			b.signIn(s)
			for _, at := range append(pagesOf(t, s), empty.URL, "file://"+reportFile(t)) {
				if strings.HasPrefix(at, "/") {
					at = s.URL + at
				}
				b.open(at)
				b.run(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("details").forEach(d => d.open = true)`), chromedp.Evaluate[chromedp.Void](string(script)))
				type violation struct {
					ID, Impact, Help string
					Nodes            []struct{ HTML, FailureSummary string }
				}
				found := ask[struct {
					Violations []violation
					Passes     []struct{ ID string }
				}](b, `axe.run(document, {resultTypes: ["violations"]}).then(r => ({violations: r.violations, passes: r.passes.map(p => ({id: p.id}))}))`)
				if len(found.Passes) < 10 {
					t.Errorf("%s: axe-core looked at %d things only", at, len(found.Passes))
				}
				for _, v := range found.Violations {
					t.Errorf("%s: %s (%s): %s\n%.3v", at, v.ID, v.Impact, v.Help, v.Nodes)
				}
			}
		})
	}
}

// reportFile writes the report of the story to a file.
func reportFile(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, []byte(reportOf(t, story(t), judge.LandedRange{Head: "HEAD"})), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// The file stands for itself: it is drawn, asks for nothing, and its links lead somewhere in it.
func TestBrowserReport(t *testing.T) {
	b := newTab(t, "light", desk)
	b.open("file://" + reportFile(t))
	b.until(`document.querySelector("#chart canvas")`)
	if lost := ask[[]string](b, `[...document.querySelectorAll("a[href]")].map(a => a.getAttribute("href")).filter(h => !h.startsWith("#") || !document.getElementById(h.slice(1)))`); len(lost) > 0 {
		t.Errorf("links that lead nowhere: %v", lost)
	}
	b.run(chromedp.Click(chromedp.CSS(`#log a.span`)))
	b.until(`document.querySelector("details.claim-code:target").open`)
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.asked) != 1 {
		t.Errorf("the file asked for %v", b.asked)
	}
}

// Screenshots are those of the README: as large as the page is drawn today. ACTA_UPDATE=1 makes them anew; no fonts of two
// machines are the same, so their pixels are not compared.
func TestBrowserScreenshots(t *testing.T) {
	s := serve(t, nil, story(t))
	dir := filepath.Join("..", "docs", "screenshots")
	pages := pagesOf(t, s)
	for _, shot := range []struct {
		name, theme, path string
		size              size
	}{
		{"page-light", "light", "/", size{1200, 1000}}, {"page-dark", "dark", "/", size{1200, 1000}},
		{"claim-light", "light", pages[len(pages)-3], size{1000, 900}}, {"phone-dark", "dark", "/", size{390, 844}},
	} {
		b := newTab(t, shot.theme, shot.size)
		b.open(s.URL + shot.path)
		picture, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, shot.name+".png")
		if os.Getenv("ACTA_UPDATE") != "" {
			if err := errors.Join(os.MkdirAll(dir, 0o777), os.WriteFile(file, picture, 0o666)); err != nil {
				t.Fatal(err)
			}
		}
		kept, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		is, err := png.DecodeConfig(bytes.NewReader(kept))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		drawn, err := png.DecodeConfig(bytes.NewReader(picture))
		if err != nil {
			t.Fatal(err)
		}
		if is.Width != drawn.Width || is.Height != drawn.Height || len(kept) > 200<<10 {
			t.Errorf("%s is %d×%d in %d bytes; drawn %d×%d, and 200 KiB is the most", file, is.Width, is.Height, len(kept), drawn.Width, drawn.Height)
		}
	}
}
