package hooks

import (
	"cmp"
	"context"
	_ "embed"
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

// TrialState is a hook's reaction to a false claim.
type TrialState string

// The states of a trial.
const (
	// Refused: acta judged the claim, and git stopped.
	Refused TrialState = "refused"
	// LetPass: git went on, though acta is installed there.
	LetPass TrialState = "let pass"
	// NotInstalled: git went on, and acta's hook is not installed.
	NotInstalled TrialState = "not installed"
	// Unclear: git stopped, but not because of acta.
	Unclear TrialState = "unclear"
)

// Trial is a false claim at one hook, and the hook's reaction.
type Trial struct {
	Hook    string     `json:"hook"`
	Command string     `json:"tried"`
	State   TrialState `json:"state"`
	// Reason explains every state but Refused.
	Reason string `json:"why,omitempty"`
	// IsOptional: `acta install` writes this hook only on request.
	IsOptional bool `json:"optional,omitempty"`
}

// Diagnosis is the result of Doctor.
type Diagnosis struct {
	Trials []Trial `json:"doors"`
	// Problems are settings that disable hooks here, or would in other clones.
	Problems []string `json:"problems"`
	// Remedy is what to do if a hook lets the claim pass; "" if none does, or if nobody knows.
	Remedy string `json:"-"`
}

// AllFire reports whether every required hook refused the false claim.
func (d *Diagnosis) AllFire() bool {
	for _, trial := range d.Trials {
		if trial.State != Refused && !(trial.IsOptional && trial.State == NotInstalled) {
			return false
		}
	}
	return len(d.Trials) > 0
}

// Doctor tests with real git whether the hooks of a repository fire: in a scratch repository with the same hooks it
// tries to commit, apply and push a false claim. env is git's environment (nil: the process's own).
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
	for _, try := range s.trials(ctx) {
		d.Trials = append(d.Trials, try(ctx))
	}
	d.Remedy = s.firstRemedy
	if err := errors.Join(s.err, s.remove()); err != nil {
		return nil, err
	}
	return d, nil
}

// policyProblem reports a broken policy in HEAD. The trials cannot show it: their scratch repository has no policy.
func policyProblem(ctx context.Context, r *repo.Repo) []string {
	_, err := snapshot.Head(r).Policy(ctx)
	if config, ok := errors.AsType[*policy.ConfigError](err); ok {
		return []string{fmt.Sprintf(
			"%v; the hooks refuse every claim until a commit that claims nothing fixes it (`acta policy check` tests "+
				"it)", config)}
	}
	return nil
}

func (s *scratch) trials(ctx context.Context) []func(context.Context) Trial {
	if s.g.IsBare {
		return []func(context.Context) Trial{s.tryPreReceive}
	}
	all := []func(context.Context) Trial{s.tryPreCommit, s.tryCommitMsg, s.tryAm, s.tryPrePush, s.trySeal}
	if s.isInstalled(ctx, "pre-receive") {
		all = append(all, s.tryPreReceive)
	}
	return all
}

// The false claim: a function that does nothing, reported as done.
const (
	doctorFile  = "acta_doctor.py"
	doctorStub  = "def checked():\n    pass\n"
	doctorClaim = "ACT: acta-doctor a false claim\n\nDone: Check the gate | " + doctorFile + ":1-2\n"
	// judgedClaim appears in acta's finding on the claim, and nowhere else.
	judgedClaim = "[checklist_evidence_empty_impl]"
	// doctorPlan is an invalid plan, which is refused without a message.
	doctorPlan     = "{\"id\": \n"
	doctorPlanFile = "working_plan/current.json"
	judgedPlan     = "[plan_invalid]"
)

// doctorPatch is the false claim as a mail for git am.
//
//go:embed doctor.patch
var doctorPatch []byte

// git's messages when it stops (LC_ALL=C).
const (
	sealMessage   = "ref updates aborted by hook"
	editorMessage = "problem with the editor"
	noHookMessage = "cannot find a hook named"
)

func (s *scratch) tryPreCommit(ctx context.Context) Trial {
	defer s.reset(ctx)
	s.stage(ctx, doctorPlanFile, doctorPlan)
	trial := Trial{Hook: "pre-commit", Command: "git commit, with a plan that cannot be read"}
	// The editor opens after pre-commit has passed; GIT_EDITOR=false then makes git give up.
	return s.decideCommit(ctx, trial, s.try(ctx, "commit"), editorMessage, judgedPlan)
}

