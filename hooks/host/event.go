package host

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/report"
)

type eventKind int

// The kinds. The zero value is an unknown or irrelevant event.
const (
	noEvent      eventKind = iota
	sessionBegin           // a session begins or is resumed
	sessionEnd             // a session ends
	promptEvent            // a person wrote a prompt
	toolBegin              // a tool is about to be used
	toolEnd                // a tool was used
	stopEvent              // the agent is about to stop
)

type event struct {
	kind    eventKind
	name    string
	session string
	// dir is the agent's folder; "" if the host does not say.
	dir string
	// agent is the subagent, "" for the agent itself, and agentKind its kind.
	agent, agentKind string
	prompt           string
	// lastMessage is the last message of an agent that stops, "" if the host does not give it.
	lastMessage string
	// tokens are the model's tokens since the last event, if the host's events report them.
	tokens worklog.ModelTokens
	// transcript is the host's file of the conversation, "" if it does not say.
	transcript string
	// messageDelay is how long the last message may take to reach the transcript, if only that has it; else 0.
	messageDelay time.Duration
	// wasBlocked: the agent was already kept from stopping.
	wasBlocked bool
	call       string
	use        *toolUse
}

type toolUse struct {
	action worklog.Action
	status worklog.Status
	// context is the command of a Bash, or the purpose of a Task, whose subagent is of this kind.
	context, kind string
	command       string
	change        string
	// exitCode is the command's; nil if it is not known, or if the command still runs.
	exitCode *int
	files    []string
	todos    *todoUse
	result   string
}

// maxSession bounds the host's id of a session, in bytes: it goes into the state and every flush. Hosts use UUIDs.
const maxSession = 1 << 10

func readEvent(h Host, p payload) event {
	e := h.read(p)
	e.name, e.transcript, e.call = p.text("hook_event_name"), p.text("transcript_path"), p.text("tool_use_id")
	if e.session == "" || len(e.session) > maxSession || e.kind == toolBegin && e.use == nil {
		return event{}
	}
	if e.use != nil {
		e.use.result = p.result()
	}
	return e
}

// maxCommand bounds a recorded command, in bytes: longer ones are scripts.
const maxCommand = 4 << 10

// shellUse is the use of a shell that ended with an exit code; nil for an unknown one.
func shellUse(command string, code *int) *toolUse {
	u := &toolUse{action: worklog.Bash, status: worklog.Completed, context: command, exitCode: code}
	if code != nil && *code != 0 {
		u.status = worklog.Failed
	}
	return u.orNil()
}

// startedUse is the use of a shell whose command runs in the background.
func startedUse(command string) *toolUse {
	return (&toolUse{action: worklog.Bash, status: worklog.Initiated, context: command}).orNil()
}

// exitCodeIn is the number in the first group of a pattern that a text matches; nil if it does not.
func exitCodeIn(text, pattern string) *int {
	m := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	code, err := strconv.Atoi(m[1])
	if err != nil {
		return nil
	}
	return &code
}

// orNil is nil for the use of a shell without a command. It joins a command that spans lines.
func (u *toolUse) orNil() *toolUse {
	u.command = u.context
	u.context = regexp.MustCompile(`[ \t]*\\\r?\n[ \t]*`).ReplaceAllString(strings.TrimSpace(u.context), " ")
	if u.context == "" {
		return nil
	}
	u.context = truncated(u.context, maxCommand)
	return u
}

// truncated is at most so many bytes of a text.
func truncated(text string, most int) string {
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

func fileUse(action worklog.Action, files ...string) *toolUse {
	files = slices.DeleteFunc(files, func(f string) bool { return f == "" })
	if len(files) == 0 {
		return nil
	}
	return &toolUse{action: action, status: worklog.Completed, files: files}
}

// subAgentUse is the use of a subagent of a kind, for the first known purpose.
func subAgentUse(status worklog.Status, kind, description, prompt string) *toolUse {
	kind = firstLine(kind)
	purpose := cmp.Or(firstLine(description), kind, firstLine(prompt), "a sub-agent")
	return &toolUse{action: worklog.Task, status: status, context: purpose, kind: kind}
}

func (u *toolUse) asFailed() *toolUse {
	if u == nil {
		return nil
	}
	u.status, u.exitCode, u.todos = worklog.Failed, nil, nil
	if u.action == worklog.TodoWrite {
		return nil // the list is what it was
	}
	return u
}

const maxLine = 200

// firstLine is the first line of a text that is not blank, truncated to maxLine.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return report.Brief(line, maxLine)
}
