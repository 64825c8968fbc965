package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/parser/shell"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report/results"
)

const runCommand = "run"

// The exit codes of shells and env for commands that did not start.
const (
	exitCannotRun = 126
	exitNotFound  = 127
)

func (c command) runRun(call *cli.Context) error {
	ctx, words := context.WithoutCancel(call.Context), call.Args().Slice()
	if len(words) == 0 {
		return usagef("run needs a command, for example: acta run -- pytest -q")
	}
	run := commandRun{command: c, note: call.Bool("note")}
	run.begin(ctx, words, call.String("session"))
	reports := resultReports{globs: call.StringSlice("junit")}
	if len(reports.globs) == 0 {
		reports.dir, reports.globs = policyReports(ctx)
	}
	reports.before = reports.files()
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.stdin(), c.Stdout.Raw(), c.Stderr.Raw()
	if err := runWithSignals(cmd); cmd.ProcessState == nil {
		c.Stderr.Printf("acta: cannot run %s: %v\n", words[0], err)
		if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
			return exitError(exitNotFound)
		}
		return exitError(exitCannotRun)
	}
	code := exitCode(cmd.ProcessState)
	written := reports.newFiles()
	counts, err := readReports(written)
	if err != nil {
		c.warn("the line for the report has no counts: %v", err)
	}
	run.end(ctx, code, counts, written)
	return exitWith(code)
}

const stateWait = 10 * time.Second

type commandRun struct {
	command
	entry worklog.Operation
	// session is its session; noSession says why there is none, nil if there is one.
	session   string
	noSession error
	note      bool
}

func (r *commandRun) begin(ctx context.Context, words []string, session string) {
	r.entry = worklog.Operation{Action: worklog.Bash, Context: shell.Line(words)}
	r.noSession = r.inSession(ctx, session, func(s *worklog.Recorder) ([]string, error) {
		r.session = s.ID
		return nil, nil
	})
	if r.session == "" && !r.note {
		return
	}
	if err := inRepo(ctx, func(at *repo.Repo) error { return r.recordWorkTree(ctx, at) }); err != nil {
		r.warn("the run is recorded without the work tree that it ran on: %v", err)
	}
}

func (r *commandRun) recordWorkTree(ctx context.Context, at *repo.Repo) error {
	ctx, cancel := context.WithTimeout(ctx, stateWait)
	defer cancel()
	d := &r.entry.Details
	folder, _, err := at.RelativeToTop(ctx, ".", ".")
	if err != nil {
		return err
	}
	if d.Folder = cmp.Or(folder, "."); folder != "" {
		r.entry.Context = shell.Line([]string{"cd", folder}) + " && " + r.entry.Context
	}
	found, err := at.WorkState(ctx)
	if err != nil {
		return err
	}
	if d.Tree = string(found.All); found.Tracked != found.All {
		d.Tracked = string(found.Tracked)
	}
	return nil
}

func (r *commandRun) end(ctx context.Context, code int, counts parser.Counts, reports []string) {
	e := &r.entry
	e.Time, e.Status, e.Details.ExitCode = worklog.FormatTime(time.Now()), worklog.Completed, &code
	if code != 0 {
		e.Status = worklog.Failed
	}
	line := fmt.Sprintf("Ran: %s | exit %d", worklog.Mask(e.Context), code)
	if counts != nil {
		line += " | " + counts.String()
		e.Details.Summary = counts.String()
	}
	switch {
	case r.noSession != nil && !r.note:
		r.warn("not recorded in the worklog: %v", r.noSession)
	case r.session != "":
		_ = r.recordInSession(ctx, r.session, func(s *worklog.Recorder) ([]string, error) {
			e.Details.Reports = s.RelativeToTop(ctx, ".", reports)
			return s.Record(ctx, time.Now(), *e)
		})
	}
	if r.note {
		if err := inRepo(ctx, func(at *repo.Repo) error { return r.addNote(ctx, at, reports) }); err != nil {
			r.warn("not noted in %s: %v", judge.RunNotes, err)
		}
	}
	r.Stderr.Printf("%s\n", line)
}

func (r *commandRun) addNote(ctx context.Context, at *repo.Repo, reports []string) error {
	run := r.entry.RecordedRun()
	if len(run.Trees) == 0 {
		return errors.New("the work tree that it ran on is not known")
	}
	return judge.NoteRun(ctx, at, judge.RunNote{
		Time: time.Now().UTC().Truncate(time.Second), Command: worklog.Mask(run.Command), Exit: *run.Exit,
		Counts: r.entry.Details.Summary, Trees: run.Trees,
		Reports: (&worklog.Recorder{Repo: at}).RelativeToTop(ctx, ".", reports),
	}, cmp.Or(os.Getenv("ACTA_ACTOR"), "acta"))
}

type resultReports struct {
	// dir is the folder of the patterns, "" for their own.
	dir    string
	globs  []string
	before map[string]time.Time
}

// policyReports are HEAD's policy's patterns of test reports. On errors the run has no counts.
func policyReports(ctx context.Context) (top string, globs []string) {
	_ = inRepo(ctx, func(r *repo.Repo) error {
		p, err := snapshot.Head(r).Policy(ctx)
		if err != nil || len(p.Results.JUnit) == 0 {
			return err
		}
		if top, err = r.Top(ctx); top != "" {
			globs = p.Results.JUnit
		}
		return err
	})
	return top, globs
}

func (r resultReports) files() map[string]time.Time {
	found := map[string]time.Time{}
	for _, glob := range r.globs {
		names, _ := matchingFiles(r.dir, glob)
		for _, name := range names {
			if info, err := os.Stat(name); err == nil {
				found[filepath.ToSlash(name)] = info.ModTime()
			}
		}
	}
	return found
}

func (r resultReports) newFiles() []string {
	var all []string
	for name, changed := range r.files() {
		if before, there := r.before[name]; !there || !changed.Equal(before) {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// readReports adds up the counts of these reports; nil if they are not known, with the reason.
func readReports(names []string) (parser.Counts, error) {
	if len(names) == 0 {
		return nil, nil
	}
	var sum results.Counts
	for _, name := range names {
		data, err := state.ReadFileUpTo(name, results.MaxFileBytes)
		if err != nil {
			return nil, err
		}
		tests, err := results.ReadTests(name, data)
		if err != nil {
			return nil, err
		}
		if tests.Unlisted > 0 {
			return nil, fmt.Errorf("%s does not say of %d tests whether they passed", name, tests.Unlisted)
		}
		sum.Add(tests.Counts())
	}
	counts := parser.Counts{"passed": sum.Passed}
	if sum.Failed > 0 {
		counts["failed"] = sum.Failed
	}
	if skipped := sum.Skipped + sum.Disabled; skipped > 0 {
		counts["skipped"] = skipped
	}
	return counts, nil
}
