package plan

import (
	"strings"
	"testing"
)

func TestTheNextStepOfATaskIsByItsLastAct(t *testing.T) {
	n := NewIndex(sketch(t, "T01 p 0.25 [a; c]\n")).Find("T01")
	unverified := reported("a", "c")
	unverified[1].Problem = "unclear: the code only prints"
	for _, c := range []struct {
		act  Act
		want string
	}{
		{Act{}, ""}, {Act{Commit: "1", BlockReason: "no key"}, ""},
		{Act{Commit: "1", HasFailed: true}, "the last ACT of T01 (1) failed: commit «ADAPT: T01», which raises the failure_threshold of the task to 0.5 or more"},
		{done, "the last ACT of T01 (0123456789ab) left items out: commit an ADAPT"},
		{Act{Commit: "1", Items: reported("a", "c")}, "the last ACT of T01 (1) shows all items; to complete the task, run: acta plan complete T01 --commit"},
		{Act{Commit: "1", Items: unverified}, "the last ACT of T01 (1) did not show all items: commit an ADAPT with an observation of that ACT (git commit --only --allow-empty -m 'ADAPT: T01'"},
	} {
		if got, err := c.act.NextStep(t.Context(), n); err != nil || !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("got %q (%v), want %q", got, err, c.want)
		}
	}
}

func TestTurn(t *testing.T) {
	task := func(id, rest string) string { return `{"id": "` + id + `", "type": "atomic"` + rest + `}` }
	const complete, escalated = `, "status": "complete"`, `, "failure_threshold": 1.0`
	slice := func(id, rest, children string) string {
		return `{"id": "` + id + `", "type": "parent"` + rest + `, "children": [` + children + `]}`
	}
	for _, c := range []struct{ name, tree, taken, want string }{
		{"the first task", slice("R", "", task("A", "")+","+task("B", "")), "", "A"},
		{"complete ones are passed over", slice("R", "", task("A", complete)+","+task("B", "")), "", "B"},
		{"what others hold is passed over", slice("R", "", task("A", "")+","+task("B", "")), "A", "B"},
		{"a parent whose tasks others hold has no turn", slice("R", "", task("A", "")), "A", ""},
		{"a slice closes before the next one begins", slice("R", "", slice("S", "", task("A", complete))+","+slice("U", "", task("B", ""))), "", "S"},
		{"a slice that others hold", slice("R", "", slice("S", "", task("A", complete))+","+slice("U", "", task("B", ""))), "S", "U/B"},
		{"what has no children yet is to be planned", slice("R", "", slice("S", "", "")), "", "S"},
		{"the root at the end", slice("R", "", slice("S", complete, task("A", complete))), "", "R"},
		{"nothing is left", slice("R", complete, task("A", complete)), "", ""},
		{"an escalated task gives its parent the turn", slice("R", "", slice("S", "", task("A", escalated))+","+task("B", "")), "", "S"},
		{"but not before its siblings", slice("R", "", slice("S", "", task("A", escalated)+","+task("B", ""))), "", "S/B"},
		{"an escalated slice gives the root the turn", slice("R", "", slice("S", escalated, task("A", escalated))), "", "R"},
		{"an escalated root ends it", slice("R", escalated, slice("S", escalated, task("A", escalated))), "", ""},
		{"a dependency is waited for", slice("R", "", task("A", `, "depends_on": ["B"]`)+","+task("B", "")), "", "B"},
		{"and not closed over", slice("R", "", slice("S", `, "depends_on": ["B"]`, task("A", ""))+","+task("B", "")), "B", ""},
	} {
		root, err := Read([]byte(c.tree))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		got := ""
		if n := NextInLoop(root, func(key string) bool { return key != c.taken }); n != nil {
			got = n.Key
		}
		if got != c.want {
			t.Errorf("%s: %q has the turn, want %q", c.name, got, c.want)
		}
	}
	if n := NextInLoop(nil, nil); n != nil {
		t.Errorf("an empty plan gives %q the turn", n.Key)
	}
}
