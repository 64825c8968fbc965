package host

import (
	"fmt"
	"strings"
)

// Host is a program that coding agents run in and that calls hooks: one file host_NAME.go each, which says what there
// is to know of it. The rest of acta speaks of no host by its name.
type Host interface {
	// ID is what --agent and --host call it, Name what people do.
	ID() string
	Name() string

	// hooks is the file that lets it call acta; with guard also before a tool runs. Every event that Add writes is
	// read.
	hooks(guard bool) Setting
	// instructions is the file that its agents read before they work.
	instructions() Setting
	// servers is the file in which it looks for the MCP servers of a project.
	servers() Setting

	// read reads what it hands to a hook. An event that is not known, or of no interest, is of the kind nothing.
	read(p payload) event

	// silent is the answer that says nothing.
	silent() Answer
	// context gives the model a line at an event; ok is false where the host takes none there.
	context(event, line string) (a Answer, ok bool)
	// hold keeps the agent from ending its turn, and tells the model why; ok is false where it cannot be kept.
	hold(reason string) (a Answer, ok bool)
	// refuse tells the model, in its next request, what is wrong with what a tool has done.
	refuse(event, text string) Answer
	// veto keeps a tool that is about to run from running, and tells the model why.
	veto(event, reason string) Answer
}

// Hosts are all there are, in the order in which they are told of.
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

// HostIDs names them for a person: «claude, codex or cursor».
func HostIDs() string {
	var ids []string
	for _, h := range Hosts() {
		ids = append(ids, h.ID())
	}
	last := len(ids) - 1
	return strings.Join(ids[:last], ", ") + " or " + ids[last]
}

// FindHost is the host of an ID.
func FindHost(id string) (Host, error) {
	for _, h := range Hosts() {
		if h.ID() == id {
			return h, nil
		}
	}
	return nil, fmt.Errorf("the host is %s, not %q", HostIDs(), id)
}

// hookCommand is what a host is to call.
func hookCommand(h Host) string { return "acta agent hook --host " + h.ID() }

// hookSeconds is how long a host waits for a hook at most, in seconds: a little longer than a hook takes at most.
const hookSeconds = 10

// handler is a command of a hook, as most hosts write one.
type handler struct {
	Type    string `json:"type,omitempty"`
	Command string `json:"command"`
	Matcher string `json:"matcher,omitempty"`
	Timeout int    `json:"timeout"`
}

// group is a matcher with its commands: the entry of an event in Claude Code, and in those that took its form.
type group struct {
	Matcher string    `json:"matcher,omitempty"`
	Hooks   []handler `json:"hooks"`
}

// groupedHooks is a configuration in that form. timeout is in the host's own unit.
func groupedHooks(h Host, path string, timeout int, events []hookEvent) Setting {
	var all []hookEntry
	for _, e := range events {
		run := handler{Type: "command", Command: hookCommand(h), Timeout: timeout}
		all = append(all, hookEntry{e.event, group{e.matcher, []handler{run}}})
	}
	return Setting{Path: path, What: "hooks", Part: jsonHooks{command: hookCommand(h), entries: all}}
}

// plainHooks is a configuration in which an event has commands with their matchers, in no group. kind is what the host
// calls a command, "" for nothing.
func plainHooks(h Host, path, kind string, events []hookEvent) Setting {
	s := jsonHooks{command: hookCommand(h), version: true}
	for _, e := range events {
		run := handler{Type: kind, Command: s.command, Matcher: e.matcher, Timeout: hookSeconds}
		s.entries = append(s.entries, hookEntry{e.event, run})
	}
	return Setting{Path: path, What: "hooks", Part: s}
}

// claudeEvents are the events of Claude Code by their names, as other hosts have taken them.
var claudeEvents = map[string]eventKind{
	"SessionStart": begun, "SessionEnd": ended, "UserPromptSubmit": prompted, "PreToolUse": usingTool,
	"PostToolUse": usedTool, "PostToolUseFailure": usedTool, "Stop": stopping,
}

// claudeEvent reads a payload in the form of Claude Code, as far as hosts have taken it; use reads the use of a tool.
func claudeEvent(p payload, use func(payload) *toolUse) event {
	e := eventOf(p, claudeEvents, use)
	if p.text("hook_event_name") == "PostToolUseFailure" {
		e.use = e.use.failed()
	}
	return e
}

// eventOf reads a payload in the form of Claude Code, of a host whose events have names of their own.
func eventOf(p payload, named map[string]eventKind, use func(payload) *toolUse) event {
	e := event{kind: named[p.text("hook_event_name")], session: p.text("session_id"), dir: p.text("cwd")}
	e.agent, e.agentKind = p.text("agent_id"), p.text("agent_type")
	switch e.kind {
	case prompted:
		e.prompt = p.text("prompt")
	case usingTool, usedTool:
		e.use = use(p)
	case stopping:
		e.lastMessage = p.text("last_assistant_message", "prompt_response")
		e.wasBlocked = p.flag("stop_hook_active")
	}
	return e
}

// claudeAnswers are answers in the form of Claude Code; hosts that took it have their own in the place of some.
type claudeAnswers struct{}

func (claudeAnswers) silent() Answer { return Answer{} }
func (claudeAnswers) context(event, line string) (Answer, bool) {
	return jsonAnswer(hookOutput{Specific: &specificOutput{Event: event, Context: line}}), true
}
func (claudeAnswers) hold(reason string) (Answer, bool) {
	return jsonAnswer(hookOutput{Decision: "block", Reason: reason}), true
}
func (claudeAnswers) veto(event, reason string) Answer {
	return jsonAnswer(hookOutput{Specific: &specificOutput{Event: event, Decision: "deny", Reason: reason}})
}

// refuse tells the model and the person, and leaves what the tool gave back.
func (claudeAnswers) refuse(event, text string) Answer {
	a := jsonAnswer(hookOutput{Message: text, Specific: &specificOutput{Event: event, Context: text}})
	a.Stderr = text
	return a
}

// jsonAnswer is an answer in JSON on standard output, with the exit code 0.
func jsonAnswer(v any) Answer { return Answer{Stdout: string(compact(v)) + "\n"} }

// specificOutput is the part of an answer that belongs to one event, as Claude Code has it and those that took its
// form.
type specificOutput struct {
	Event    string `json:"hookEventName"`
	Context  string `json:"additionalContext,omitempty"`
	Decision string `json:"permissionDecision,omitempty"`
	Reason   string `json:"permissionDecisionReason,omitempty"`
}

// hookOutput is such an answer.
type hookOutput struct {
	Decision string          `json:"decision,omitempty"`
	Reason   string          `json:"reason,omitempty"`
	Message  string          `json:"systemMessage,omitempty"`
	Specific *specificOutput `json:"hookSpecificOutput,omitempty"`
}
