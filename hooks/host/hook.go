// Package host is the tool hook of coding agents' hosts (Claude Code, Codex and others, one file each). The payload
// of a host's hook goes in; Hook turns it into one neutral event, and that into operations of a session. What the
// agent is told comes out. The package also writes the hooks into a host's settings. It must never import a command.
package host

import (
	"bytes"
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

// Hook is one call of a hook by the host that an agent runs in.
type Hook struct {
	Host  Host
	Stdin io.Reader
	Env   program.Env
	Now   time.Time
}

// Answer is what a host's hook answers.
type Answer struct {
	Stdout   string
	Warnings []string
	// Code is the exit code: 0, or 2 where the host shows the agent what Stderr says.
	Code   int
	Stderr string
	// Refused is what was refused of commits that were made, in the repository of Dir by the session of that id, ""
	// for none; nil where nothing was.
	Refused *hooks.Answer
	// Vetoed is what of a command made it one that is not to be run, "" where it may be.
	Vetoed  string
	Dir     string
	Session string
}

const (
	// maxPayload bounds what is read of a payload, in bytes; a longer one is passed over.
	maxPayload = 64 << 20
	// hookTime bounds what a hook does, since its host waits.
	hookTime = 8 * time.Second
)

// patience is by how much longer a hook may take than its limits say: more than 1 in tests, which wait for each other.
var patience time.Duration = 1

// Answer records what the host tells, and says what the host is to be answered. Whatever is in its
// way is a warning: the host never waits for long, and is never kept from anything by a failure.
func (h Hook) Answer(ctx context.Context) (a Answer) {
	a = h.Host.silent()
	defer func() {
		if p := recover(); p != nil {
			a = h.Host.silent()
			a.warn(fmt.Errorf("a hook of %s ended in a panic: %v", h.Host.Name(), p))
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, patience*hookTime)
	defer cancel()
	data, err := io.ReadAll(io.LimitReader(h.Stdin, maxPayload+1))
	if err == nil && len(data) > maxPayload {
		err = fmt.Errorf("the host's payload is longer than %d bytes", maxPayload)
	}
	if err != nil {
		a.warn(err)
		return a
	}
	p, err := readPayload(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	if err != nil {
		a.warn(err)
		return a
	}
	if e := readEvent(h.Host, p); e.kind != nothing {
		if err := h.handle(ctx, e, &a); err != nil {
			a.warn(err)
		}
	}
	return a
}

func (a *Answer) warn(err error) {
	a.Warnings = append(a.Warnings, fmt.Sprintf("not recorded in the worklog: %v", err))
}

// handle does what follows from an event in the repository that the agent works in. Where there is none, nothing does.
func (h Hook) handle(ctx context.Context, e event, a *Answer) error {
	if e.kind == usingTool {
		return h.guard(ctx, e, a)
	}
	if e.kind == stopping && !e.wasBlocked && e.saidWithin > 0 {
		e.lastMessage = h.readLastMessage(&e)
	}
	r, err := repo.Open(ctx, e.dir, repo.Options{Env: repo.ForeignEnv(h.Env)})
	if err != nil {
		return err
	}
	defer r.Close()
	c := &call{Hook: h, event: e, repo: r, answer: a}
	if c.gitDir, c.common, err = r.Dirs(ctx); err != nil {
		return nil // no repository, or one that nobody can read
	}
	return c.handle(ctx)
}

// call is a hook's call in a repository.
type call struct {
	Hook
	event
	repo           *repo.Repo
	gitDir, common string
	answer         *Answer
	state          *worklog.HostState
	// live is the session that is written to, nil for none; given says that ACTA_SESSION names it.
	live  *worklog.Live
	given bool
	// moved are the changes of the todo list that the event tells of.
	moved []worklog.StatusChange
	// refused is what the model is told of what was done.
	refused []string
	// move is how HEAD has moved since the last look, nil where it has not, and own are the agent's commits there.
	move *hooks.Move
	own  []repo.Commit
	// stamp and stampBefore are those of HEAD at this look and at the last one, "" for none, where it has moved.
	stamp, stampBefore string
}

// handle holds the lock of the host's session as long as what is remembered of it is read and changed.
func (c *call) handle(ctx context.Context) error {
	operations, then, err := c.remember(ctx)
	if err != nil {
		return errors.Join(err, c.lookAgain(ctx))
	}
	if c.live != nil {
		if lost := c.live.ReadWarning(); lost != "" {
			c.answer.Warnings = append(c.answer.Warnings, lost)
		}
	}
	if c.live != nil && len(operations) > 0 {
		said, err := c.recorder().Record(ctx, c.Now, operations...)
		c.answer.Warnings = append(c.answer.Warnings, said.Warnings()...)
		if err != nil {
			c.answer.warn(err)
		}
	}
	if then != nil {
		err = then(ctx)
	}
	return errors.Join(err, c.recordMove(ctx), c.judgeMove(ctx))
}

// remember brings what is remembered up to date, and returns what is to be recorded and done after that.
func (c *call) remember(ctx context.Context) (
	operations []worklog.Operation, then func(context.Context) error, err error,
) {
	var unlock func() error
	if c.state, unlock, err = worklog.OpenHost(ctx, c.common, c.Host.ID(), c.session); err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	c.find()
	if err := c.look(ctx); err != nil {
		c.answer.Warnings = append(c.answer.Warnings, fmt.Sprintf("what was committed is not judged: %v", err))
	}
	c.own = c.ownCommits(ctx)
	switch c.kind {
	case begun:
		return nil, c.tellScore, errors.Join(c.begin(ctx), c.lookAtTree(ctx))
	case prompted:
		return nil, c.tellScore, errors.Join(c.recordPrompt(ctx), c.lookAtTree(ctx))
	case usedTool:
		return c.record(ctx)
	case ended:
		return nil, c.end, nil
	case stopping:
		return c.stop(ctx)
	}
	return nil, nil, nil
}

// stop is the end of a turn: what was changed by then is recorded, and who says that the work is done is asked for what
// is open.
func (c *call) stop(ctx context.Context) (operations []worklog.Operation, then func(context.Context) error, err error) {
	changed, err := c.unseen(ctx)
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
	return &worklog.Recorder{Live: c.live, Repo: c.repo, Switches: worklog.EnvSwitches(c.Env)}
}

// record is what a tool did: as operations of the session, which begins with the first that it wants.
func (c *call) record(ctx context.Context) ([]worklog.Operation, func(context.Context) error, error) {
	if c.use == nil {
		return nil, nil, nil // a tool of which nothing is recorded
	}
	operations, err := c.operations(ctx)
	if err != nil || len(operations) == 0 {
		return nil, nil, err
	}
	if c.live == nil {
		if wanted, err := c.wanted(ctx, operations); err != nil || !wanted {
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

// operations are the use of a tool, and what a command changed besides.
func (c *call) operations(ctx context.Context) (all []worklog.Operation, err error) {
	c.readCode()
	o, err := c.operation(ctx)
	if o != nil {
		all = append(all, *o)
	}
	if err != nil || c.use.action != worklog.Bash {
		return all, err
	}
	changed, err := c.unseen(ctx)
	if changed != nil { // it was changed before the command had ended
		all = append([]worklog.Operation{*changed}, all...)
	}
	return all, err
}

// operation is the use of a tool as an entry; nil where nothing of it is of this repository.
func (c *call) operation(ctx context.Context) (*worklog.Operation, error) {
	u := c.use
	o := &worklog.Operation{Time: worklog.FormatTime(c.Now), Action: u.action, Status: u.status, Context: u.about}
	o.Details.ExitCode, o.Details.AgentType = u.exitCode, cmp.Or(u.kind, c.agentKind)
	o.Details.Result = u.result // of which Record keeps what is asked for
	switch {
	case u.todos != nil:
		c.changeTodos(o)
	case len(u.files) > 0:
		files, err := c.inTree(ctx, u.files)
		if err != nil || len(files) == 0 {
			return nil, err
		}
		if err := c.rememberFiles(ctx, files); err != nil {
			return nil, err
		}
		o.Context = edited(u.action, files)
		if u.status != worklog.Failed {
			o.Details.Files = files
			if u.change != "" {
				o.Context += ": " + u.change
			}
		}
	}
	return o, nil
}

// changeTodos tells what became of the todo list, and remembers it.
func (c *call) changeTodos(o *worklog.Operation) {
	list := c.agent
	if !c.use.todos.whole {
		list = "" // tasks are those of the whole session
	}
	after, changes, affected := c.use.todos.changed(c.state.Lists[list])
	if c.state.Lists == nil {
		c.state.Lists = map[string][]worklog.Todo{}
	}
	c.state.Lists[list] = after
	o.Context, o.Details.Todos, o.Details.StatusChanges = todoSummary(after), &affected, changes
	c.moved = changes
}

// edited says in a few words what was written.
func edited(action worklog.Action, files []string) string {
	verb := map[worklog.Action]string{worklog.Write: "write", worklog.Edit: "edit"}[action]
	if len(files) == 1 {
		return verb + " " + files[0]
	}
	return fmt.Sprintf("%s %d files", verb, len(files))
}

// say answers with what is to be said; what there is to warn of stays.
func (c *call) say(a Answer) {
	a.Warnings, a.Refused, a.Dir, a.Session = c.answer.Warnings, c.answer.Refused, c.answer.Dir, c.answer.Session
	*c.answer = a
}

// refuse tells the model, in its next request, what is wrong with what was done; one that is about to stop is kept from
// it for that. All that is refused in a call is told in one answer.
func (c *call) refuse(text string) {
	c.refused = append(c.refused, text)
	all := strings.Join(c.refused, "\n\n")
	if c.kind != stopping {
		c.say(c.Host.refuse(c.name, all))
	} else if a, ok := c.Host.hold(all); ok {
		c.say(a)
	}
}
