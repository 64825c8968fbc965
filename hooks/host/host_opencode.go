package host

import (
	"bytes"
	_ "embed"
	"regexp"
	"strings"

	"github.com/acta-git/acta/parser/shell"
	"github.com/acta-git/acta/record/worklog"
)

// opencode is OpenCode. Its hooks are functions of a plugin, which it runs in its own process: acta's hands each event
// to acta, in a form like that of Claude Code's hooks, and the text of the answer to the model.
type opencode struct{}

// ID is that of --agent.
func (opencode) ID() string { return "opencode" }

// Name is what people call it.
func (opencode) Name() string { return "OpenCode" }

//go:embed host_opencode.js
var opencodePlugin string

// opencodeCommand is the line of the plugin that says what it calls; options may have been added to it by hand.
var opencodeCommand = regexp.MustCompile(`(?m)^const command = ".*acta agent hook --host opencode.*"$`)

// opencodeGuard is the beginning of the line of the plugin by which it asks before a tool runs.
const opencodeGuard = "const guard = true"

func (opencode) hooks(guard bool) Setting {
	return Setting{Path: ".opencode/plugins/acta.js", What: "hooks", Part: opencodeHooks{guard}}
}

// opencodeHooks is the plugin. What its user has made of its command stays, and so does a guard that is there.
type opencodeHooks struct{ guard bool }

// in is the plugin as it stands in a file.
func (o opencodeHooks) in(before []byte) block {
	text := opencodePlugin
	if line := opencodeCommand.Find(before); line != nil {
		text = strings.Replace(text, opencodeCommand.FindString(text), string(line), 1)
	}
	if o.guard || bytes.Contains(before, []byte(opencodeGuard)) {
		text = strings.Replace(text, "const guard = false", opencodeGuard, 1)
	}
	return block{begin: "// acta:begin", end: "// acta:end", body: text}
}

// Add adds the plugin.
func (o opencodeHooks) Add(before []byte) ([]byte, error) { return o.in(before).Add(before) }

// Remove takes it away.
func (o opencodeHooks) Remove(before []byte) ([]byte, error) { return o.in(before).Remove(before) }

func (opencode) instructions() Setting { return instructionsIn("AGENTS.md", "") }

// servers is the file of OpenCode's configuration that is a project's, in which each server is a list of words.
func (opencode) servers() Setting {
	return Setting{Path: "opencode.json", What: mcpServer, Part: jsonServer{key: "mcp", server: struct {
		Type    string   `json:"type"`
		Command []string `json:"command"`
	}{"local", []string{"acta", "mcp"}}, schema: "https://opencode.ai/config.json"}}
}

// opencodeText is what the plugin hands to the model: behind what a tool gave back, as a message that no person wrote,
// or as the reason for which a tool does not run.
func opencodeText(text string) Answer {
	return jsonAnswer(struct {
		Text string `json:"text"`
	}{text})
}

func (opencode) silent() Answer                        { return Answer{} }
func (opencode) context(_, line string) (Answer, bool) { return opencodeText(line), true }
func (opencode) hold(reason string) (Answer, bool)     { return opencodeText(reason), true }
func (opencode) refuse(_, text string) Answer          { return opencodeText(text) }
func (opencode) veto(_, reason string) Answer          { return opencodeText(reason) }

var opencodeEvents = map[string]eventKind{
	"session.created": begun, "dispose": ended, "chat.message": prompted, "tool.execute.before": usingTool,
	"tool.execute.after": usedTool, "session.idle": stopping,
}

// read reads what the plugin hands over (host_opencode.js).
func (opencode) read(p payload) event {
	e := eventOf(p, opencodeEvents, opencodeUse)
	input, output := p.object("tokens").number("input"), p.object("tokens").number("output")
	if input != nil && output != nil {
		e.tokens = worklog.ModelTokens{Input: *input, Output: *output}
	}
	return e
}

// opencodeUse is a use of a tool. Of one that fails plugins are not told, but for commands.
func opencodeUse(p payload) *toolUse {
	in, out := p.object("tool_input"), p.object("tool_response")
	metadata := out.object("metadata")
	switch p.text("tool_name") {
	case "bash":
		return opencodeRun(in, metadata)
	case "write":
		return wrote(worklog.Write, in.text("filePath")).changed(replacement{"", in.text("content")})
	case "edit":
		return wrote(worklog.Edit, in.text("filePath")).changed(replacement{in.text("oldString"), in.text("newString")})
	case "apply_patch":
		return patched(in.text("patchText"))
	case "todowrite":
		return listUse(in, "todos", metadata)
	case "task":
		kind := in.text("subagent_type")
		return subAgentUse(worklog.Completed, in.text("description"), kind, in.text("prompt")).by(kind)
	}
	return nil
}

// opencodeRun is the run of a command. One that was stopped, by its time or by its user, has null for its code.
func opencodeRun(in, metadata payload) *toolUse {
	u := ranWith(in.text("command"), metadata.number("exit"))
	if _, ended := metadata["exit"]; u != nil && ended && u.exitCode == nil {
		u = u.failed()
	}
	if dir := in.text("workdir"); u != nil && dir != "" {
		u.command = shell.Line([]string{"cd", dir}) + " && " + u.command
	}
	return u
}
