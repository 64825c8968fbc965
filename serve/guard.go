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
)

// maxBody is how much a request may bring, in bytes.
const maxBody = 64 << 10

// guard decides who may ask for what. Reads on loopback are free; elsewhere they
// need the token, and writes always do: as bearer, or by the cookie that stands for
// it. What a page of another origin makes a browser ask for is refused, so is a Host
// that is not this server's (a name that was rebound to this address).
type guard struct {
	token    [sha256.Size]byte
	reports  *[sha256.Size]byte // of the token that bears reports; nil for none
	loopback bool
	hosts    []string
	writes   *limits // of each client that has shown the token
	wait     time.Duration
	guesses  *limits // of each client that has not
	reads    *limits // of each client that is not on this machine
	cookie   string  // of a browser that has shown the token
}

func newGuard(o Options) *guard {
	sum := sha256.Sum256([]byte(cookieName + " " + o.Token))
	g := &guard{
		token: sha256.Sum256([]byte(o.Token)), loopback: o.Loopback, cookie: hex.EncodeToString(sum[:]),
		writes: newLimits(writeRate, writeBurst), wait: writeWait, guesses: newLimits(guessRate, guessBurst),
		reads: newLimits(readRate, readBurst),
	}
	if o.ReportToken != "" {
		sum := sha256.Sum256([]byte(o.ReportToken))
		g.reports = &sum
	}
	for _, h := range o.Hosts {
		g.hosts = append(g.hosts, strings.ToLower(h))
	}
	return g
}

// headers are those of every answer. No page runs a script or a style that the
// server does not serve as a file, loads anything from elsewhere, or stands in a frame.
var headers = [][2]string{
	{"Content-Security-Policy",
		"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
			"base-uri 'none'; frame-ancestors 'none'"},
	{"X-Content-Type-Options", "nosniff"},
	{"X-Frame-Options", "DENY"},
	{"Referrer-Policy", "same-origin"}, // with no-referrer, the forms of these very pages would be sent with a null origin
	{"Cross-Origin-Opener-Policy", "same-origin"},
	{"Cross-Origin-Resource-Policy", "same-origin"},
	{"Permissions-Policy", "camera=(), geolocation=(), microphone=()"},
	{"Cache-Control", "no-store"},
}

// protect asks of every request what does not depend on what it is for.
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
			refuse(w, http.StatusForbidden, "the request comes from a page of another origin", "only the pages of this "+
				"server may")
		case r.ContentLength > maxBody:
			refuse(w, http.StatusRequestEntityTooLarge, "the body is longer than 64 KiB", "send less")
		case !g.inTurn(r, write):
			w.Header().Set("Retry-After", "1")
			refuse(w, http.StatusTooManyRequests, "too many requests", "wait a second, then try again")
		case !g.loopback && !isOpen(r) && !g.known(r) && !(write && g.reporter(r)):
			g.challenge(w, r)
		default:
			if r.Body != nil {
				r.Body = http.MaxBytesReader(w, r.Body, maxBody)
			}
			next.ServeHTTP(w, r)
		}
	})
}

// inTurn lets a request go on as fast as its client may. A write waits for its turn; a guess at the token does not,
// and who has made too many is refused with the right one too, or guessing would have no limit.
func (g *guard) inTurn(r *http.Request, write bool) bool {
	from := client(r)
	switch {
	case !write:
		return g.loopback || g.reads.allow(from)
	case isOpen(r) || !g.known(r) && !g.reporter(r):
		return g.guesses.allow(from)
	case g.guesses.exhausted(from):
		return false
	}
	return g.writes.wait(r.Context(), from, g.wait)
}

// isOpen reports whether a request is for what tells nothing: the page to sign in at, and what it is drawn with.
func isOpen(r *http.Request) bool {
	return r.URL.Path == "/signin" || strings.HasPrefix(r.URL.Path, "/assets/")
}

