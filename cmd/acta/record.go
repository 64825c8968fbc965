package main

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/worklog"
)

// record gathers the refusals, warnings and errors of a run for the audit log, to
// which they go when the run ends. A nil record gathers nothing.
type record struct {
	cmd  string // the command, as it is called
	by   worklog.By
	acts []worklog.Act
	left int // how many more there were than are kept
}

// The severities of what is no finding: findings have those of diag.
const (
	refusal = "refusal"
	failure = "error"
	caution = "warning"
)

// mostActs bounds what one run adds to the log: more than a reader looks through.
const mostActs = 200

// newRecord begins the record of a call. Whoever calls may say in the environment who it is, and in which session.
func (c command) newRecord() *record {
	return &record{by: worklog.By{Actor: worklog.Agent, Name: c.Getenv("ACTA_ACTOR"), Session: c.Getenv("ACTA_SESSION")}}
}

// whose is who acts. A process that was given no session makes one up, and keeps it.
func (r *record) whose() worklog.By {
	if r.by.Session == "" {
		r.by.Session = worklog.NewSession()
	}
	return r.by
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
	case len(r.acts) < mostActs:
		r.acts = append(r.acts, worklog.Act{Cmd: r.cmd, Params: params, Commit: commit})
	default:
		r.left++
	}
}

// say adds what is no finding.
func (r *record) say(severity, message string) {
	r.add("", map[string]any{"severity": severity, "message": withoutIDs(message)})
}

// refused adds an act that a rule does not allow.
func (r *record) refused(e *refusedError) {
	r.add("", map[string]any{"severity": refusal, "rule": e.rule, "message": withoutIDs(e.err.Error())})
}

// findings adds what was found, notes left out.
func (r *record) findings(found []diag.Finding) {
	for _, f := range found {
		if f.Severity >= diag.Warning {
			r.add(f.Commit, findingParams(f))
		}
	}
}

func findingParams(f diag.Finding) map[string]any {
	params := map[string]any{"severity": f.Severity.String(), "rule": f.Rule, "message": withoutIDs(f.Message)}
	for key, value := range map[string]string{"path": f.Path, "unit": f.Unit, "item": f.Item} {
		if value != "" {
			params[key] = value
		}
	}
	if f.Line > 0 {
		params["line"] = f.Line
	}
	return params
}

// withoutIDs takes commit ids out of a message, whole, as rules shorten them, or shortened behind the word commit: the
// same finding in another clone, or after a rebase, has the same params.
func withoutIDs(message string) string {
	// One that stands alone: a path may begin like one.
	message = regexp.MustCompile(`(^|[\s(«])(?:[0-9a-f]{12}|[0-9a-f]{40}|[0-9a-f]{64})([\s,;:)»]|\.\s|\.?$)`).ReplaceAllString(message, "$1…$2")
	return regexp.MustCompile(`\b(commit) [0-9a-f]{7,}\b`).ReplaceAllString(message, "$1 …")
}

// saidBy takes who acts from the commit message, which knows better than the environment.
func (r *record) saidBy(message []byte) {
	if r == nil || len(r.acts) == 0 || message == nil {
		return
	}
	for _, p := range parser.Parse(message).Parts {
		for to, said := range map[*string]string{&r.by.Name: p.Actor.Value, &r.by.Session: p.Session.Value, &r.by.Reason: p.Reason.Value} {
			if said != "" {
				*to = said
			}
		}
	}
}

// warn prints a warning, and records it.
func (c command) warn(format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	fmt.Fprintf(c.Stderr, "acta: warning: %s\n", message)
	c.record.say(caution, message)
}

// save writes the record to the audit log of the repository that the run was in,
// if any. It fails open: what is in its way is a warning.
func (c command) save(ctx context.Context) {
	if c.record == nil || len(c.record.acts) == 0 {
		return
	}
	ctx = context.WithoutCancel(ctx) // what an interrupted run said counts, too
	r, err := repo.Open(ctx, ".", repo.Options{})
	if err != nil {
		return
	}
	defer r.Close()
	acts := c.record.acts
	if n := c.record.left; n > 0 {
		acts = append(acts, worklog.Act{Cmd: c.record.cmd, Params: map[string]any{"severity": caution, "message": fmt.Sprintf("and %d more", n)}})
	}
	dir, err := hooks.StateDir(ctx, r, c.Getenv)
	if err != nil {
		return // no repository, or one that git does not read
	}
	tear, err := worklog.Audit(dir).Append(ctx, c.record.whose(), time.Now(), acts...)
	reportTear(c.Stderr, tear)
	if err != nil {
		fmt.Fprintf(c.Stderr, "acta: warning: the audit log was not written: %v\n", err)
	}
}

// saveEvent records a change that was made. It fails open like save.
func (c command) saveEvent(ctx context.Context, dir string, by worklog.By, params map[string]any) {
	c.saveEventOf(ctx, dir, by, "", params)
}

// saveEventOf records a change that was made with a commit, "" for none.
func (c command) saveEventOf(ctx context.Context, dir string, by worklog.By, commit string, params map[string]any) {
	tear, err := worklog.Events(dir).Append(ctx, by, time.Now(), worklog.Act{Cmd: c.record.cmd, Params: params, Commit: commit})
	reportTear(c.Stderr, tear)
	if err != nil {
		c.warn("the change was made, and the event log was not written: %v", err)
	}
}

func reportTear(w io.Writer, tear *worklog.Tear) {
	if tear != nil {
		fmt.Fprintf(w, "acta: warning: %s\n", tear)
	}
}
