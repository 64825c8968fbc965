package heartbeat

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/renameio/v2/maybe"

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
)

// Verification judges tasks of one work tree.
type Verification struct {
	// Repo is opened at Top, the top of the work tree.
	Repo *repo.Repo
	Top  string
	// GitDir is the work tree's, CommonDir the one that all work trees share.
	GitDir, CommonDir string
	// Env is the environment, «NAME=value» each, of which verifiers get what their policy names.
	Env []string
	// Agreed: whoever calls has agreed to what the policy names, for this call; else the user must have, see repo.Trusted.
	Agreed bool
	// By is who asks, for the log.
	By journal.By
	// Now is the time of the call.
	Now time.Time
	// AllRequired: no task is optional.
	AllRequired bool

	policy *policy.Policy
	reader *evidence.Judge
	// root is HEAD's plan, or unplanned why it cannot be read, where a task names a unit of it.
	root      *plan.Unit
	unplanned error
	// untrusted is why no verifier runs; nil where they do, or where no task names one.
	untrusted error
}

// Result is what is known of one task.
type Result struct {
	Task     *parser.Task
	Required bool
	finding
	// Contradiction: the box is checked, and what was asked says otherwise.
	Contradiction bool
	// Attempts is how many of the day's are made, this one included.
	Attempts int
	// Judged is false where none was left, and the last finding stands.
	Judged bool
	// Again: an attempt of that day has verified it already, whoever asked.
	Again bool
	// Output is the end of what the verifier printed, nil where there was none to run; OutputFile is where it is kept.
	Output     []byte
	OutputFile string
}

// Verify judges tasks of the file, each once, in the order given. A task whose
// attempts of the day are used up is not judged again: the last finding stands, so that
// whoever asks often enough gets no other answer. Warnings say what of it was not recorded. What was
// found before an error is recorded too. A policy that cannot be used is a *policy.ConfigError.
func (v *Verification) Verify(
	ctx context.Context, h *parser.Heartbeat, tasks []*parser.Task,
) (results []Result, warnings []string, err error) {
	if v.policy, err = snapshot.Head(v.Repo).Policy(ctx); err != nil {
		return nil, nil, err
	}
	if slices.ContainsFunc(tasks, namesUnit) {
		_, v.root, v.unplanned = snapshot.Head(v.Repo).Plan(ctx)
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
	if !v.Agreed && slices.ContainsFunc(tasks, v.asksProgram) {
		if v.untrusted = v.Repo.CheckTrust(ctx); v.untrusted != nil {
			warnings = append(warnings, fmt.Sprintf("no verifier was run: %v; for this call alone: --notify", v.untrusted))
		}
	}
	today := v.Now.In(v.policy.Timezone).Format(time.DateOnly)
	turns, err := v.take(ctx, today, tasks)
	if err != nil {
		return nil, nil, err
	}
	for _, t := range turns {
		r, judging := v.result(ctx, t)
		if judging != nil {
			err = fmt.Errorf("task %s: %w", t.task.ID.Value, judging)
			break
		}
		results = append(results, r)
	}
	kept := context.WithoutCancel(ctx) // an interrupted call has found what it has found
	err = errors.Join(err, v.settle(kept, today, results))
	unrecorded, logging := v.record(kept, h, results)
	warnings = append(warnings, unrecorded...)
	if logging != nil {
		warnings = append(warnings, fmt.Sprintf("the verdicts were not recorded: %v", logging))
	}
	return results, warnings, err
}

// asksProgram reports whether a task is judged by a program of the policy.
func (v *Verification) asksProgram(t *parser.Task) bool {
	_, named := v.policy.Verifiers[t.Verify.Value]
	return named
}

// result judges one task, or says again what was found of it.
func (v *Verification) result(ctx context.Context, t *turn) (Result, error) {
	r := Result{
		Task: t.task, Required: required(t.task, v.AllRequired), Attempts: t.attempts, Judged: t.judged,
		Again: t.last.Verdict == report.Verified,
	}
	switch {
	case t.judged:
		if err := v.judge(ctx, &r); err != nil {
			return r, err
		}
	case t.last.Verdict == 0:
		r.finding = unclear("its %d attempts of today are used up, and none has come to a verdict", t.attempts)
	default:
		r.finding = t.last
	}
	r.Contradiction = r.Verdict == report.NotVerified && r.Task.IsChecked
	return r, nil
}

func unclear(format string, args ...any) finding {
	return finding{Verdict: report.Unclear, Reason: fmt.Sprintf(format, args...)}
}

// Path is where the file lies, at the top of the work tree.
const Path = "HEARTBEAT.md"

// ErrNoFile is a work tree without the file.
var ErrNoFile = errors.New("there is no " +
	Path + " at the top of the work tree; begin one with the line «## Tasks» and, below it, - [ ] id | description | " +
	"required | verify: hint")

// Read reads the file of a work tree, as it stands there.
func Read(top string) (*parser.Heartbeat, error) {
	root, err := os.OpenRoot(top)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	f, err := state.OpenIn(root, Path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, ErrNoFile
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, parser.MaxHeartbeat+1)) // what is longer is not read, and said
	if err != nil {
		return nil, err
	}
	return parser.ParseHeartbeat(data), nil
}

