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
	of    map[string]*limit
}

type limit struct {
	*rate.Limiter
	last time.Time
}

func newLimits(perSecond rate.Limit, burst int) *limits {
	return &limits{rate: perSecond, burst: burst, of: map[string]*limit{}}
}

// allow reports whether a client may go on, and counts it.
func (l *limits) allow(client string) bool {
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.client(client, now).AllowN(now, 1)
}

// exhausted reports whether a client may not go on, and counts nothing.
func (l *limits) exhausted(client string) bool {
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.client(client, now).TokensAt(now) < 1
}

// wait returns when it is a client's turn. It does so at once, with false, where that takes longer than most,
// and when who asks has gone.
func (l *limits) wait(ctx context.Context, client string, most time.Duration) bool {
	now := time.Now()
	turn := l.reserve(client, now)
	delay := turn.DelayFrom(now)
	if delay > most {
		turn.CancelAt(now)
		return false
	}
	if delay == 0 {
		return true
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		turn.Cancel()
		return false
	}
}

func (l *limits) reserve(client string, now time.Time) *rate.Reservation {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.client(client, now).ReserveN(now, 1)
}

// client is what is left to a client; the caller holds the lock.
func (l *limits) client(name string, now time.Time) *limit {
	c := l.of[name]
	if c == nil {
		if len(l.of) >= maxClients {
			l.forget(now)
		}
		c = &limit{Limiter: rate.NewLimiter(l.rate, l.burst)}
		l.of[name] = c
	}
	c.last = now
	return c
}

// forget drops who has been away long enough to have all of its burst back, or else everybody.
func (l *limits) forget(now time.Time) {
	full := writeWait + time.Duration(float64(l.burst)/float64(l.rate)*float64(time.Second))
	for name, c := range l.of {
		if now.Sub(c.last) > full {
			delete(l.of, name)
		}
	}
	if len(l.of) >= maxClients {
		clear(l.of)
	}
}
