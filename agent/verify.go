package agent

import (
	"context"
	"encoding/json"

	"github.com/acta-git/acta/worklog"
)

// verify verifies a change of the todo list, once it is recorded. Who must know of a mismatch that stays is told.
func (c *call) verify(ctx context.Context) error {
	t := c.use.todos
	v, err := c.recorder().VerifyTodos(ctx, c.Now, worklog.TodoChange{Intended: t.intended, Moved: c.moved, Read: t.read(c.event, c.Getenv)})
	c.answer.Warnings = append(c.answer.Warnings, v.Warnings()...)
	if v.Escalate != "" {
		c.answer.notify(c.Host, v.Escalate)
	}
	return err
}

// notify tells person and agent something after the use of a tool, as each host shows it: Claude Code with exit code
// 2 and standard error; Codex drops that, and Gemini CLI hides the tool's answer then, so that they get JSON, as
// Cursor does.
func (a *Answer) notify(h Host, text string) {
	type more struct {
		Event   string `json:"hookEventName,omitempty"`
		Context string `json:"additionalContext"`
	}
	var out any
	switch h {
	case Codex:
		out = map[string]any{"systemMessage": text, "hookSpecificOutput": more{"PostToolUse", text}}
	case Gemini:
		out = map[string]any{"systemMessage": text, "hookSpecificOutput": more{"AfterTool", text}}
	case Cursor:
		out = map[string]any{"additional_context": text}
	default:
		a.Code, a.Stderr = 2, text
		return
	}
	data, err := json.Marshal(out)
	if err != nil {
		a.warn(err)
		return
	}
	a.Stdout, a.Stderr = string(data)+"\n", text
}
