// Package host is the tool hook of coding agents' hosts (Claude Code, Codex and others, one file each). The payload of
// a host's hook goes in; Hook turns it into one neutral event, and that into operations of a session. The answer to the
// agent comes out. The package also writes the hooks into a host's settings. It must never import a command.
package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/program"
)

// Hook is one call of a hook by an agent's host.
type Hook struct {
	Host  Host
	Stdin io.Reader
	Env   program.Env
	Now   time.Time
}

// Answer is the answer to a host's hook.
type Answer struct {
	reply
	Warnings []string
	// Refusal is the refusal of commits that were made, in the repository of Dir by the session with this id, "" for
	// none; nil if nothing was refused.
	Refusal *hooks.Answer
	// VetoReason says why a command must not run, "" if it may.
	VetoReason string
	Dir        string
	Session    string
}

// reply is the part of an answer that the host reads.
type reply struct {
	Stdout string
	// Code is the exit code: 0, or 2 if the host shows Stderr to the agent.
	Code   int
	Stderr string
}

// hookTime bounds a hook, since its host waits.
const hookTime = 8 * time.Second

// timeFactor multiplies a hook's time limits: more than 1 in tests, which wait for each other.
var timeFactor time.Duration = 1

// Answer records the host's event and returns the answer. Failures are warnings: a failure never stops the host or
// makes it wait long.
func (h Hook) Answer(ctx context.Context) (a Answer) {
	a.reply = h.Host.emptyAnswer()
	defer func() {
		if p := recover(); p != nil {
			a = Answer{reply: h.Host.emptyAnswer()}
			a.warn("not recorded in the worklog: a hook of %s ended in a panic: %v", h.Host.Name(), p)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, timeFactor*hookTime)
	defer cancel()
	p, err := readPayload(h.Stdin)
	if err == nil {
		if e := readEvent(h.Host, p); e.kind != noEvent {
			err = h.handle(ctx, e, &a)
		}
	}
	if err != nil {
		a.warn("not recorded in the worklog: %v", err)
	}
	return a
}

func (a *Answer) warn(format string, args ...any) {
	a.Warnings = append(a.Warnings, fmt.Sprintf(format, args...))
}

func (h Hook) handle(ctx context.Context, e event, a *Answer) error {
	r, err := repo.Open(ctx, e.dir, repo.Options{Env: repo.ForeignEnv(h.Env)})
	if err != nil {
		return err
	}
	defer r.Close()
	c := &call{Hook: h, event: e, repo: r, answer: a}
	if e.kind == toolBegin {
		return c.guard(ctx)
	}
	if e.kind == stopEvent && !e.wasBlocked && e.messageDelay > 0 {
		c.lastMessage = c.readLastMessage()
	}
	if c.gitDir, c.common, err = r.Dirs(ctx); err != nil {
		return nil // no repository, or an unreadable one
	}
	return c.handle(ctx)
}

type call struct {
	Hook
	event
	repo           *repo.Repo
	gitDir, common string
	answer         *Answer
	state          *worklog.HostState
	// live is the session to write to, nil for none; isNamed: ACTA_SESSION names it.
	live    *worklog.LocalSession
	isNamed bool
	// operations are to be recorded, the oldest first.
	operations    []worklog.Operation
	statusChanges []worklog.StatusChange
	// openItems lists the open items of a unit that the agent calls done, "" for none.
	openItems string
	refusals  []string
	// move is HEAD's move since the last look, nil for none.
	move *hooks.Move
	// stamp and stampBefore are HEAD's stamps now and at the last look, "" for none, if it has moved.
	stamp, stampBefore string
}

// handle updates the state, and then does what needs no lock.
func (c *call) handle(ctx context.Context) (err error) {
	if err := c.changeState(ctx, c.remember); err != nil {
		return errors.Join(err, c.undoLook(ctx))
	}
	if c.live != nil {
		if warning := c.live.ReadWarning(); warning != "" {
			c.answer.warn("%s", warning)
		}
	}
	if c.live != nil && len(c.operations) > 0 {
		if err := c.keep(c.recorder().Record(ctx, c.Now, c.operations...)); err != nil {
			c.answer.warn("not recorded in the worklog: %v", err)
		}
	}
	switch {
	case c.kind == sessionBegin || c.kind == promptEvent:
		c.tellScore(ctx)
	case c.kind == sessionEnd:
		err = c.end(ctx)
	case c.kind == toolEnd && c.live != nil && c.use != nil && c.use.todos != nil:
		err = c.verify(ctx)
	case c.openItems != "":
		c.refuse(c.openItems)
	}
	return errors.Join(err, c.recordMove(ctx), c.judgeMove(ctx))
}

// changeState reads the state of the host's session, changes and saves it, under its lock.
func (c *call) changeState(ctx context.Context, change func(context.Context) error) (err error) {
	var unlock func() error
	if c.state, unlock, err = worklog.OpenHost(ctx, c.common, c.Host.ID(), c.session); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	return errors.Join(change(ctx), c.state.Save())
}

// remember updates the state, and finds the operations to record.
func (c *call) remember(ctx context.Context) error {
	c.findSession()
	if err := c.checkHead(ctx); err != nil {
		c.answer.warn("what was committed is not judged: %v", err)
	}
	switch c.kind {
	case sessionBegin:
		err := c.begin(ctx)
		c.resetTree(ctx)
		return err
	case promptEvent:
		err := c.recordPrompt(ctx)
		c.resetTree(ctx)
		return err
	case toolEnd:
		return c.record(ctx)
	case stopEvent:
		c.addCommandChange(ctx)
		return errors.Join(c.findOpenItems(ctx), c.countTokens(ctx))
	}
	return nil
}

func (c *call) recorder() *worklog.Recorder {
	return &worklog.Recorder{LocalSession: c.live, Repo: c.repo, Switches: worklog.EnvSwitches(c.Env)}
}

// record finds the operations of a tool use; the session begins with the first one that it records.
func (c *call) record(ctx context.Context) error {
	if c.use == nil {
		return nil // a tool that is not recorded
	}
	c.readCode()
	if c.use.action == worklog.Bash {
		c.addCommandChange(ctx) // changed before the command ended
	}
	if err := c.addOperation(ctx); err != nil || len(c.operations) == 0 || c.live != nil {
		return err
	}
	if isWanted, err := c.wantsAny(ctx); err != nil || !isWanted {
		return err
	}
	return c.begin(ctx)
}

// addOperation adds the use of a tool, unless it does not concern this repository.
func (c *call) addOperation(ctx context.Context) error {
	u := c.use
	o := worklog.Operation{Time: worklog.FormatTime(c.Now), Action: u.action, Status: u.status, Context: u.context}
	o.Details.ExitCode, o.Details.AgentType = u.exitCode, cmp.Or(u.kind, c.agentKind)
	o.Details.Result = u.result // Record keeps what the session needs
	switch {
	case u.todos != nil:
		c.changeTodos(&o)
	case len(u.files) > 0:
		files, err := c.filesInTree(ctx, u.files)
		if err != nil || len(files) == 0 {
			return err
		}
		c.rememberFiles(ctx, files)
		o.Context = editText(u.action, files)
		if u.status != worklog.Failed {
			o.Details.Files = files
			if u.change != "" {
				o.Context += ": " + u.change
			}
		}
	}
	c.operations = append(c.operations, o)
	return nil
}

func (c *call) changeTodos(o *worklog.Operation) {
	list := c.agent
	if !c.use.todos.isWhole {
		list = "" // tasks belong to the whole session
	}
	after, changes, affected := c.use.todos.apply(c.state.Lists[list])
	if c.state.Lists == nil {
		c.state.Lists = map[string][]worklog.Todo{}
	}
	c.state.Lists[list] = after
	o.Context, o.Details.Todos, o.Details.StatusChanges = todoSummary(after), &affected, changes
	c.statusChanges = changes
}

func editText(action worklog.Action, files []string) string {
	verb := map[worklog.Action]string{worklog.Write: "write", worklog.Edit: "edit"}[action]
	if len(files) == 1 {
		return verb + " " + files[0]
	}
	return fmt.Sprintf("%s %d files", verb, len(files))
}

// keep adds warnings to the answer, and returns the error with which they came.
func (c *call) keep(warnings []string, err error) error {
	c.answer.Warnings = append(c.answer.Warnings, warnings...)
	return err
}

// refuse tells the model, in its next request, what is wrong; an agent that is about to stop is kept from it. All
// refusals of an event go into one answer.
func (c *call) refuse(text string) {
	c.refusals = append(c.refusals, text)
	all := strings.Join(c.refusals, "\n\n")
	if c.kind != stopEvent {
		c.answer.reply = c.Host.refuse(c.name, all)
	} else if r, ok := c.Host.hold(all); ok {
		c.answer.reply = r
	}
}
