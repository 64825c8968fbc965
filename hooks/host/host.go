package host

import (
	"fmt"
	"strings"
)

// Host is a program in which coding agents run and that calls hooks: one file host_NAME.go each, with everything about
// it. The rest of acta names no host.
type Host interface {
	// ID is its name for --agent and --host, Name the name that people use.
	ID() string
	Name() string

	// hooks is the file that makes it call acta; with guard also before a tool runs. acta reads every event in it.
	hooks(guard bool) Setting
	// instructions is the file that its agents read first.
	instructions() Setting
	// servers is the file with a project's MCP servers.
	servers() Setting

	// read reads the payload of a hook. An unknown or irrelevant event has the kind noEvent.
	read(p payload) event

	// emptyAnswer is the answer that says nothing.
	emptyAnswer() reply
	// context gives the model a line at an event; ok is false if the host accepts none there.
	context(event, line string) (r reply, ok bool)
	// hold keeps the agent from ending its turn, and tells the model why; ok is false if the host cannot do that.
	hold(reason string) (r reply, ok bool)
	// refuse tells the model, in its next request, what is wrong with what a tool has done.
	refuse(event, text string) reply
	// veto stops a tool before it runs, and tells the model why.
	veto(event, reason string) reply
}

// Hosts are all hosts, in the order in which acta lists them.
func Hosts() []Host {
	return []Host{
		claude{},
		codex{},
		gemini{},
		cursor{},
		copilot{},
		qwen{},
		opencode{},
	}
}

// HostIDs lists them for people: «claude, codex or cursor».
func HostIDs() string { return idsOf(func(Host) bool { return true }) }

func idsOf(isListed func(Host) bool) string {
	var ids []string
	for _, h := range Hosts() {
		if isListed(h) {
			ids = append(ids, h.ID())
		}
	}
	last := len(ids) - 1
	return strings.Join(ids[:last], ", ") + " or " + ids[last]
}

// FindHost is the host with an ID.
func FindHost(id string) (Host, error) {
	for _, h := range Hosts() {
		if h.ID() == id {
			return h, nil
		}
	}
	return nil, fmt.Errorf("the host is %s, not %q", HostIDs(), id)
}

func hookCommand(h Host) string { return "acta agent hook --host " + h.ID() }

// hookSeconds is a host's time limit for a hook, in seconds: a little longer than a hook's own.
const hookSeconds = 10

// handler is a command of a hook, as most hosts write it.
type handler struct {
	Type    string `json:"type,omitempty"`
	Command string `json:"command"`
	Matcher string `json:"matcher,omitempty"`
	Timeout int    `json:"timeout"`
}

// group is a matcher with its commands: the entry of an event in Claude Code and hosts with its format.
type group struct {
	Matcher string    `json:"matcher,omitempty"`
	Hooks   []handler `json:"hooks"`
}

// groupedHooks is a configuration in that format. timeout is in the host's own unit.
func groupedHooks(h Host, path string, timeout int, events []hookEvent) Setting {
	run := handler{Type: "command", Command: hookCommand(h), Timeout: timeout}
	var part jsonPart
	for _, e := range events {
		part = append(part, hookValue(h, e, group{e.matcher, []handler{run}}))
	}
	return Setting{Path: path, Content: "hooks", Part: part}
}

// plainHooks is a configuration in which an event has commands with matchers, without groups. kind is the host's type
// of a command, "" for none.
func plainHooks(h Host, path, kind string, events []hookEvent) Setting {
	part := jsonPart{{path: []string{"version"}, value: 1, isHead: true}}
	for _, e := range events {
		run := handler{Type: kind, Command: hookCommand(h), Matcher: e.matcher, Timeout: hookSeconds}
		part = append(part, hookValue(h, e, run))
	}
	return Setting{Path: path, Content: "hooks", Part: part}
}

func hookValue(h Host, e hookEvent, entry any) jsonValue {
	return jsonValue{path: []string{"hooks", e.name}, value: entry, command: hookCommand(h)}
}

// claudeEvents are the events of Claude Code by their names, which other hosts share.
var claudeEvents = map[string]eventKind{
	"SessionStart": sessionBegin, "SessionEnd": sessionEnd, "UserPromptSubmit": promptEvent, "PreToolUse": toolBegin,
	"PostToolUse": toolEnd, "PostToolUseFailure": toolEnd, "Stop": stopEvent,
}

// claudeEvent reads a payload in Claude Code's format; use reads the tool use.
func claudeEvent(p payload, use func(payload) *toolUse) event { return eventOf(p, claudeEvents, use) }

// eventOf reads a payload in Claude Code's format, with a host's own names of events.
func eventOf(p payload, named map[string]eventKind, use func(payload) *toolUse) event {
	e := event{kind: named[p.text("hook_event_name")], session: p.text("session_id"), dir: p.text("cwd")}
	e.agent, e.agentKind = p.text("agent_id"), p.text("agent_type")
	switch e.kind {
	case promptEvent:
		e.prompt = p.text("prompt")
	case toolBegin, toolEnd:
		e.use = use(p)
		if strings.EqualFold(p.text("hook_event_name"), "PostToolUseFailure") {
			e.use = e.use.asFailed()
			e.use.readExitCode(p)
		}
	case stopEvent:
		e.lastMessage = p.text("last_assistant_message", "prompt_response")
		e.wasBlocked = p.flag("stop_hook_active")
	}
	return e
}

// claudeAnswers are answers in Claude Code's format; hosts that share it override some.
type claudeAnswers struct{}

func (claudeAnswers) emptyAnswer() reply { return reply{} }
func (claudeAnswers) context(event, line string) (reply, bool) {
	return jsonAnswer(hookOutput{Specific: &specificOutput{Event: event, Context: line}}), true
}
func (claudeAnswers) hold(reason string) (reply, bool) {
	return jsonAnswer(hookOutput{Decision: "block", Reason: reason}), true
}
func (claudeAnswers) veto(event, reason string) reply {
	return jsonAnswer(hookOutput{Specific: &specificOutput{Event: event, Decision: "deny", Reason: reason}})
}

// refuse tells the model and the person, and keeps the tool's result.
func (claudeAnswers) refuse(event, text string) reply {
	a := jsonAnswer(hookOutput{Message: text, Specific: &specificOutput{Event: event, Context: text}})
	a.Stderr = text
	return a
}

func jsonAnswer(v any) reply { return reply{Stdout: string(compact(v)) + "\n"} }

type specificOutput struct {
	Event    string `json:"hookEventName"`
	Context  string `json:"additionalContext,omitempty"`
	Decision string `json:"permissionDecision,omitempty"`
	Reason   string `json:"permissionDecisionReason,omitempty"`
}

type hookOutput struct {
	Decision string          `json:"decision,omitempty"`
	Reason   string          `json:"reason,omitempty"`
	Message  string          `json:"systemMessage,omitempty"`
	Specific *specificOutput `json:"hookSpecificOutput,omitempty"`
}
