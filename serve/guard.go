package serve

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/acta-git/acta/record/ledger"
	"github.com/acta-git/acta/report"
)

const maxBody = 64 << 10

// guard decides about access. Reads on loopback are free; elsewhere they need the token, and writes always do: as
// bearer, or as a cookie. It refuses requests from pages of other origins, and Host headers that do not name this
// server (DNS rebinding).
type guard struct {
	token      [sha256.Size]byte
	reports    *[sha256.Size]byte // of the token for reports; nil for none
	isLoopback bool
	hosts      []string
	writes     *limits // of clients with the token
	wait       time.Duration
	guesses    *limits // of clients without the token
	reads      *limits // of clients on other machines
	cookie     string  // of a signed-in browser
}

func newGuard(o Options) *guard {
	sum := sha256.Sum256([]byte(cookieName + " " + o.Token))
	g := &guard{
		token: sha256.Sum256([]byte(o.Token)), isLoopback: o.IsLoopback, cookie: hex.EncodeToString(sum[:]),
		writes: newLimits(writeRate, writeBurst), wait: writeWait, guesses: newLimits(guessRate, guessBurst),
		reads: newLimits(readRate, readBurst), hosts: report.Map(o.Hosts, strings.ToLower),
	}
	if o.ReportToken != "" {
		sum := sha256.Sum256([]byte(o.ReportToken))
		g.reports = &sum
	}
	return g
}

// headers are those of every answer. Pages run only scripts and styles that the server serves as files, load nothing
// from elsewhere, and cannot be framed.
var headers = [][2]string{
	{"Content-Security-Policy",
		"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
			"base-uri 'none'; frame-ancestors 'none'"},
	{"X-Content-Type-Options", "nosniff"},
	{"X-Frame-Options", "DENY"},
	{"Referrer-Policy", "same-origin"}, // no-referrer would send these pages' own forms with a null origin
	{"Cross-Origin-Opener-Policy", "same-origin"},
	{"Cross-Origin-Resource-Policy", "same-origin"},
	{"Permissions-Policy", "camera=(), geolocation=(), microphone=()"},
	{"Cache-Control", "no-store"},
}

func (g *guard) protect(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, h := range headers {
			w.Header().Set(h[0], h[1])
		}
		write := r.Method != http.MethodGet && r.Method != http.MethodHead
		switch {
		case !slices.Contains(g.hosts, strings.ToLower(r.Host)):
			refuse(w, http.StatusMisdirectedRequest, fmt.Sprintf("this server is not %q", r.Host),
				"open it by the address that it printed at its start; `acta serve --host` names others")
		case !sameOrigin(r):
			refuse(w, http.StatusForbidden, "the request comes from a page of another origin", "only this server's pages "+
				"may send it")
		case r.ContentLength > maxBody:
			refuse(w, http.StatusRequestEntityTooLarge, "the body is longer than 64 KiB", "send less")
		case !g.waitTurn(r, write):
			w.Header().Set("Retry-After", "1")
			refuse(w, http.StatusTooManyRequests, "too many requests", "wait a second, then try again")
		case !g.isLoopback && !isOpen(r) && !g.isKnown(r) && !(write && g.isReporter(r)):
			g.challenge(w, r)
		default:
			if r.Body != nil {
				r.Body = http.MaxBytesReader(w, r.Body, maxBody)
			}
			next.ServeHTTP(w, r)
		}
	})
}

// waitTurn limits a client's rate. A write waits for its turn; a guess at the token does not. After too many guesses
// even the right token is refused, or guessing would have no limit.
func (g *guard) waitTurn(r *http.Request, write bool) bool {
	from := client(r)
	switch {
	case !write:
		return g.isLoopback || g.reads.allow(from)
	case isOpen(r) || !g.isKnown(r) && !g.isReporter(r):
		return g.guesses.allow(from)
	case g.guesses.exhausted(from):
		return false
	}
	return g.writes.wait(r.Context(), from, g.wait)
}

// isOpen reports whether a request is for something public: the sign-in page and its assets.
func isOpen(r *http.Request) bool {
	return r.URL.Path == "/signin" || strings.HasPrefix(r.URL.Path, "/assets/")
}

