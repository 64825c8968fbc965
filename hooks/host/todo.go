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

// todoUse is a change of a todo list.
type todoUse struct {
	// whole: intended is the list as it is to be; else those entries of it that are made or changed.
	whole    bool
	intended []worklog.Todo
	// before is the list before, where the tool's response tells it.
	before      []worklog.Todo
	knownBefore bool
	// there is what the tool's response says is there; answered says whether it says so.
	there    []worklog.Todo
	answered bool
	// refused: the response says that nothing was changed.
	refused bool
}

// use is the change as the use of a tool; nil for none.
func (t *todoUse) use() *toolUse {
	if t == nil {
		return nil
	}
	u := &toolUse{action: worklog.TodoWrite, status: worklog.Completed, todos: t}
	if t.refused {
		u.status = worklog.Failed
	}
	return u
}

// listUse is the use of a tool that is given a whole list, under a key of its input, and may say in its answer what is
// there; nil where it is given none.
func listUse(in payload, key string, answer payload) *toolUse {
	list, ok := todosIn(in, key)
	if !ok {
		return nil
	}
	t := &todoUse{whole: true, intended: list}
	t.there, t.answered = todosIn(answer, "todos")
	return t.use()
}

// maxTodos bounds how much of a list is read: more than anybody keeps, and no host waits for it.
const maxTodos = 1000

// todosIn reads a list of todos; ok is false where the key holds no list.
func todosIn(p payload, key string) (all []worklog.Todo, ok bool) {
	objects, ok := p.objects(key)
	for _, o := range objects[:min(len(objects), maxTodos)] {
		all = append(all, todoIn(o))
	}
	return all, ok
}

// todoIn reads a todo under the names that hosts give its parts.
func todoIn(p payload) worklog.Todo {
	return worklog.Todo{
		ID:      p.name("id", "taskId", "task_id"),
		Content: todoText(p.text("content", "subject", "task_subject", "step", "description", "title")),
		Status:  status(p.text("status")),
	}
}

// maxTodo bounds the text of a todo, in bytes: it is kept with every change of its status.
const maxTodo = 1 << 10

// todoText is what a todo says, cut to maxTodo. Both sides of a comparison are cut alike.
func todoText(said string) string {
	said = strings.TrimSpace(said)
	if len(said) > maxTodo {
		return strings.ToValidUTF8(said[:maxTodo], "") + "…"
	}
	return said
}

// status is a todo's, as the worklog spells it.
func status(said string) string {
	said = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(said)), "-", "_")
	switch said {
	case "inprogress", "in progress":
		return "in_progress"
	case "complete", "done":
		return "completed"
	case "canceled":
		return "cancelled"
	}
	return said
}

// same reports whether two entries are the same todo: by their ids where both have one, else by what they say.
func same(a, b worklog.Todo) bool {
	if a.ID != "" && b.ID != "" {
		return a.ID == b.ID
	}
	return a.Content == b.Content
}

// take takes the first entry out of a list that is the same todo.
func take(list []worklog.Todo, t worklog.Todo) (rest []worklog.Todo, found worklog.Todo, ok bool) {
	i := slices.IndexFunc(list, func(o worklog.Todo) bool { return same(o, t) })
	if i < 0 {
		return list, worklog.Todo{}, false
	}
	return slices.Delete(slices.Clone(list), i, i+1), list[i], true
}

// changed is what a change makes of the list that was last seen: the list after it, and what
// became of each todo. affected counts those that are new, say something else, or changed their status.
func (t *todoUse) changed(seen []worklog.Todo) (after []worklog.Todo, changes []worklog.StatusChange, affected int) {
	before := seen
	if t.knownBefore {
		before = t.before
	}
	if t.refused {
		return before, nil, 0
	}
	rest := before
	for i := range t.intended {
		now := t.intended[i]
		var was worklog.Todo
		var known bool
		rest, was, known = take(rest, now)
		now.ID, now.Status = cmp.Or(now.ID, was.ID), cmp.Or(now.Status, was.Status)
		now.Content = cmp.Or(now.Content, was.Content, "#"+now.ID)
		t.intended[i].Content = now.Content
		if !known || now.Content != was.Content || now.Status != was.Status || !t.whole {
			affected++
		}
		if now.Status != was.Status {
			changes = append(changes, worklog.StatusChange{Todo: now.Content, From: was.Status, To: now.Status})
		}
		if now.Status != "deleted" {
			after = append(after, now)
		}
	}
	if !t.whole {
		return merge(before, t.intended, after), changes, affected
	}
	for _, gone := range rest {
		changes = append(changes, worklog.StatusChange{Todo: gone.Content, From: gone.Status, To: "deleted"})
		affected++
	}
	return after, changes, affected
}

// merge is the list before with those entries that changed as they are now, in their places, and the new ones behind.
func merge(before, changed, now []worklog.Todo) (after []worklog.Todo) {
	for _, b := range before {
		_, _, touched := take(changed, b)
		if !touched {
			after = append(after, b)
			continue
		}
		var as worklog.Todo
		var still bool
		if now, as, still = take(now, b); still {
			after = append(after, as)
		}
	}
	return append(after, now...)
}

// todoSummary is a todo list in a line: «3 todos: 1 completed, 2 pending».
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

// ReadTodos gives what is there: first what the tool's response says, else what the host keeps on disk; after
// that the other way round. ok is false where neither says anything.
func (c *call) ReadTodos(attempt int) (all []worklog.Todo, ok bool) {
	t := c.use.todos
	store, keeps := c.Host.(interface {
		keptTodos(e event, env program.Env) (all []worklog.Todo, ok bool)
	})
	if keeps && (attempt > 1 || !t.answered) {
		if all, ok = store.keptTodos(c.event, c.Env); ok {
			return all, true
		}
	}
	return t.there, t.answered
}

// verify verifies a change of the todo list, once it is recorded. Who must know of a mismatch that stays is told.
func (c *call) verify(ctx context.Context) error {
	t := c.use.todos
	v, err := c.recorder().VerifyTodos(ctx, c.Now,
		worklog.TodoChange{Intended: t.intended, StatusChanges: c.moved, Reader: c})
	c.answer.Warnings = append(c.answer.Warnings, v.Warnings()...)
	if v.Escalation != "" {
		c.refuse(v.Escalation)
	}
	return err
}
