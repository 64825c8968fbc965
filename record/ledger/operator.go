package ledger

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/score"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/program"
	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report"
)

// Operator is the program of HEAD's policy that is told of a lockdown: once a day and actor, by one process.
type Operator struct {
	Repo *repo.Repo
	// State is the folder of the repository's logs.
	State string
	// Env is the environment, «NAME=value» each; the program gets the variables that its policy names.
	Env []string
	// HasAgreed: the caller has agreed, for this call, to run the policy's programs; else repo.CheckTrust must pass.
	HasAgreed bool
	Now       time.Time
}

// Notify tells the operator of today's score if it is a new lockdown. hasNotified is false if there was nothing to do.
// After a failure the next call tries again.
func (o *Operator) Notify(ctx context.Context, s Score) (hasNotified bool, err error) {
	if s.Score == nil || s.Penalty != score.Lockdown.String() {
		return false, nil
	}
	p, err := snapshot.Head(o.Repo).Policy(ctx)
	if err != nil || p.Notify == nil {
		return false, err
	}
	if !o.HasAgreed {
		if err := o.Repo.CheckTrust(ctx); err != nil {
			return false, err
		}
	}
	isMine, err := o.claim(ctx, s, p.Notify.Timeout+graceTime)
	if err != nil || !isMine {
		return false, err
	}
	failed := o.run(ctx, s, p)
	// The next call must know the result, even of an interrupted call.
	settle := func(one *notice) { one.WasTold, one.Until = failed == nil, time.Time{} }
	return failed == nil, errors.Join(failed, o.update(context.WithoutCancel(ctx), s, settle))
}

// run passes the score to the program, which runs at the top of the work tree.
func (o *Operator) run(ctx context.Context, s Score, p *policy.Policy) error {
	n := p.Notify
	message, err := json.Marshal(s)
	if err != nil {
		return err
	}
	g, err := o.Repo.Layout(ctx)
	if err != nil {
		return err
	}
	ended := program.Call{
		Args: n.Run, Timeout: n.Timeout, Dir: cmp.Or(g.Top, o.State), Env: o.Env, PassEnv: p.Env,
		Input: append(message, '\n'),
		AddEnv: []string{
			"ACTA_ACTOR=" + s.Actor, "ACTA_SCORE=" + strconv.Itoa(*s.Score), "ACTA_TARGET=" + strconv.Itoa(s.Target),
		},
	}.Run(ctx)
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("stopped while %s ran: %w", n.Run[0], context.Cause(ctx))
	case ended.TimedOut:
		return fmt.Errorf("%s was ended: it took longer than %s", n.Run[0], n.Timeout)
	case ended.Err != nil && ended.WasStarted:
		return fmt.Errorf("%s ended with %w%s", n.Run[0], ended.Err, lastLine(ended.Output))
	case ended.Err != nil:
		return fmt.Errorf("%s cannot be started: %w", n.Run[0], ended.Err)
	}
	return nil
}

func lastLine(output []byte) string {
	text := strings.TrimSpace(string(output))
	text = text[strings.LastIndexByte(text, '\n')+1:]
	if text == "" {
		return ""
	}
	return ": " + report.OneLine(text[:min(len(text), 300)])
}

const noticeFile = "lockdown.json"

// graceTime is added to the time in which no other process notifies.
const graceTime = 10 * time.Second

type noticeDay struct {
	Day    string    `json:"day"`
	Actors []*notice `json:"actors"`
}

type notice struct {
	Actor   string `json:"actor"`
	WasTold bool   `json:"told"`
	// Until is how long a process may take; if it dies, another one notifies then.
	Until time.Time `json:"until"`
}

// claim reports whether this process should notify, which takes at most that long.
func (o *Operator) claim(ctx context.Context, s Score, longest time.Duration) (isMine bool, err error) {
	err = o.update(ctx, s, func(one *notice) {
		// A clock that was set back must not block.
		busy := o.Now.Before(one.Until) && one.Until.Sub(o.Now) <= longest
		if isMine = !one.WasTold && !busy; isMine {
			one.Until = o.Now.Add(longest).UTC().Truncate(time.Second)
		}
	})
	return isMine, err
}

func (o *Operator) update(ctx context.Context, s Score, use func(*notice)) error {
	return state.Change(ctx, o.State, noticeFile, func(data []byte) ([]byte, error) {
		d := &noticeDay{}
		// an unreadable file is forgotten: a second notice does no harm
		if json.Unmarshal(data, d) != nil || d.Day != s.Date {
			d = &noticeDay{Day: s.Date}
		}
		i := slices.IndexFunc(d.Actors, func(one *notice) bool { return one != nil && one.Actor == s.Actor })
		if i < 0 {
			i, d.Actors = len(d.Actors), append(d.Actors, &notice{Actor: s.Actor})
		}
		use(d.Actors[i])
		out, err := json.MarshalIndent(d, "", "  ")
		return append(out, '\n'), err
	})
}

// Points are the points of the day; 0 without a score.
func (s *Score) Points() int {
	if s.Score == nil {
		return 0
	}
	return *s.Score
}

// Tier is the penalty of the day, else its reward, else «normal».
func (s *Score) Tier() string {
	switch {
	case s.Penalty != score.NoPenalty.String():
		return s.Penalty
	case s.Reward != score.NoReward.String():
		return s.Reward
	}
	return "normal"
}

// Notice is one line for an agent: tier, score, target, and what would change them; "" without a score.
func (s *Score) Notice() string {
	if s.Score == nil {
		return ""
	}
	return fmt.Sprintf("acta score: tier %s, %d points today, target %d; %s. %s", s.Tier(), *s.Score, s.Target,
		s.outlook(), pointsNote)
}

var pointsNote = fmt.Sprintf("A verified item earns %d, one that does not hold costs %d, a stub reported as done %d.",
	score.VerifiedRequired, -score.NotVerified, -score.NotVerified-score.Contradiction)

func (s *Score) outlook() string {
	begins := func(tier string, percent int) string {
		return fmt.Sprintf("on track, %s begins at %d", tier, score.MinScore(s.Target, percent))
	}
	switch {
	case s.Penalty != score.NoPenalty.String():
		return fmt.Sprintf("the penalty ends at %d", score.MinScore(s.Target, score.NoPenaltyFrom))
	case s.Reward == score.Outstanding.String():
		return "on track, keep it up"
	case s.Reward == score.Excellent.String():
		return begins(score.Outstanding.String(), score.OutstandingFrom)
	case s.Reward == score.Good.String():
		return begins(score.Excellent.String(), score.ExcellentFrom)
	}
	return begins(score.Good.String(), score.GoodFrom)
}
