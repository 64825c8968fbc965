package worklog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/repotest"
)

// newRecorder begins a session in a repository of its own.
func newRecorder(t *testing.T, b Beginning) *Recorder {
	t.Helper()
	w := repotest.NewWorkTree(t)
	r, err := repo.Open(t.Context(), w.Dir, repo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	b.ID, b.Started = NewSessionID(when), when
	l, err := Start(t.Context(), w.CommonDir(), b)
	if err != nil {
		t.Fatal(err)
	}
	return &Recorder{LocalSession: l, Repo: r}
}

// entries are the session's, each as a line: action, status, result, context.
func (r *Recorder) said(t *testing.T) string {
	t.Helper()
	s, _, err := r.Session()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range s.Entries {
		fmt.Fprintf(&b, "%s %s %s: %s\n", e.Action, e.Status, e.Details.Verification, e.Context)
	}
	return b.String()
}

// readings answers the first attempt with one list and the second with another; nil cannot be read.
func readings(lists ...[]Todo) TodoReader {
	return reading(func(attempt int) ([]Todo, bool) { return lists[attempt-1], lists[attempt-1] != nil })
}

// reading is a reader of todos that is no more than its method.
type reading func(attempt int) ([]Todo, bool)

func (r reading) ReadTodos(attempt int) ([]Todo, bool) { return r(attempt) }

func TestStatusesAreVerified(t *testing.T) {
	asked := []Todo{{"1", "Add login", "completed"}, {"2", "Add logout", "in_progress"}}
	stale := []Todo{{"1", "Add login", "in_progress"}}
	for _, c := range []struct {
		name     string
		read     TodoReader
		want     string
		summary  Verifications
		escalate string
	}{
		{"match", readings(asked), "Verify completed pass: todos: all 2 are as intended\n", Verifications{Passed: 1}, ""},
		{
			"the store is late", readings(stale, asked),
			"Verify failed fail: todos: 2 of 2 are not as intended: «Add login» (1): completed was intended, and it is in_progress; «Add logout» (2): in_progress was intended, and it is missing\n" +
				"Verify retried pass: todos, read again: all 2 are as intended\n",
			Verifications{Passed: 1}, "",
		},
		{
			"it stays wrong", readings([]Todo{}, asked[:1]),
			"Verify failed fail: todos: 2 of 2 are not as intended: «Add login» (1): completed was intended, and it is missing; «Add logout» (2): in_progress was intended, and it is missing\n" +
				"Verify failed fail: todos, read again: 1 of 2 are not as intended: «Add logout» (2): in_progress was intended, and it is missing\n",
			Verifications{Failed: 1}, "acta: todos: 1 of 2 are not as intended, after a second reading as well\n    «Add logout» (2): in_progress was intended, and it is missing\nwrite the list again",
		},
		{"nothing can be read", readings(nil), "Verify skipped timeout: todos: not verified, nothing could be read\n", Verifications{Skipped: 1}, ""},
		{
			"then nothing can be read", readings(stale, nil),
			"Verify failed fail: todos: 2 of 2 are not as intended: «Add login» (1): completed was intended, and it is in_progress; «Add logout» (2): in_progress was intended, and it is missing\n" +
				"Verify skipped timeout: todos, read again: not verified, nothing could be read\n",
			Verifications{Skipped: 1}, "",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRecorder(t, Beginning{Tier: "STRICT"})
			escalation, warnings, err := r.VerifyTodos(t.Context(), when, TodoChange{Intended: asked, Reader: c.read})
			if err != nil || warnings != nil {
				t.Fatal(err, warnings)
			}
			if got := r.said(t); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
			// A mismatch is written to the ref at once, whatever followed.
			if refs, err := r.Repo.Refs(t.Context(), refPrefix); err != nil || (len(refs) > 0) != strings.Contains(c.want, "fail") {
				t.Errorf("refs: %v %v", refs, err)
			}
			if !strings.HasPrefix(escalation, c.escalate) || c.escalate == "" && escalation != "" {
				t.Errorf("escalated: %q", escalation)
			}
			s, _, err := r.Session()
			if err != nil {
				t.Fatal(err)
			}
			if s.Summary.Verifications != c.summary {
				t.Errorf("summed up as %+v", s.Summary.Verifications)
			}
			if err := validSession(t, printed(t, s, "json")); err != nil {
				t.Error(err)
			}
		})
	}
}

