package serve

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/ledger"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/report"
)

//go:embed openapi.json
var openAPI []byte

func (s *Server) json(find func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		out, err := find(r)
		if err != nil {
			writeError(w, err)
			return
		}
		writeJSON(w, http.StatusOK, out)
	}
}

func (s *Server) getOpenAPI(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write(openAPI)
}

type allScores struct {
	Total  Day   `json:"total"`
	Actors []Day `json:"actors"`
}

func (s *Server) score(r *http.Request) (any, error) {
	b, err := s.requestedScores(r)
	if err != nil {
		return nil, err
	}
	return allScores{today(b.Total), append([]Day{}, report.Map(b.Actors, today)...)}, nil
}

// scoreHistory is today and the seven days before it.
type scoreHistory struct {
	Total  []Day       `json:"total"`
	Actors []ActorDays `json:"actors"`
}

func (s *Server) history(r *http.Request) (any, error) {
	b, err := s.requestedScores(r)
	if err != nil {
		return nil, err
	}
	actors := report.Map(b.Actors, func(days []Day) ActorDays { return ActorDays{days[0].Actor, lastDays(days)} })
	return scoreHistory{lastDays(b.Total), append([]ActorDays{}, actors...)}, nil
}

type feedback struct {
	Vote   string `json:"vote"`
	Actor  string `json:"actor"`
	Commit string `json:"commit"`
}

type voteResult struct {
	Delta int    `json:"delta"`
	Score *int   `json:"score"`
	Actor string `json:"actor"`
}

func (s *Server) feedback(r *http.Request) (any, error) {
	f, err := readFeedback(r)
	if err != nil {
		return nil, err
	}
	return s.vote(r, f)
}

// readFeedback reads the body of a vote, strictly: a misspelt key could change the actor.
func readFeedback(r *http.Request) (f feedback, err error) {
	switch kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind {
	case "application/json", "", "application/x-www-form-urlencoded": // the last is curl -d's default
	default:
		return f, refusalf(http.StatusUnsupportedMediaType, "send Content-Type: application/json", "the body is not JSON")
	}
	dec := json.NewDecoder(r.Body)
	dec.DisallowUnknownFields()
	err = dec.Decode(&f)
	if err == nil {
		if _, more := dec.Token(); !errors.Is(more, io.EOF) {
			err = errors.Join(errors.New("more than one value"), more)
		}
	}
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		return f, refusalf(http.StatusRequestEntityTooLarge, "send less", "the body is longer than 64 KiB")
	case err != nil:
		return f, refusalf(http.StatusBadRequest, `send {"vote": "up" or "down", "actor": …, "commit": …}`,
			"the body cannot be read: %v", err)
	}
	return f, nil
}

func (s *Server) vote(r *http.Request, f feedback) (*voteResult, error) {
	if f.Vote != ledger.Up && f.Vote != ledger.Down {
		return nil, refusalf(http.StatusBadRequest, "it is up or down", "there is no vote %q", f.Vote)
	}
	effect, err := s.addVote(r.Context(), f)
	if err != nil {
		return nil, err
	}
	s.broadcast.update(s.fingerprint(), "feedback")
	return &voteResult{Delta: effect.Delta, Score: effect.Score.Score, Actor: effect.Score.Actor}, nil
}

type session struct {
	Repo  string         `json:"repo"`
	State worklog.Origin `json:"state"`
	Name  string         `json:"name"`
	*worklog.Session
}

type sessionList struct {
	Sessions []session `json:"sessions"`
	// More is how many older ones there are.
	More     int      `json:"more"`
	Warnings []string `json:"warnings"`
}

const maxSessions = 1000

func (s *Server) worklog(r *http.Request) (any, error) {
	limitText := cmp.Or(r.URL.Query().Get("limit"), "50")
	limit, err := strconv.Atoi(limitText)
	if err != nil || limit < 1 || limit > maxSessions {
		return nil, refusalf(http.StatusBadRequest, "it is a number from 1 to 1000", "there is no limit %q", limitText)
	}
	repos, err := s.selectedRepos(r.URL.Query()["repo"])
	if err != nil {
		return nil, err
	}
	out := sessionList{Sessions: []session{}, Warnings: []string{}}
	for _, one := range repos {
		rec, err := one.readRecord(r.Context())
		if err != nil {
			return nil, err
		}
		for _, l := range rec.sessions {
			out.Sessions = append(out.Sessions, session{one.Name, l.State, l.Name, l.Session})
		}
		out.Warnings = append(out.Warnings, rec.warnings...)
	}
	newestFirst(out.Sessions, func(s session) string { return s.Started })
	if len(out.Sessions) > limit {
		out.Sessions, out.More = out.Sessions[:limit], len(out.Sessions)-limit
	}
	return out, nil
}

