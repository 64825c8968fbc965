package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/record/ledger"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/program"
	"github.com/acta-git/acta/repo/state"
)

// findSession finds the session to write to: ACTA_SESSION's if it runs, else the one that this host's session began.
func (c *call) findSession() {
	if id := c.Env.Get("ACTA_SESSION"); id != "" && id != c.state.Session {
		if l, err := worklog.FindRunning(c.common, c.gitDir, id); err == nil {
			c.live, c.isNamed = l, true
			return
		}
	}
	c.live = c.state.LocalSession()
}

func (c *call) begin(ctx context.Context) error {
	switch {
	case c.isNamed:
		return nil
	case c.live != nil:
		return errors.Join(c.keep(c.live.Resume(ctx, c.Now)), c.export())
	}
	if err := worklog.EndIdle(ctx, c.repo, c.common, c.gitDir, c.Now); err != nil {
		c.answer.warn("idle sessions were not ended: %v", err)
	}
	b := worklog.Beginning{Task: c.state.Task, Actor: c.Env.Get("ACTA_ACTOR"), Host: c.Host.ID(), HostSession: c.session,
		Switches: worklog.EnvSwitches(c.Env)}
	if b.Task == "" {
		b.Task = "A session of " + c.Host.Name()
	}
	if tier, ok := policy.ParseTier(c.Env.Get("ACTA_TIER")); ok {
		b.Tier = tier.String()
	}
	l, warnings, err := worklog.Begin(ctx, c.repo, c.gitDir, c.common, c.Now, b)
	if c.keep(warnings, err) != nil {
		return err
	}
	c.live, c.state.Session = l, l.ID
	if g, err := c.repo.Layout(ctx); err == nil {
		c.answer.Warnings = append(c.answer.Warnings, hooks.HooksPathProblems(ctx, g)...)
	}
	return c.export()
}

// export passes the session to the agent's commands, if the host supports that: its commits then name the session.
func (c *call) export() error {
	h, ok := c.Host.(interface {
		exports(env program.Env) string
	})
	if !ok || c.kind != sessionBegin {
		return nil
	}
	file := h.exports(c.Env)
	if file == "" {
		return nil
	}
	f, err := state.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "export ACTA_SESSION=%s\n", c.live.ID)
	return errors.Join(err, f.Close())
}

func (c *call) recordPrompt(ctx context.Context) error {
	task := firstLine(c.prompt)
	if c.state.Task != "" || task == "" {
		return nil
	}
	c.state.Task = task
	if c.live == nil || c.isNamed {
		return nil
	}
	return c.live.Rename(ctx, task)
}

// end ends the session, unless somebody else began it.
func (c *call) end(ctx context.Context) error {
	if c.live == nil || c.isNamed || !c.live.IsRunning() {
		return nil
	}
	outcome, err := c.outcome(ctx)
	if err != nil {
		return err
	}
	if err := c.countTokens(ctx); err != nil {
		c.answer.warn("the tokens of the session are not counted: %v", err)
	}
	return c.keep(c.recorder().End(ctx, c.Now, outcome))
}

// outcome is the session's outcome: that of its operations, but an ACT that was refused since, and whose unit is open,
// is a failure; if the unit is complete, somebody has done the work.
func (c *call) outcome(ctx context.Context) (worklog.Outcome, error) {
	outcome, err := c.live.InferredOutcome()
	refused := c.live.RefusedUnits()
	if err != nil || len(refused) == 0 {
		return outcome, err
	}
	_, root, err := snapshot.Head(c.repo).Plan(ctx)
	if err != nil || root == nil {
		return worklog.Failure, nil // the unit is not known to be complete
	}
	x := plan.NewIndex(root)
	isOpen := func(unit string) bool { n := x.Find(unit); return n == nil || n.Status != plan.Complete }
	switch {
	case slices.ContainsFunc(refused, isOpen):
		return worklog.Failure, nil
	case outcome == worklog.Aborted:
		return worklog.Success, nil
	}
	return outcome, nil
}

// wantsAny reports whether a session that began now would record one of the operations.
func (c *call) wantsAny(ctx context.Context) (bool, error) {
	p, err := snapshot.Head(c.repo).Policy(ctx)
	if err != nil { // begin reports the error
		standard := policy.Default()
		p = &standard
	}
	tier, ok := policy.ParseTier(c.Env.Get("ACTA_TIER"))
	if !ok {
		tier = p.DefaultTier
	}
	l := worklog.LocalSession{Beginning: worklog.Beginning{Tier: tier.String(), Tests: p.Tests}}
	return slices.ContainsFunc(c.operations, func(o worklog.Operation) bool { return l.Wants(o.Action, o.Context) }), nil
}

func (c *call) filesInTree(ctx context.Context, files []string) (inside []string, err error) {
	for _, f := range files {
		at, isInside, err := c.repo.RelativeToTop(ctx, c.dir, f)
		if err != nil {
			return nil, err
		}
		if isInside {
			inside = append(inside, at)
		}
	}
	return inside, nil
}

// The time limits of the score: making a person wait at every prompt is worse than not telling the model.
const (
	startTime  = 3 * time.Second
	promptTime = time.Second
)

// tellScore gives the model a line about its actor's score today: always when a session begins, before a prompt only if
// the tier is not normal. It does nothing if there is no score, or if the host accepts no context there.
func (c *call) tellScore(ctx context.Context) {
	most := startTime
	if c.kind == promptEvent {
		most = promptTime
	}
	if _, ok := c.Host.context(c.name, ""); !ok {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeFactor*most)
	defer cancel()
	s, err := c.score(ctx)
	if err != nil {
		c.answer.warn("the model is not told the score: %v", err)
		return
	}
	if line := s.Notice(); line != "" && (c.kind == sessionBegin || s.Tier() != "normal") {
		c.answer.reply, _ = c.Host.context(c.name, line)
	}
}

