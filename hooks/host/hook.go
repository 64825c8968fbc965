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
			a.warn(fmt.Errorf("a hook of %s ended in a panic: %v", h.Host.Name(), p))
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
		a.warn(err)
	}
	return a
}

func (a *Answer) warn(err error) {
	a.Warnings = append(a.Warnings, fmt.Sprintf("not recorded in the worklog: %v", err))
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
	live          *worklog.LocalSession
	isNamed       bool
	statusChanges []worklog.StatusChange
	refusals      []string
	// move is HEAD's move since the last look, nil for none.
	move *hooks.Move
	// stamp and stampBefore are HEAD's stamps now and at the last look, "" for none, if it has moved.
	stamp, stampBefore string
}

// handle holds the lock of the host's session while its state is read and changed.
func (c *call) handle(ctx context.Context) error {
	operations, then, err := c.remember(ctx)
	if err != nil {
		return errors.Join(err, c.undoLook(ctx))
	}
	if c.live != nil {
		if warning := c.live.ReadWarning(); warning != "" {
			c.answer.Warnings = append(c.answer.Warnings, warning)
		}
	}
	if c.live != nil && len(operations) > 0 {
		if err := c.keep(c.recorder().Record(ctx, c.Now, operations...)); err != nil {
			c.answer.warn(err)
		}
	}
	if then != nil {
		err = then(ctx)
	}
	return errors.Join(err, c.recordMove(ctx), c.judgeMove(ctx))
}

// remember updates the state, and returns the operations to record and the action after that.
func (c *call) remember(ctx context.Context) (
	operations []worklog.Operation, then func(context.Context) error, err error,
) {
	var unlock func() error
	if c.state, unlock, err = worklog.OpenHost(ctx, c.common, c.Host.ID(), c.session); err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	c.findSession()
	if err := c.checkHead(ctx); err != nil {
		c.answer.Warnings = append(c.answer.Warnings, fmt.Sprintf("what was committed is not judged: %v", err))
	}
	switch c.kind {
	case sessionBegin:
		return nil, c.tellScore, errors.Join(c.begin(ctx), c.resetTree(ctx))
	case promptEvent:
		return nil, c.tellScore, errors.Join(c.recordPrompt(ctx), c.resetTree(ctx))
	case toolEnd:
		return c.record(ctx)
	case sessionEnd:
		return nil, c.end, nil
	case stopEvent:
		return c.stop(ctx)
	}
	return nil, nil, nil
}

// stop handles the end of a turn: it records changes, and asks an agent that says it is done about open items.
func (c *call) stop(ctx context.Context) (operations []worklog.Operation, then func(context.Context) error, err error) {
	changed, err := c.commandChange(ctx)
	if changed != nil && c.live != nil {
		operations = append(operations, *changed)
	}
	reason, errItems := c.openItems(ctx)
	if errItems == nil && reason != "" {
		c.refuse(reason)
	}
	return operations, nil, errors.Join(err, errItems, c.countTokens(ctx))
}

func (c *call) recorder() *worklog.Recorder {
	return &worklog.Recorder{LocalSession: c.live, Repo: c.repo, Switches: worklog.EnvSwitches(c.Env)}
}

// record returns the operations of a tool use; the session begins with the first one that it records.
func (c *call) record(ctx context.Context) ([]worklog.Operation, func(context.Context) error, error) {
	if c.use == nil {
		return nil, nil, nil // a tool that is not recorded
	}
	operations, err := c.operations(ctx)
	if err != nil || len(operations) == 0 {
		return nil, nil, err
	}
	if c.live == nil {
		if wanted, err := c.wantsAny(ctx, operations); err != nil || !wanted {
			return nil, nil, err
		}
		if err := c.begin(ctx); err != nil {
			return nil, nil, err
		}
	}
	if c.use.todos == nil {
		return operations, nil, nil
	}
	return operations, c.verify, c.state.Save()
}

func (c *call) operations(ctx context.Context) (all []worklog.Operation, err error) {
	c.readCode()
	o, err := c.operation(ctx)
	if o != nil {
		all = append(all, *o)
	}
	if err != nil || c.use.action != worklog.Bash {
		return all, err
	}
	changed, err := c.commandChange(ctx)
	if changed != nil { // changed before the command ended
		all = append([]worklog.Operation{*changed}, all...)
	}
	return all, err
}

// operation is the use of a tool as an entry; nil if it does not concern this repository.
func (c *call) operation(ctx context.Context) (*worklog.Operation, error) {
	u := c.use
	o := &worklog.Operation{Time: worklog.FormatTime(c.Now), Action: u.action, Status: u.status, Context: u.context}
	o.Details.ExitCode, o.Details.AgentType = u.exitCode, cmp.Or(u.kind, c.agentKind)
	o.Details.Result = u.result // Record keeps what the session needs
	switch {
	case u.todos != nil:
		c.changeTodos(o)
	case len(u.files) > 0:
		files, err := c.filesInTree(ctx, u.files)
		if err != nil || len(files) == 0 {
			return nil, err
		}
		if err := c.rememberFiles(ctx, files); err != nil {
			return nil, err
		}
		o.Context = editText(u.action, files)
		if u.status != worklog.Failed {
			o.Details.Files = files
			if u.change != "" {
				o.Context += ": " + u.change
			}
		}
	}
	return o, nil
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
