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
	"github.com/acta-git/acta/report"
)

// Day is the score of one actor, or of all together, on one day.
type Day = ledger.Score

// Board is the scores of some days up to today.
type Board struct {
	// Total are the days of all actors together, the oldest first; the last is today.
	Total []Day
	// Actors are the days of each actor.
	Actors [][]Day
}

// ActorDays are the days of one actor, the oldest first; the last is today.
type ActorDays struct {
	Actor string `json:"actor"`
	Days  []Day  `json:"days"`
}

// Scores is the source of points, and the target of feedback.
type Scores struct {
	// Own replays the repositories, so it can also answer for some of them. Only without Shared it is asked.
	Own *ledger.Repositories
	// Shared answers for all repositories, also those that are not served, and receives reports; nil for none.
	Shared ledger.SharedStore
	Voter  string
	// Time is the time of all queries; zero is now.
	Time time.Time
	// voting is held while a vote is stored, so that each answer has the score after its own vote.
	voting sync.Mutex
}

func (s *Scores) now() time.Time {
	if s.Time.IsZero() {
		return time.Now()
	}
	return s.Time
}

// store answers for all repositories.
func (s *Scores) store() ledger.Store {
	if s.Shared != nil {
		return s.Shared
	}
	return s.Own
}

// version changes whenever answers may change although no repository does; "" if they cannot.
func (s *Scores) version(ctx context.Context) (string, error) {
	if s.Shared == nil {
		return "", nil
	}
	n, err := s.Shared.Version(ctx)
	return fmt.Sprint(" ", n), err
}

// boardDays is how many days the page draws; historyDays is how many the API returns.
const (
	boardDays   = 30
	historyDays = 8
)

// read reads boardDays up to today from a store, for a revision; "" is the default branch.
func (s *Scores) read(ctx context.Context, store ledger.Store, ref string) (*Board, error) {
	q := ledger.Query{Ref: ref, Now: s.now(), PastDays: boardDays - 1}
	total, actors, err := store.Leaderboard(ctx, q)
	return &Board{total, actors}, err
}

// dayTurns is how often a day may begin somewhere: time zones differ by quarters of an hour.
const dayTurns = 15 * time.Minute

// scores is the present board.
func (s *Server) scores(ctx context.Context) (*Board, error) { return s.scoresOf(ctx, s.options.Repos) }

// scoresOf is the board of some repositories. The boards of all and of each one are cached.
func (s *Server) scoresOf(ctx context.Context, repos []*Repository) (*Board, error) {
	scores := s.options.Scores
	cachedBoard, store := &s.board, scores.store()
	if scores.Shared == nil && len(repos) < len(s.options.Repos) {
		cachedBoard, store = &cached[*Board]{}, scores.Own.Subset(dirsOf(repos)...)
		if len(repos) == 1 {
			cachedBoard = &repos[0].board
		}
	}
	print := scores.now().Truncate(dayTurns).String()
	for _, r := range repos {
		print += r.fingerprint()
	}
	version, err := scores.version(ctx)
	if err != nil {
		return nil, err
	}
	return cachedBoard.get(ctx, print+version, func(ctx context.Context) (*Board, error) {
		return scores.read(ctx, store, "")
	})
}

func (s *Server) requestedScores(r *http.Request) (*Board, error) {
	repos, err := s.selectedRepos(r.URL.Query()["repo"])
	if err != nil {
		return nil, err
	}
	b, err := s.scoresOf(r.Context(), repos)
	if err != nil && s.options.Scores.Shared != nil && !errors.Is(err, context.Canceled) {
		err = refusalf(http.StatusServiceUnavailable, s.storeHint(), "the score cannot be read: %v", err)
	}
	return b, err
}

func (s *Server) storeHint() string {
	if s.options.Scores.Shared != nil {
		return "make sure that the database of `acta serve --db` is running and reachable"
	}
	return "`acta score` in the repository says more"
}

func (s *Server) addVote(ctx context.Context, f feedback) (ledger.Effect, error) {
	scores := s.options.Scores
	store, commit, err := s.storeFor(ctx, f.Commit)
	if err != nil {
		return ledger.Effect{}, err
	}
	scores.voting.Lock()
	defer scores.voting.Unlock()
	// The vote counts even if the client has gone: log and note belong together.
	effect, err := store.AddFeedback(context.WithoutCancel(ctx), ledger.Vote{
		Word: f.Vote, At: scores.now(), Voter: scores.Voter, Actor: f.Actor, Commit: commit,
	})
	switch {
	case errors.Is(err, ledger.ErrAgent):
		return effect, refusalf(http.StatusBadRequest, "start the server with --by NAME, the voter's name", "%v", err)
	case errors.Is(err, ledger.ErrActor):
		return effect, refusalf(http.StatusBadRequest, "name one that `acta score` lists", "%v", err)
	case errors.Is(err, ledger.ErrNobody), errors.Is(err, repo.ErrNotFound):
		return effect, refusalf(http.StatusBadRequest, "name an actor, or an existing commit", "%v", err)
	}
	return effect, err
}