// fingerprint is the SHA-256 of a file, in hex.
func fingerprint(h *parser.Heartbeat) string {
	sum := sha256.Sum256([]byte(h.String()))
	return hex.EncodeToString(sum[:])
}

// required reports whether a task must be done. An actor whose score has fallen far has no optional tasks.
func required(t *parser.Task, allRequired bool) bool { return allRequired || !t.IsOptional }

// Next is the task to do: of those whose box is open the first that is required,
// else the first; nil where every box is checked.
func Next(h *parser.Heartbeat, allRequired bool) *parser.Task {
	open := func(t parser.Task) bool { return !t.IsChecked }
	i := slices.IndexFunc(h.Tasks, func(t parser.Task) bool { return open(t) && required(&t, allRequired) })
	if i < 0 {
		i = slices.IndexFunc(h.Tasks, open)
	}
	if i < 0 {
		return nil
	}
	return &h.Tasks[i]
}

// run lets a verifier judge: exit code 0 is verified, any other not verified. One that is
// missing, takes too long or is ended by a signal says nothing. With it ends all that it started.
func (v *Verification) run(ctx context.Context, name string, spec policy.Verifier, r *Result) error {
	if v.untrusted != nil {
		r.finding = unclear("the verifier %s was not run: nobody has agreed to that on this machine", name)
		return nil
	}
	ended := program.Call{Args: spec.Run, Timeout: spec.Timeout, Dir: v.Top, Env: v.Env, PassEnv: v.policy.Env}.Run(ctx)
	if ctx.Err() != nil {
		return fmt.Errorf("stopped while the verifier %s ran: %w", name, context.Cause(ctx))
	}
	r.finding = said(name, spec, ended.Err, ended.TimedOut)
	if !ended.WasStarted {
		return nil
	}
	r.Output = ended.Output
	var err error
	r.OutputFile, err = v.keepOutput(r.Task.ID.Value, r.Output)
	if err != nil {
		r.Output = append(r.Output, fmt.Sprintf("\n(acta could not keep this output: %v)", err)...)
	}
	return nil
}

// said is what the end of a verifier means.
func said(name string, spec policy.Verifier, err error, late bool) finding {
	var exit *exec.ExitError
	switch {
	case err == nil, errors.Is(err, exec.ErrWaitDelay): // it said 0, and left its output open
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

// keepOutput keeps what the last run for a task printed, in the local state. An id is a file's name.
func (v *Verification) keepOutput(id string, output []byte) (string, error) {
	dir := filepath.Join(v.CommonDir, "acta", "heartbeat")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	file := filepath.Join(dir, id+".log")
	return file, maybe.WriteFile(file, output, 0o600) // for who runs it alone: it may hold what is secret
}
