package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

var auditLogs = map[string]func(commonDir string) journal.Log{
	"audit": journal.Audit, "event": journal.Events, "heartbeat": journal.Heartbeats, "feedback": journal.Feedback,
}

func (c command) runAudit(ctx context.Context, call *cli.Context, r *repo.Repo) error {
	since, err := sinceTime(call.String("since"), time.Now())
	if err != nil {
		return err
	}
	dir, err := r.CommonDir(ctx)
	if err != nil {
		return err
	}
	entries, err := auditLogs[call.String("log")](dir).Read()
	if err != nil {
		return err
	}
	actor := call.String("actor")
	for _, e := range entries {
		isUnreadable := e.Cmd == ""
		if !isUnreadable && (e.Time.Before(since) || actor != "" && e.Name != actor) {
			continue
		}
		line := auditLine(e)
		if call.String("format") == "jsonl" || isUnreadable {
			line = string(e.Line)
		}
		fmt.Fprintln(c.Stdout, line)
	}
	return nil
}

// sinceTime reads --since: a time, a day in local time, or a duration before now.
func sinceTime(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	for _, layout := range []string{time.RFC3339, time.DateTime, time.DateOnly} {
		if t, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return t, nil
		}
	}
	return time.Time{}, usagef("--since must be a time (2026-01-26T14:32:15Z, 2026-01-26) or how long ago (2h), not "+
		"%q", text)
}

func auditLine(e journal.Entry) string {
	words := []string{e.Time.Format(time.RFC3339), cmp.Or(e.Name, string(e.Actor)), e.Cmd + ":", paramsText(e.Params)}
	if e.Commit != "" {
		words = append(words, "in "+e.Commit[:min(12, len(e.Commit))])
	}
	if e.Reason != "" {
		words = append(words, "("+e.Reason+")")
	}
	return report.OneLine(strings.Join(words, " "))
}

// paramsText is the params for people: a finding as elsewhere, anything else as JSON.
func paramsText(params json.RawMessage) string {
	var f struct {
		Severity, Rule, Message, Path, Unit string
		Line                                int
		Verdict, Item, Evidence             string
		Contradiction                       bool
		ID, Verify, Reason                  string // of a heartbeat task
	}
	if err := json.Unmarshal(params, &f); err != nil || f.Message == "" && f.Verdict == "" {
		return string(params)
	}
	if f.Verdict != "" {
		out := claimText(f.Verdict, f.Contradiction, cmp.Or(f.Item, f.ID), cmp.Or(f.Evidence, f.Verify),
			cmp.Or(f.Message, f.Reason))
		return strings.TrimSuffix(out+" "+f.Unit, " ")
	}
	out := f.Severity + ": "
	if f.Path != "" {
		out += fmt.Sprintf("%s:%d: ", f.Path, f.Line)
	}
	out += f.Message
	if f.Rule != "" {
		out += " [" + f.Rule + "]"
	}
	if f.Unit != "" {
		out += " " + f.Unit
	}
	return out
}

func claimText(verdict string, contradiction bool, item, evidence, reason string) string {
	if contradiction {
		verdict += ", contradiction"
	}
	if evidence != "" {
		item += " | " + evidence
	}
	if reason != "" {
		item += " (" + reason + ")"
	}
	return verdict + ": " + item
}

func (c command) runAuditVerify(ctx context.Context, _ *cli.Context, r *repo.Repo) error {
	dir, err := r.CommonDir(ctx)
	if err != nil {
		return err
	}
	isDamaged := false
	for i, verify := range []func() (journal.State, error){
		journal.Audit(dir).Verify, journal.Events(dir).Verify,
		func() (journal.State, error) { return journal.VerifyRewrites(dir) }, journal.Heartbeats(dir).Verify,
		journal.Feedback(dir).Verify,
	} {
		s, err := verify()
		if err != nil {
			return errors.Join(fmt.Errorf("%s cannot be read", s.Path), err)
		}
		if i > 2 && s.Lines+s.TornBytes == 0 && s.Fault == nil {
			continue // few repositories have this log
		}
		c.printState(s)
		isDamaged = isDamaged || s.Fault != nil
	}
	if isDamaged {
		return exitError(exitFindings)
	}
	return nil
}

func (c command) printState(s journal.State) {
	name := filepath.Base(s.Path)
	switch {
	case s.Fault != nil && s.Fault.Line > 0:
		c.Stdout.Printf("%s:%d: %s\n", name, s.Fault.Line, s.Fault.Reason)
	case s.Fault != nil:
		c.Stdout.Printf("%s: %s\n", name, s.Fault.Reason)
	case s.Lines == 0 && s.TornBytes == 0:
		c.Stdout.Printf("%s: nothing recorded\n", name)
	case s.TornBytes == 0:
		c.Stdout.Printf("%s: %s, unchanged\n", name, report.Plural(s.Lines, "line"))
	}
	if s.TornBytes > 0 {
		c.Stdout.Printf(
			"%s:%d: a crash tore the last line (%d bytes are left of it); the next line that is written moves it to %s.torn\n",
			name, s.Lines+1, s.TornBytes, name)
	}
}
