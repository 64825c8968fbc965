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

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/score"
	"github.com/acta-git/acta/record/heartbeat"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// Repositories is the Store that needs nothing but git: each answer is replayed from
// the repositories themselves, and from the logs of this machine.
type Repositories struct {
	// Dirs are folders in the repositories. Commits that several of them hold count once.
	Dirs []string
	// Env is the environment that git runs in; nil is the process's own.
	Env []string
	// State is the folder of the logs; "" asks git for each repository's.
	State string
	// Warn is told what an answer leaves out; nil where nobody listens.
	Warn Warner
	// Memory lets answers of a long-running process rest on those before; nil reads everything each time.
	Memory *Memory

	warned sync.Map      // what Warn was told
	whole  *Repositories // whose warnings are said, too; see Of
}

// Warner is told what went wrong and keeps nothing from going on.
type Warner interface{ Warn(message string) }

// Of are some of the repositories, by their folders. What all leave out is said once.
func (s *Repositories) Of(dirs ...string) *Repositories {
	return &Repositories{Dirs: dirs, Env: s.Env, State: s.State, Memory: s.Memory, whole: cmp.Or(s.whole, s)}
}

var _ Store = (*Repositories)(nil)

// replayed is what all answers are made of.
type replayed struct {
	rows    []Row
	entries []score.Entry
	zone    *time.Location
	policy  *policy.Policy // says who is an agent; nil for nobody
	// doubtful: something was left out that may be there the next time.
	doubtful bool
}

// Days is of Store.
func (s *Repositories) Days(ctx context.Context, q Query) ([]Score, error) {
	all, to, err := s.replayTo(ctx, q)
	if err != nil {
		return nil, err
	}
	return Scores(all.entries, q.Actor, to-score.Day(q.Before), to), nil
}

// Leaderboard is of Store.
func (s *Repositories) Leaderboard(ctx context.Context, q Query) ([][]Score, error) {
	all, to, err := s.replayTo(ctx, q)
	if err != nil {
		return nil, err
	}
	var board [][]Score
	for _, actor := range actors(all.entries) {
		board = append(board, Scores(all.entries, actor, to-score.Day(q.Before), to))
	}
	return board, nil
}

// Points is of Store.
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

// DateError is a date that is none.
type DateError struct{ Date string }

// Error says how a date is written.
func (e *DateError) Error() string {
	return fmt.Sprintf("a date is written YYYY-MM-DD, not %q", e.Date)
}

// Day is the day that is asked about, in the ledger's time zone. The error is a *DateError.
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

// replay reads all repositories and counts. What it returns is shared.
func (s *Repositories) replay(ctx context.Context, q Query) (*replayed, error) {
	if s.Memory == nil {
		return s.replayAnew(ctx, q)
	}
	return s.Memory.replay(s.Dirs, q, func() (*replayed, error) { return s.replayAnew(ctx, q) })
}

// replayTo is replay, with the day that is asked about.
func (s *Repositories) replayTo(ctx context.Context, q Query) (*replayed, score.Day, error) {
	all, err := s.replay(ctx, q)
	if err != nil {
		return nil, 0, err
	}
	day, err := q.Day(all.zone)
	return all, day, err
}

func (s *Repositories) replayAnew(ctx context.Context, q Query) (*replayed, error) {
	all := &replayed{zone: time.UTC}
	var votes []Vote
	for i, dir := range s.Dirs {
		one, err := s.read(ctx, dir, q)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			all.zone, all.policy, all.rows = one.zone, one.policy, one.rows // of many rows another copy would be felt
		} else {
			all.rows = append(all.rows, one.rows...)
		}
		votes, all.doubtful = append(votes, one.votes...), all.doubtful || one.doubtful
	}
	votes = slices.DeleteFunc(votes, func(v Vote) bool { return !v.counts(all.policy, all.rows) })
	all.entries = Replay(all.rows, votes, all.zone)
	return all, nil
}

// contents is what one repository holds.
type contents struct {
	rows   []Row
	votes  []Vote
	zone   *time.Location
	policy *policy.Policy
	// moments are those of the commits.
	moments map[repo.ID]repo.CommitTime
	// doubtful is that of replayed.
	doubtful bool
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

// read reads one repository.
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
	if err := s.readLanded(ctx, r, dir, state, q, out); err != nil {
		return nil, err
	}
	if out.votes, err = noteVotes(ctx, r); err != nil {
		return nil, err
	}
	err = s.readLogs(state, out)
	clamp(out.votes, out.moments, time.Now())
	return out, err
}