// challenge asks for the token: a browser by the page to sign in at.
func (g *guard) challenge(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), "text/html") {
		http.Redirect(w, r, "/signin", http.StatusSeeOther)
		return
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="acta"`)
	refuse(w, http.StatusUnauthorized, "this needs the token", "send it as «Authorization: Bearer TOKEN»")
}

// write lets a request through that may change something.
func (g *guard) write(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !g.known(r) {
			g.challenge(w, r)
			return
		}
		next(w, r)
	}
}

// take lets a report through: with the token for reports, where there is one, else as any write.
func (g *guard) take(next http.HandlerFunc) http.HandlerFunc {
	if g.reports == nil {
		return g.write(next)
	}
	return func(w http.ResponseWriter, r *http.Request) {
		if g.reporter(r) {
			next(w, r)
			return
		}
		g.challenge(w, r)
	}
}

// reporter reports whether a request bears the token for reports, for one.
func (g *guard) reporter(r *http.Request) bool {
	sum := sha256.Sum256([]byte(bearerOf(r)))
	return g.reports != nil && r.URL.Path == ledger.ReportsPath && subtle.ConstantTimeCompare(sum[:], g.reports[:]) == 1
}

// sameOrigin reports whether no page of another origin asks. A browser says in
// Origin, or else in Sec-Fetch-Site, where a request comes from; a program says
// neither. A link from elsewhere may be followed: it shows a page to its reader alone.
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

func (g *guard) known(r *http.Request) bool { return g.bearer(r) || g.signed(r) }

// signed reports whether a browser asks that has shown the token.
func (g *guard) signed(r *http.Request) bool {
	c, err := r.Cookie(cookieName)
	return err == nil && subtle.ConstantTimeCompare([]byte(c.Value), []byte(g.cookie)) == 1
}

func (g *guard) bearer(r *http.Request) bool {
	token := bearerOf(r)
	return token != "" && g.isToken(token)
}

// bearerOf is the token that a request bears, "" for none.
func bearerOf(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// isToken compares in constant time; the hashes are of one length.
func (g *guard) isToken(token string) bool {
	sum := sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(sum[:], g.token[:]) == 1
}

const (
	cookieName = "acta_session"
	signedTime = 12 * time.Hour
)

// signIn gives a browser that has shown the token its cookie.
func (g *guard) signIn(w http.ResponseWriter) {
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: g.cookie, Path: "/", MaxAge: int(signedTime / time.Second),
		HttpOnly: true, SameSite: http.SameSiteStrictMode})
}

// client is the address that a request comes from. What a proxy says of others is not asked: anybody can say it.
func client(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// How much one client may ask for, in requests a second and at once. Reads of this
// machine are not counted: what they cost is kept, see cached.
const (
	writeRate, writeBurst = 100, 40
	// writeWait is how long a write waits for its turn. A client that waits for its answers never has to wait as long.
	writeWait = 2 * time.Second
	// Writes of who has not shown the token, signing in among them: guesses wait for nothing.
	guessRate, guessBurst = 20, 40
	readRate, readBurst   = 100, 400
	// maxClients bounds how many are remembered.
	maxClients = 10_000
)

// limits holds each client to a rate.
type limits struct {
	rate  rate.Limit
	burst int
	mu    sync.Mutex
	of    map[string]*rate.Limiter
}

func newLimits(perSecond rate.Limit, burst int) *limits {
	return &limits{rate: perSecond, burst: burst, of: map[string]*rate.Limiter{}}
}

// allow reports whether a client may go on, and counts it.
func (l *limits) allow(client string) bool { return l.client(client).Allow() }

// exhausted reports whether a client may not go on, and counts nothing.
func (l *limits) exhausted(client string) bool { return l.client(client).Tokens() < 1 }

// wait returns when it is a client's turn. It does so at once, with false, where that takes longer than most,
// and when who asks has gone.
func (l *limits) wait(ctx context.Context, client string, most time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	return l.allow(client) || l.client(client).Wait(ctx) == nil
}

// client is what is left to a client. Where too many are remembered all begin anew.
func (l *limits) client(name string) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.of[name]
	if c == nil {
		if len(l.of) >= maxClients {
			clear(l.of)
		}
		c = rate.NewLimiter(l.rate, l.burst)
		l.of[name] = c
	}
	return c
}
