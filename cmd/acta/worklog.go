package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
)

// sessions lists the sessions of this repository, and prints warnings. here is the id of the one that runs in this work
// tree, "" for none.
func (c command) sessions(ctx context.Context) (all []worklog.ListedSession, here string, err error) {
	err = inDirs(ctx, func(r *repo.Repo, gitDir, common string) error {
		if l, err := worklog.FindRunning(common, gitDir, os.Getenv("ACTA_SESSION")); err == nil && !l.Switches.NoWorklog {
			here = l.ID
		}
		var warnings []string
		all, warnings, err = worklog.Sessions(ctx, r, common)
		c.printRemarks("", warnings, nil)
		return err
	})
	return all, here, err
}

// inDirs calls do with this repository; gitDir is its work tree's git directory, common the shared one.
func inDirs(ctx context.Context, do func(r *repo.Repo, gitDir, common string) error) error {
	return inRepo(ctx, func(r *repo.Repo) error {
		gitDir, common, err := r.Dirs(ctx)
		if err != nil {
			return err
		}
		return do(r, gitDir, common)
	})
}

// recordInSession lets do write to the named session, or the running one. Failures are warnings, with exit code 0.
func (c command) recordInSession(
	ctx context.Context, id string, do func(*worklog.Recorder) (warnings []string, err error),
) error {
	if err := c.inSession(ctx, id, do); err != nil {
		c.warn("not recorded in the worklog: %v", err)
	}
	return nil
}

func (c command) inSession(ctx context.Context, id string, do func(*worklog.Recorder) ([]string, error)) error {
	return inDirs(ctx, func(r *repo.Repo, gitDir, common string) error {
		live, err := worklog.FindRunning(common, gitDir, cmp.Or(id, os.Getenv("ACTA_SESSION")))
		if errors.Is(err, worklog.ErrNoSession) && envSwitches().NoWorklog {
			return nil // recording is off
		}
		if err != nil {
			return err
		}
		if lost := live.ReadWarning(); lost != "" {
			c.warn("%s", lost)
		}
		warnings, err := do(&worklog.Recorder{LocalSession: live, Repo: r, Switches: envSwitches()})
		c.printRemarks("", warnings, nil)
		return err
	})
}

func (c command) runWorklogStart(call *cli.Context) error {
	task := call.String("task")
	if strings.TrimSpace(task) == "" {
		return usagef("worklog start needs --task: what is to be done")
	}
	tierName := cmp.Or(call.String("tier"), os.Getenv("ACTA_TIER"))
	tier, ok := policy.ParseTier(tierName)
	if !ok && tierName != "" {
		return usagef("the tier must be STRICT, STANDARD, LIGHT or EXEMPT, not %q", tierName)
	}
	now := time.Now()
	actor := cmp.Or(call.String("actor"), os.Getenv("ACTA_ACTOR"))
	b := worklog.Beginning{Task: task, Actor: actor, Switches: envSwitches()}
	if ok {
		b.Tier = tier.String()
	}
	id := ""
	err := inDirs(call.Context, func(r *repo.Repo, gitDir, common string) error {
		l, warnings, err := worklog.Begin(call.Context, r, gitDir, common, now, b)
		c.printRemarks("", warnings, nil)
		if err == nil {
			id = l.ID
		}
		return err
	})
	if err != nil {
		id = worklog.NewSessionID(now) // callers expect an id
		c.warn("the session is not recorded: %v", err)
	}
	_, err = fmt.Fprintln(c.Stdout, id)
	return err
}

func (c command) runWorklogLog(call *cli.Context) error {
	context, files := call.String("context"), call.StringSlice("file")
	e := worklog.Operation{
		Action: worklog.Action(call.String("action")), Status: worklog.Status(call.String("status")), Context: context,
		Details: worklog.Details{Result: call.String("result")},
		Tokens:  worklog.Tokens(len(context) + len(strings.Join(files, " "))),
	}
	if e.Action == "" || e.Status == "" || strings.TrimSpace(context) == "" {
		return usagef("worklog log needs --action, --status and --context")
	}
	if call.IsSet("exit-code") {
		e.Details.ExitCode = new(call.Int("exit-code"))
	}
	if todos := call.Int("todos"); call.IsSet("todos") {
		if todos < 0 {
			return usagef("--todos must be 0 or more, not %d", todos)
		}
		e.Details.Todos = &todos
	}
	if e.Action == worklog.Check {
		e.Details.Phase = "execution"
	}
	ctx := call.Context
	return c.recordInSession(ctx, call.String("session"), func(s *worklog.Recorder) ([]string, error) {
		e.Time, e.Details.Files = worklog.FormatTime(time.Now()), s.RelativeToTop(ctx, ".", files)
		return s.Record(ctx, time.Now(), e)
	})
}

func (c command) runWorklogCheckpoint(call *cli.Context) error {
	phase := cmp.Or(call.String("phase"), "execution")
	return c.recordInSession(call.Context, call.String("session"), func(s *worklog.Recorder) ([]string, error) {
		if !s.WantsCheckpoint(phase) {
			c.Stderr.Printf("acta: no checkpoint: tier %s has none after the phase %s\n", s.Tier, phase)
			return nil, nil
		}
		now := time.Now()
		return s.Record(call.Context, now, worklog.NewCheckpoint(worklog.FormatTime(now), phase))
	})
}

func (c command) runWorklogFinish(call *cli.Context) error {
	outcome := call.String("outcome")
	if outcome == "" {
		return usagef("worklog finish needs --outcome: success, failure or aborted")
	}
	return c.recordInSession(call.Context, call.String("session"), func(s *worklog.Recorder) ([]string, error) {
		return s.End(call.Context, time.Now(), worklog.Outcome(outcome))
	})
}

func (c command) runWorklogShow(call *cli.Context) error {
	name := call.Args().First()
	all, here, err := c.sessions(call.Context)
	if err != nil {
		return err
	}
	switch {
	case name != "":
	case here != "":
		name = here
	case len(all) > 0:
		name = all[len(all)-1].ID
	default:
		return usagef("there is no session here yet")
	}
	s, err := worklog.Find(all, name)
	if errors.Is(err, worklog.ErrNoSession) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	return s.Write(c.Stdout, call.String("format"))
}

func (c command) runWorklogList(call *cli.Context) error {
	all, _, err := c.sessions(call.Context)
	if err != nil {
		return err
	}
	return worklog.WriteList(c.Stdout, all, call.String("format") == "json")
}

func (c command) runWorklogGC(call *cli.Context) error {
	ctx := call.Context
	return inDirs(ctx, func(r *repo.Repo, _, common string) error {
		done, err := worklog.Retention{Repo: r, CommonDir: common, Now: time.Now(), Wait: true}.Collect(ctx)
		if err != nil { // the record fails open
			c.warn("some sessions were not summarized: %v", err)
		}
		c.Stdout.Printf("%d ended, %d summarized, %d deleted\n", len(done.Abandoned), len(done.Summarized),
			len(done.Deleted))
		return nil
	})
}
