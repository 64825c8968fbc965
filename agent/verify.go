package agent

import (
	"context"

	"github.com/acta-git/acta/worklog"
)

// verify verifies a change of the todo list, once it is recorded. Who must know of a mismatch that stays is told.
func (c *call) verify(ctx context.Context) error {
	t := c.use.todos
	v, err := c.recorder().VerifyTodos(ctx, c.Now,
		worklog.TodoChange{Intended: t.intended, Moved: c.moved, Read: t.read(c.event, c.Getenv)})
	c.answer.Warnings = append(c.answer.Warnings, v.Warnings()...)
	if v.Escalate != "" {
		c.refuse(v.Escalate)
	}
	return err
}
