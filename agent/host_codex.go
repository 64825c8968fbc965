package agent

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/acta-git/acta/worklog"
)

// codexEvent reads a payload of Codex' hooks (codex-rs/hooks/schema/generated). Codex has no event for the end of a session.
func codexEvent(p payload) event {
	e := event{session: p.text("session_id"), dir: p.text("cwd"), agent: p.text("agent_id")}
	switch p.text("hook_event_name") {
	case "SessionStart":
		e.kind = begun
	case "UserPromptSubmit":
		e.kind, e.prompt = prompted, p.text("prompt")
	case "PostToolUse":
		e.kind, e.use = did, codexUse(p)
	case "SubagentStop":
		e.kind, e.use = did, asked(worklog.Completed, p.text("agent_type"))
	case "Stop":
		e.kind, e.said, e.held = stopping, p.text("last_assistant_message"), p.flag("stop_hook_active")
	}
	return e
}

func codexUse(p payload) *toolUse {
	in := p.object("tool_input")
	switch p.text("tool_name") {
	case "Bash", "shell", "shell_command", "exec_command", "local_shell":
		return ranWith(in.words("command", "cmd"), codexCode(p))
	case "apply_patch", "Write", "Edit":
		patch := in.text("command", "patch", "input")
		if patch == "" {
			patch = p.text("tool_input")
		}
		if patch == "" {
			return wrote(worklog.Edit, in.text("file_path"))
		}
		return patched(patch)
	case "update_plan":
		if list, ok := todosIn(in, "plan"); ok {
			return (&todoUse{whole: true, intended: list}).use()
		}
	}
	return nil
}

// codexCode is the exit code of a command; nil where the response is nothing but its output, as it mostly is: then
// a run that failed looks like one that did not.
func codexCode(p payload) *int {
	out := p.object("tool_response")
	if out.has("output") { // what a command prints may be JSON, too
		if code := out.object("metadata").number("exit_code"); code != nil {
			return code
		}
	}
	if _, printed := p["tool_response"].(string); !printed {
		return out.number("exit_code", "exitCode")
	}
	// The two forms in which a response is told to the model: they begin with what the shell says of the run.
	for _, form := range []string{
		`\AExit code: (\d{1,9})\nWall time: [^\n]*\n`,
		`\A(?:Chunk ID: [^\n]*\n)(?:Wall time: [^\n]*\n)?Process exited with code (\d{1,9})\n`,
	} {
		if m := regexp.MustCompile(form).FindStringSubmatch(p.text("tool_response")); m != nil {
			code, _ := strconv.Atoi(m[1])
			return &code
		}
	}
	return nil
}

// patched is the use of apply_patch: the files that the patch names.
func patched(patch string) *toolUse {
	action, files := worklog.Write, []string(nil)
	for line := range strings.Lines(patch) {
		m := regexp.MustCompile(`^\*\*\* (Add File|Update File|Delete File|Move to): (.+?)\s*$`).FindStringSubmatch(line)
		if m == nil {
			continue
		}
		files = append(files, m[2])
		if m[1] != "Add File" {
			action = worklog.Edit
		}
	}
	return wrote(action, files...)
}
