package host

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/report"
)

// eventKind is what a host's hook tells of.
type eventKind int

// The kinds. The zero value is what nothing follows from: an event that is not known, or of no interest.
const (
	nothing   eventKind = iota
	begun               // a session begins, or goes on
	ended               // a session ends
	prompted            // a person asked for something
	usingTool           // a tool is about to be used
	usedTool            // a tool was used
	stopping            // the agent is about to stop
)

// event is what a host's hook tells, the same for every host.
type event struct {
	kind eventKind
	// name is the host's name of it.
	name string
	// session is the host's name of its session.
	session string
	// dir is where the agent works; "" where the host does not say.
	dir string
	// agent is the sub-agent that did it, "" for the agent itself, and agentKind its kind.
	agent, agentKind string
	// prompt is what the person asked for.
	prompt string
	// lastMessage is the last message of an agent that stops, "" where the host does not give it.
	lastMessage string
	// tokens are those of the model since the host told of them last, where it tells of them itself.
	tokens worklog.ModelTokens
	// transcript is the file in which the host keeps what was said and done, "" where it does not say.
	transcript string
	// saidWithin is how long after the hook was called what was said last may come to the transcript, where it stands
	// there alone; 0 where the host gives it.
	saidWithin time.Duration
	// wasBlocked: the agent was kept from stopping already.
	wasBlocked bool
	// call is the host's name of the use of a tool.
	call string
	// use is the tool that was used.
	use *toolUse
}

// toolUse is one use of a tool, and what became of it.
type toolUse struct {
	action worklog.Action
	status worklog.Status
	// about is the command of a Bash, and the purpose of a Task, which kind names the sub-agent of.
	about, kind string
	// command is that of a Bash as it was given, however long.
	command string
	// change says what was changed in the files.
	change string
	// exitCode is the command's; nil where the host does not say, or it has not ended.
	exitCode *int
	// files are those that were written, as the host names them.
	files []string
	todos *todoUse
	// result is what the tool gave back, as the host has it.
	result string
}

// maxSession bounds the host's name of a session, in bytes: it stands in the state and in every flush. Hosts take
// UUIDs.
const maxSession = 1 << 10

// readEvent reads the payload of a host's hook.
func readEvent(h Host, p payload) event {
	e := h.read(p)
	e.name, e.transcript, e.call = p.text("hook_event_name"), p.text("transcript_path"), p.text("tool_use_id")
	if e.session == "" || len(e.session) > maxSession || e.kind == usingTool && e.use == nil {
		return event{}
	}
	if e.use != nil {
		e.use.result = p.result()
	}
	return e
}

// maxCommand bounds a command that is kept, in bytes: what is longer is a script.
const maxCommand = 4 << 10

// ranWith is the use of a shell that ended with an exit code; nil for one that is not known.
func ranWith(command string, code *int) *toolUse {
	u := &toolUse{action: worklog.Bash, status: worklog.Completed, about: command, exitCode: code}
	if code != nil && *code != 0 {
		u.status = worklog.Failed
	}
	return u.orNil()
}

// orNil is nil for the use of a shell without a command. A command that is broken over lines is put on one.
func (u *toolUse) orNil() *toolUse {
	u.command = u.about
	u.about = regexp.MustCompile(`[ \t]*\\\r?\n[ \t]*`).ReplaceAllString(strings.TrimSpace(u.about), " ")
	if u.about == "" {
		return nil
	}
	if len(u.about) > maxCommand {
		u.about = strings.ToValidUTF8(u.about[:maxCommand], "") + "…"
	}
	return u
}

// wrote is the use of a tool that writes files.
func wrote(action worklog.Action, files ...string) *toolUse {
	files = slices.DeleteFunc(files, func(f string) bool { return f == "" })
	if len(files) == 0 {
		return nil
	}
	return &toolUse{action: action, status: worklog.Completed, files: files}
}

// subAgentUse is the use of a sub-agent, for the first purpose that is told.
func subAgentUse(status worklog.Status, purposes ...string) *toolUse {
	for _, p := range append(purposes, "a sub-agent") {
		if line := firstLine(p); line != "" {
			return &toolUse{action: worklog.Task, status: status, about: line}
		}
	}
	return nil
}

// by is the same use, of a kind of sub-agent.
func (u *toolUse) by(kind string) *toolUse {
	u.kind = firstLine(kind)
	return u
}

// failed is the same use, which came to nothing.
func (u *toolUse) failed() *toolUse {
	if u == nil {
		return nil
	}
	u.status, u.exitCode, u.todos = worklog.Failed, nil, nil
	if u.action == worklog.TodoWrite {
		return nil // the list is what it was
	}
	return u
}

// endedWith is the same use, which failed where the host tells a code that says so.
func (u *toolUse) endedWith(code *int) *toolUse {
	if code != nil && *code != 0 {
		return u.failed()
	}
	return u
}

// maxLine bounds a text that is kept as a line, in characters.
const maxLine = 200

// firstLine is the first line of a text that is not blank, cut to maxLine.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return report.Brief(line, maxLine)
}
