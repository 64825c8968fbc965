package ledger

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/score"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// Repositories is the Store that needs only git: each answer is replayed from the repositories and from this machine's
// logs.
type Repositories struct {
	// Dirs are folders in the repositories. A commit in several of them counts once.
	Dirs []string
	// Env is git's environment; nil is the process's own.
	Env []string
	// State is the folder of the logs; "" is each repository's own.
	State string
	// Warn gets warnings about omissions; it may be nil.
	Warn Warner

	seenWarnings sync.Map      // warnings already given
	parent       *Repositories // also keeps the warnings; see Subset
}

// Warner gets warnings about failures that stop nothing.
type Warner interface{ Warn(message string) }

// Subset is a Store of some of the repositories, by folder. A warning is given once for all of them.
func (s *Repositories) Subset(dirs ...string) *Repositories {
	return &Repositories{Dirs: dirs, Env: s.Env, State: s.State, parent: cmp.Or(s.parent, s)}
}

var _ Store = (*Repositories)(nil)

// Days implements Store.
func (s *Repositories) Days(ctx context.Context, q Query) ([]Score, error) {
	all, to, err := s.replayTo(ctx, q)
	if err != nil {
		return nil, err
	}
	return Scores(all.entries, q.Actor, to-score.Day(q.PastDays), to), nil
}

// Leaderboard implements Store.
func (s *Repositories) Leaderboard(ctx context.Context, q Query) (total []Score, actors [][]Score, err error) {
	all, to, err := s.replayTo(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	from := to - score.Day(q.PastDays)
	actors = report.Map(actorsOf(all.entries), func(actor string) []Score { return Scores(all.entries, actor, from, to) })
	return Scores(all.entries, "", from, to), actors, nil
}

// Points implements Store.
func (s *Repositories) Points(ctx context.Context, q Query) ([]Point, error) {
	all, day, err := s.replayTo(ctx, q)
	if err != nil {
		return nil, err
	}
	var points []Point
	for i := range all.entries {
		if e := &all.entries[i]; e.Day == day && (q.Actor == "" || e.Actor == q.Actor) {
			points = append(points, PointOf(e))
		}
	}
	return points, nil
}

// DateError is an invalid date.
type DateError struct{ Date string }

// Error shows the format of a date.
func (e *DateError) Error() string {
	return fmt.Sprintf("a date is written YYYY-MM-DD, not %q", e.Date)
}

// Day is the day of the query, in the ledger's time zone. The error is a *DateError.
func (q *Query) Day(zone *time.Location) (score.Day, error) {
	if q.Date == "" {
		return score.DayOf(q.Now.In(zone)), nil
	}
	day, err := score.ParseDay(q.Date)
	if err != nil {
		return 0, &DateError{q.Date}
	}
	return day, nil
}

func (s *Repositories) replayTo(ctx context.Context, q Query) (*contents, score.Day, error) {
	all, err := s.replay(ctx, q)
	if err != nil {
		return nil, 0, err
	}
	day, err := q.Day(all.zone)
	return all, day, err
}

func (s *Repositories) replay(ctx context.Context, q Query) (*contents, error) {
	all := &contents{zone: time.UTC}
	for i, dir := range s.Dirs {
		one, err := s.read(ctx, dir, q)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			all = one
			continue
		}
		all.rows, all.votes = append(all.rows, one.rows...), append(all.votes, one.votes...)
	}
	all.votes = slices.DeleteFunc(all.votes, func(v Vote) bool { return !v.isCounted(all.policy, all.rows) })
	all.entries = Replay(all.rows, all.votes, all.zone)
	return all, nil
}

type contents struct {
	rows    []Row
	votes   []Vote
	zone    *time.Location
	policy  *policy.Policy // names the agents; nil for none
	times   map[repo.ID]repo.CommitTime
	entries []score.Entry // of a replay
}

func (s *Repositories) open(ctx context.Context, dir string) (*repo.Repo, error) {
	return repo.Open(ctx, dir, repo.Options{Env: s.Env})
}

func (s *Repositories) stateDir(ctx context.Context, r *repo.Repo) (string, error) {
	if s.State != "" {
		return s.State, nil
	}
	return r.CommonDir(ctx)
}