// What is not recorded is escalated all the same, and what is not verified leaves nothing.
func TestWhoVerifies(t *testing.T) {
	for _, c := range []struct {
		b               Beginning
		call            policy.Switches
		escalates, kept bool
	}{
		{Beginning{Tier: "STRICT"}, policy.Switches{}, true, true},
		{Beginning{Tier: "STRICT"}, policy.Switches{NoWorklog: true}, true, false},
		{Beginning{Tier: "STRICT", Switches: policy.Switches{NoWorklog: true}}, policy.Switches{}, true, false},
		{Beginning{Tier: "STRICT"}, policy.Switches{SkipVerify: true}, false, false},
		{Beginning{Tier: "STRICT", Switches: policy.Switches{SkipVerify: true}}, policy.Switches{}, false, false},
		{Beginning{Tier: "STANDARD"}, policy.Switches{}, false, false},
		{Beginning{Tier: "EXEMPT"}, policy.Switches{}, false, false},
	} {
		r := newRecorder(t, c.b)
		r.Switches = c.call
		escalation, _, err := r.VerifyTodos(t.Context(), when, TodoChange{Intended: []Todo{{Content: "x", Status: "done"}}, Reader: readings([]Todo{}, []Todo{})})
		if err != nil {
			t.Fatal(err)
		}
		if kept := r.said(t) != ""; (escalation != "") != c.escalates || kept != c.kept {
			t.Errorf("%+v %+v: escalated %q, kept %v", c.b.Tier, c.call, escalation, kept)
		}
	}
}

func TestTodosAreCompared(t *testing.T) {
	for _, c := range []struct {
		name            string
		intended, there []Todo
		want            string
	}{
		{"by text, folded", []Todo{{Content: "Add  Login", Status: "completed"}}, []Todo{{ID: "7", Content: "add login", Status: "Completed"}}, ""},
		{"by id, whatever the text", []Todo{{"7", "Add login", "completed"}}, []Todo{{"8", "Add login", "completed"}, {"7", "Reworded", "pending"}}, "«Add login» (7): completed was intended, and it is pending"},
		{"an id that the other list does not know", []Todo{{"7", "Add login", "completed"}}, []Todo{{"", "Add login", "completed"}}, ""},
		{"spellings of a status", []Todo{{Content: "a", Status: "in_progress"}, {Content: "b", Status: "completed"}}, []Todo{{Content: "a", Status: "In Progress"}, {Content: "b", Status: "done"}}, ""},
		{"a status in camel case", []Todo{{Content: "a", Status: "in_progress"}}, []Todo{{Content: "a", Status: "inProgress"}}, ""},
		{"two of one text", []Todo{{Content: "a", Status: "pending"}, {Content: "a", Status: "completed"}}, []Todo{{Content: "a", Status: "completed"}, {Content: "a", Status: "pending"}}, ""},
		{"one of the two is missing", []Todo{{Content: "a", Status: "pending"}, {Content: "a", Status: "completed"}}, []Todo{{Content: "a", Status: "completed"}}, "«a»: pending was intended, and it is missing"},
		{"others are no business of it", []Todo{{Content: "a"}}, []Todo{{Content: "b"}, {Content: "a", Status: "pending"}}, ""},
		{"deleted", []Todo{{ID: "1", Status: "deleted"}, {ID: "2", Status: "deleted"}}, []Todo{{"2", "b", "deleted"}}, ""},
		{"not deleted", []Todo{{ID: "1", Status: "deleted"}}, []Todo{{"1", "a", "pending"}}, "todo 1: deleted was intended, and it is still there, pending"},
		{"missing, of no status", []Todo{{Content: "a"}}, []Todo{{Content: "b"}}, "«a»: it is missing"},
		{"nothing to compare", []Todo{{Status: "pending"}}, nil, ""},
		{"lines", []Todo{{Content: "a\nb\x1b[2J", Status: "x"}}, nil, "«a b\\u001b[2J»: x was intended, and it is missing"},
	} {
		if got := joinDiscrepancies(compareTodos(c.intended, c.there)); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// What is told of a mismatch costs at most what document 000 grants a verification, and names one todo at least.
func TestAMismatchIsToldInSeventyFiveTokens(t *testing.T) {
	r := newRecorder(t, Beginning{Tier: "STRICT"})
	var change TodoChange
	for i := range 20 {
		change.Intended = append(change.Intended, Todo{Content: fmt.Sprint("todo ", i, strings.Repeat(" of the handler", i*3)), Status: "completed"})
	}
	change.Reader = readings([]Todo{}, []Todo{})
	escalation, _, err := r.VerifyTodos(t.Context(), when, change)
	if err != nil || !strings.Contains(escalation, "todo 0") || !strings.Contains(escalation, " more\n") {
		t.Errorf("%v: %s", err, escalation)
	}
	s, _, err := r.Session()
	if err != nil {
		t.Fatal(err)
	}
	if n := s.Entries[len(s.Entries)-1].Tokens; n == 0 || n > 75 {
		t.Errorf("%d tokens:\n%s", n, escalation)
	}
}
