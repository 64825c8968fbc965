package host

import (
	"bytes"
	_ "embed"
	"regexp"
	"strings"

	"github.com/acta-git/acta/parser/shell"
	"github.com/acta-git/acta/record/worklog"
)

// opencode is OpenCode. Its hooks are functions of a plugin in its own process: acta's plugin passes each event to
// acta, in a form like Claude Code's, and the answer's text to the model.
type opencode struct{}

func (opencode) ID() string   { return "opencode" }
func (opencode) Name() string { return "OpenCode" }

//go:embed host_opencode.js
var opencodePlugin string

// opencodeCommand matches the plugin's line with its command, to which users may add options.
const opencodeCommand = `(?m)^const command = ".*acta agent hook --host opencode.*"$`

// opencodeGuard is the beginning of the plugin's line that turns the guard on.
const opencodeGuard = "const guard = true"

func (opencode) hooks(guard bool) Setting {
	return Setting{Path: ".opencode/plugins/acta.js", Content: "hooks", Part: opencodeHooks{guard}}
}

// opencodeHooks is the plugin. It keeps the user's changes of its command, and an existing guard.
type opencodeHooks struct{ guard bool }

func (o opencodeHooks) blockIn(before []byte) block {
	text := opencodePlugin
	command := regexp.MustCompile(opencodeCommand)
	if line := command.Find(before); line != nil {
		text = strings.Replace(text, command.FindString(text), string(line), 1)
	}
	if o.guard || bytes.Contains(before, []byte(opencodeGuard)) {
		text = strings.Replace(text, "const guard = false", opencodeGuard, 1)
	}
	return block{begin: "// acta:begin", end: "// acta:end", body: text}
}

func (o opencodeHooks) Add(before []byte) ([]byte, error)    { return o.blockIn(before).Add(before) }
func (o opencodeHooks) Remove(before []byte) ([]byte, error) { return o.blockIn(before).Remove(before) }

func (opencode) instructions() Setting { return instructionsIn("AGENTS.md", "") }

// servers is a project's configuration file of OpenCode, in which each server is a list of words.
func (opencode) servers() Setting {
	return jsonServer("opencode.json", "mcp", struct {
		Type    string   `json:"type"`
		Command []string `json:"command"`
	}{"local", []string{"acta", "mcp"}}, jsonValue{
		// The host itself would add it, and so change a new file.
		path: []string{"$schema"}, value: "https://opencode.ai/config.json", isHead: true, onlyInNew: true,
	})
}

// opencodeText is the plugin's text to the model: after a tool's result, as a message, or as the reason of a veto.
func opencodeText(text string) reply { return jsonAnswer(map[string]string{"text": text}) }

func (opencode) emptyAnswer() reply                   { return reply{} }
func (opencode) context(_, line string) (reply, bool) { return opencodeText(line), true }
func (opencode) hold(reason string) (reply, bool)     { return opencodeText(reason), true }
func (opencode) refuse(_, text string) reply          { return opencodeText(text) }
func (opencode) veto(_, reason string) reply          { return opencodeText(reason) }

var opencodeEvents = map[string]eventKind{
	"session.created": sessionBegin, "dispose": sessionEnd, "chat.message": promptEvent, "tool.execute.before": toolBegin,
	"tool.execute.after": toolEnd, "session.idle": stopEvent,
}

func (opencode) read(p payload) event {
	e := eventOf(p, opencodeEvents, opencodeUse)
	input, output := p.object("tokens").number("input"), p.object("tokens").number("output")
	if input != nil && output != nil {
		e.tokens = worklog.ModelTokens{Input: *input, Output: *output}
	}
	return e
}

// opencodeUse is a tool use. Plugins see failures of commands only.
func opencodeUse(p payload) *toolUse {
	in, out := p.object("tool_input"), p.object("tool_response")
	metadata := out.object("metadata")
	switch p.text("tool_name") {
	case "bash":
		return opencodeRun(in, metadata)
	case "write":
		return fileUse(worklog.Write, in.text("filePath")).withChange(replacement{"", in.text("content")})
	case "edit":
		return fileUse(worklog.Edit, in.text("filePath")).withChange(replacement{in.text("oldString"), in.text("newString")})
	case "apply_patch":
		return patchUse(in.text("patchText"))
	case "todowrite":
		return listUse(in, "todos", metadata)
	case "task":
		return subAgentUse(worklog.Completed, in.text("subagent_type"), in.text("description"), in.text("prompt"))
	}
	return nil
}

// opencodeRun is the run of a command. A stopped one (timeout or user) has null as exit code.
func opencodeRun(in, metadata payload) *toolUse {
	u := shellUse(in.text("command"), metadata.number("exit"))
	if _, ended := metadata["exit"]; u != nil && ended && u.exitCode == nil {
		u = u.asFailed()
	}
	if dir := in.text("workdir"); u != nil && dir != "" {
		u.command = shell.Line([]string{"cd", dir}) + " && " + u.command
	}
	return u
}