func (s *scratch) tryCommitMsg(ctx context.Context) Trial {
	defer s.reset(ctx)
	s.stage(ctx, doctorFile, doctorStub)
	trial := Trial{Hook: "commit-msg", Command: "git commit"}
	a := s.try(ctx, "commit", "-F", s.message)
	return s.decideCommit(ctx, trial, a, sealMessage, judgedClaim, "--", s.message) // the seal runs after commit-msg
}

// decideCommit decides about a hook of git commit: passed is git's message if only a later step stopped it. If another
// hook stopped it, the hook is run alone, with args.
func (s *scratch) decideCommit(
	ctx context.Context, trial Trial, a attempt, passed, judgement string, args ...string,
) Trial {
	switch {
	case strings.Contains(a.output, passed):
		return s.letPass(ctx, trial)
	case a.hasStopped && !strings.Contains(a.output, judgement):
		trial.Command = "git hook run " + trial.Hook + ", since another hook stopped " + trial.Command
		a = s.try(ctx, append([]string{"hook", "run", trial.Hook}, args...)...)
		a.hasStopped = a.hasStopped && !strings.Contains(a.output, noHookMessage)
	}
	return s.decide(ctx, trial, a, judgement)
}

func (s *scratch) tryAm(ctx context.Context) Trial {
	defer s.reset(ctx)
	s.detach(ctx, s.base)
	a := s.try(ctx, "am", s.patch)
	// The pre-commit framework has no hook for git am.
	trial := Trial{Hook: "pre-applypatch", Command: "git am", IsOptional: s.hasFrameworkHook("commit-msg")}
	return s.decide(ctx, trial, a, judgedClaim)
}

func (s *scratch) tryPrePush(ctx context.Context) Trial {
	remote := filepath.Join(s.root, "remote.git")
	s.init(ctx, remote, "--bare")
	return s.decide(ctx, Trial{Hook: "pre-push", Command: "git push"}, s.push(ctx, remote), judgedClaim)
}

func (s *scratch) tryPreReceive(ctx context.Context) Trial {
	server := filepath.Join(s.root, "server.git")
	s.init(ctx, server, "--bare")
	s.ask(ctx, server, "config", keyHooksPath, s.g.HooksDir)
	// The user's hooks (--global) run those of the repository too.
	s.keep(os.RemoveAll(filepath.Join(server, "hooks")))
	s.keep(os.Symlink(filepath.Join(s.g.CommonDir, "hooks"), filepath.Join(server, "hooks")))
	return s.decide(ctx, Trial{
		Hook: "pre-receive", Command: "git push to a repository with these hooks", IsOptional: !s.g.IsBare,
	}, s.push(ctx, server, "--no-verify"), judgedClaim)
}

func (s *scratch) trySeal(ctx context.Context) Trial {
	defer s.reset(ctx)
	s.stage(ctx, doctorFile, doctorStub)
	a := s.try(ctx, "commit", "--no-verify", "-F", s.message)
	trial := Trial{Hook: "reference-transaction", Command: "git commit --no-verify", IsOptional: true}
	return s.decide(ctx, trial, a, judgedClaim)
}

func (s *scratch) decide(ctx context.Context, trial Trial, a attempt, judgement string) Trial {
	switch {
	case !a.hasStopped:
		return s.letPass(ctx, trial)
	case strings.Contains(a.output, judgement):
		trial.State = Refused
	default:
		trial.State, trial.Reason = Unclear, "git stopped before acta judged; git said: "+lastLine(a.output)
	}
	return trial
}

func (s *scratch) letPass(ctx context.Context, trial Trial) Trial {
	trial.State, trial.Reason = LetPass, "the hook did not run, or did not judge"
	if !s.isInstalled(ctx, trial.Hook) {
		trial.State, trial.Reason = NotInstalled, "acta's hook is not installed here"
	}
	if !trial.IsOptional {
		remedy := s.remedy(trial.Hook)
		trial.Reason += "; " + remedy
		s.firstRemedy = cmp.Or(s.firstRemedy, remedy)
	}
	return trial
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndex(text, "\n")+1:]
}
