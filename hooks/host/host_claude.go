package host

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"

	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo/program"
	"github.com/acta-git/acta/repo/state"
)

type claude struct{ claudeAnswers }

func (claude) ID() string   { return "claude" }
func (claude) Name() string { return "Claude Code" }

func (h claude) hooks(guard bool) Setting {
	events := hookEvents(guard, "PreToolUse", "Bash|Write|Edit|MultiEdit|NotebookEdit",
		"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "SessionEnd")
	return groupedHooks(h, ".claude/settings.json", hookSeconds, events)
}

func (claude) instructions() Setting { return instructionsIn("CLAUDE.md", "") }
func (claude) servers() Setting      { return jsonServers(".mcp.json") }

func (claude) refuse(_, text string) reply { return reply{Code: 2, Stderr: text} }

// exports is the file that the host runs before each command of the agent; only hooks of a session's start get it.
func (claude) exports(env program.Env) string { return env.Get("CLAUDE_ENV_FILE") }

// read reads a payload of Claude Code's hooks (its hooks reference). Cursor and Copilot also run hooks that are
// configured for Claude Code; their payloads are dropped, because acta's own hooks for them run too.
func (claude) read(p payload) event {
	if p.has("cursor_version") || isFromCopilot(p) {
		return event{}
	}
	return claudeEvent(p, claudeUse)
}

// claudeUse is a successful tool use: a failed command is another event, so the exit code is 0.
func claudeUse(p payload) *toolUse {
	in, out := p.object("tool_input"), p.object("tool_response")
	switch p.text("tool_name") {
	case "Bash":
		if in.flag("run_in_background") || out.name("backgroundTaskId") != "" {
			return startedUse(in.text("command"))
		}
		// Codes of some commands that are no failure (grep's 1) are explained, but not given.
		if out.flag("interrupted") || out.text("returnCodeInterpretation") != "" {
			return shellUse(in.text("command"), nil)
		}
		return shellUse(in.text("command"), new(0))
	case "Write":
		return fileUse(worklog.Write, in.text("file_path")).
			withChange(replacement{out.text("originalFile"), in.text("content")})
	case "Edit", "MultiEdit":
		return fileUse(worklog.Edit, in.text("file_path")).withChange(append(in.edits("edits"), in.edit())...)
	case "NotebookEdit":
		return fileUse(worklog.Edit, in.text("notebook_path", "file_path")).withChange(replacement{"", in.text("new_source")})
	case "Task", "Agent":
		status := worklog.Completed
		if in.flag("run_in_background") || out.flag("isAsync") || out.text("status") == "async_launched" {
			status = worklog.Initiated
		}
		return subAgentUse(status, in.text("subagent_type"), in.text("description"), in.text("prompt"))
	case "TodoWrite":
		if list := todosIn(in, "todos"); list != nil {
			actual := todosIn(out, "newTodos")
			return (&todoUse{isWhole: true, intended: list, before: todosIn(out, "oldTodos"), actual: actual}).use()
		}
	case "TaskCreate": // since 2.1.16
		return claudeCreate(in, out, p.text("tool_response")).use()
	case "TaskUpdate":
		return claudeUpdate(in, out).use()
	}
	return nil
}

func claudeCreate(in, out payload, response string) *todoUse {
	intended := worklog.Todo{Content: in.text("subject", "description"), Status: "pending"}
	if intended.Content == "" {
		return nil
	}
	task := out.object("task")
	if task == nil {
		task = out
	}
	actual := todoIn(task)
	if m := regexp.MustCompile(`(?i)^task #(\S+) created`).FindStringSubmatch(response); m != nil {
		actual.ID = m[1]
	}
	intended.ID = actual.ID
	t := &todoUse{intended: []worklog.Todo{intended}}
	if actual.ID != "" {
		actual.Content, actual.Status = cmp.Or(actual.Content, intended.Content), cmp.Or(actual.Status, intended.Status)
		t.actual = []worklog.Todo{actual}
	}
	return t
}

func claudeUpdate(in, out payload) *todoUse {
	intended := todoIn(in)
	if intended.ID == "" {
		return nil
	}
	t := &todoUse{intended: []worklog.Todo{intended}}
	if change := out.object("statusChange"); change != nil {
		actual := intended
		actual.Status = worklog.TodoStatus(change.text("to"))
		t.actual = []worklog.Todo{actual}
	} else if out.has("success") && !out.flag("success") {
		t.isRefused, t.actual = true, []worklog.Todo{}
	}
	return t
}

func claudeHome(env program.Env) string {
	if dir := env.Get("CLAUDE_CONFIG_DIR"); dir != "" {
		return dir
	}
	if home := env.Get("HOME"); home != "" {
		return filepath.Join(home, ".claude")
	}
	return ""
}

// storedTodos reads the todos on disk: TodoWrite's list, else the tasks.
func (claude) storedTodos(e event, env program.Env) ([]worklog.Todo, bool) {
	if e.use.todos.isWhole {
		return claudeLists(e, env)
	}
	return claudeTasks(e, env)
}

// claudeLists reads TodoWrite's list: todos/<session>-agent-<agent>.json. Claude Code clears a completed list, so an
// empty one tells nothing.
func claudeLists(e event, env program.Env) ([]worklog.Todo, bool) {
	home := claudeHome(env)
	name := e.session + "-agent-" + cmp.Or(e.agent, e.session) + ".json"
	if home == "" || filepath.Base(name) != name {
		return nil, false
	}
	data, err := state.ReadFile(filepath.Join(home, "todos", name))
	var list []any
	if err != nil || json.Unmarshal(data, &list) != nil || len(list) == 0 {
		return nil, false
	}
	return todosIn(payload{"todos": list}, "todos"), true
}

// claudeTasks reads the tasks of TaskCreate and TaskUpdate: tasks/<list>/<id>.json; a list is named after its session.
func claudeTasks(e event, env program.Env) (all []worklog.Todo, ok bool) {
	home, list := claudeHome(env), cmp.Or(env.Get("CLAUDE_CODE_TASK_LIST_ID"), e.session)
	if home == "" || filepath.Base(list) != list {
		return nil, false
	}
	dir := filepath.Join(home, "tasks", list)
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, false
	}
	for _, f := range files {
		data, err := state.ReadFile(filepath.Join(dir, f.Name()))
		var task payload
		if err == nil && filepath.Ext(f.Name()) == ".json" && json.Unmarshal(data, &task) == nil && task != nil {
			all = append(all, todoIn(task))
		}
	}
	return all, true
}
