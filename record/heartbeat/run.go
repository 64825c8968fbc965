package heartbeat

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/google/renameio/v2/maybe"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/repo/program"
	"github.com/acta-git/acta/report"
)

// run lets a verifier judge: exit code 0 is verified, any other not verified. One that is
// missing, takes too long or is ended by a signal says nothing. With it ends all that it started.
func (v *Verification) run(ctx context.Context, name string, spec policy.Verifier, r *Result) error {
	if v.untrusted != nil {
		r.finding = unclear("the verifier %s was not run: nobody has agreed to that on this machine", name)
		return nil
	}
	ended := program.Call{Run: spec.Run, Timeout: spec.Timeout, Dir: v.Top, Env: v.Env, Pass: v.policy.Env}.Do(ctx)
	if ctx.Err() != nil {
		return fmt.Errorf("stopped while the verifier %s ran: %w", name, context.Cause(ctx))
	}
	r.finding = said(name, spec, ended.Err, ended.Late)
	if !ended.Started {
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
