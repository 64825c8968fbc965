package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/acta-git/acta/judge/score"
	"github.com/acta-git/acta/record/ledger"
	"github.com/acta-git/acta/repo"
)

// Day is the score of one actor, or of all together, on one day.
type Day = ledger.Score

// Board is what the score says of a stretch of days that ends today.
type Board struct {
	// Total are the days of all actors together, the oldest first; the last is today.
	Total []Day
	// Actors are those of each actor, ordered by name.
	Actors []ActorDays
}

// ActorDays are the days of one actor, the oldest first; the last is today.
type ActorDays struct {
	Actor string `json:"actor"`
	Days  []Day  `json:"days"`
}

// Scores is where points come from, and feedback goes to.
type Scores struct {
	// Store answers.
	Store ledger.Store
	// Own is that of the repositories themselves, which answers for some of them, too; nil where one store is for all.
	Own *ledger.Repositories
	// By is who gives the feedback that this server takes.
	By string
	// At is when everything is asked; zero is now.
	At time.Time
	// voting is held while a vote is kept, so that each is told the score after its own.
	voting sync.Mutex
}

func (s *Scores) now() time.Time {
	if s.At.IsZero() {
		return time.Now()
	}
	return s.At
}

// version changes whenever an answer of the store may, for another reason than a repository; "" where none does, or
// there are no scores.
func (s *Scores) version(ctx context.Context) (string, error) {
	if s == nil {
		return "", nil
	}
	store, ok := s.Store.(ledger.VersionedStore)
	if !ok {
		return "", nil
	}
	n, err := store.Version(ctx)
	return fmt.Sprint(" ", n), err
}

// boardDays is how many days the page draws; historyDays is how many the API tells of.
const (
	boardDays   = 30
	historyDays = 8
)

// read asks a store for boardDays, the last being today, of what has landed on a revision; "" is the default branch.
func (s *Scores) read(ctx context.Context, store ledger.Store, ref string) (*Board, error) {
	q := ledger.Query{Ref: ref, Now: s.now(), Before: boardDays - 1}
	total, err := store.Days(ctx, q)
	if err != nil {
		return nil, err
	}
	all, err := store.Leaderboard(ctx, q)
	if err != nil {
		return nil, err
	}
	b := &Board{Total: total, Actors: []ActorDays{}}
	for _, days := range all {
		if len(days) > 0 {
			b.Actors = append(b.Actors, ActorDays{days[0].Actor, days})
		}
	}
	return b, nil
}

// dayTurns is how often a day may begin somewhere: time zones differ by quarters of an hour.
const dayTurns = 15 * time.Minute

// scores is the board of now; an empty one where there is no score at all.
func (s *Server) scores(ctx context.Context) (*Board, error) { return s.scoresOf(ctx, s.o.Repos) }

// scoresOf is the board of some of the repositories. That of all and that of each are kept.
func (s *Server) scoresOf(ctx context.Context, repos []*Repository) (*Board, error) {
	scores := s.o.Scores
	if scores == nil {
		return &Board{}, nil
	}
	kept, store := &s.board, scores.Store
	if scores.Own != nil && len(repos) < len(s.o.Repos) {
		kept, store = &cached[*Board]{}, scores.Own.Subset(dirsOf(repos)...)
		if len(repos) == 1 {
			kept = &repos[0].board
		}
	}
	print := scores.now().Truncate(dayTurns).String()
	for _, r := range repos {
		print += r.print()
	}
	version, err := scores.version(ctx)
	if err != nil {
		return nil, err
	}
	return kept.get(ctx, print+version, func(ctx context.Context) (*Board, error) { return scores.read(ctx, store, "") })
}

