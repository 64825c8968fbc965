package worklog

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

var sessionSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	return jsonschema.NewCompiler().Compile("../../docs/schema/worklog.json")
})

// validSession holds a document, JSON or YAML, to the published schema.
func validSession(t *testing.T, document []byte) error {
	t.Helper()
	schema, err := sessionSchema()
	if err != nil {
		t.Fatal(err)
	}
	if document[0] != '{' {
		var v any
		if err := yaml.Unmarshal(document, &v); err != nil {
			return err
		}
		if document, err = json.Marshal(v); err != nil {
			return err
		}
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		return err
	}
	return schema.Validate(v)
}

func printed(t *testing.T, s *Session, format string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := s.Write(&b, format); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// awkward are texts that a YAML reader may take for something else.
var awkward = []string{
	"", "plain", "null", "~", "true", "no", "1.0", "0x10", "1e3", "20260126_143215", "2026-01-26", "2026-01-26T14:32:15Z", "- a", "a: b", "# x", " lead", "trail ",
	"two\nlines", "two\n\nlines\n", "tab\there", `"quoted"`, "'single'", "|", ">", "{a}", "[b]", "a #b", "&a", "*a", "!t", "%d", "@x", "`c`", "ümlaut €", "\x01", "\\n", "---", "...", "?", ":", "=", "<<", "\u2028", "\u0085",
}

func anySession(r *rand.Rand) *Session {
	text := func() string { return awkward[r.IntN(len(awkward))] }
	stamp := func() string { return FormatTime(when.Add(1e9 * 60 * 1)) }
	s := &Session{Version: version, ID: NewSessionID(when), Task: text(), Tier: "STRICT", Started: FormatTime(when), Outcome: Running, Entries: []Operation{}}
	if r.IntN(2) == 0 {
		end := stamp()
		s.Completed, s.Outcome = &end, Outcomes()[r.IntN(3)]
	}
	for range r.IntN(5) {
		e := Operation{Time: stamp(), Action: Actions()[r.IntN(9)], Status: Statuses()[r.IntN(5)], Context: text(), Tokens: r.IntN(9)}
		if r.IntN(2) == 0 {
			code, todos := r.IntN(3)-1, r.IntN(3)
			e.Details = Details{
				Files: []string{text(), text()}, Todos: &todos, StatusChanges: []StatusChange{{text(), text(), text()}}, ExitCode: &code, Verification: "timeout",
				Phase: "planning", Checkpoint: 1, Commit: strings.Repeat("0", 40), Unit: text(), Actor: text(), Reason: text(), Outcome: text(),
				Claims: []ClaimOutcome{{text(), "not_verified", r.IntN(2) == 0}},
			}
		}
		s.Entries = append(s.Entries, e)
	}
	s.sumUp()
	return s
}

// Whatever a session holds, its JSON and YAML hold to the schema, and the YAML reads back as the same session.
func TestSessionsHoldToTheSchema(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	plain := 0
	for range 400 {
		s := anySession(r)
		for _, format := range []string{"json", "yaml"} {
			if err := validSession(t, printed(t, s, format)); err != nil {
				t.Fatalf("%v\n%s", err, printed(t, s, format))
			}
		}
		document := printed(t, s, "yaml")
		if document[0] != '{' {
			plain++
		}
		back, err := ReadSession(document)
		if err != nil {
			t.Fatalf("%v\n%s", err, document)
		}
		for i := range back.Entries {
			if f := &back.Entries[i].Details.Files; len(*f) == 0 {
				*f = nil
			}
		}
		if !reflect.DeepEqual(back, s) {
			t.Fatalf("%s\nreads as %+v\nand was %+v", document, back, s)
		}
	}
	if plain < 50 {
		t.Errorf("only %d of 400 are plain YAML", plain)
	}
}

func TestTheSchemaIsNarrow(t *testing.T) {
	good := string(printed(t, anySession(rand.New(rand.NewPCG(3, 3))), "json"))
	for from, to := range map[string]string{
		`"version": "1.0"`: `"version": 1.0`, `"tier": "STRICT"`: `"tier": "strict"`, `"session_id": "2026`: `"session_id": "s2026`,
		`"outcome": "`: `"outcome": "un`, `"summary"`: `"sums"`, `"started_at": "2026-01-26T14:32:15Z"`: `"started_at": "yesterday"`,
		`"total_operations": `: `"total_operations": -1`, `"entries": [`: `"entries": [1,`,
	} {
		bad := strings.Replace(good, from, to, 1)
		if bad == good || validSession(t, []byte(bad)) == nil {
			t.Errorf("%s is valid, or was not found", to)
		}
	}
}

func TestSessionsAreSummedUp(t *testing.T) {
	end := "2026-01-26T14:34:15Z"
	s := Session{Started: "2026-01-26T14:32:15Z", Completed: &end, Entries: []Operation{
		{Action: Edit, Details: Details{Files: []string{"a", "b"}}, Tokens: 2},
		{Action: Write, Details: Details{Files: []string{"b"}}, Tokens: 3},
		{Action: TodoWrite, Details: Details{StatusChanges: []StatusChange{{"x", "pending", "completed"}, {"y", "completed", "pending"}}}},
		{Action: AdaptDone, Details: Details{StatusChanges: []StatusChange{{"T01", "in_progress", "complete"}, {"T02", "complete", "in_progress"}}}},
		{Action: AdaptDone, Details: Details{StatusChanges: []StatusChange{{"T01", "in_progress", "complete"}}}}, // amended
		{Action: Check}, {Action: Verify, Status: Completed}, {Action: Verify, Status: Failed}, {Action: Verify, Status: Skipped},
	}}
	s.sumUp()
	if want := (Summary{5, 2, 2, Verifications{1, 1, 1}, 1, nil, 5, nil, 120}); s.Summary != want {
		t.Errorf("got %+v", s.Summary)
	}
	s.Completed, s.Entries[0].Time = nil, "2026-01-26T14:32:25Z"
	if s.sumUp(); s.Summary.Seconds != 10 {
		t.Errorf("a running session lasts %d s", s.Summary.Seconds)
	}
}

// A line stays a line, whatever stands there.
func TestPrintedSessionsKeepTheirLines(t *testing.T) {
	s := &Session{ID: NewSessionID(when), Task: "a\nb", Tier: "STRICT", Outcome: Running, Started: FormatTime(when), Entries: []Operation{
		{Time: FormatTime(when), Action: ActDone, Status: Completed, Context: "x | y\n| @all [l](u) <b>", Details: Details{Claims: []ClaimOutcome{{"i\nj", "verified", false}}}},
	}}
	if lines := strings.Count(string(printed(t, s, "text")), "\n"); lines != 4 {
		t.Errorf("%d lines of text", lines)
	}
}

func TestSessionIDs(t *testing.T) {
	if id := NewSessionID(when); !IsSessionID(id) || !strings.HasPrefix(id, "20260126_143215-") {
		t.Errorf("got %s", id)
	}
	for _, id := range []string{"", "s-1", "20260126_143215", "20260126_143215-9f3", "20260126_143215-9F3A", "20261326_143215-9f3a", "../20260126_143215-9f3a", "20260126_143215-9f3a\n"} {
		if IsSessionID(id) {
			t.Errorf("%q is one", id)
		}
	}
}

// What commits tell is added where its time is; what is recorded stays in its order, whatever times commits bear.
func TestWhatIsRecordedKeepsItsOrder(t *testing.T) {
	at := func(second int, commit string) Operation {
		return Operation{Time: FormatTime(when.Add(time.Duration(second) * time.Second)), Action: ActDone, Details: Details{Commit: commit}}
	}
	l := ListedSession{Session: &Session{Entries: []Operation{at(10, "a"), at(0, "b"), at(30, "c")}}}
	l.addFromCommits([]Operation{at(0, "b"), at(20, "d"), at(30, "e"), at(40, "new")}, map[string]string{"a": "new"})
	var got string
	for _, e := range l.Entries {
		got += e.Details.Commit
	}
	if got != "abdce" {
		t.Errorf("the order is %s", got)
	}
}

// A session of the tier EXEMPT costs nothing, whatever its commits say.
func TestAnExemptSessionCostsNothing(t *testing.T) {
	for tier, want := range map[string]int{"EXEMPT": 0, "LIGHT": 4} {
		l := ListedSession{Session: &Session{ID: NewSessionID(when), Tier: tier, Started: FormatTime(when), Entries: []Operation{}}}
		l.addFromCommits([]Operation{{Time: FormatTime(when), Action: ActDone, Tokens: 4, Details: Details{Commit: "c", Unit: "T01"}}}, nil)
		if l.Summary.Tokens != want || l.Entries[0].Tokens != want {
			t.Errorf("%s: %d tokens, the ACT %d; want %d", tier, l.Summary.Tokens, l.Entries[0].Tokens, want)
		}
	}
}
