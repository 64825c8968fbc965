package host

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/program"
	"github.com/acta-git/acta/report"
	"golang.org/x/tools/txtar"
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

// indexOfTodo finds a todo in a list, by id if both have one, else by text; -1 for none.
func indexOfTodo(list []worklog.Todo, t worklog.Todo) int {
	return slices.IndexFunc(list, func(o worklog.Todo) bool {
		if o.ID != "" && t.ID != "" {
			return o.ID == t.ID
		}
		return o.Content == t.Content
	})
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
	rest := slices.Clone(before) // what the change does not name
	if !t.isWhole {
		after = slices.Clone(before)
	}
	for i, now := range t.intended {
		var was worklog.Todo
		place, at := len(after), indexOfTodo(rest, now)
		if at >= 0 {
			was = rest[at]
			rest = slices.Delete(rest, at, at+1)
		}
		if at >= 0 && !t.isWhole {
			place = indexOfTodo(after, was)
		}
		now.ID, now.Status = cmp.Or(now.ID, was.ID), cmp.Or(now.Status, was.Status)
		now.Content = cmp.Or(now.Content, was.Content, "#"+now.ID)
		t.intended[i].Content = now.Content
		if at < 0 || now.Content != was.Content || now.Status != was.Status || !t.isWhole {
			affected++
		}
		if now.Status != was.Status {
			changes = append(changes, worklog.StatusChange{Todo: now.Content, From: was.Status, To: now.Status})
		}
		after = slices.Delete(after, place, min(place+1, len(after)))
		if now.Status != "deleted" {
			after = slices.Insert(after, place, now)
		}
	}
	if t.isWhole {
		for _, gone := range rest {
			changes = append(changes, worklog.StatusChange{Todo: gone.Content, From: gone.Status, To: "deleted"})
			affected++
		}
	}
	return after, changes, affected
}

