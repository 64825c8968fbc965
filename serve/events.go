package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/acta-git/acta/record/ledger"
	"github.com/acta-git/acta/repo"
)

// How often refs are looked at, how often a reader of events who hears nothing is
// told that the connection stands, and how long one may take to read.
const (
	lookEvery  = time.Second
	stillEvery = 20 * time.Second
	listenTime = 10 * time.Second
	// maxListeners bounds how many pages are kept up to date at once.
	maxListeners = 500
)

// broadcast tells the pages that are open that something has changed. A page that is
// busy misses no news: it is told once more than once was said.
type broadcast struct {
	mu        sync.Mutex
	listeners map[chan string]bool
	closed    bool
	last      string // what was there when it was last looked
}

func newBroadcast() *broadcast { return &broadcast{listeners: map[chan string]bool{}} }

// subscribe is a channel of news since print, closed at the end; nil where there are too many.
func (n *broadcast) subscribe(print string) chan string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed || len(n.listeners) >= maxListeners {
		return nil
	}
	if len(n.listeners) == 0 {
		n.last = print // nobody has looked since the last one left
	}
	c := make(chan string, 1)
	n.listeners[c] = true
	return c
}

func (n *broadcast) unsubscribe(c chan string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.listeners, c)
}

func (n *broadcast) notify(what string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for c := range n.listeners {
		select {
		case c <- what:
		default: // it is told already, and has not looked yet
		}
	}
}

// update tells of what is there now, and what made it so, if that is not what was there before.
func (n *broadcast) update(print, what string) {
	n.mu.Lock()
	changed := print != n.last
	n.last = print
	n.mu.Unlock()
	if changed {
		n.notify(what)
	}
}

func (n *broadcast) close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.closed = true
	for c := range n.listeners {
		close(c)
		delete(n.listeners, c)
	}
}

func (n *broadcast) count() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.listeners)
}

// watch tells the open pages when a commit lands, or the local state changes. It
// looks only while somebody listens.
func (s *Server) watch(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if s.broadcast.count() == 0 {
			continue
		}
		if print, err := s.fullPrint(ctx); err == nil { // what cannot be read has no news
			s.broadcast.update(print, "commit")
		}
	}
}

// fullPrint is print, and what else an answer of the scores' store rests on.
func (s *Server) fullPrint(ctx context.Context) (string, error) {
	version, err := s.o.Scores.version(ctx)
	return s.print() + version, err
}

// print is equal as long as nothing that is shown can have changed.
func (s *Server) print() string {
	all := ""
	for _, r := range s.o.Repos {
		all += r.print()
	}
	return all
}

// getEvents is the stream of server-sent events. Each says only that the page is
// to be asked for again; what it then shows is what the reader may see.
func (s *Server) getEvents(w http.ResponseWriter, r *http.Request) {
	print := s.print()
	updates := s.broadcast.subscribe(print)
	if updates == nil {
		refuse(w, http.StatusServiceUnavailable, "too many pages are open", "close some, or reload by hand")
		return
	}
	defer s.broadcast.unsubscribe(updates)
	out := http.NewResponseController(w)
	_ = out.SetReadDeadline(time.Time{}) // or the server ends the stream with the time for a body
	say := func(text string) bool {
		if err := out.SetWriteDeadline(time.Now().Add(listenTime)); err != nil {
			return false
		}
		if _, err := fmt.Fprint(w, text); err != nil {
			return false
		}
		return out.Flush() == nil
	}
	w.Header().Set("Content-Type", "text/event-stream")
	still := time.NewTicker(stillEvery)
	defer still.Stop()
	// What changed while the page was on its way is told at once: the page knows by the mark whether it is behind.
	if !say("retry: 2000\nevent: hello\ndata: " + mark(print) + "\n\n") {
		return
	}
	for {
		select {
		case <-r.Context().Done():
			return
		case what, ok := <-updates:
			if !ok || !say("event: change\ndata: "+what+"\n\n") {
				return
			}
		case <-still.C:
			if !say(": still here\n\n") {
				return
			}
		}
	}
}

// alertEvery is how often a server that notifies looks for a lockdown.
const alertEvery = 30 * time.Second

// alert tells the operators of lockdowns at once and with every tick, until ctx is done, whether a page is open or not.
func (s *Server) alert(ctx context.Context, tick <-chan time.Time) {
	for last := ""; ; {
		if print, err := s.fullPrint(ctx); err == nil && print != last {
			if err := s.tellOperators(ctx); err == nil {
				last = print
			} else if ctx.Err() == nil && s.o.Warn != nil {
				s.o.Warn.Warn(fmt.Sprintf("an operator was not told of a lockdown; it is tried again in %v: %v", alertEvery, err))
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick:
		}
	}
}

// tellOperators tells of each actor who is in lockdown today, as the policy of each repository says, once a day.
func (s *Server) tellOperators(ctx context.Context) error {
	board, err := s.scores(ctx)
	if err != nil {
		return err
	}
	var failed []error
	for _, r := range s.o.Repos {
		failed = append(failed, r.with(ctx, func(git *repo.Repo) error {
			o := &ledger.Operator{Repo: git, State: r.commonDir, Env: r.env, HasAgreed: true, Now: s.o.Scores.now()}
			var failed []error
			for _, a := range board.Actors {
				_, err := o.Notify(ctx, today(a.Actor, a.Days))
				failed = append(failed, err)
			}
			return errors.Join(failed...)
		}))
	}
	return errors.Join(failed...)
}
