package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/acta-git/acta/record/ledger"
	"github.com/acta-git/acta/record/worklog"
)

// recordOutput is the answer to a record. Failures to record are no errors.
type recordOutput struct {
	IsRecorded bool     `json:"recorded"`
	Session    string   `json:"session,omitempty" jsonschema:"id of the session"`
	Reason     string   `json:"why,omitempty" jsonschema:"why nothing was recorded"`
	Warnings   []string `json:"warnings,omitempty"`
}

type worklogAppendInput struct {
	callerInput
	Action   string   `json:"action" jsonschema:"what was done"`
	Status   string   `json:"status" jsonschema:"what became of it"`
	Context  string   `json:"context" jsonschema:"a short description; of a test run the command"`
	Files    []string `json:"files,omitempty" jsonschema:"the files that were changed, from the top or absolute"`
	ExitCode *int     `json:"exit_code,omitempty" jsonschema:"the command's exit code"`
	Type     string   `json:"agent_type,omitempty" jsonschema:"of a Task the kind of the sub-agent"`
	Session  string   `json:"session,omitempty"`
}

func (c *call) worklogAppend(ctx context.Context, in worklogAppendInput) (recordOutput, error) {
	if strings.TrimSpace(in.Context) == "" {
		return recordOutput{}, errors.New("worklog_append needs a context: say in a few words what was done")
	}
	o := worklog.Operation{
		Action: worklog.Action(in.Action), Status: worklog.Status(in.Status), Context: in.Context,
		Details: worklog.Details{ExitCode: in.ExitCode, AgentType: in.Type},
		Tokens:  worklog.Tokens(len(c.raw)),
	}
	return c.record(ctx, in.Session, o, in.Files...), nil
}

type checkpointInput struct {
	callerInput
	Phase   string `json:"phase,omitempty" jsonschema:"the phase that has ended; execution where it is left out"`
	Session string `json:"session,omitempty"`
}

func (c *call) checkpoint(ctx context.Context, in checkpointInput) (recordOutput, error) {
	return c.record(ctx, in.Session, worklog.NewCheckpoint("", cmp.Or(in.Phase, "execution"))), nil
}

func (c *call) record(ctx context.Context, session string, o worklog.Operation, files ...string) recordOutput {
	live, err := worklog.FindRunning(c.state, c.gitDir, cmp.Or(session, c.Env.Get("ACTA_SESSION")))
	if err != nil {
		return c.unrecorded("", err)
	}
	if warning := live.ReadWarning(); warning != "" {
		c.Warn(warning)
	}
	recorder := &worklog.Recorder{LocalSession: live, Repo: c.repo, Switches: worklog.EnvSwitches(c.Env)}
	if why := unwantedReason(recorder, o); why != "" {
		return recordOutput{Session: live.ID, Reason: why, Warnings: c.warnings}
	}
	now := time.Now()
	o.Time = worklog.FormatTime(now)
	o.Details.Files = recorder.RelativeToTop(ctx, "", files)
	warnings, err := recorder.Record(ctx, now, o)
	for _, w := range warnings {
		c.Warn(w)
	}
	if err != nil {
		return c.unrecorded(live.ID, err)
	}
	return recordOutput{IsRecorded: true, Session: live.ID, Warnings: c.warnings}
}

// unwantedReason says why a session does not record an operation, "" if it does.
func unwantedReason(r *worklog.Recorder, o worklog.Operation) string {
	switch {
	case o.Action == worklog.Check && o.Details.Phase != "" && !r.WantsCheckpoint(o.Details.Phase):
		return fmt.Sprintf("tier %s has no checkpoint after the phase %s", r.Tier, o.Details.Phase)
	case !r.Wants(o.Action, o.Context):
		return fmt.Sprintf("tier %s does not record this", r.Tier)
	case !r.IsRecorded(o.Action):
		return "it is switched off in this session, or by the server's environment"
	}
	return ""
}

func (c *call) unrecorded(session string, err error) recordOutput {
	why := fmt.Sprintf("not recorded in the worklog: %v", err)
	c.Warn(why)
	return recordOutput{Session: session, Reason: why, Warnings: c.warnings}
}

type scoreInput struct {
	callerInput
	OfActor string `json:"actor,omitempty" jsonschema:"whose score, for example executor-01; default: all actors together"`
}

// standing renames ledger.Score: embedded as Score it would hide its own field of that name.
type standing ledger.Score

type scoreOutput struct {
	standing
	Warnings []string `json:"warnings,omitempty"`
}

// score is today's score, as `acta score --format json` prints it. The operator is told of a lockdown.
func (c *call) score(ctx context.Context, in scoreInput) (scoreOutput, error) {
	store := &ledger.Repositories{Dirs: []string{c.Dir}, Warn: c}
	days, err := store.Days(ctx, ledger.Query{Actor: in.OfActor, Now: time.Now()})
	if err != nil {
		return scoreOutput{}, err
	}
	today := days[len(days)-1]
	o := &ledger.Operator{Repo: c.repo, State: c.state, Env: c.Env, Now: time.Now()}
	if _, err := o.Notify(ctx, today); err != nil {
		c.Warn(fmt.Sprintf("the operator could not be told of the lockdown; the next command that reads the score tries "+
			"again: %v",
			err))
	}
	return scoreOutput{standing(today), c.warnings}, nil
}
