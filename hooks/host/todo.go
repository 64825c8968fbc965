package host

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo/program"
	"github.com/acta-git/acta/report"
)

type todoUse struct {
	// isWhole: intended is the whole new list; else only its new and changed entries.
	isWhole  bool
	intended []worklog.Todo
	// before and actual are the lists before and after it in the tool's response; nil if that has none.
	before, actual []worklog.Todo
	// isRefused: the response says that nothing was changed.
	isRefused bool
}

func (t *todoUse) use() *toolUse {
	if t == nil {
		return nil
	}
	u := &toolUse{action: worklog.TodoWrite, status: worklog.Completed, todos: t}
	if t.isRefused {
		u.status = worklog.Failed
	}
	return u
}

// listUse is the use of a tool that gets a whole list, under a key of its input, and may answer with the actual one;
// nil without a list.
func listUse(in payload, key string, answer payload) *toolUse {
	list := todosIn(in, key)
	if list == nil {
		return nil
	}
	return (&todoUse{isWhole: true, intended: list, actual: todosIn(answer, "todos")}).use()
}

// maxTodos bounds a list: more than anybody keeps, and fast enough for hosts.
const maxTodos = 1000

// todosIn reads a list of todos; nil if the key has no list.
func todosIn(p payload, key string) []worklog.Todo {
	objects, ok := p.objects(key)
	if !ok {
		return nil
	}
	all := []worklog.Todo{}
	for _, o := range objects[:min(len(objects), maxTodos)] {
		all = append(all, todoIn(o))
	}
	return all
}

func todoIn(p payload) worklog.Todo {
	text := p.text("content", "subject", "task_subject", "step", "description", "title")
	return worklog.Todo{
		ID:      p.name("id", "taskId", "task_id"),
		Content: truncated(strings.TrimSpace(text), maxTodo),
		Status:  worklog.TodoStatus(p.text("status")),
	}
}

// maxTodo bounds the text of a todo, in bytes: every change of status stores it. Both sides of a comparison are
// truncated alike.
const maxTodo = 1 << 10

// takeTodo takes a todo out of a list, by id if both entries have one, else by text.
func takeTodo(list []worklog.Todo, t worklog.Todo) (rest []worklog.Todo, found worklog.Todo, ok bool) {
	i := slices.IndexFunc(list, func(o worklog.Todo) bool {
		if o.ID != "" && t.ID != "" {
			return o.ID == t.ID
		}
		return o.Content == t.Content
	})
	if i < 0 {
		return list, worklog.Todo{}, false
	}
	return slices.Delete(slices.Clone(list), i, i+1), list[i], true
}

// apply applies the change to the last known list: the new list, and the change of each todo. affected counts todos
// that are new, or have another text or status.
func (t *todoUse) apply(seen []worklog.Todo) (after []worklog.Todo, changes []worklog.StatusChange, affected int) {
	before := seen
	if t.before != nil {
		before = t.before
	}
	if t.isRefused {
		return before, nil, 0
	}
	rest := before
	for i := range t.intended {
		now := t.intended[i]
		var was worklog.Todo
		var known bool
		rest, was, known = takeTodo(rest, now)
		now.ID, now.Status = cmp.Or(now.ID, was.ID), cmp.Or(now.Status, was.Status)
		now.Content = cmp.Or(now.Content, was.Content, "#"+now.ID)
		t.intended[i].Content = now.Content
		if !known || now.Content != was.Content || now.Status != was.Status || !t.isWhole {
			affected++
		}
		if now.Status != was.Status {
			changes = append(changes, worklog.StatusChange{Todo: now.Content, From: was.Status, To: now.Status})
		}
		if now.Status != "deleted" {
			after = append(after, now)
		}
	}
	if !t.isWhole {
		return merge(before, t.intended, after), changes, affected
	}
	for _, gone := range rest {
		changes = append(changes, worklog.StatusChange{Todo: gone.Content, From: gone.Status, To: "deleted"})
		affected++
	}
	return after, changes, affected
}

// merge is the list before with the changed entries in their places, and the new ones at the end.
func merge(before, changed, now []worklog.Todo) (after []worklog.Todo) {
	for _, b := range before {
		_, _, touched := takeTodo(changed, b)
		if !touched {
			after = append(after, b)
			continue
		}
		var as worklog.Todo
		var still bool
		if now, as, still = takeTodo(now, b); still {
			after = append(after, as)
		}
	}
	return append(after, now...)
}

func todoSummary(list []worklog.Todo) string {
	counts := map[string]int{}
	var order []string
	for _, t := range list {
		s := cmp.Or(t.Status, "of no status")
		if counts[s]++; counts[s] == 1 {
			order = append(order, s)
		}
	}
	slices.Sort(order)
	var parts []string
	for _, s := range order {
		parts = append(parts, fmt.Sprintf("%d %s", counts[s], s))
	}
	if len(list) == 0 {
		return "no todos"
	}
	return fmt.Sprintf("%s: %s", report.Plural(len(list), "todo"), strings.Join(parts, ", "))
}

// ReadTodos reads the actual list: on attempt 1 from the tool's response, else from the host's store; later the other
// way round. ok is false if neither has one.
func (c *call) ReadTodos(attempt int) (all []worklog.Todo, ok bool) {
	t := c.use.todos
	store, keeps := c.Host.(interface {
		storedTodos(e event, env program.Env) (all []worklog.Todo, ok bool)
	})
	if keeps && (attempt > 1 || t.actual == nil) {
		if all, ok = store.storedTodos(c.event, c.Env); ok {
			return all, true
		}
	}
	return t.actual, t.actual != nil
}

func (c *call) verify(ctx context.Context) error {
	t := c.use.todos
	escalation, warnings, err := c.recorder().VerifyTodos(ctx, c.Now,
		worklog.TodoChange{Intended: t.intended, StatusChanges: c.statusChanges, Reader: c})
	if escalation != "" {
		c.refuse(escalation)
	}
	return c.keep(warnings, err)
}
