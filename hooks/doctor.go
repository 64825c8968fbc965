package hooks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/repo"
)

// DoorState is what a door did with a false claim.
type DoorState string

// The states of a door.
const (
	// Refused: acta judged the claim and git did not do what was asked.
	Refused DoorState = "refused"
	// LetPass: git did what was asked, though acta is installed there.
	LetPass DoorState = "let pass"
	// NotInstalled: git did what was asked, and there is no hook of acta's.
	NotInstalled DoorState = "not installed"
	// Unclear: git did not do what was asked, and not because acta judged the claim.
	Unclear DoorState = "unclear"
)

// Door is one way into the history, and what was seen of it.
type Door struct {
	Hook string `json:"hook"`
	// Tried is the command that was run.
	Tried string    `json:"tried"`
	State DoorState `json:"state"`
	// Why explains every state but Refused.
	Why string `json:"why,omitempty"`
	// Optional: `acta install` writes this hook only when it is asked to.
	Optional bool `json:"optional,omitempty"`
}

// Diagnosis is what Doctor found.
type Diagnosis struct {
	Doors []Door `json:"doors"`
	// Problems are what disables hooks here, or would elsewhere.
	Problems []string `json:"problems"`
}

// Fires reports whether every door that should be guarded refused the false claim.
func (d *Diagnosis) Fires() bool {
	for _, door := range d.Doors {
		if door.State != Refused && !(door.Optional && door.State == NotInstalled) {
			return false
		}
	}
	return len(d.Doors) > 0
}

// Doctor finds out by real git whether the doors of a repository are guarded: in a
// scratch work tree of it, whose objects lie elsewhere, it tries to commit, apply and
// push a false claim, and takes away whatever git let pass. env is the environment
// that git runs in (nil: the process's own).
func Doctor(ctx context.Context, r *repo.Repo, env []string) (*Diagnosis, error) {
	g, err := r.Geometry(ctx)
	if err != nil {
		return nil, err
	}
	if g.ObjectFormat == "sha256" {
		return nil, fmt.Errorf("%s: %w", g.GitDir, repo.ErrSHA256)
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
		door, err := try(ctx)
		if err != nil {
			return nil, errors.Join(err, s.remove(ctx))
		}
		d.Doors = append(d.Doors, door)
	}
	if s.instead != "" {
		d.Problems = append(d.Problems, s.instead)
	}
	return d, s.remove(ctx)
}

// policyProblem says what is wrong with the policy of HEAD. The doors do not show it: their scratch work tree has none.
func policyProblem(ctx context.Context, r *repo.Repo) []string {
	_, err := judge.HeadPolicy(ctx, r, judge.Release)
	if config := (*judge.ConfigError)(nil); errors.As(err, &config) {
		return []string{fmt.Sprintf("%v; no claim passes any door until a commit that claims nothing mends it: acta policy check", config)}
	}
	return nil
}

// tries are the doors that the repository has.
func (s *scratch) tries(ctx context.Context) []func(context.Context) (Door, error) {
	if s.g.Bare {
		return []func(context.Context) (Door, error){s.tryPreReceive}
	}
	all := []func(context.Context) (Door, error){s.tryPreCommit, s.tryCommitMsg, s.tryAm, s.tryPrePush, s.trySeal}
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
)

func (s *scratch) tryPreCommit(ctx context.Context) (Door, error) {
	if err := s.stage(ctx, doctorPlanFile, doctorPlan); err != nil {
		return Door{}, err
	}
	// The editor opens once pre-commit has let pass; it makes git give up.
	a := s.try(ctx, "commit")
	door := Door{Hook: "pre-commit", Tried: "git commit, with a plan that cannot be read"}
	if strings.Contains(a.said, saysEditor) {
		return s.passed(ctx, door), s.unborn(ctx)
	}
	if a.stopped && !strings.Contains(a.said, judgedPlan) {
		a = s.alone(ctx, &door)
	}
	return s.decide(ctx, door, a, judgedPlan), s.unborn(ctx)
}

func (s *scratch) tryCommitMsg(ctx context.Context) (Door, error) {
	if err := s.stage(ctx, doctorFile, doctorStub); err != nil {
		return Door{}, err
	}
	door := Door{Hook: "commit-msg", Tried: "git commit"}
	a := s.try(ctx, "commit", "-F", s.message)
	switch {
	case strings.Contains(a.said, saysSeal):
		return s.passed(ctx, door), s.unborn(ctx) // the seal stands behind commit-msg
	case a.stopped && !strings.Contains(a.said, judged):
		a = s.alone(ctx, &door, "--", s.message)
	}
	return s.decide(ctx, door, a, judged), s.unborn(ctx)
}

// alone asks the hook of a door by itself, after another hook stood in the way.
func (s *scratch) alone(ctx context.Context, door *Door, args ...string) attempt {
	first := door.Tried
	door.Tried = "git hook run " + door.Hook + ", since another hook stopped " + first
	return s.try(ctx, append([]string{"hook", "run", door.Hook}, args...)...)
}

func (s *scratch) tryAm(ctx context.Context) (Door, error) {
	if err := s.detach(ctx); err != nil {
		return Door{}, err
	}
	a := s.try(ctx, "am", s.patch)
	return s.decide(ctx, Door{Hook: "pre-applypatch", Tried: "git am"}, a, judged), s.unborn(ctx)
}

func (s *scratch) tryPrePush(ctx context.Context) (Door, error) {
	remote := filepath.Join(s.root, "remote.git")
	if err := s.init(ctx, remote, "--bare"); err != nil {
		return Door{}, err
	}
	a, err := s.push(ctx, remote)
	return s.decide(ctx, Door{Hook: "pre-push", Tried: "git push"}, a, judged), err
}

// tryPreReceive pushes to a scratch repository that has the hooks of the real one.
func (s *scratch) tryPreReceive(ctx context.Context) (Door, error) {
	server := filepath.Join(s.root, "server.git")
	err := errors.Join(
		s.init(ctx, server, "--bare"),
		s.prepare(ctx, server, "config", keyHooksPath, s.g.HooksDir),
	)
	if err != nil {
		return Door{}, err
	}
	a, err := s.push(ctx, server, "--no-verify")
	return s.decide(ctx, Door{Hook: "pre-receive", Tried: "git push to a repository with these hooks", Optional: !s.g.Bare}, a, judged), err
}

func (s *scratch) trySeal(ctx context.Context) (Door, error) {
	if err := s.stage(ctx, doctorFile, doctorStub); err != nil {
		return Door{}, err
	}
	a := s.try(ctx, "commit", "--no-verify", "-F", s.message)
	return s.decide(ctx, Door{Hook: "reference-transaction", Tried: "git commit --no-verify", Optional: true}, a, judged), s.unborn(ctx)
}

// decide reads from what git did and said how the door stands.
func (s *scratch) decide(ctx context.Context, door Door, a attempt, judgement string) Door {
	switch {
	case !a.stopped:
		return s.passed(ctx, door)
	case strings.Contains(a.said, judgement):
		door.State = Refused
	default:
		door.State, door.Why = Unclear, "git stopped, and acta did not judge; it said: "+lastLine(a.said)
	}
	return door
}

func (s *scratch) passed(ctx context.Context, door Door) Door {
	door.State, door.Why = LetPass, "the hook did not run, or did not judge"
	if !s.installed(ctx, door.Hook) {
		door.State, door.Why = NotInstalled, "acta has no hook here"
	}
	return door
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndex(text, "\n")+1:]
}
