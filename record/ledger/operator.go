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

// Operator is who is told of a lockdown, as HEAD's policy says: once a day and actor,
// by one of the processes that see it.
type Operator struct {
	// Repo is the repository that the score is of.
	Repo *repo.Repo
	// State is the folder of the repository's logs.
	State string
	// Env is the environment, «NAME=value» each, of which the program gets what its policy names.
	Env []string
	// Agreed: whoever calls has agreed to what the policy names, for this call; else the user must have, see repo.Trusted.
	Agreed bool
	// Now is the time of the call.
	Now time.Time
}

// Tell tells the operator of today's score where it is a lockdown that nobody was told of yet. Told is false where
// there was nothing to do. A call that failed is tried again by the next one.
func (o *Operator) Tell(ctx context.Context, s Score) (told bool, err error) {
	if s.Score == nil || s.Penalty != score.Lockdown.String() {
		return false, nil
	}
	p, err := snapshot.Head(o.Repo).Policy(ctx)
	if err != nil || p.Notify == nil {
		return false, err
	}
	if !o.Agreed {
		if err := o.Repo.CheckTrust(ctx); err != nil {
			return false, err
		}
	}
	mine, err := o.take(ctx, s, p.Notify.Timeout+graceTime)
	if err != nil || !mine {
		return false, err
	}
	failed := o.run(ctx, s, p)
	// However it went, the next call must know, that of an interrupted one included.
	settle := func(one *toldOne) { one.Told, one.Until = failed == nil, time.Time{} }
	return failed == nil, errors.Join(failed, o.change(context.WithoutCancel(ctx), s, settle))
}

// run hands the score to the program, which runs at the top of the work tree.
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

// lastLine is where a program says what went wrong, as a rule.
func lastLine(output []byte) string {
	text := strings.TrimSpace(string(output))
	text = text[strings.LastIndexByte(text, '\n')+1:]
	if text == "" {
		return ""
	}
	return ": " + report.OneLine(text[:min(len(text), 300)])
}

// toldFile is where those are listed of whom the operator was told today, in the local state.
const toldFile = "lockdown.json"

// graceTime is added to the time that telling may take, in which nobody else tells.
const graceTime = 10 * time.Second

// toldDay is whom the operator was told of on one day; other days are forgotten.
type toldDay struct {
	Day    string     `json:"day"`
	Actors []*toldOne `json:"actors"`
}

// toldOne is an actor, "" for all together.
type toldOne struct {
	Actor string `json:"actor"`
	Told  bool   `json:"told"`
	// Until is until when the process that tells may be at it; should it end without a word, another one tells then.
	Until time.Time `json:"until"`
}

// take reports whether this process is the one to tell, which takes at most that long.
func (o *Operator) take(ctx context.Context, s Score, longest time.Duration) (mine bool, err error) {
	err = o.change(ctx, s, func(one *toldOne) {
		// A clock that was set back leaves nobody waiting.
		busy := o.Now.Before(one.Until) && one.Until.Sub(o.Now) <= longest
		if mine = !one.Told && !busy; mine {
			one.Until = o.Now.Add(longest).UTC().Truncate(time.Second)
		}
	})
	return mine, err
}

// change lets use see and change what is noted of the score's actor, while no other process does.
func (o *Operator) change(ctx context.Context, s Score, use func(*toldOne)) error {
	return state.Change(ctx, o.State, toldFile, func(data []byte) ([]byte, error) {
		d := &toldDay{}
		// what cannot be read is forgotten: to be told twice does no harm
		if json.Unmarshal(data, d) != nil || d.Day != s.Date {
			d = &toldDay{Day: s.Date}
		}
		i := slices.IndexFunc(d.Actors, func(one *toldOne) bool { return one != nil && one.Actor == s.Actor })
		if i < 0 {
			i, d.Actors = len(d.Actors), append(d.Actors, &toldOne{Actor: s.Actor})
		}
		use(d.Actors[i])
		out, err := json.MarshalIndent(d, "", "  ")
		return append(out, '\n'), err
	})
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

// Notice tells an agent in one line where it stands: tier, score, target, and what would change it. "" without a score.
func (s *Score) Notice() string {
	if s.Score == nil {
		return ""
	}
	return fmt.Sprintf("acta score: tier %s, %d points today, target %d; %s. %s", s.Tier(), *s.Score, s.Target,
		s.outlook(), worths)
}

// worths is what an agent can do about its score.
var worths = fmt.Sprintf("A verified item earns %d, one that does not hold costs %d, a stub reported as done %d.",
	score.VerifiedRequired, -score.NotVerified, -score.NotVerified-score.Contradiction)

// outlook says where the penalty ends, or the next reward begins.
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
