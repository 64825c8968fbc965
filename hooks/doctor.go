package hooks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/repo"
)

// TrialState is what a hook did with a false claim.
type TrialState string

// The states of a trial.
const (
	// Refused: acta judged the claim and git did not do what was asked.
	Refused TrialState = "refused"
	// LetPass: git did what was asked, though acta is installed there.
	LetPass TrialState = "let pass"
	// NotInstalled: git did what was asked, and there is no hook of acta's.
	NotInstalled TrialState = "not installed"
	// Unclear: git did not do what was asked, and not because acta judged the claim.
	Unclear TrialState = "unclear"
)

// Trial is a false claim at one hook, and what was seen of it.
type Trial struct {
	Hook string `json:"hook"`
	// Tried is the command that was run.
	Tried string     `json:"tried"`
	State TrialState `json:"state"`
	// Why explains every state but Refused.
	Why string `json:"why,omitempty"`
	// Optional: `acta install` writes this hook only when it is asked to.
	Optional bool `json:"optional,omitempty"`
}

// Diagnosis is what Doctor found.
type Diagnosis struct {
	Trials []Trial `json:"doors"`
	// Problems are what disables hooks here, or would elsewhere.
	Problems []string `json:"problems"`
	// Remedy is the one thing to do where a hook does not stand in the way; "" where all do, or where that is not known.
	Remedy string `json:"-"`
}

// Fires reports whether every hook that should stand in the way refused the false claim.
func (d *Diagnosis) Fires() bool {
	for _, trial := range d.Trials {
		if trial.State != Refused && !(trial.Optional && trial.State == NotInstalled) {
			return false
		}
	}
	return len(d.Trials) > 0
}

// Doctor finds out by real git whether the hooks of a repository fire: in a scratch repository that has the same hooks
// it tries to commit, apply and push a false claim, and takes it away. env is the environment
// that git runs in (nil: the process's own).
func Doctor(ctx context.Context, r *repo.Repo, env []string) (*Diagnosis, error) {
	g, err := r.Layout(ctx)
	if err != nil {
		return nil, err
	}
	if env == nil {
		env = os.Environ()
	}
	s, err := newScratch(ctx, g, env)
	if err != nil {
		return nil, err
	}
	d := &Diagnosis{Problems: slices.Concat(s.problems(ctx), policyProblem(ctx, r))}
	for _, try := range s.tries(ctx) {
		trial, err := try(ctx)
		if err != nil {
			return nil, errors.Join(err, s.remove())
		}
		d.Trials = append(d.Trials, trial)
	}
	d.Remedy = s.todo
	return d, s.remove()
}

// policyProblem says what is wrong with the policy of HEAD. The trials do not show it: their scratch repository has
// none.
func policyProblem(ctx context.Context, r *repo.Repo) []string {
	_, err := snapshot.Head(r).Policy(ctx)
	if config, ok := errors.AsType[*policy.ConfigError](err); ok {
		return []string{fmt.Sprintf(
			"%v; the hooks refuse every claim until a commit that claims nothing fixes it (`acta policy check` tests "+
				"it)", config)}
	}
	return nil
}

// tries are the trials of the hooks that the repository can have.
func (s *scratch) tries(ctx context.Context) []func(context.Context) (Trial, error) {
	if s.g.IsBare {
		return []func(context.Context) (Trial, error){s.tryPreReceive}
	}
	all := []func(context.Context) (Trial, error){s.tryPreCommit, s.tryCommitMsg, s.tryAm, s.tryPrePush, s.trySeal}
	if s.installed(ctx, "pre-receive") {
		all = append(all, s.tryPreReceive)
	}
	return all
}

// The false claim: a function that does nothing, reported as done.
const (
	doctorFile  = "acta_doctor.py"
	doctorStub  = "def checked():\n    pass\n"
	doctorClaim = "ACT: acta-doctor a false claim\n\nDone: Check the gate | " + doctorFile + ":1-2\n"
	// judged is what acta says of it, and nobody else.
	judged = "[checklist_evidence_empty_impl]"
	// doctorPlan is no plan, which needs no message to be wrong.
	doctorPlan     = "{\"id\": \n"
	doctorPlanFile = "working_plan/current.json"
	judgedPlan     = "[plan_invalid]"
)

// What git says when it stops (LC_ALL=C).
const (
	saysSeal   = "ref updates aborted by hook"
	saysEditor = "problem with the editor"
	saysNoHook = "cannot find a hook named"
)

