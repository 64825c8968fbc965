package host

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
	code, _ := strconv.Atoi(m[1]) // the patterns match digits
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

// readExitCode reads the exit code of a command that failed, unless a person ended it: from Cursor's output of the
// tool, else from the error.
func (u *toolUse) readExitCode(p payload) {
	if u != nil && u.action == worklog.Bash && !p.flag("is_interrupt") {
		first, _, _ := strings.Cut(p.text("error_message", "error"), "\n")
		u.exitCode = cmp.Or(p.object("tool_output").number("exitCode", "exit_code"),
			exitCodeIn(first, `^(?:Error: )?Exit code (\d{1,9})\s*$`))
	}
}

const maxLine = 200

// firstLine is the first line of a text that is not blank, truncated to maxLine.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return report.Brief(line, maxLine)
}

// payload is an object in a hook's input. Formats change: a missing or unexpected value reads as the zero value.
type payload map[string]any

// maxPayload bounds a payload, in bytes; a longer one is ignored.
const maxPayload = 64 << 20

func readPayload(in io.Reader) (p payload, err error) {
	data, err := io.ReadAll(io.LimitReader(in, maxPayload+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > maxPayload:
		return nil, fmt.Errorf("the host's payload is longer than %d bytes", maxPayload)
	}
	if err := json.Unmarshal(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), &p); err != nil {
		return nil, fmt.Errorf("the host's payload is no JSON object: %w", err)
	}
	if p == nil {
		return nil, errors.New("the host's payload is null")
	}
	return p, nil
}

func (p payload) text(keys ...string) string {
	for _, k := range keys {
		if s, ok := p[k].(string); ok && s != "" {
			return s
		}
	}
	return ""
}

// parts is a text that some hosts split into parts: texts, or objects with a text. Each part begins a line.
func (p payload) parts(key string) string {
	list, isList := p[key].([]any)
	if !isList {
		return cmp.Or(p.text(key), p.object(key).text("text"))
	}
	var all []string
	for _, v := range list {
		if text := (payload{"": v}).parts(""); text != "" {
			all = append(all, strings.TrimSuffix(text, "\n"))
		}
	}
	return strings.Join(all, "\n")
}

// name is the first text or number among the keys; some hosts use numbers as ids.
func (p payload) name(keys ...string) string {
	for _, k := range keys {
		if n, isNumber := p[k].(float64); isNumber {
			return strconv.FormatFloat(n, 'f', -1, 64)
		}
		if text := p.text(k); text != "" {
			return text
		}
	}
	return ""
}

func (p payload) flag(key string) bool { b, _ := p[key].(bool); return b }

func (p payload) has(key string) bool { return p[key] != nil }

// object is the object of a key, nil for none. Some hosts give it as JSON in a text.
func (p payload) object(key string) payload {
	switch v := p[key].(type) {
	case map[string]any:
		return v
	case string:
		var o payload
		if strings.HasPrefix(strings.TrimSpace(v), "{") && json.Unmarshal([]byte(v), &o) == nil {
			return o
		}
	}
	return nil
}

// result is the tool's result or error: a text unchanged, anything else as JSON.
func (p payload) result() string {
	if said := p.object("tool_result").text("text_result_for_llm"); said != "" {
		return said
	}
	for _, key := range []string{"error", "error_message", "tool_response", "tool_output", "output"} {
		switch v := p[key].(type) {
		case nil:
		case string:
			return v
		default:
			data, _ := json.Marshal(v) // it was JSON
			return string(data)
		}
	}
	return ""
}

func (p payload) objects(key string) (all []payload, ok bool) {
	list, ok := p[key].([]any)
	for _, v := range list {
		if o, is := v.(map[string]any); is {
			all = append(all, o)
		}
	}
	return all, ok
}

func (p payload) number(keys ...string) *int {
	for _, k := range keys {
		if f, ok := p[k].(float64); ok && f == float64(int(f)) {
			n := int(f)
			return &n
		}
	}
	return nil
}

// words is a command, which some hosts give as a list of words.
func (p payload) words(keys ...string) string {
	for _, k := range keys {
		if text := p.text(k); text != "" {
			return text
		}
		list, _ := p[k].([]any)
		var all []string
		for _, w := range list {
			if s, ok := w.(string); ok {
				all = append(all, s)
			}
		}
		// Of a shell with a script take the script.
		if len(all) == 3 && strings.HasPrefix(all[1], "-") && strings.HasSuffix(all[1], "c") {
			return all[2]
		}
		if len(all) > 0 {
			return strings.Join(all, " ")
		}
	}
	return ""
}