// score is today's score of the named actor, else of git's author.
func (c *call) score(ctx context.Context) (ledger.Score, error) {
	by, err := worklog.Identify(ctx, c.repo, journal.Caller{Name: c.Env.Get("ACTA_ACTOR"), Session: "none is asked for"})
	if err == nil && by.Name == "" {
		var author []string
		if author, err = c.repo.Author(ctx); err == nil {
			by.Name = author[0]
		}
	}
	if err != nil {
		return ledger.Score{}, err
	}
	store := &ledger.Repositories{
		Dirs: []string{cmp.Or(c.dir, ".")}, Env: repo.ForeignEnv(c.Env),
	}
	days, err := store.Days(ctx, ledger.Query{Actor: by.Name, Now: c.Now})
	if err != nil {
		return ledger.Score{}, err
	}
	return days[len(days)-1], nil
}

// This file finds files that an agent changed without an event of its host: a shell that writes one, a patch inside a
// command. It compares git's uncommitted files after a command with those at the last look.

const (
	// treeTime bounds a look at the work tree, since the host waits: git takes some 10 ms for 5,000 files.
	treeTime = 250 * time.Millisecond
	// treePause is the pause after two looks that took too long.
	treePause = 2 * time.Minute
	// maxUncommitted bounds the uncommitted files. More of them mean an incomplete .gitignore, not somebody's work.
	maxUncommitted = 2000
	maxFiles       = 200
)

// changedFiles are the files that changed since the last look, by whatever means; none at the first look, before which
// anybody may have changed them. isEdit reports whether one of them is not new.
func (c *call) changedFiles(ctx context.Context) (files []string, isEdit bool) {
	if c.live != nil && !c.live.Wants(worklog.Edit, "") {
		return nil, false
	}
	seen := c.state.Tree
	if seen != nil && c.Now.Before(seen.Pause) {
		return nil, false
	}
	uncommitted, isTooSlow, err := c.look(ctx)
	if isTooSlow { // once may be the machine's fault
		uncommitted, isTooSlow, err = c.look(ctx)
	}
	if isTooSlow || err == nil && len(uncommitted) > maxUncommitted {
		c.state.Tree = &worklog.Tree{GitDir: c.gitDir, Pause: c.Now.Add(treePause)}
		return nil, false
	}
	top, errTop := c.repo.Top(ctx)
	if err != nil || errTop != nil || top == "" {
		return nil, false // no work tree, or an unreadable one, which others report
	}
	c.state.Tree = &worklog.Tree{GitDir: c.gitDir, Files: map[string]string{}}
	var before map[string]string // nil at the first look
	if seen != nil && seen.GitDir == c.gitDir {
		before = seen.Files
	}
	for _, f := range uncommitted {
		stamp := fileStamp(filepath.Join(top, filepath.FromSlash(f.Path)))
		c.state.Tree.Files[f.Path] = stamp
		was, known := before[f.Path]
		if before == nil || known && was == stamp || f.IsNew && !known && c.isTestRun() {
			continue
		}
		files, isEdit = append(files, f.Path), isEdit || known || !f.IsNew
	}
	slices.Sort(files)
	return files, isEdit
}

// look lists the uncommitted files; isTooSlow: git took longer than treeTime.
func (c *call) look(ctx context.Context) (uncommitted []repo.UncommittedFile, isTooSlow bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, timeFactor*treeTime)
	defer cancel()
	uncommitted, err = c.repo.UncommittedFiles(ctx)
	return uncommitted, ctx.Err() != nil, err
}

// isTestRun reports whether the command runs tests: new files are then caches, reports and the like that .gitignore
// lacks.
func (c *call) isTestRun() bool {
	var tests []string
	if c.live != nil {
		tests = c.live.Tests
	}
	return c.use != nil && c.use.action == worklog.Bash && worklog.IsTestRun(c.use.context, tests)
}

// fileStamp is a stamp of a file's content: its size and modification time; "" if it is gone.
func fileStamp(path string) string {
	info, err := os.Lstat(path)
	if err != nil {
		return ""
	}
	return strconv.FormatInt(info.Size(), 36) + "-" + strconv.FormatInt(info.ModTime().UnixNano(), 36)
}

// resetTree takes the work tree's present state as given: a person may have changed it.
func (c *call) resetTree(ctx context.Context) {
	if c.live != nil && c.live.Wants(worklog.Edit, "") {
		c.state.Tree = nil
		c.changedFiles(ctx)
	}
}

// rememberFiles adds files from a host's event, so that they are not reported again.
func (c *call) rememberFiles(ctx context.Context, files []string) {
	top, err := c.repo.Top(ctx)
	t := c.state.Tree
	if err != nil || top == "" || t == nil || t.Files == nil || t.GitDir != c.gitDir ||
		len(t.Files)+len(files) > maxUncommitted {
		return
	}
	for _, f := range files {
		t.Files[f] = fileStamp(filepath.Join(top, filepath.FromSlash(f)))
	}
}

func (c *call) addCommandChange(ctx context.Context) {
	files, isEdit := c.changedFiles(ctx)
	if len(files) == 0 {
		return
	}
	o := worklog.Operation{Time: worklog.FormatTime(c.Now), Action: worklog.Write, Status: worklog.Completed}
	if isEdit {
		o.Action = worklog.Edit
	}
	o.Context = editText(o.Action, files) + ", by a command"
	if len(files) > maxFiles {
		o.Context = fmt.Sprintf("%s; %d of them are named", o.Context, maxFiles)
	}
	o.Details.Files = files[:min(len(files), maxFiles)]
	c.operations = append(c.operations, o)
}
