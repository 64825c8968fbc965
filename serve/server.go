// Package serve is the score API and the web page: the history of one or several repositories for browsers and
// programs. It judges nothing itself: verdicts come from judge, sessions from worklog, points from ledger.
//
// It reads repositories, and writes only feedback. guard.go decides about access; openapi.json describes the API, and a
// test compares it with the handlers.
package serve

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/acta-git/acta/record/ledger"
)

// Options of New.
type Options struct {
	// Repos are the repositories on the pages, at least one unless Scores has a shared store.
	Repos []*Repository
	// Scores is the source of points.
	Scores *Scores
	// ReportToken is a token for reports only; "" for none.
	ReportToken string
	// Token is required for writes, and without IsLoopback also for reads. It is never empty.
	Token string
	// IsLoopback: only this machine can reach the server's address.
	IsLoopback bool
	// Hosts are the values of a Host header that name this server, with their ports.
	Hosts []string
	// Notify: operators are told of lockdowns, by programs that the repositories' policies name.
	Notify bool
	// Warn gets warnings; it may be nil.
	Warn ledger.Warner
}

// Server serves the API and the pages. Its Handler is safe for concurrent use.
type Server struct {
	options   Options
	guard     *guard
	board     cached[*Board]
	broadcast *broadcast
	readers   chan struct{} // limits readers of code, each of which starts a git
}

// New makes a server.
func New(o Options) *Server {
	return &Server{options: o, guard: newGuard(o), broadcast: newBroadcast(), readers: make(chan struct{}, 4)}
}

// route is a path with its handler. openapi.json describes the documented ones.
type route struct {
	pattern      string
	handle       http.HandlerFunc
	isDocumented bool
}

func (s *Server) routes() []route {
	return []route{
		{"GET /api/score", s.json(s.score), true},
		{"GET /api/score/history", s.json(s.history), true},
		{"GET /api/score/repositories",
			s.json(func(r *http.Request) (any, error) { return s.byRepository(r.Context()) }), true},
		{"POST /api/score/feedback", s.guard.write(s.json(s.feedback)), true},
		{"POST /api/reports", s.guard.writeReport(s.json(s.report)), true},
		{"GET /api/worklog", s.json(s.worklog), true},
		{"GET /api/plan", s.json(s.plans), true},
		{"GET /api/claims", s.json(s.claims), true},
		{"GET /healthz", s.getHealth, true},
		{"GET /openapi.json", s.getOpenAPI, true},
		{"GET /{$}", s.getPage, false},
		{"GET /claim", s.getClaim, false},
		{"GET /commit/{id}", s.getCommit, false},
		{"GET /events", s.getEvents, false},
		{"GET /signin", s.getSignIn, false},
		{"POST /signin", s.postSignIn, false},
		{"POST /feedback", s.guard.write(s.postFeedbackForm), false},
		{"GET /assets/{name}", s.getAsset, false},
	}
}

// Handler serves every request, with all guards.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	for _, r := range s.routes() {
		mux.HandleFunc(r.pattern, r.handle)
	}
	mux.HandleFunc("/api/", notFound)
	return s.guard.protect(mux)
}

// How long a client may take; streams of events may take longer.
const (
	headerTime = 5 * time.Second
	readTime   = 15 * time.Second
	writeTime  = 90 * time.Second
	idleTime   = 2 * time.Minute
	endTime    = 5 * time.Second
	healthTime = 2 * time.Second // for an answer about health
	maxHeader  = 32 << 10
)

// warm reads the data of the page, so that the first reader need not wait for a long history. Errors show later.
func (s *Server) warm(ctx context.Context) {
	var scoring sync.WaitGroup
	scoring.Go(func() { _, _ = s.scores(ctx) })
	gatherData(ctx, s.options.Repos)
	scoring.Wait()
}

// Serve serves on a listener until ctx is done, and then finishes running requests, for a few seconds.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	server := &http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: headerTime, ReadTimeout: readTime, WriteTimeout: writeTime,
		IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
	}
	server.RegisterOnShutdown(s.broadcast.close)
	go s.warm(ctx)
	go s.watch(ctx)
	if s.options.Notify {
		tick := time.NewTicker(alertEvery)
		defer tick.Stop()
		go s.watchLockdowns(ctx, tick.C)
	}
	ended := make(chan error, 1)
	go func() {
		<-ctx.Done()
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTime)
		defer cancel()
		ended <- server.Shutdown(grace)
	}()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	err := <-ended
	if errors.Is(err, context.DeadlineExceeded) {
		return server.Close()
	}
	return err
}
