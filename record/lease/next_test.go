package lease

import (
	"testing"
	"time"

	"github.com/acta-git/acta/plan"
)

// root is a plan with a task that is done, one that is escalated, one in progress, and one that waits for it.
func root() *plan.Unit {
	return &plan.Unit{ID: "ROOT", Type: plan.Parent, Children: []*plan.Unit{
		{ID: "T01", Type: plan.Atomic, Status: plan.Complete},
		{ID: "T02", Type: plan.Atomic, Status: plan.Pending, FailureThreshold: plan.Escalated},
		{ID: "T03", Type: plan.Atomic, Status: plan.InProgress},
		{ID: "T04", Type: plan.Atomic, Status: plan.Pending, DependsOn: []string{"T03"}},
	}}
}

func TestNextTaskPassesByWhatOthersHold(t *testing.T) {
	past := when.Add(-time.Second)
	for _, c := range []struct {
		name   string
		leases Leases
		want   string
		why    string
	}{
		{"nobody holds any", nil, "T03", ""},
		{"the actor's own", Leases{"T03": {Agent: "a"}}, "T03", ""},
		{"lapsed", Leases{"T03": {Agent: "b", ExpiresAt: &past}}, "T03", ""},
		{"somebody else's", Leases{"T03": {Agent: "b"}}, "",
			"no task can be taken: of 3 open tasks, 1 are escalated, 1 are held by others, and 1 wait for other tasks"},
	} {
		task, why := c.leases.NextTask(root(), "a", when)
		got := ""
		if task != nil {
			got = task.Key
		}
		if got != c.want || why != c.why {
			t.Errorf("%s: got %q, %q; want %q, %q", c.name, got, why, c.want, c.why)
		}
	}
	done := root()
	done.Children = done.Children[:1]
	if task, why := (Leases{}).NextTask(done, "a", when); task != nil || why != "no task is open" {
		t.Errorf("all is done: %v, %q", task, why)
	}
}

func TestOwnTaskIsOpenAndHeldByWhoAsks(t *testing.T) {
	held := Leases{"T01": {Agent: "a"}, "T03": {Agent: "b"}, "T04": {Agent: "a"}}
	for actor, want := range map[string]string{"a": "T04", "b": "T03", "c": "", "": ""} {
		got := ""
		if n := held.HeldTask(root(), actor, when); n != nil {
			got = n.Key
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", actor, got, want)
		}
	}
}