// storeFor is the store of a vote about a commit, and that store's name of the commit.
func (s *Server) storeFor(ctx context.Context, commit string) (ledger.Store, string, error) {
	scores := s.options.Scores
	if commit == "" {
		return scores.store(), "", nil
	}
	// Other revisions could be options, or slow searches.
	if !isCommit.MatchString(commit) && !isName.MatchString(commit) {
		return nil, "", refusalf(http.StatusBadRequest, "send its id, or the name of a branch or tag, or HEAD~2",
			"%q is no commit", commit)
	}
	at, id := s.find(ctx, commit)
	switch {
	case scores.Shared != nil: // it knows commits of other repositories
		return scores.Shared, cmp.Or(id, commit), nil
	case at < 0:
		return nil, "", refusalf(http.StatusBadRequest, "name an existing one", "there is no commit %q here", commit)
	}
	dirs := dirsOf(s.options.Repos)
	return scores.Own.Subset(slices.Concat(dirs[at:at+1], dirs[:at], dirs[at+1:])...), id, nil
}

// find is the first repository with a commit, and the commit's full id; -1 for none.
func (s *Server) find(ctx context.Context, commit string) (at int, id string) {
	for i, r := range s.options.Repos {
		err := r.withRepo(ctx, func(git *repo.Repo) error {
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

// today is the last day; without days, one without history.
func today(days []Day) Day {
	if len(days) > 0 {
		return days[len(days)-1]
	}
	day := score.DayOf(time.Now().UTC())
	return ledger.Scores(nil, "", day, day)[0]
}

func lastDays(days []Day) []Day {
	return days[max(0, len(days)-historyDays):]
}

// RepositoryScores are the scores of repositories that keep their own, in one environment. warn gets warnings about
// omissions; it may be nil.
func RepositoryScores(repos []*Repository, by string, warn ledger.Warner) *Scores {
	own := &ledger.Repositories{Dirs: dirsOf(repos), Warn: warn}
	if len(repos) > 0 {
		own.Env = repos[0].env
	}
	return &Scores{Own: own, Voter: strings.TrimSpace(by)}
}

func dirsOf(repos []*Repository) []string {
	return report.Map(repos, func(r *Repository) string { return r.dir })
}

func (s *Server) byRepository(ctx context.Context) ([]ledger.RepositoryDays, error) {
	out := []ledger.RepositoryDays{}
	scores := s.options.Scores
	if scores.Shared != nil {
		all, err := scores.Shared.Repositories(ctx, ledger.Query{Now: scores.now(), PastDays: historyDays - 1})
		return append(out, all...), err
	}
	for _, one := range s.options.Repos {
		b, err := s.scoresOf(ctx, []*Repository{one})
		if err != nil {
			return nil, err
		}
		if days := claimedDays(lastDays(b.Total)); len(days) > 0 {
			out = append(out, ledger.RepositoryDays{Repository: one.Name, Days: days})
		}
	}
	return out, nil
}

func claimedDays(days []Day) []ledger.RepositoryDay {
	var out []ledger.RepositoryDay
	for _, d := range days {
		if d.Verified+d.NotVerified+d.Unclear > 0 {
			out = append(out, ledger.RepositoryDay{
				Date: d.Date, Points: d.Points(), Verified: d.Verified, NotVerified: d.NotVerified, Unclear: d.Unclear,
				Contradictions: d.Contradictions,
			})
		}
	}
	return out
}

type repoRow struct {
	Name, URL string
	ledger.RepositoryDay
}

const maxRepos = 50

func (s *Server) addRepositories(ctx context.Context, v *view) error {
	all, err := s.byRepository(ctx)
	if err != nil || len(all) < 2 {
		return err
	}
	for _, r := range all {
		row := repoRow{Name: r.Repository}
		if slices.Contains(v.Repos, r.Repository) {
			row.URL = "/?" + url.Values{"repo": {r.Repository}}.Encode()
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
