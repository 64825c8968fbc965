package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/record/change"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// record gathers the refusals, warnings and errors of a run for the audit log, to
// which they go when the run ends. A nil record gathers nothing.
type record struct {
	cmd  string // the command, as it is called
	dir  string // where the repository is that the run was in; "" is the working directory
	by   journal.Caller
	acts []journal.Action
	left int // how many more there were than are kept
	// claims are those of a commit that a hook refused, with their verdicts.
	claims []journal.Action
}

// The severities of what is no finding: findings have those of report.
const (
	refusal = journal.RefusalSeverity
	failure = journal.ErrorSeverity
	caution = journal.WarningSeverity
)

// maxActs bounds what one run adds to the log: more than a reader looks through.
const maxActs = 200

// newRecord begins the record of a call. Whoever calls may say in the environment who it is, and in which session.
func (c command) newRecord() *record {
	return &record{by: journal.Caller{Actor: journal.Agent, Name: os.Getenv("ACTA_ACTOR"),
		Session: os.Getenv("ACTA_SESSION")}}
}

// calledCommand is the name of the command that is called, "hook commit-msg"; "acta" where there is none.
func calledCommand(commands []*cli.Command, args []string) string {
	var name []string
	for _, arg := range args[min(1, len(args)):] {
		i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(arg) })
		if i < 0 {
			break
		}
		name, commands = append(name, arg), commands[i].Subcommands
	}
	if len(name) == 0 {
		return "acta"
	}
	return strings.Join(name, " ")
}

func (r *record) add(commit string, params map[string]any) {
	switch {
	case r == nil:
	case len(r.acts) < maxActs:
		r.acts = append(r.acts, journal.Action{Cmd: r.cmd, Params: params, Commit: commit})
	default:
		r.left++
	}
}

// say adds what is no finding.
func (r *record) say(severity, message string) {
	r.add("", journal.MessageParams(severity, message))
}

// refused adds an act that a rule does not allow.
func (r *record) refused(e *change.RefusedError) { r.add("", e.Params()) }

// findings adds what was found, notes left out.
func (r *record) findings(found []report.Finding) {
	for _, f := range found {
		if f.Severity >= report.Warning {
			r.add(f.Commit, journal.FindingParams(f))
		}
	}
}

// refusedClaims adds the claims for which a commit was refused: those that are not
// verified, errors of form left out, and what is unclear where that is an error. The score counts them.
func (r *record) refusedClaims(whole *report.Report, actorOf func(report.ClaimVerdict) string) {
	for _, v := range whole.Verdicts {
		counts := v.Verdict == report.NotVerified && !v.IsFormError || v.Verdict == report.Unclear && failsFor(whole, v)
		if !counts || len(r.claims) == maxActs {
			continue
		}
		r.claims = append(r.claims, journal.Action{Cmd: r.cmd, Params: journal.ClaimParams(v, actorOf(v)), Commit: v.Commit})
	}
}

// failsFor reports whether a report has an error about an item.
func failsFor(whole *report.Report, v report.ClaimVerdict) bool {
	return slices.ContainsFunc(whole.Findings, func(f report.Finding) bool {
		return f.Severity == report.Error && f.Item == v.Item && f.Unit == v.Unit && f.Commit == v.Commit
	})
}

// saidBy takes who acts from the commit message, which knows better than the environment.
func (r *record) saidBy(message []byte) {
	if r == nil || len(r.acts) == 0 || message == nil {
		return
	}
	for _, p := range parser.Parse(message).Parts {
		for to, said := range map[*string]string{
			&r.by.Name: p.Actor.Value, &r.by.Session: p.Session.Value, &r.by.Reason: p.Reason.Value,
		} {
			if said != "" {
				*to = said
			}
		}
	}
}

// warn prints a warning, and records it.
func (c command) warn(format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	c.Stderr.Printf("acta: warning: %v\n", errors.New(message))
	c.record.say(caution, message)
}

// Warn is warn of a message as it is: the command is the ledger's Warner.
func (c command) Warn(message string) { c.warn("%s", message) }

// open opens the repository that the run was in: the one of the working directory, which is a hook's, or another.
func (r *record) open(ctx context.Context) (*repo.Repo, error) {
	if r.dir == "" {
		return repo.Open(ctx, ".", repo.Options{})
	}
	return repo.Open(ctx, r.dir, repo.Options{Env: repo.ForeignEnv(nil)})
}

// save writes the record to the audit log of the repository that the run was in,
// if any. It fails open: what is in its way is a warning.
func (c command) save(ctx context.Context) {
	if c.record == nil || len(c.record.acts) == 0 {
		return
	}
	ctx = context.WithoutCancel(ctx) // what an interrupted run said counts, too
	r, err := c.record.open(ctx)
	if err != nil {
		return
	}
	defer r.Close()
	acts := c.record.acts
	if n := c.record.left; n > 0 {
		acts = append(acts, journal.Action{
			Cmd: c.record.cmd, Params: map[string]any{"severity": caution, "message": fmt.Sprintf("and %d more", n)},
		})
	}
	acts = append(acts, c.record.claims...)
	dir, err := r.CommonDir(ctx)
	if err != nil {
		return // no repository, or one that git does not read
	}
	repair, err := journal.Audit(dir).Append(ctx, c.record.by, time.Now(), acts...)
	reportRepair(c.Stderr, repair)
	if err != nil {
		c.Stderr.Printf("acta: warning: the audit log was not written: %v\n", err)
	}
}

// saveEvent records a change that was made. It fails open like save.
func (c command) saveEvent(dir string, by journal.Caller, params map[string]any) {
	c.eventSaved(journal.Events(dir).Append(context.Background(), by, time.Now(),
		journal.Action{Cmd: c.record.cmd, Params: params}))
}

// eventSaved says what was in the way of an event.
func (c command) eventSaved(repair *journal.Repair, err error) {
	reportRepair(c.Stderr, repair)
	if err != nil {
		c.warn("the change was made, and the event log was not written: %v", err)
	}
}

func reportRepair(w io.Writer, repair *journal.Repair) {
	if repair != nil {
		fmt.Fprintf(w, "acta: warning: %s\n", repair)
	}
}
