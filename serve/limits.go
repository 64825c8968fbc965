package serve

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

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