// askedScores is the board of the repositories that a request names, of all where it names none, with the days that the
// API tells of.
func (s *Server) askedScores(r *http.Request) (*Board, error) {
	repos, err := s.chosen(r.URL.Query()["repo"])
	if err != nil {
		return nil, err
	}
	b, err := s.scoresOf(r.Context(), repos)
	if err != nil && s.o.Scores.isShared() && !errors.Is(err, context.Canceled) {
		err = &badRequest{http.StatusServiceUnavailable, fmt.Sprintf("the score cannot be read: %v", err), s.storeHint()}
	}
	return b, err
}

// isShared reports whether one store is for all, as a database is.
func (s *Scores) isShared() bool { _, ok := s.Store.(ledger.VersionedStore); return ok }

// storeHint says what to do where the store of the scores does not answer.
func (s *Server) storeHint() string {
	if s.o.Scores.isShared() {
		return "see that the database that `acta serve --db` names runs and can be reached"
	}
	return "`acta score` in the repository says more"
}

// keep keeps a vote in the repository that it is about.
func (s *Server) keep(ctx context.Context, up bool, f feedback) (ledger.Effect, error) {
	scores := s.o.Scores
	store, commit, err := s.storeFor(ctx, f.Commit)
	if err != nil {
		return ledger.Effect{}, err
	}
	scores.voting.Lock()
	defer scores.voting.Unlock()
	// Who votes and goes away has voted: the log and the note belong together.
	effect, err := store.AddFeedback(context.WithoutCancel(ctx), ledger.Vote{
		Up: up, At: scores.now(), By: scores.By, Actor: f.Actor, Commit: commit,
	})
	switch {
	case errors.Is(err, ledger.ErrAgent):
		return effect, &badRequest{
			http.StatusBadRequest, err.Error(), "start the server with --by NAME: whose votes they are",
		}
	case errors.Is(err, ledger.ErrActor):
		return effect, &badRequest{http.StatusBadRequest, err.Error(), "name one that `acta score` lists"}
	case errors.Is(err, ledger.ErrNobody), errors.Is(err, repo.ErrNotFound):
		return effect, &badRequest{http.StatusBadRequest, err.Error(), "name an actor, or a commit that is there"}
	}
	return effect, err
}

// storeFor is the store that a vote about a commit is kept in, and the commit as that store knows it.
func (s *Server) storeFor(ctx context.Context, commit string) (ledger.Store, string, error) {
	if commit == "" {
		return s.o.Scores.Store, "", nil
	}
	// A revision of git's could be an option, or a search that takes long.
	if !isCommit.MatchString(commit) && !isName.MatchString(commit) {
		return nil, "", &badRequest{
			http.StatusBadRequest, fmt.Sprintf("%q is no commit", commit),
			"send its id, or the name of a branch or tag, or HEAD~2",
		}
	}
	at, id := s.find(ctx, commit)
	switch {
	case s.o.Scores.Own == nil: // one ledger for all knows commits of repositories that are not served here
		return s.o.Scores.Store, cmp.Or(id, commit), nil
	case at < 0:
		return nil, "", &badRequest{
			http.StatusBadRequest, fmt.Sprintf("there is no commit %q here", commit), "name one that is there",
		}
	}
	dirs := dirsOf(s.o.Repos)
	return s.o.Scores.Own.Subset(slices.Concat(dirs[at:at+1], dirs[:at], dirs[at+1:])...), id, nil
}

// find is the first of the repositories that has a commit, and the commit's full id; -1 where none has it.
func (s *Server) find(ctx context.Context, commit string) (at int, id string) {
	for i, r := range s.o.Repos {
		err := r.with(ctx, func(git *repo.Repo) error {
			c, err := git.Commit(ctx, commit)
			if err == nil {
				id = string(c.ID)
			}
			return err
		})
		if err == nil {
			return i, id
		}
	}
	return -1, ""
}

// today is the last of days; where there are none, that of an actor without history.
func today(actor string, days []Day) Day {
	if len(days) > 0 {
		return days[len(days)-1]
	}
	return ledger.Unscored(actor, score.DayOf(time.Now().UTC()))
}

// lastDays are the last of some days, as many as the API tells of.
func lastDays(days []Day) []Day {
	if days == nil {
		return []Day{}
	}
	return days[max(0, len(days)-historyDays):]
}

