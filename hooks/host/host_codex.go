package host

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/acta-git/acta/record/worklog"
)

// codex is Codex CLI. It drops the output of a hook that exits with 2, so its model is told in JSON.
type codex struct{ claudeAnswers }

func (codex) ID() string   { return "codex" }
func (codex) Name() string { return "Codex" }

func (h codex) hooks(guard bool) Setting {
	events := hookEvents(guard, "PreToolUse", "Bash|shell|shell_command|exec_command|local_shell|apply_patch",
		"SessionStart", "UserPromptSubmit", "PostToolUse", "SubagentStop", "Stop")
	s := groupedHooks(h, ".codex/hooks.json", hookSeconds, events)
	s.Hint = "Codex asks before it runs a hook that is new or has changed: answer in /hooks."
	return s
}

func (codex) instructions() Setting { return instructionsIn("AGENTS.md", "") }
func (codex) servers() Setting      { return tomlServers(".codex/config.toml") }

// read reads a payload of Codex's hooks (codex-rs/hooks/schema/generated). Codex has no event for the end of a session.
func (codex) read(p payload) event {
	e := claudeEvent(p, codexUse)
	if p.text("hook_event_name") == "SubagentStop" {
		e.kind, e.use = toolEnd, subAgentUse(worklog.Completed, e.agentKind, "", "")
	}
	return e
}

func codexUse(p payload) *toolUse {
	in := p.object("tool_input")
	switch p.text("tool_name") {
	case "Bash", "shell", "shell_command", "exec_command", "local_shell":
		return shellUse(in.words("command", "cmd"), codexExitCode(p))
	case "apply_patch", "Write", "Edit":
		// The patch alone, or after the program's name. Changes by scripts show in the work tree.
		text := strings.TrimPrefix(cmp.Or(in.words("command", "patch", "input"), p.words("tool_input")), "apply_patch ")
		if !strings.HasPrefix(text, "*** ") {
			return fileUse(worklog.Edit, in.text("file_path"))
		}
		u := patchUse(text)
		if code := codexExitCode(p); code != nil && *code != 0 {
			return u.asFailed()
		}
		return u
	case "update_plan":
		return listUse(in, "plan", nil)
	}
	return nil
}

// codexExitCode is the exit code of a command; nil if the response has only its output, as usual: a failed run then
// looks like a successful one.
func codexExitCode(p payload) *int {
	out := p.object("tool_response")
	if out.has("output") { // a command's output may be JSON, too
		if code := out.object("metadata").number("exit_code"); code != nil {
			return code
		}
	}
	if _, printed := p["tool_response"].(string); !printed {
		return out.number("exit_code", "exitCode")
	}
	// The forms of a response to the model: they begin with the shell's report.
	for _, form := range []string{
		`\AExit code: (\d{1,9})\nWall time: [^\n]*\n`,
		`\A(?:Chunk ID: [^\n]*\n)(?:Wall time: [^\n]*\n)?Process exited with code (\d{1,9})(?:\n|\z)`,
		`\AWall time: [^\n]*\nProcess exited with code (\d{1,9})(?:\n|\z)`,
	} {
		if code := exitCodeIn(p.text("tool_response"), form); code != nil {
			return code
		}
	}
	return nil
}

// patchUse is the use of apply_patch: the files in the patch.
func patchUse(patch string) *toolUse {
	action, files := worklog.Write, []string(nil)
	var before, after strings.Builder
	named := regexp.MustCompile(`^\*\*\* (Add File|Update File|Delete File|Move to): (.+?)\s*$`)
	for line := range strings.Lines(patch) {
		m := named.FindStringSubmatch(line)
		switch {
		case m != nil:
		case strings.HasPrefix(line, "+"):
			after.WriteString(line[1:])
			continue
		case strings.HasPrefix(line, "-"):
			before.WriteString(line[1:])
			continue
		default:
			continue
		}
		files = append(files, m[2])
		if m[1] != "Add File" {
			action = worklog.Edit
		}
	}
	return fileUse(action, files...).withChange(replacement{before.String(), after.String()})
}
