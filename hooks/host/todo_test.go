package host

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo/program"
)

// todos reads «id text status» each; "-" is an id that the host does not give.
func todos(lines ...string) (all []worklog.Todo) {
	for _, l := range lines {
		w := strings.Fields(l)
		t := worklog.Todo{ID: strings.Trim(w[0], "-"), Content: strings.Trim(w[1], "-")}
		if len(w) > 2 {
			t.Status = w[2]
		}
		all = append(all, t)
	}
	return all
}

func TestWhatBecameOfATodoList(t *testing.T) {
	seen := todos("1 a pending", "2 b in_progress")
	for name, c := range map[string]struct {
		use      todoUse
		after    []worklog.Todo
		changes  string
		affected int
	}{
		"a whole list": {todoUse{isWhole: true, intended: todos("1 a completed", "3 c pending")}, todos("1 a completed", "3 c pending"),
			"a: pending>completed, c: >pending, b: in_progress>deleted", 3},
		"the same list":             {todoUse{isWhole: true, intended: todos("1 a pending", "2 b in_progress")}, seen, "", 0},
		"other words":               {todoUse{isWhole: true, intended: todos("1 a pending", "2 bb in_progress")}, todos("1 a pending", "2 bb in_progress"), "", 1},
		"one by its id":             {todoUse{intended: todos("2 - completed")}, todos("1 a pending", "2 b completed"), "b: in_progress>completed", 1},
		"one by its text":           {todoUse{intended: todos("- a completed")}, todos("1 a completed", "2 b in_progress"), "a: pending>completed", 1},
		"one that is new":           {todoUse{intended: todos("3 c pending")}, todos("1 a pending", "2 b in_progress", "3 c pending"), "c: >pending", 1},
		"a new one without a text":  {todoUse{intended: todos("9 - pending")}, todos("1 a pending", "2 b in_progress", "9 #9 pending"), "#9: >pending", 1},
		"one that is deleted":       {todoUse{intended: todos("1 - deleted")}, todos("2 b in_progress"), "a: pending>deleted", 1},
		"a change that was refused": {todoUse{isRefused: true, isWhole: true}, seen, "", 0},
		"a list that was told": {todoUse{isWhole: true, before: todos("1 a completed"), intended: todos("1 a completed")},
			todos("1 a completed"), "", 0},
	} {
		after, changes, affected := c.use.apply(slices.Clone(seen))
		var said []string
		for _, s := range changes {
			said = append(said, fmt.Sprintf("%s: %s>%s", s.Todo, s.From, s.To))
		}
		if !slices.Equal(after, c.after) || strings.Join(said, ", ") != c.changes || affected != c.affected {
			t.Errorf("%s: %v, %v, %d; want %v, %s, %d", name, after, said, affected, c.after, c.changes, c.affected)
		}
	}
}

func TestATodoListInALine(t *testing.T) {
	for want, list := range map[string][]worklog.Todo{
		"no todos":          nil,
		"1 todo: 1 pending": todos("1 a pending"),
		"3 todos: 1 completed, 1 of no status, 1 x": todos("1 a completed", "2 b", "3 c x"),
		"4 todos: 2 in_progress, 2 pending":         todos("1 a pending", "2 b in_progress", "3 c pending", "4 d in_progress"),
		"2 todos: 2 cancelled":                      todos("1 a cancelled", "2 b cancelled"),
	} {
		if got := todoSummary(list); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// keeping is a host that keeps todos on disk.
type keeping struct {
	gemini
	kept []worklog.Todo
}

func (k keeping) storedTodos(event, program.Env) ([]worklog.Todo, bool) { return k.kept, k.kept != nil }

// A list is first taken from the tool's answer, then from the host's store; a second reading goes the other way round.
func TestWhatIsThereIsReadFromAnswerAndStore(t *testing.T) {
	answer, kept := todos("1 a pending"), todos("1 a completed")
	for name, c := range map[string]struct {
		host          Host
		use           todoUse
		first, second []worklog.Todo
		ok            bool
	}{
		"both":           {keeping{kept: kept}, todoUse{actual: answer}, answer, kept, true},
		"an answer":      {gemini{}, todoUse{actual: answer}, answer, answer, true},
		"an empty store": {keeping{}, todoUse{actual: answer}, answer, answer, true},
		"a store":        {keeping{kept: kept}, todoUse{}, kept, kept, true},
		"neither":        {gemini{}, todoUse{}, nil, nil, false},
	} {
		made := &call{Hook: Hook{Host: c.host}, event: event{use: &toolUse{todos: &c.use}}}
		for attempt, want := range [][]worklog.Todo{c.first, c.second} {
			if got, ok := made.ReadTodos(attempt + 1); ok != c.ok || !slices.Equal(got, want) {
				t.Errorf("%s, attempt %d: %v, %t", name, attempt+1, got, ok)
			}
		}
	}
}

func TestATodoIsReadUnderTheNamesOfHosts(t *testing.T) {
	for text, want := range map[string]worklog.Todo{
		`{"id": 7, "content": " Add it ", "status": "In-Progress"}`:        {ID: "7", Content: "Add it", Status: "in_progress"},
		`{"taskId": "a", "subject": "Add it", "status": "done"}`:           {ID: "a", Content: "Add it", Status: "completed"},
		`{"step": "Add it", "status": "canceled"}`:                         {Content: "Add it", Status: "cancelled"},
		`{"id": null, "description": "` + strings.Repeat("x", 2000) + `"}`: {Content: strings.Repeat("x", maxTodo) + "…"},
	} {
		p, err := readPayload(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := todoIn(p); got != want {
			t.Errorf("%s: got %+v", text, got)
		}
	}
	if all := todosIn(payload{"todos": make([]any, 3*maxTodos)}, "todos"); all == nil || len(all) != 0 {
		t.Errorf("what is no todo: %v", all)
	}
}
