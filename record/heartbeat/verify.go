// Package heartbeat judges the tasks of HEARTBEAT.md, an agent's recurring work: by evidence in the work tree, by units
// of HEAD's plan, and by the programs that HEAD's policy names.
//
// A repository goes in; a verdict for each task comes out. HEARTBEAT.md itself never names a program. A verdict that
// cannot be known is unclear. The package must never import hooks, a command or ledger.
package heartbeat

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/program"
	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report"
	"github.com/google/renameio/v2/maybe"
)

// Verification judges tasks of one work tree.
type Verification struct {
	// Repo is opened at Top, the top of the work tree.
	Repo *repo.Repo
	Top  string
	// GitDir is the work tree's git directory, CommonDir the one that all work trees share.
	GitDir, CommonDir string
	// Env is the environment, «NAME=value» each; verifiers get the variables that their policy names.
	Env []string
	// HasAgreed: the caller has agreed, for this call, to run the policy's programs; else repo.CheckTrust must pass.
	HasAgreed bool
	Caller    journal.Caller
	Now       time.Time
	// AllRequired: optional tasks count as required.
	AllRequired bool

	policy *policy.Policy
	reader *evidence.Judge
	// root is HEAD's plan, or planError why it cannot be read, if a task names a unit.
	root      *plan.Unit
	planError error
	// trustError is why no verifier may run; nil if they may, or if no task needs one.
	trustError error
}

// Result is the verdict on one task.
type Result struct {
	Task       *parser.Task
	IsRequired bool
	finding
	// IsContradiction: the box is checked, and the verdict is not verified.
	IsContradiction bool
	// Attempts is how many of the day's attempts are used, this one included.
	Attempts int
	// IsJudged is false if no attempt was left, and the earlier finding stands.
	IsJudged bool
	// WasVerified: an earlier attempt of that day verified it, whoever the caller was.
	WasVerified bool
	// Output is the end of the verifier's output, nil if none ran; OutputFile is the file that holds it.
	Output     []byte
	OutputFile string
}

// Verify judges tasks of the file, each once, in the order given. A task without attempts left keeps its earlier
// finding, so repeated calls get no other answer. Warnings say what was not recorded. Verdicts before an error are
// recorded too. An unusable policy is a *policy.ConfigError.
func (v *Verification) Verify(
	ctx context.Context, h *parser.Heartbeat, tasks []*parser.Task,
) (results []Result, warnings []string, err error) {
	if v.policy, err = snapshot.Head(v.Repo).Policy(ctx); err != nil {
		return nil, nil, err
	}
	if slices.ContainsFunc(tasks, namesUnit) {
		_, v.root, v.planError = snapshot.Head(v.Repo).Plan(ctx)
	}
	root, err := os.OpenRoot(v.Top)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = root.Close() }()
	v.reader = &evidence.Judge{
		Tree:   evidence.Tree{Files: workTree{v, root}},
		Limits: evidence.Limits{MaxLines: v.policy.MaxLines, MaxFileBytes: v.policy.MaxFileBytes},
		Cache:  evidence.NewCache(),
	}
	if !v.HasAgreed && slices.ContainsFunc(tasks, v.needsProgram) {
		if v.trustError = v.Repo.CheckTrust(ctx); v.trustError != nil {
			warnings = append(warnings, fmt.Sprintf("no verifier was run: %v; for this call alone: --notify", v.trustError))
		}
	}
	today := v.Now.In(v.policy.Timezone).Format(time.DateOnly)
	begun, err := v.countAttempts(ctx, today, tasks)
	if err != nil {
		return nil, nil, err
	}
	for _, r := range begun {
		if judging := v.judgeAttempt(ctx, &r); judging != nil {
			err = fmt.Errorf("task %s: %w", r.Task.ID, judging)
			break
		}
		results = append(results, r)
	}
	saving := context.WithoutCancel(ctx) // an interrupted call still saves its verdicts
	err = errors.Join(err, v.saveFindings(saving, today, results))
	unrecorded, logging := v.record(saving, h, results)
	warnings = append(warnings, unrecorded...)
	if logging != nil {
		warnings = append(warnings, fmt.Sprintf("the verdicts were not recorded: %v", logging))
	}
	return results, warnings, err
}

func (v *Verification) needsProgram(t *parser.Task) bool {
	_, named := v.policy.Verifiers[t.Verify]
	return named
}

