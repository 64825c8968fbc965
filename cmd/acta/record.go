package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// record collects the refusals, warnings and errors of a run for the audit log, which gets them at the end. A nil
// record collects nothing.
type record struct {
	cmd     string // the command's name
	dir     string // the repository's folder; "" is the working directory
	caller  journal.Caller
	actions []journal.Action
	omitted int // number of entries above the limit
	claims  []journal.Action
}

// The severities of messages; findings have those of report.
const (
	refusal = journal.RefusalSeverity
	failure = journal.ErrorSeverity
	caution = journal.WarningSeverity
)

// maxActions bounds the entries of one run: more than a reader looks through.
const maxActions = 200

func calledCommand(commands []*cli.Command, args []string) string {
	var name []string
	for _, arg := range args[min(1, len(args)):] {
		called := commandNamed(commands, arg)
		if called == nil {
			break
		}
		name, commands = append(name, arg), called.Subcommands
	}
	if len(name) == 0 {
		return "acta"
	}
	return strings.Join(name, " ")
}

func (r *record) add(commit string, params map[string]any) {
	switch {
	case r == nil:
	case len(r.actions) < maxActions:
		r.actions = append(r.actions, journal.Action{Cmd: r.cmd, Params: params, Commit: commit})
	default:
		r.omitted++
	}
}

func (r *record) addMessage(severity, message string) {
	r.add("", journal.MessageParams(severity, message))
}

func (r *record) addFindings(found []report.Finding) {
	for _, f := range found {
		if f.Severity >= report.Warning {
			r.add(f.Commit, journal.FindingParams(f))
		}
	}
}

// addRefusedClaims adds the claims for which a commit was refused: not verified ones without errors of form, and
// unclear ones that are errors. The score counts them.
func (r *record) addRefusedClaims(whole *report.Report, actorOf func(report.ClaimVerdict) string) {
	for _, v := range whole.Verdicts {
		counts := v.Verdict == report.NotVerified && !v.IsFormError || v.Verdict == report.Unclear && hasErrorFor(whole, v)
		if !counts || len(r.claims) == maxActions {
			continue
		}
		r.claims = append(r.claims, journal.Action{Cmd: r.cmd, Params: journal.ClaimParams(v, actorOf(v)), Commit: v.Commit})
	}
}

func hasErrorFor(whole *report.Report, v report.ClaimVerdict) bool {
	return slices.ContainsFunc(whole.Findings, func(f report.Finding) bool {
		return f.Severity == report.Error && f.Item == v.Item && f.Unit == v.Unit && f.Commit == v.Commit
	})
}

// setCaller takes the caller from the commit message, which is more reliable than the environment.
func (r *record) setCaller(message []byte) {
	if r == nil || len(r.actions) == 0 || message == nil {
		return
	}
	for _, p := range parser.Parse(message).Parts {
		r.caller.Name = cmp.Or(p.Actor.Value, r.caller.Name)
		r.caller.Session = cmp.Or(p.Session.Value, r.caller.Session)
		r.caller.Reason = cmp.Or(p.Reason.Value, r.caller.Reason)
	}
}

func (c command) warn(format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	c.Stderr.Printf("acta: warning: %v\n", errors.New(message))
	c.record.addMessage(caution, message)
}

func (c command) Warn(message string) { c.warn("%s", message) }

func (r *record) open(ctx context.Context) (*repo.Repo, error) {
	if r.dir == "" {
		return repo.Open(ctx, ".", repo.Options{})
	}
	return repo.Open(ctx, r.dir, repo.Options{Env: repo.ForeignEnv(nil)})
}

// save writes the record to the audit log of the run's repository, if any. Failures are warnings.
func (c command) save(ctx context.Context) {
	if c.record == nil || len(c.record.actions) == 0 {
		return
	}
	ctx = context.WithoutCancel(ctx) // also after an interruption
	r, err := c.record.open(ctx)
	if err != nil {
		return
	}
	defer r.Close()
	acts := c.record.actions
	if n := c.record.omitted; n > 0 {
		more := journal.MessageParams(caution, fmt.Sprintf("and %d more", n))
		acts = append(acts, journal.Action{Cmd: c.record.cmd, Params: more})
	}
	acts = append(acts, c.record.claims...)
	dir, err := r.CommonDir(ctx)
	if err != nil {
		return // no repository, or an unreadable one
	}
	warnings, err := journal.Audit(dir).Append(ctx, c.record.caller, time.Now(), acts...)
	c.reportRepair(warnings)
	if err != nil {
		c.Stderr.Printf("acta: warning: the audit log was not written: %v\n", err)
	}
}

func (c command) saveEvent(dir string, by journal.Caller, params map[string]any) {
	c.warnEventLog(journal.Events(dir).Append(context.Background(), by, time.Now(),
		journal.Action{Cmd: c.record.cmd, Params: params}))
}

func (c command) warnEventLog(warnings []string, err error) {
	c.reportRepair(warnings)
	if err != nil {
		c.warn("the change was made, and the event log was not written: %v", err)
	}
}

// reportRepair prints warnings about a log, which must not go into it.
func (c command) reportRepair(warnings []string) {
	for _, w := range warnings {
		c.Stderr.Printf("acta: warning: %s\n", w)
	}
}
