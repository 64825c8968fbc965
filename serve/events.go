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

// How often refs are checked, how often an idle stream gets a sign of life, and how long a client may take to read.
const (
	lookEvery  = time.Second
	stillEvery = 20 * time.Second
	listenTime = 10 * time.Second
	// maxListeners bounds the pages with live updates.
	maxListeners = 500
)

// broadcast tells open pages about changes. A busy page misses nothing: several changes become one message.
type broadcast struct {
	mu        sync.Mutex
	listeners map[chan string]bool
	isClosed  bool
	last      string // the last known fingerprint
}

func newBroadcast() *broadcast { return &broadcast{listeners: map[chan string]bool{}} }

// subscribe returns a channel of changes after print, closed at the end; nil if there are too many.
func (n *broadcast) subscribe(print string) chan string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.isClosed || len(n.listeners) >= maxListeners {
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
		default: // a message is already waiting
		}
	}
}

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
	n.isClosed = true
	for c := range n.listeners {
		close(c)
		delete(n.listeners, c)
	}
}

// watch tells open pages when a commit lands or the local state changes. It checks only while somebody listens.
func (s *Server) watch(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		s.broadcast.mu.Lock()
		count := len(s.broadcast.listeners)
		s.broadcast.mu.Unlock()
		if count == 0 {
			continue
		}
		if print, err := s.fullFingerprint(ctx); err == nil { // ignore unreadable repositories
			s.broadcast.update(print, "commit")
		}
	}
}

func (s *Server) fullFingerprint(ctx context.Context) (string, error) {
	version, err := s.options.Scores.version(ctx)
	return s.fingerprint() + version, err
}

func (s *Server) fingerprint() string {
	all := ""
	for _, r := range s.options.Repos {
		all += r.fingerprint()
	}
	return all
}

// getEvents is the stream of server-sent events. An event only makes the page load again, as its reader.
func (s *Server) getEvents(w http.ResponseWriter, r *http.Request) {
	print := s.fingerprint()
	updates := s.broadcast.subscribe(print)
	if updates == nil {
		refuse(w, http.StatusServiceUnavailable, "too many pages are open", "close some, or reload by hand")
		return
	}
	defer s.broadcast.unsubscribe(updates)
	out := http.NewResponseController(w)
	// net/http's writers have deadlines: the one for a body would end the stream.
	_ = out.SetReadDeadline(time.Time{})
	say := func(text string) bool {
		_ = out.SetWriteDeadline(time.Now().Add(listenTime))
		_, err := fmt.Fprint(w, text)
		return err == nil && out.Flush() == nil
	}
	w.Header().Set("Content-Type", "text/event-stream")
	still := time.NewTicker(stillEvery)
	defer still.Stop()
	// A change while the page was loading is sent at once: the page compares the mark.
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

const alertEvery = 30 * time.Second

// watchLockdowns notifies the operators of lockdowns at once and with every tick, until ctx is done, even if no page is
// open.
func (s *Server) watchLockdowns(ctx context.Context, tick <-chan time.Time) {
	for last := ""; ; {
		if print, err := s.fullFingerprint(ctx); err == nil && print != last {
			if err := s.notifyOperators(ctx); err == nil {
				last = print
			} else if ctx.Err() == nil && s.options.Warn != nil {
				s.options.Warn.Warn(fmt.Sprintf("an operator was not told of a lockdown; trying again in %v: %v", alertEvery, err))
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick:
		}
	}
}

// notifyOperators notifies of each actor in lockdown today, as the policy of each repository says, once a day.
func (s *Server) notifyOperators(ctx context.Context) error {
	board, err := s.scores(ctx)
	if err != nil {
		return err
	}
	var failed []error
	for _, r := range s.options.Repos {
		failed = append(failed, r.withRepo(ctx, func(git *repo.Repo) error {
			o := &ledger.Operator{Repo: git, State: r.commonDir, Env: r.env, HasAgreed: true, Now: s.options.Scores.now()}
			var failed []error
			for _, days := range board.Actors {
				_, err := o.Notify(ctx, today(days))
				failed = append(failed, err)
			}
			return errors.Join(failed...)
		}))
	}
	return errors.Join(failed...)
}
