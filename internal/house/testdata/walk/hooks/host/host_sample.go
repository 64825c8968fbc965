package host

// sample is a host of the kind that there is most of: its hooks are in JSON, grouped by matchers.
type sample struct{ claudeAnswers }

func (sample) ID() string   { return "sample" }
func (sample) Name() string { return "Sample" }

func (h sample) hooks(guard bool) Setting {
	events := hookEvents(guard, "PreToolUse", "shell", "SessionStart", "PostToolUse", "Stop")
	return groupedHooks(h, ".sample/hooks.json", hookSeconds, events)
}

func (sample) instructions() Setting { return instructionsIn("AGENTS.md", "") }
func (sample) servers() Setting      { return jsonServers(".sample/mcp.json") }

func (sample) read(p payload) event {
	return claudeEvent(p, func(p payload) *toolUse {
		return shellUse(p.object("tool_input").text("command"), p.object("tool_response").number("exit_code"))
	})
}