// readLanded reads what has landed on the branch of the query. A branch that is not born has nothing.
func (s *Repositories) readLanded(
	ctx context.Context, r *repo.Repo, dir, state string, q Query, out *contents,
) error {
	ref := q.Ref
	if ref == "" {
		var err error
		if ref, err = r.DefaultBranch(ctx); err != nil {
			return err
		}
	}
	tip, err := r.Commit(ctx, ref)
	if errors.Is(err, repo.ErrUnborn) {
		return nil
	}
	if err != nil {
		return err
	}
	terms, err := judge.ReadScoreTerms(ctx, r, tip)
	if err != nil {
		return err
	}
	out.zone, out.policy = terms.Zone, terms.Policy
	l := &landed{repo: r, cache: cacheAt(state, report.Release), store: s, dir: dir}
	accounts, err := l.accounts(ctx, tip.ID, terms)
	for _, w := range l.warnings {
		s.warn(w)
	}
	if err != nil {
		return err
	}
	out.doubtful = len(l.warnings) > 0
	out.rows, out.moments, err = rowsOf(ctx, r, tip.ID, accounts)
	return err
}

// warn says each thing once, however many answers leave it out.
func (s *Repositories) warn(w string) {
	if s.whole != nil {
		s = s.whole
	}
	if _, again := s.warned.LoadOrStore(w, true); !again && s.Warn != nil {
		s.Warn.Warn(w)
	}
}

// heartbeatRows reads the verdicts of heartbeat tasks that say something of who was asked.
func heartbeatRows(dir string) (out logged, err error) {
	verdicts, state, err := heartbeat.Log(dir)
	if err != nil {
		return out, fmt.Errorf("the heartbeat log cannot be read: %w", err)
	}
	out.state = state
	for i, v := range verdicts {
		if !v.Counts() {
			continue
		}
		out.rows = append(out.rows, Row{
			Source: Heartbeat, Time: v.At, Index: i, Actor: v.Actor, Item: v.ID, Required: v.Required,
			Verdict: v.Verdict, Contradiction: v.Contradiction, Evidence: v.Verify, Reason: v.Reason,
			Void: state.Fault != nil && v.Verdict == report.Verified,
		})
	}
	return out, nil
}

// ErrNobody is feedback that is about nobody in particular, where nobody has made an ACT.
var ErrNobody = errors.New("nobody has made an ACT here yet; say whose work it is about with --actor")

// ErrAgent is feedback of who is no person.
var ErrAgent = errors.New("feedback is a person's")

// AddFeedback is of Store. The vote's commit may be any revision; without an
// actor it is about who made the commit, or the last ACT.
func (s *Repositories) AddFeedback(ctx context.Context, v Vote) (Effect, error) {
	if len(s.Dirs) == 0 {
		return Effect{}, errors.New("there is no repository to keep feedback in")
	}
	if err := v.CheckActor(); err != nil {
		return Effect{}, err
	}
	dir := s.Dirs[0]
	r, err := s.open(ctx, dir)
	if err != nil {
		return Effect{}, err
	}
	defer r.Close()
	state, err := s.stateDir(ctx, r)
	if err != nil {
		return Effect{}, err
	}
	before, err := s.replay(ctx, Query{Now: v.At})
	if err != nil {
		return Effect{}, err
	}
	if err := about(ctx, r, before.rows, &v); err != nil {
		return Effect{}, err
	}
	if err := mayVote(ctx, r, before.policy, &v); err != nil {
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
			effect.Delta = after.entries[i].Points // none, where the log is not as it was written
		}
	}
	effect.Score = Scores(after.entries, v.Actor, day, day)[0]
	return effect, nil
}

// mayVote says why whoever calls may not give a vote: agents give none, and nobody votes for themselves.
func mayVote(ctx context.Context, r *repo.Repo, p *policy.Policy, v *Vote) error {
	acta, git := r.Identities(ctx)
	acta = append(acta, v.By)
	for _, name := range append(slices.Clone(acta), git...) {
		if p != nil && p.IsAgent(name) {
			return fmt.Errorf("%w, and the policy says that %s, your name here, is an agent; vote under a name and "+
				"address of a person", ErrAgent, name)
		}
	}
	for _, name := range acta {
		if policy.SameName(name, v.Actor) {
			return fmt.Errorf("%w about the work of others, and this is the work of %s, your name here", ErrAgent, name)
		}
	}
	return nil
}

// counts reports whether a vote counts: an agent's does not, nor one for oneself, nor one about whom nothing counts.
func (v *Vote) counts(p *policy.Policy, rows []Row) bool {
	return !(p != nil && p.IsAgent(v.By)) && !policy.SameName(v.By, v.Actor) && hasActed(rows, v.Actor)
}

// clamp takes the date of a vote, which its voter writes, at its word between its commit's and now.
func clamp(votes []Vote, moments map[repo.ID]repo.CommitTime, now time.Time) {
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

// about fills in whom a vote is about.
func about(ctx context.Context, r *repo.Repo, rows []Row, v *Vote) error {
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
		for _, row := range slices.Backward(arrange(rows)) {
			if row.Source == Landed {
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