func todoSummary(list []worklog.Todo) string {
	counts := map[string]int{}
	for _, t := range list {
		counts[cmp.Or(t.Status, "of no status")]++
	}
	var parts []string
	for _, s := range slices.Sorted(maps.Keys(counts)) {
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

// findOpenItems finds the open items of the unit of an agent that stops and says that it is done. Each unit's are
// listed once, and only if the state can be saved.
func (c *call) findOpenItems(ctx context.Context) error {
	if c.wasBlocked || !saysDone(c.lastMessage) {
		return nil
	}
	n, err := c.unit(ctx)
	if err != nil || n == nil || slices.Contains(c.state.Reminded, n.Key) {
		return err
	}
	if c.openItems, err = c.missingItems(ctx, n); err == nil && c.openItems != "" {
		c.state.Reminded = append(c.state.Reminded, n.Key)
	}
	return err
}

// unit is the agent's unit: the one open task that its actor has leased, else the one in progress; nil if there is no
// such task, if there are several, or without a readable plan.
func (c *call) unit(ctx context.Context) (*plan.Node, error) {
	_, root, err := snapshot.WorkPlan(ctx, c.repo)
	if malformed := (*snapshot.MalformedPlanError)(nil); errors.As(err, &malformed) || errors.Is(err, repo.ErrUnborn) {
		return nil, nil
	}
	if err != nil || root == nil {
		return nil, err
	}
	by, err := worklog.Identify(ctx, c.repo, journal.Caller{Name: c.Env.Get("ACTA_ACTOR"), Session: c.session})
	if err != nil {
		return nil, err
	}
	return worklog.CurrentUnit(plan.NewIndex(root), c.common, by.Name, c.Now)
}

func (c *call) missingItems(ctx context.Context, n *plan.Node) (string, error) {
	if len(n.Checklist) == 0 {
		return "", nil
	}
	act, err := judge.NewHistory(c.repo, nil).LastAct(ctx, n.Key)
	if err != nil || act.IsUnknown || act.BlockReason != "" {
		return "", err
	}
	var open []string
	for _, i := range n.Checklist {
		reported := slices.ContainsFunc(act.Items, func(r plan.ReportedItem) bool {
			return plan.ItemKey(r.Text) == plan.ItemKey(i.Text)
		})
		if act.Commit == "" || !reported {
			open = append(open, "- "+i.Text)
		}
	}
	switch {
	case len(open) > 0:
		return fmt.Sprintf("%s is not done: no ACT reports\n%s\n%s", n.Key, strings.Join(open, "\n"), c.advice(n)), nil
	case act.HasRefuted || act.HasFailed || act.HasErrors:
		return fmt.Sprintf("%s is not done: its last ACT, %.12s, does not hold; acta verify %.12s~1..%.12s says why\n%s",
			n.Key, act.Commit, act.Commit, act.Commit, c.advice(n)), nil
	}
	return "", nil
}

func (c *call) advice(n *plan.Node) string {
	return fmt.Sprintf("Finish them and commit «ACT: %s …» with a line «Done: ITEM | path:lines» or «Skipped: ITEM | "+
		"reason» for each item, "+
		"or say plainly what is left. If the task is blocked, end that ACT with «Outcome: blocked | REASON». acta "+
		"says this once.", n.Key)
}

//go:embed completion.txt
var completionText []byte

// phrases matches the phrases of a section of completion.txt as whole words.
func phrases(section string) *regexp.Regexp {
	var pattern string
	for _, f := range txtar.Parse(completionText).Files {
		if f.Name == section {
			pattern = strings.ReplaceAll(strings.TrimSpace(string(f.Data)), "\n", "|")
		}
	}
	return regexp.MustCompile(`(?i)(?:^|[^\w'])(?:` + pattern + `)(?:$|[^\w'])`)
}

// maxMessage bounds a message, in bytes: a longer one is no report.
const maxMessage = 64 << 10

// lastSentences is how many last sentences, besides the first, may claim completion: the others describe steps.
const lastSentences = 4

// saysDone reports whether an agent's last message says that its work is done, without open work or a question.
func saysDone(message string) bool {
	if len(message) > maxMessage || strings.Contains(message, "?") {
		return false
	}
	text := prose(message)
	if text == "" || phrases("open").MatchString(text) {
		return false
	}
	all := sentences(text)
	if last := len(all) - lastSentences; last > 1 {
		all = append(all[:1], all[last:]...)
	}
	claim, aside, hedged := phrases("claim"), phrases("aside"), phrases("hedged")
	return slices.ContainsFunc(all, func(s string) bool {
		s, _, _ = strings.Cut(s, " so that ")
		at := claim.FindStringIndex(s)
		if at == nil || hedged.MatchString(s) {
			return false
		}
		// The claim ends where the sentence continues with something else.
		end := at[1] - 1
		if more := regexp.MustCompile(`,| and | with `).FindStringIndex(s[end:]); more != nil {
			s = s[:end+more[0]]
		}
		return !aside.MatchString(s)
	})
}

func prose(message string) string {
	message = strings.NewReplacer("’", "'", "\r\n", "\n").Replace(message)
	message = regexp.MustCompile("(?s)```.*?(?:```|$)").ReplaceAllString(message, "")
	message = regexp.MustCompile(`"[^"\n]*"|“[^”\n]*”|«[^»\n]*»`).ReplaceAllString(message, "")
	aside := regexp.MustCompile(`^\s*(?:[-*+•] |\d+[.)] |\||>)|^(?: {4}|\t)`)
	var lines []string
	for line := range strings.Lines(message) {
		if line = strings.TrimRight(line, "\n"); aside.MatchString(line) {
			continue
		}
		if line = strings.Trim(strings.TrimSpace(line), "*_#-•✅✔️☑🎉 \t"); line != "" {
			lines = append(lines, strings.NewReplacer("`", "", "**", "").Replace(line))
		}
	}
	return strings.Join(lines, "\n")
}

func sentences(text string) (all []string) {
	for _, s := range regexp.MustCompile(`[.!:;](?:\s|$)|\n| [—–-] `).Split(text, -1) {
		if s = strings.Trim(s, " \t.!,*✅✔️🎉"); s != "" {
			all = append(all, s)
		}
	}
	return all
}
