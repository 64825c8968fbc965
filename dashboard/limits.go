package dashboard

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// How much one client may ask for, in requests a second and at once. Reads of this
// machine are not counted: what they cost is kept, see cached.
const (
	writeRate, writeBurst = 20, 40
	readRate, readBurst   = 100, 400
	// mostClients bounds how many are remembered.
	mostClients = 10_000
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

// allow reports whether a client may go on.
func (l *limits) allow(client string) bool {
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.of[client]
	if c == nil {
		if len(l.of) >= mostClients {
			l.forget(now)
		}
		c = &limit{Limiter: rate.NewLimiter(l.rate, l.burst)}
		l.of[client] = c
	}
	c.last = now
	return c.AllowN(now, 1)
}

// forget drops who has been away long enough to have all of its burst back, or else everybody.
func (l *limits) forget(now time.Time) {
	full := time.Duration(float64(l.burst) / float64(l.rate) * float64(time.Second))
	for name, c := range l.of {
		if now.Sub(c.last) > full {
			delete(l.of, name)
		}
	}
	if len(l.of) >= mostClients {
		clear(l.of)
	}
}