func (s *Repositories) read(ctx context.Context, dir string, q Query) (*contents, error) {
	r, err := s.open(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	state, err := s.stateDir(ctx, r)
	if err != nil {
		return nil, err
	}
	out := &contents{zone: time.UTC}
	if err := s.readBranch(ctx, r, dir, state, q, out); err != nil {
		return nil, err
	}
	if out.votes, err = noteVotes(ctx, r); err != nil {
		return nil, err
	}
	err = s.readLogs(state, out)
	clampTimes(out.votes, out.times)
	return out, err
}

// readBranch reads the claims on the branch of the query. An unborn branch has none.
func (s *Repositories) readBranch(
	ctx context.Context, r *repo.Repo, dir, state string, q Query, out *contents,
) error {
	reads, tip := &evidence.Reads{Ctx: ctx}, repo.Commit{}
	if q.Ref == "" {
		_, tip = defaultTip(reads, r)
	} else {
		tip, reads.Err = r.Commit(ctx, q.Ref)
	}
	if errors.Is(reads.Err, repo.ErrUnborn) {
		return nil
	}
	terms := evidence.ReadOf(reads, func() (*judge.ScoreTerms, error) { return judge.ReadScoreTerms(ctx, r, tip) })
	if reads.Err != nil {
		return reads.Err
	}
	out.zone, out.policy = terms.Zone, terms.Policy
	l := &branchReader{s, r, dir, cacheAt(state, report.Release)}
	accounts, err := l.scoredCommits(ctx, tip.ID, terms)
	if err != nil {
		return err
	}
	out.rows, out.times, err = rowsOf(ctx, r, tip.ID, accounts)
	return err
}

func (s *Repositories) warn(w string) {
	if s.parent != nil {
		s = s.parent
	}
	if _, again := s.seenWarnings.LoadOrStore(w, true); !again && s.Warn != nil {
		s.Warn.Warn(w)
	}
}

// ErrNobody means that the feedback names no actor, and nobody has made an ACT.
var ErrNobody = errors.New("nobody has made an ACT here yet; name the actor with --actor")

// ErrAgent means that the voter is not a person, or votes for itself.
var ErrAgent = errors.New("you cannot vote")

// AddFeedback implements Store. The vote's commit may be any revision; without an actor it is about the author of the
// commit, or of the last ACT.
func (s *Repositories) AddFeedback(ctx context.Context, v Vote) (Effect, error) {
	if err := v.CheckActor(); err != nil {
		return Effect{}, err
	}
	dir := s.Dirs[0]
	r, err := s.open(ctx, dir)
	if err != nil {
		return Effect{}, err
	}
	defer r.Close()
	reads := &evidence.Reads{Ctx: ctx}
	state := evidence.ReadOf(reads, func() (string, error) { return s.stateDir(ctx, r) })
	before := evidence.ReadOf(reads, func() (*contents, error) { return s.replay(ctx, Query{Now: v.At}) })
	if reads.Err != nil {
		return Effect{}, reads.Err
	}
	if err := fillActor(ctx, r, before.rows, &v); err != nil {
		return Effect{}, err
	}
	if err := checkVoter(ctx, r, before.policy, &v); err != nil {
		return Effect{}, err
	}
	if v.ID == "" {
		v.ID = NewVoteID()
	}
	v.At = v.At.UTC().Truncate(time.Second)
	effect := Effect{Delta: v.Worth()}
	if effect.Warnings, err = keepVote(ctx, r, state, v); err != nil {
		return effect, err
	}
	after, day, err := s.replayTo(ctx, Query{Now: v.At})
	if err != nil {
		return effect, err
	}
	for i := range after.entries {
		if after.entries[i].ID == v.ID {
			effect.Delta = after.entries[i].Points // 0 if the log was changed by hand
		}
	}
	effect.Score = Scores(after.entries, v.Actor, day, day)[0]
	return effect, nil
}

// checkVoter says why the caller may not vote: agents may not, and nobody votes for themselves.
func checkVoter(ctx context.Context, r *repo.Repo, p *policy.Policy, v *Vote) error {
	acta, git := r.Identities(ctx)
	acta = append(acta, v.Voter)
	for _, name := range append(slices.Clone(acta), git...) {
		if p != nil && p.IsAgent(name) {
			return fmt.Errorf("%w: the policy lists %s, your name here, as an agent; vote under the name and "+
				"address of a person", ErrAgent, name)
		}
	}
	for _, name := range acta {
		if policy.SameName(name, v.Actor) {
			return fmt.Errorf("%w on your own work (%s is your name here); ask another person to vote", ErrAgent, name)
		}
	}
	return nil
}

// isCounted reports whether a vote counts: not an agent's, not one for oneself, and not one for an actor without
// claims.
func (v *Vote) isCounted(p *policy.Policy, rows []Row) bool {
	return !(p != nil && p.IsAgent(v.Voter)) && !policy.SameName(v.Voter, v.Actor) && hasActed(rows, v.Actor)
}

// clampTimes limits the dates of votes, which the voters write, to the times between those of their commits and now.
func clampTimes(votes []Vote, moments map[repo.ID]repo.CommitTime) {
	now := time.Now()
	for i := range votes {
		v := &votes[i]
		if least := time.Unix(moments[repo.ID(v.Commit)].Unix, 0); v.At.Before(least) {
			v.At = least
		}
		if v.At.After(now) {
			v.At = now
		}
	}
}

func hasActed(rows []Row, actor string) bool {
	return slices.ContainsFunc(rows, func(r Row) bool { return r.Actor == actor })
}

func fillActor(ctx context.Context, r *repo.Repo, rows []Row, v *Vote) error {
	if v.Commit != "" {
		c, err := r.Commit(ctx, v.Commit)
		if err != nil {
			return err
		}
		v.Commit = string(c.ID)
		if v.Actor == "" {
			v.Actor, err = judge.ActorOf(ctx, r, v.Commit, "")
			return err
		}
	}
	if v.Actor == "" {
		for _, row := range slices.Backward(sortRows(rows)) {
			if row.Kind == score.Landed {
				v.Actor = row.Actor
				break
			}
		}
	}
	if strings.TrimSpace(v.Actor) == "" {
		return ErrNobody
	}
	if !hasActed(rows, v.Actor) {
		return fmt.Errorf("%w: no claim of %.80q counts here", ErrActor, v.Actor)
	}
	return nil
}