func (s *scratch) tryPreCommit(ctx context.Context) (Trial, error) {
	if err := s.stage(ctx, doctorPlanFile, doctorPlan); err != nil {
		return Trial{}, err
	}
	// The editor opens once pre-commit has let pass; it makes git give up.
	a := s.try(ctx, "commit")
	trial := Trial{Hook: "pre-commit", Tried: "git commit, with a plan that cannot be read"}
	if strings.Contains(a.said, saysEditor) {
		return s.passed(ctx, trial), s.unborn(ctx)
	}
	if a.stopped && !strings.Contains(a.said, judgedPlan) {
		a = s.alone(ctx, &trial)
	}
	return s.decide(ctx, trial, a, judgedPlan), s.unborn(ctx)
}

func (s *scratch) tryCommitMsg(ctx context.Context) (Trial, error) {
	if err := s.stage(ctx, doctorFile, doctorStub); err != nil {
		return Trial{}, err
	}
	trial := Trial{Hook: "commit-msg", Tried: "git commit"}
	a := s.try(ctx, "commit", "-F", s.message)
	switch {
	case strings.Contains(a.said, saysSeal):
		return s.passed(ctx, trial), s.unborn(ctx) // the seal stands behind commit-msg
	case a.stopped && !strings.Contains(a.said, judged):
		a = s.alone(ctx, &trial, "--", s.message)
	}
	return s.decide(ctx, trial, a, judged), s.unborn(ctx)
}

// alone asks the hook of a trial by itself, after another hook stood in the way.
func (s *scratch) alone(ctx context.Context, trial *Trial, args ...string) attempt {
	first := trial.Tried
	trial.Tried = "git hook run " + trial.Hook + ", since another hook stopped " + first
	a := s.try(ctx, append([]string{"hook", "run", trial.Hook}, args...)...)
	a.stopped = a.stopped && !strings.Contains(a.said, saysNoHook)
	return a
}

func (s *scratch) tryAm(ctx context.Context) (Trial, error) {
	if err := s.detach(ctx); err != nil {
		return Trial{}, err
	}
	a := s.try(ctx, "am", s.patch)
	// The pre-commit framework has no hook for git am.
	trial := Trial{Hook: "pre-applypatch", Tried: "git am", Optional: s.framework("commit-msg")}
	return s.decide(ctx, trial, a, judged), s.unborn(ctx)
}

func (s *scratch) tryPrePush(ctx context.Context) (Trial, error) {
	remote := filepath.Join(s.root, "remote.git")
	if err := s.init(ctx, remote, "--bare"); err != nil {
		return Trial{}, err
	}
	a, err := s.push(ctx, remote)
	return s.decide(ctx, Trial{Hook: "pre-push", Tried: "git push"}, a, judged), err
}

// tryPreReceive pushes to a scratch repository that has the hooks of the real one.
func (s *scratch) tryPreReceive(ctx context.Context) (Trial, error) {
	server := filepath.Join(s.root, "server.git")
	err := errors.Join(
		s.init(ctx, server, "--bare"),
		s.prepare(ctx, server, "config", keyHooksPath, s.g.HooksDir),
		// Hooks of the user (--global) hand on to those of the repository.
		os.RemoveAll(filepath.Join(server, "hooks")),
		os.Symlink(filepath.Join(s.g.CommonDir, "hooks"), filepath.Join(server, "hooks")),
	)
	if err != nil {
		return Trial{}, err
	}
	a, err := s.push(ctx, server, "--no-verify")
	return s.decide(ctx, Trial{
		Hook: "pre-receive", Tried: "git push to a repository with these hooks", Optional: !s.g.IsBare,
	}, a, judged), err
}

func (s *scratch) trySeal(ctx context.Context) (Trial, error) {
	if err := s.stage(ctx, doctorFile, doctorStub); err != nil {
		return Trial{}, err
	}
	a := s.try(ctx, "commit", "--no-verify", "-F", s.message)
	return s.decide(ctx, Trial{Hook: "reference-transaction", Tried: "git commit --no-verify", Optional: true}, a, judged),
		s.unborn(ctx)
}

// decide reads from what git did and said how the trial ended.
func (s *scratch) decide(ctx context.Context, trial Trial, a attempt, judgement string) Trial {
	switch {
	case !a.stopped:
		return s.passed(ctx, trial)
	case strings.Contains(a.said, judgement):
		trial.State = Refused
	default:
		trial.State, trial.Why = Unclear, "git stopped before acta judged; git said: "+lastLine(a.said)
	}
	return trial
}

func (s *scratch) passed(ctx context.Context, trial Trial) Trial {
	trial.State, trial.Why = LetPass, "the hook did not run, or did not judge"
	if !s.installed(ctx, trial.Hook) {
		trial.State, trial.Why = NotInstalled, "acta's hook is not installed here"
	}
	if !trial.Optional {
		remedy := s.remedy(trial.Hook)
		trial.Why += "; " + remedy
		s.todo = cmp.Or(s.todo, remedy)
	}
	return trial
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndex(text, "\n")+1:]
}
