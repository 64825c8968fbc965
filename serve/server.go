package serve

import (
	"context"
	"errors"
	"html/template"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/acta-git/acta/record/ledger"
)

// Options of New.
type Options struct {
	// Repos are the repositories shown, at least one unless Scores has a store of its own.
	Repos []*Repository
	// Scores is where points come from; nil shows none.
	Scores *Scores
	// Reports takes what `acta verify --report` tells; nil where the repositories are the store.
	Reports ledger.Receiver
	// ReportToken is one that bears reports and nothing else; "" for none.
	ReportToken string
	// Token is what a write must bear, and every read where Loopback is false. It is never empty.
	Token string
	// Loopback: only this machine can reach the address that is served.
	Loopback bool
	// Hosts are the values of a Host header that name this server, with their ports.
	Hosts []string
	// Notify: the operators that the repositories' policies name are told of lockdowns. What they name is run here.
	Notify bool
	// Warn is told what went wrong where nobody asked; nil where nobody listens.
	Warn ledger.Warner
}

// Server answers for the API and the page. Its Handler may be used by many at once.
type Server struct {
	o         Options
	guard     *guard
	board     cached[*Board]
	pages     *template.Template
	broadcast *broadcast
	reading   chan struct{} // a place for each reader of code, which starts a git of its own
}

// New makes a server.
func New(o Options) (*Server, error) {
	if o.Token == "" {
		return nil, errors.New("a server needs a token")
	}
	pages, err := parseTemplates()
	if err != nil {
		return nil, err
	}
	return &Server{
		o: o, guard: newGuard(o), pages: pages, broadcast: newBroadcast(), reading: make(chan struct{}, 4),
	}, nil
}

// route is one thing that can be asked for. A documented one is in openapi.json.
type route struct {
	pattern    string
	handle     http.HandlerFunc
	documented bool
}

// routes are all there are.
func (s *Server) routes() []route {
	return []route{
		{"GET /api/score", s.json(s.score), true},
		{"GET /api/score/history", s.json(s.history), true},
		{"GET /api/score/repositories", s.json(s.repositories), true},
		{"POST /api/score/feedback", s.guard.write(s.json(s.feedback)), true},
		{"POST /api/reports", s.guard.take(s.json(s.report)), true},
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

// Handler answers every request, what guards them included.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	for _, r := range s.routes() {
		mux.HandleFunc(r.pattern, r.handle)
	}
	mux.HandleFunc("/api/", notThere)
	return s.guard.protect(mux)
}

// How long a client may take. A reader of events is exempt from the last.
const (
	headerTime = 5 * time.Second
	readTime   = 15 * time.Second
	writeTime  = 90 * time.Second
	idleTime   = 2 * time.Minute
	endTime    = 5 * time.Second
	healthTime = 2 * time.Second // that an answer about health waits
	maxHeader  = 32 << 10
)

// warm reads what the page shows, so that who asks first need not wait for a long history to be read. What cannot be
// read is told to who asks.
func (s *Server) warm(ctx context.Context) {
	var scoring sync.WaitGroup
	scoring.Go(func() { _, _ = s.scores(ctx) })
	gather(ctx, s.o.Repos)
	scoring.Wait()
}

// Serve answers on a listener until ctx is done, and then lets what it has begun
// come to its end, for a few seconds.
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
	if s.o.Notify && s.o.Scores != nil {
		tick := time.NewTicker(alertEvery)
		defer tick.Stop()
		go s.alert(ctx, tick.C)
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
	if err := <-ended; errors.Is(err, context.DeadlineExceeded) {
		return server.Close()
	} else if err != nil {
		return err
	}
	return nil
}