// served are repositories by their folders. They are the marks of the ledger's memory.
type served map[string]*Repository

// Mark is the print of a repository.
func (all served) Mark(dir string) string { return all[dir].print() }

// RepositoryScores are the scores of repositories that keep their own, which lie in one environment. warn is told what
// answers leave out; nil where nobody listens.
func RepositoryScores(repos []*Repository, by string, warn ledger.Warner) *Scores {
	all := served{}
	for _, r := range repos {
		all[r.dir] = r
	}
	own := &ledger.Repositories{Dirs: dirsOf(repos), Memory: ledger.NewMemory(all), Warn: warn}
	if len(repos) > 0 {
		own.Env = repos[0].env
	}
	return &Scores{Store: own, Own: own, By: strings.TrimSpace(by)}
}

func dirsOf(repos []*Repository) []string {
	dirs := make([]string, len(repos))
	for i, r := range repos {
		dirs[i] = r.dir
	}
	return dirs
}

// byRepository are the last eight days of each repository.
func (s *Server) byRepository(ctx context.Context) ([]ledger.RepositoryDays, error) {
	out := []ledger.RepositoryDays{}
	scores := s.o.Scores
	if scores == nil {
		return out, nil
	}
	if store, ok := scores.Store.(ledger.RepositoryStore); ok {
		all, err := store.Repositories(ctx, ledger.Query{Now: scores.now(), Before: historyDays - 1})
		return append(out, all...), err
	}
	for _, one := range s.o.Repos {
		b, err := s.scoresOf(ctx, []*Repository{one})
		if err != nil {
			return nil, err
		}
		if days := claimed(lastDays(b.Total)); len(days) > 0 {
			out = append(out, ledger.RepositoryDays{Repository: one.Name, Days: days})
		}
	}
	return out, nil
}

// claimed are the days on which something was claimed.
func claimed(days []Day) []ledger.RepositoryDay {
	var out []ledger.RepositoryDay
	for _, d := range days {
		if d.Verified+d.NotVerified+d.Unclear > 0 {
			out = append(out, ledger.RepositoryDay{
				Date: d.Date, Points: scoreOf(d), Verified: d.Verified, NotVerified: d.NotVerified, Unclear: d.Unclear,
				Contradictions: d.Contradictions,
			})
		}
	}
	return out
}

func (s *Server) repositories(r *http.Request) (any, error) {
	return s.byRepository(r.Context())
}

// repoRow is a repository of the list, with what its last eight days add up to.
type repoRow struct {
	Name, URL string
	ledger.RepositoryDay
}

// maxRepos bounds the list of repositories on the page.
const maxRepos = 50

// addRepositories adds the list, of those with most claims, where there is more than one repository.
func (s *Server) addRepositories(ctx context.Context, v *view) error {
	all, err := s.byRepository(ctx)
	if err != nil || len(all) < 2 {
		return err
	}
	for _, r := range all {
		row := repoRow{Name: r.Repository}
		if slices.Contains(v.Repos, r.Repository) {
			row.URL = pageURL(r.Repository)
		}
		for _, d := range r.Days {
			row.Points += d.Points
			row.Verified += d.Verified
			row.NotVerified += d.NotVerified
			row.Unclear += d.Unclear
		}
		v.ByRepo = append(v.ByRepo, row)
	}
	slices.SortStableFunc(v.ByRepo, func(a, b repoRow) int {
		return cmp.Compare(b.Verified+b.NotVerified+b.Unclear, a.Verified+a.NotVerified+a.Unclear)
	})
	if len(v.ByRepo) > maxRepos {
		v.ByRepo, v.MoreRepos = v.ByRepo[:maxRepos], len(v.ByRepo)-maxRepos
	}
	return nil
}

// pageURL is where the page shows one repository.
func pageURL(repository string) string { return "/?" + url.Values{"repo": {repository}}.Encode() }