type repoPlan struct {
	Repo string `json:"repo"`
	// Path is the plan's path; "" without a plan, and Plan is null.
	Path string     `json:"path"`
	Plan *plan.Unit `json:"plan"`
	// Owners are the holders of units, by key.
	Owners map[string]string `json:"owners"`
}

func (s *Server) plans(r *http.Request) (any, error) {
	repos, err := s.selectedRepos(r.URL.Query()["repo"])
	if err != nil {
		return nil, err
	}
	plans, now := []repoPlan{}, time.Now()
	for _, one := range repos {
		p, err := one.readPlan(r.Context())
		if err != nil {
			return nil, fmt.Errorf("the plan of %s: %w", one.Name, err)
		}
		entry := repoPlan{Repo: one.Name, Plan: p.root, Owners: map[string]string{}}
		if p.root != nil {
			entry.Path = p.path
		}
		for key := range p.owners {
			if agent := p.holder(key, now); agent != "" {
				entry.Owners[key] = agent
			}
		}
		plans = append(plans, entry)
	}
	return map[string]any{"plans": plans}, nil
}

type repoClaim struct {
	Repo string `json:"repo"`
	judge.Claim
}

// claimList is the output of `acta drift --format json`, for one or several repositories.
type claimList struct {
	Acta string `json:"acta"`
	// Range is "" for several repositories.
	Range     string      `json:"range"`
	Claims    []repoClaim `json:"claims"`
	Warnings  []string    `json:"warnings"`
	Undecided []string    `json:"undecided"`
}

func (s *Server) claims(r *http.Request) (any, error) {
	repos, err := s.selectedRepos(r.URL.Query()["repo"])
	if err != nil {
		return nil, err
	}
	out := claimList{Acta: report.Release, Claims: []repoClaim{}, Warnings: []string{}, Undecided: []string{}}
	for _, one := range repos {
		report, err := one.readClaims(r.Context())
		if err != nil {
			return nil, fmt.Errorf("the claims of %s: %w", one.Name, err)
		}
		for _, c := range report.Claims {
			out.Claims = append(out.Claims, repoClaim{one.Name, c})
		}
		out.Warnings = append(out.Warnings, report.Warnings...)
		out.Undecided = append(out.Undecided, report.Undecided...)
		if len(repos) == 1 {
			out.Range = report.Range
		}
	}
	return out, nil
}

type health struct {
	Status string   `json:"status"`
	Acta   string   `json:"acta"`
	Repos  []string `json:"repos"`
}

func (s *Server) getHealth(w http.ResponseWriter, r *http.Request) {
	out := health{Status: "ok", Acta: report.Release, Repos: append([]string{}, s.names()...)}
	ctx, cancel := context.WithTimeout(r.Context(), healthTime)
	defer cancel()
	var checks errgroup.Group
	checks.Go(func() error {
		_, err := s.options.Scores.version(ctx)
		return err
	})
	for _, one := range s.options.Repos {
		checks.Go(func() error { return one.reachable(ctx) })
	}
	found := make(chan error, 1) // a late check must not block
	go func() { found <- checks.Wait() }()
	select {
	case err := <-found:
		if err == nil {
			writeJSON(w, http.StatusOK, out)
			return
		}
	case <-ctx.Done():
	}
	out.Status = "unavailable"
	writeJSON(w, http.StatusServiceUnavailable, out)
}

// problem is a refused request, and the body of its answer.
type problem struct {
	code    int
	Message string `json:"error"`
	// Hint says what to do.
	Hint string `json:"hint"`
}

func (p *problem) Error() string { return p.Message }

func refusalf(code int, hint, format string, args ...any) error {
	return &problem{code, fmt.Sprintf(format, args...), hint}
}

func refuse(w http.ResponseWriter, code int, what, hint string) {
	writeJSON(w, code, problem{code, what, hint})
}

func notFound(w http.ResponseWriter, _ *http.Request) {
	refuse(w, http.StatusNotFound, "there is nothing at this path for this method",
		"GET /openapi.json lists the paths")
}

// writeJSON writes a value as JSON on one line: indenting would take most of the time. Errors are ignored: the client
// has gone.
func writeJSON(w http.ResponseWriter, code int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(v)
}

func writeError(w http.ResponseWriter, err error) {
	var refused *problem
	switch {
	case errors.As(err, &refused):
		writeJSON(w, refused.code, refused)
	case errors.Is(err, context.Canceled):
		// The client went away.
	default:
		refuse(w, http.StatusInternalServerError, err.Error(), "`acta doctor` in the repository says more")
	}
}
