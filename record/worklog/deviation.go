package worklog

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/lease"
	"github.com/acta-git/acta/report"
)

// deviations sets the deviations of new checkpoints, for the unit in work; without one there are none. act is the ACT
// to be recorded, nil for none.
func (r *Recorder) deviations(ctx context.Context, now time.Time, before, add []Operation, act *judge.LandedPart) {
	if r.Repo == nil || !slices.ContainsFunc(add, func(o Operation) bool { return o.Action == Check }) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, planLimit)
	defer cancel()
	planPath, root, err := snapshot.Head(r.Repo).Plan(ctx)
	if err != nil || root == nil {
		return // the checkpoint is useful without them
	}
	x := plan.NewIndex(root)
	var unit *plan.Node
	if act != nil {
		unit = x.Find(act.Part.Unit.Value)
	} else {
		unit, _ = CurrentUnit(x, filepath.Dir(filepath.Dir(r.dir)), r.Actor, now)
	}
	if unit == nil {
		return
	}
	all := slices.Concat(before, add)
	for i := range add {
		if add[i].Action == Check {
			since := slices.DeleteFunc(editedFiles(all[:len(before)+i], Check), func(f string) bool { return f == planPath })
			add[i].Details.Deviations = outsideFiles(unit, since)
			if act != nil && add[i].Details.Phase == phaseExecution {
				add[i].Details.Deviations = append(add[i].Details.Deviations, openItems(unit, act.Verdicts)...)
			}
		}
	}
}

func outsideFiles(unit *plan.Node, files []string) (all []string) {
	scope := unit.Scope()
	for _, file := range files {
		if len(scope) > 0 && plan.InScope(scope, file) == "" {
			all = append(all, fmt.Sprintf("%s: outside of the paths of %s", file, unit.Key))
		}
	}
	return all
}

func openItems(unit *plan.Node, reported []report.ClaimVerdict) (all []string) {
	for _, v := range reported {
		if v.Status != string(parser.Done) && v.Status != rules.StatusRan {
			all = append(all, fmt.Sprintf("%s: «%s»: %s", unit.Key, report.OneLine(v.Item), v.Status))
		}
	}
	return all
}

// planLimit bounds how long a checkpoint reads the plan: others may wait to add entries.
const planLimit = 500 * time.Millisecond

// CurrentUnit is the one open task that an actor has leased, else the only one in progress that nobody else holds; nil
// if there is no single one.
func CurrentUnit(x *plan.Index, commonDir, actor string, now time.Time) (*plan.Node, error) {
	claims, err := lease.Read(commonDir)
	if err != nil {
		return nil, err
	}
	var leased, inProgress []*plan.Node
	for _, n := range x.Nodes {
		if !n.IsTask() || n.Status == plan.Complete {
			continue
		}
		held := claims.Holder(n.Key, now)
		if held != nil && actor != "" && held.Agent == actor && held.Unit == n.Key {
			leased = append(leased, n)
		}
		if n.Status == plan.InProgress && (held == nil || actor == "" || held.Agent == actor) {
			inProgress = append(inProgress, n)
		}
	}
	if len(leased) == 0 {
		leased = inProgress
	}
	if len(leased) != 1 {
		return nil, nil
	}
	return leased[0], nil
}

// editedFiles are the files edited since the last entry of an action, sorted, without duplicates.
func editedFiles(entries []Operation, since Action) []string {
	var files []string
	for i := len(entries) - 1; i >= 0 && entries[i].Action != since; i-- {
		if isEdit(&entries[i]) {
			files = append(files, entries[i].Details.Files...)
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}
