package worklog

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/history"
	"github.com/acta-git/acta/lease"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/snapshot"
)

// deviations fills in those of the checkpoints among entries that are about to be recorded, for the unit in work. Where
// no unit is known to be in work, there are none. act is the ACT that is about to be recorded, nil where there is none.
func (r *Recorder) deviations(ctx context.Context, now time.Time, before, add []Operation, act *history.Landed) {
	if r.Repo == nil || !slices.ContainsFunc(add, func(o Operation) bool { return o.Action == Check }) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, planLimit)
	defer cancel()
	planPath, root, err := snapshot.Head(r.Repo).Plan(ctx)
	if err != nil || root == nil {
		return // the checkpoint is worth something without them
	}
	unit := r.inWork(plan.NewIndex(root), act, now)
	if unit == nil {
		return
	}
	all := slices.Concat(before, add)
	for i := range add {
		if add[i].Action == Check {
			since := slices.DeleteFunc(touched(all[:len(before)+i], Check), func(f string) bool { return f == planPath })
			add[i].Details.Deviations = outside(unit, since)
			if act != nil && add[i].Details.Phase == phaseExecution {
				add[i].Details.Deviations = append(add[i].Details.Deviations, open(unit, act.Verdicts)...)
			}
		}
	}
}

// outside are the files that do not fit the paths of a unit.
func outside(unit *plan.Node, files []string) (all []string) {
	scope := unit.Scope()
	for _, file := range files {
		if len(scope) > 0 && plan.InScope(scope, file) == "" {
			all = append(all, fmt.Sprintf("%s: outside of the paths of %s", file, unit.Key))
		}
	}
	return all
}

// open are the items that an ACT of a unit does not report as done.
func open(unit *plan.Node, reported []diag.ClaimVerdict) (all []string) {
	for _, v := range reported {
		if v.Status != string(parser.Done) && v.Status != check.StatusRan {
			all = append(all, fmt.Sprintf("%s: «%s»: %s", unit.Key, diag.OneLine(v.Item), v.Status))
		}
	}
	return all
}

// planLimit bounds how long a checkpoint waits for the plan: others may wait to add to the session.
const planLimit = 500 * time.Millisecond

// inWork is the unit that an ACT is of, else the one that the session's actor holds, else the only one in progress.
func (r *Recorder) inWork(x *plan.Index, act *history.Landed, now time.Time) *plan.Node {
	if act != nil {
		return x.Find(act.Part.Unit.Value)
	}
	claims, err := lease.Read(filepath.Dir(filepath.Dir(r.dir)))
	if err != nil {
		return nil
	}
	var held, begun []*plan.Node
	for _, n := range x.Nodes {
		if !n.Acts() || n.Status == plan.Complete {
			continue
		}
		if h := claims.Holder(n.Key, now); h != nil && r.Actor != "" && h.Agent == r.Actor {
			held = append(held, n)
		}
		if n.Status == plan.InProgress {
			begun = append(begun, n)
		}
	}
	switch {
	case len(held) == 1:
		return held[0]
	case len(held) == 0 && len(begun) == 1:
		return begun[0]
	}
	return nil
}

// touched are the files that were edited since the last entry of an action, each once, sorted.
func touched(entries []Operation, since Action) []string {
	var files []string
	for i := len(entries) - 1; i >= 0 && entries[i].Action != since; i-- {
		if isEdit(&entries[i]) {
			files = append(files, entries[i].Details.Files...)
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}