func (g *guard) challenge(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), "text/html") {
		http.Redirect(w, r, "/signin", http.StatusSeeOther)
		return
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="acta"`)
	refuse(w, http.StatusUnauthorized, "this needs the token", "send it as «Authorization: Bearer TOKEN»")
}

func (g *guard) write(next http.HandlerFunc) http.HandlerFunc { return g.require(g.isKnown, next) }

// require wraps a handler that only some requests may reach.
func (g *guard) require(isAllowed func(*http.Request) bool, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !isAllowed(r) {
			g.challenge(w, r)
			return
		}
		next(w, r)
	}
}

// writeReport wraps the handler of reports: with the token for reports, if there is one, else like any write.
func (g *guard) writeReport(next http.HandlerFunc) http.HandlerFunc {
	if g.reports == nil {
		return g.write(next)
	}
	return g.require(g.isReporter, next)
}

func (g *guard) isReporter(r *http.Request) bool {
	return g.reports != nil && r.URL.Path == ledger.ReportsPath && hasSum(bearerOf(r), *g.reports)
}

// sameOrigin reports whether the request does not come from another origin's page. A browser says so in Origin or
// Sec-Fetch-Site; a program sends neither. Links from elsewhere may be followed: they only show a page to its reader.
func sameOrigin(r *http.Request) bool {
	if origins := r.Header.Values("Origin"); len(origins) > 0 {
		u, err := url.Parse(origins[0])
		return len(origins) == 1 && err == nil && (u.Scheme == "http" || u.Scheme == "https") &&
			strings.EqualFold(u.Host, r.Host)
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return true
	}
	return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" &&
		r.Header.Get("Sec-Fetch-Dest") == "document"
}

func (g *guard) isKnown(r *http.Request) bool { return g.isToken(bearerOf(r)) || g.isSignedIn(r) }

func (g *guard) isSignedIn(r *http.Request) bool {
	c, err := r.Cookie(cookieName)
	return err == nil && subtle.ConstantTimeCompare([]byte(c.Value), []byte(g.cookie)) == 1
}

func bearerOf(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// isToken reports whether a text is the token, which is never empty.
func (g *guard) isToken(token string) bool { return hasSum(token, g.token) }

// hasSum compares in constant time; the hashes have the same length. No token is never the right one.
func hasSum(token string, want [sha256.Size]byte) bool {
	sum := sha256.Sum256([]byte(token))
	return token != "" && subtle.ConstantTimeCompare(sum[:], want[:]) == 1
}

const (
	cookieName = "acta_session"
	signedTime = 12 * time.Hour
)

func (g *guard) signIn(w http.ResponseWriter) {
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: g.cookie, Path: "/", MaxAge: int(signedTime / time.Second),
		HttpOnly: true, SameSite: http.SameSiteStrictMode})
}

// client is the address of a request. Headers of proxies are ignored: anybody can send them.
func client(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// How much one client may request, in requests a second and at once. Reads from this machine are not limited: their
// results are cached.
const (
	writeRate, writeBurst = 100, 40
	// writeWait is how long a write waits for its turn, longer than clients need that wait for answers.
	writeWait = 2 * time.Second
	// Writes without the token, including sign-ins: guesses do not wait.
	guessRate, guessBurst = 20, 40
	readRate, readBurst   = 100, 400
	// maxClients bounds the known clients.
	maxClients = 10_000
)

type limits struct {
	rate    rate.Limit
	burst   int
	mu      sync.Mutex
	clients map[string]*rate.Limiter
}

func newLimits(perSecond rate.Limit, burst int) *limits {
	return &limits{rate: perSecond, burst: burst, clients: map[string]*rate.Limiter{}}
}

func (l *limits) allow(client string) bool { return l.client(client).Allow() }

func (l *limits) exhausted(client string) bool { return l.client(client).Tokens() < 1 }

// wait waits for a client's turn; false at once if that takes longer than the limit, or if the client has gone.
func (l *limits) wait(ctx context.Context, client string, limit time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return l.allow(client) || l.client(client).Wait(ctx) == nil
}

// client is a client's limiter. If there are too many, all start again.
func (l *limits) client(name string) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.clients[name]
	if c == nil {
		if len(l.clients) >= maxClients {
			clear(l.clients)
		}
		c = rate.NewLimiter(l.rate, l.burst)
		l.clients[name] = c
	}
	return c
}
