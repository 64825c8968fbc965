package host

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo/program"
	"github.com/acta-git/acta/repo/state"
)

// claude is Claude Code.
type claude struct{ claudeAnswers }

// ID is that of --agent.
func (claude) ID() string { return "claude" }

// Name is what people call it.
func (claude) Name() string { return "Claude Code" }

func (h claude) hooks(guard bool) Setting {
	events := called(guard, "PreToolUse", "Bash|Write|Edit|MultiEdit|NotebookEdit",
		"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "SessionEnd")
	return groupedHooks(h, ".claude/settings.json", hookSeconds, events)
}

func (claude) instructions() Setting { return instructionsIn("CLAUDE.md", "") }
func (claude) servers() Setting      { return jsonServers(".mcp.json") }

func (claude) refuse(_, text string) Answer { return Answer{Code: 2, Stderr: text} }

// exports is the file whose lines the host runs before each of the agent's commands, given to hooks of a session's
// start alone.
func (claude) exports(env program.Env) string { return env.Get("CLAUDE_ENV_FILE") }

// read reads a payload of Claude Code's hooks (its hooks reference). Cursor and Copilot run hooks that are
// configured for Claude Code, too, and their own besides: what comes from them is dropped.
func (claude) read(p payload) event {
	if p.has("cursor_version") || isCopilots(p) {
		return event{}
	}
	e := claudeEvent(p, claudeUse)
	if p.text("hook_event_name") == "PostToolUseFailure" {
		e.use = claudeFailure(p)
	}
	return e
}

// claudeUse is a use of a tool that went well: a command that fails comes as another event, so its exit code is 0.
func claudeUse(p payload) *toolUse {
	in, out := p.object("tool_input"), p.object("tool_response")
	switch p.text("tool_name") {
	case "Bash":
		if in.flag("run_in_background") || out.name("backgroundTaskId") != "" {
			return (&toolUse{action: worklog.Bash, status: worklog.Initiated, about: in.text("command")}).orNil()
		}
		zero := 0
		code := &zero
		// Codes of some commands that mean no failure (grep's 1) are explained, and not told.
		if out.flag("interrupted") || out.text("returnCodeInterpretation") != "" {
			code = nil
		}
		return ranWith(in.text("command"), code)
	case "Write":
		return wrote(worklog.Write, in.text("file_path")).changed(replacement{out.text("originalFile"), in.text("content")})
	case "Edit", "MultiEdit":
		return wrote(worklog.Edit, in.text("file_path")).changed(append(in.edits("edits"), in.edit())...)
	case "NotebookEdit":
		return wrote(worklog.Edit, in.text("notebook_path", "file_path")).changed(replacement{"", in.text("new_source")})
	case "Task", "Agent":
		status := worklog.Completed
		if in.flag("run_in_background") || out.flag("isAsync") || out.text("status") == "async_launched" {
			status = worklog.Initiated
		}
		kind := in.text("subagent_type")
		return subAgentUse(status, in.text("description"), kind, in.text("prompt")).by(kind)
	}
	return claudeTodos(p)
}

// claudeFailure is a use of a tool that failed.
func claudeFailure(p payload) *toolUse {
	u := claudeUse(p).failed()
	if u != nil && u.action == worklog.Bash && !p.flag("is_interrupt") {
		u.exitCode = claudeCode(p.text("error"))
	}
	return u
}

// claudeCode is the exit code that the first line of an error names; nil for none.
func claudeCode(said string) *int {
	first, _, _ := strings.Cut(said, "\n")
	m := regexp.MustCompile(`^(?:Error: )?Exit code (\d{1,9})\s*$`).FindStringSubmatch(first)
	if m == nil {
		return nil
	}
	code, _ := strconv.Atoi(m[1])
	return &code
}

// claudeTodos is a change of the todo list: TodoWrite, and since 2.1.16 TaskCreate and TaskUpdate.
func claudeTodos(p payload) *toolUse {
	in, out := p.object("tool_input"), p.object("tool_response")
	switch p.text("tool_name") {
	case "TodoWrite":
		return claudeList(in, out).use()
	case "TaskCreate":
		return claudeCreate(in, out, p.text("tool_response")).use()
	case "TaskUpdate":
		return claudeUpdate(in, out).use()
	}
	return nil
}

func claudeList(in, out payload) *todoUse {
	list, ok := todosIn(in, "todos")
	if !ok {
		return nil
	}
	t := &todoUse{whole: true, intended: list}
	t.before, t.knownBefore = todosIn(out, "oldTodos")
	t.there, t.answered = todosIn(out, "newTodos")
	return t
}

func claudeCreate(in, out payload, said string) *todoUse {
	made := worklog.Todo{Content: in.text("subject", "description"), Status: "pending"}
	if made.Content == "" {
		return nil
	}
	task := out.object("task")
	if task == nil {
		task = out
	}
	there := todoIn(task)
	if m := regexp.MustCompile(`(?i)^task #(\S+) created`).FindStringSubmatch(said); m != nil {
		there.ID = m[1]
	}
	made.ID = there.ID
	t := &todoUse{intended: []worklog.Todo{made}}
	if there.ID != "" {
		there.Content, there.Status = cmp.Or(there.Content, made.Content), cmp.Or(there.Status, made.Status)
		t.there, t.answered = []worklog.Todo{there}, true
	}
	return t
}

func claudeUpdate(in, out payload) *todoUse {
	asked := todoIn(in)
	if asked.ID == "" {
		return nil
	}
	t := &todoUse{intended: []worklog.Todo{asked}}
	there := asked
	switch change := out.object("statusChange"); {
	case change != nil:
		there.Status = status(change.text("to"))
	case out.object("task") != nil:
		there = todoIn(out.object("task"))
	case out.text("status") != "":
		there.Status = status(out.text("status"))
	case out.has("success") && !out.flag("success"):
		t.refused, t.answered = true, true
		return t
	default:
		return t // it does not say what became of it
	}
	there.ID, there.Content = cmp.Or(there.ID, asked.ID), cmp.Or(there.Content, asked.Content)
	t.there, t.answered = []worklog.Todo{there}, true
	return t
}

// claudeHome is where Claude Code keeps its own state.
func claudeHome(env program.Env) string {
	if dir := env.Get("CLAUDE_CONFIG_DIR"); dir != "" {
		return dir
	}
	if home := env.Get("HOME"); home != "" {
		return filepath.Join(home, ".claude")
	}
	return ""
}

// keptTodos reads what is kept on disk: of TodoWrite its list, else the tasks.
func (claude) keptTodos(e event, env program.Env) ([]worklog.Todo, bool) {
	if e.use.todos.whole {
		return claudeLists(e, env)
	}
	return claudeTasks(e, env)
}

// claudeLists reads the list that TodoWrite keeps: todos/<session>-agent-<agent>.json. One whose
// todos are all completed is cleared, and tells nothing.
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
	return todosIn(payload{"todos": list}, "todos")
}

// claudeTasks reads the tasks that TaskCreate and TaskUpdate keep: tasks/<list>/<id>.json, where the list is called
// as the session.
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