// judgeAttempt judges a task that has an attempt; another keeps its earlier finding.
func (v *Verification) judgeAttempt(ctx context.Context, r *Result) error {
	switch {
	case r.IsJudged:
		if err := v.judge(ctx, r); err != nil {
			return err
		}
	case r.Verdict == 0:
		r.finding = unclear("its %d attempts of today are used up, and none reached a verdict", r.Attempts)
	}
	r.IsContradiction = r.Verdict == report.NotVerified && r.Task.IsChecked
	return nil
}

func unclear(format string, args ...any) finding {
	return finding{Verdict: report.Unclear, Reason: fmt.Sprintf(format, args...)}
}

// Path is the file's path from the top of the work tree.
const Path = "HEARTBEAT.md"

// ErrNoFile means that the work tree has no such file.
var ErrNoFile = errors.New("there is no " +
	Path + " at the top of the work tree; begin one with the line «## Tasks» and, below it, - [ ] id | description | " +
	"required | verify: hint")

// Read reads the file of a work tree.
func Read(top string) (*parser.Heartbeat, error) {
	data, err := state.ReadFileIn(top, Path, parser.MaxHeartbeat)
	switch {
	case len(data) > parser.MaxHeartbeat: // the parser reports it
	case errors.Is(err, os.ErrNotExist):
		return nil, ErrNoFile
	case err != nil:
		return nil, err
	}
	return parser.ParseHeartbeat(data), nil
}

func fingerprint(h *parser.Heartbeat) string {
	sum := sha256.Sum256([]byte(h.String()))
	return hex.EncodeToString(sum[:])
}

// isRequired reports whether a task must be done. For an actor with a very low score no task is optional.
func isRequired(t *parser.Task, allRequired bool) bool { return allRequired || !t.IsOptional }

// Next is the next task: the first open one that is required, else the first open one; nil if every box is checked.
func Next(h *parser.Heartbeat, allRequired bool) *parser.Task {
	open := func(t parser.Task) bool { return !t.IsChecked }
	i := slices.IndexFunc(h.Tasks, func(t parser.Task) bool { return open(t) && isRequired(&t, allRequired) })
	if i < 0 {
		i = slices.IndexFunc(h.Tasks, open)
	}
	if i < 0 {
		return nil
	}
	return &h.Tasks[i]
}

// runVerifier lets a program judge: exit code 0 is verified, any other is not verified. If it is missing, takes too
// long or is ended by a signal, the verdict is unclear. Its children end with it.
func (v *Verification) runVerifier(ctx context.Context, name string, spec policy.Verifier, r *Result) error {
	if v.trustError != nil {
		r.finding = unclear("the verifier %s was not run: nobody has agreed to that on this machine", name)
		return nil
	}
	ended := program.Call{Args: spec.Run, Timeout: spec.Timeout, Dir: v.Top, Env: v.Env, PassEnv: v.policy.Env}.Run(ctx)
	if ctx.Err() != nil {
		return fmt.Errorf("stopped while the verifier %s ran: %w", name, context.Cause(ctx))
	}
	r.finding = verifierFinding(name, spec, ended.Err, ended.TimedOut)
	if !ended.WasStarted {
		return nil
	}
	r.Output = ended.Output
	var err error
	r.OutputFile, err = v.keepOutput(r.Task.ID, r.Output)
	if err != nil {
		r.Output = append(r.Output, fmt.Sprintf("\n(acta could not keep this output: %v)", err)...)
	}
	return nil
}

func verifierFinding(name string, spec policy.Verifier, err error, late bool) finding {
	var exit *exec.ExitError
	switch {
	case err == nil, errors.Is(err, exec.ErrWaitDelay): // exit code 0, but its output stayed open
		return finding{Verdict: report.Verified}
	case late:
		return unclear("the verifier %s was ended: it took longer than %s", name, spec.Timeout)
	case !errors.As(err, &exit):
		return unclear("the verifier %s cannot be started: %v", name, err)
	case program.IsMissing(exit):
		return unclear("the verifier %s found no program to run: exit code %d", name, exit.ExitCode())
	case exit.ExitCode() < 0:
		return unclear("the verifier %s did not end by itself: %s", name, exit)
	}
	return finding{report.NotVerified, fmt.Sprintf("the verifier %s ended with exit code %d", name, exit.ExitCode())}
}

// keepOutput writes the output of a task's last verifier to the local state. The id is the file's name.
func (v *Verification) keepOutput(id string, output []byte) (string, error) {
	dir := filepath.Join(v.CommonDir, "acta", "heartbeat")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	file := filepath.Join(dir, id+".log")
	return file, maybe.WriteFile(file, output, 0o600) // for the user alone: it may contain secrets
}
