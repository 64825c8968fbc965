package lease

import (
	"fmt"
	"time"

	"github.com/acta-git/acta/plan"
)

// OwnTask is the first open task of a plan that an actor holds; nil for none.
func (l Leases) OwnTask(root *plan.Unit, actor string, now time.Time) *plan.Node {
	for _, n := range plan.NewIndex(root).Nodes {
		if h := l.Holder(n.Key, now); actor != "" && h != nil && h.Agent == actor && n.Acts() && n.Status != plan.Complete {
			return n
		}
	}
	return nil
}

// NextTask is the task of a plan that an actor may take now: plan.Next, past what
// others hold. Where there is none it is nil, and why says what the open tasks wait for.
func (l Leases) NextTask(root *plan.Unit, actor string, now time.Time) (task *plan.Node, why string) {
	free := func(key string) bool {
		h := l.Holder(key, now)
		return h == nil || h.Agent == actor
	}
	if task = plan.Next(root, free); task != nil {
		return task, ""
	}
	var open, escalated, held int
	for _, n := range plan.NewIndex(root).Nodes {
		if !n.Acts() || n.Status == plan.Complete {
			continue
		}
		open++
		if n.FailureThreshold >= plan.Escalated {
			escalated++
		} else if !free(n.Key) {
			held++
		}
	}
	if open == 0 {
		return nil, "no task is open"
	}
	return nil, fmt.Sprintf("no task can be taken: of %d that are open %d are escalated, %d are held by others, and %d "+
		"wait for others to be complete",
		open, escalated, held, open-escalated-held)
}
