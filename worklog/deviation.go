package worklog

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/history"
	"github.com/acta-git/acta/lease"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/snapshot"
)

// deviationCheck tells what of a session's work is other than the plan says, for the unit in work.
type deviationCheck struct {
	unit *plan.Node
	// planPath is the plan's file, which no item has to name.
	planPath string
	// act is the ACT that is about to be recorded, nil where there is none yet.
	act *history.Landed
	// lastAct is the unit's last ACT before that, nil for none.
	lastAct *Operation
}

// deviations fills in those of the checkpoints among entries that are about to be recorded. Where no unit is known
// to be in work, or its items do not say where the work is, there are none.
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
	d, x := deviationCheck{planPath: planPath, act: act}, plan.NewIndex(root)
	if d.unit = r.inWork(x, act, now); d.unit == nil {
		return
	}
	all := slices.Concat(before, add)
	for i := range add {
		if add[i].Action == Check {
			d.lastAct = r.lastAct(ctx, all[:len(before)+i], x, d.unit)
			add[i].Details.Deviations = d.find(all[:len(before)+i], add[i].Details.Phase)
		}
	}
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

// lastAct is the last ACT of a unit among entries, nil for none. One before an ADAPT that reopened the unit is of an
// earlier attempt.
func (r *Recorder) lastAct(ctx context.Context, entries []Operation, x *plan.Index, unit *plan.Node) *Operation {
	var adapts []string
	for i := len(entries) - 1; i >= 0; i-- {
		e := &entries[i]
		switch {
		case e.Action == AdaptDone && e.Details.Commit != "":
			adapts = append(adapts, e.Details.Commit)
		case e.Action == ActDone && e.Details.Unit != "" && x.Find(e.Details.Unit) == unit:
			for _, commit := range adapts {
				// Where that cannot be read the ACT counts: nobody is told of a deviation that may be none.
				if reopens, err := history.Reopens(ctx, r.Repo, commit, unit.Key); err == nil && reopens {
					return nil
				}
			}
			return e
		}
	}
	return nil
}

// find are the deviations at the end of a phase, of what was recorded until then.
func (d *deviationCheck) find(entries []Operation, phase string) []string {
	since, cycle := touched(entries, Check), touched(entries, ActDone)
	var all []string
	if places, ok := d.places(); ok {
		for _, file := range since {
			if file != d.planPath && !slices.ContainsFunc(places, func(p string) bool { return isAt(file, p) }) {
				all = append(all, fmt.Sprintf("%s: no item of %s names it", file, d.unit.Key))
			}
		}
	}
	if phase == phaseExecution {
		if d.act != nil {
			cycle = append(cycle, d.act.Files...)
		}
		if d.lastAct != nil {
			cycle = append(cycle, d.lastAct.Details.Files...)
		}
		for _, item := range d.unit.Checklist {
			if names := d.untouched(item.Text, cycle); names != "" {
				all = append(all, fmt.Sprintf("%s: «%s»: %s was not touched", d.unit.Key, diag.OneLine(item.Text), names))
			}
		}
	}
	return all
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

// places are the files that the unit's items name, or that its ACT cites for them. ok is false
// where an item says nothing of the kind: any file may be for it.
func (d *deviationCheck) places() (places []string, ok bool) {
	for _, item := range d.unit.Checklist {
		at := append(filesIn(item.Text), d.cited(item.Text)...)
		if len(at) == 0 && !d.isReportedOpen(item.Text) {
			return nil, false
		}
		places = append(places, at...)
	}
	ok = len(places) > 0
	if d.lastAct != nil { // what it brought was for the unit
		places = append(places, d.lastAct.Details.Files...)
	}
	return append(places, filesIn(d.unit.Description)...), ok
}

// untouched is the files that an item names where none of them was touched, "" where it names none or one was.
func (d *deviationCheck) untouched(item string, files []string) string {
	names := filesIn(item)
	if len(names) == 0 || d.isReportedOpen(item) || d.wasDone(item) {
		return ""
	}
	for _, file := range files {
		if slices.ContainsFunc(names, func(n string) bool { return isAt(file, n) }) {
			return ""
		}
	}
	return strings.Join(names, ", ")
}

// isReportedOpen reports whether the ACT says that an item was not done.
func (d *deviationCheck) isReportedOpen(item string) bool {
	return d.act != nil && slices.ContainsFunc(d.act.Verdicts, func(v diag.ClaimVerdict) bool {
		return v.Status != string(parser.Done) && plan.ItemKey(v.Item) == plan.ItemKey(item)
	})
}

// wasDone reports whether the unit's last ACT had done an item already, with evidence that was not refused, or
// skipped it.
func (d *deviationCheck) wasDone(item string) bool {
	return d.lastAct != nil && slices.ContainsFunc(d.lastAct.Details.Claims, func(c ClaimOutcome) bool {
		return c.Verdict != diag.NotVerified.String() && plan.ItemKey(c.Item) == plan.ItemKey(item)
	})
}

// cited are the paths that the ACT cites for an item.
func (d *deviationCheck) cited(item string) []string {
	if d.act == nil {
		return nil
	}
	var paths []string
	for _, v := range d.act.Verdicts {
		if plan.ItemKey(v.Item) != plan.ItemKey(item) {
			continue
		}
		for _, e := range parser.ParseEvidence(v.Evidence, diag.Pos{}) {
			if e.Path != "" {
				paths = append(paths, e.Path)
			}
		}
	}
	return paths
}

// filesIn are the files and folders that a text surely names.
func filesIn(text string) []string {
	var files []string
	for _, n := range evidence.Names(text) {
		if n.File && n.Sure {
			files = append(files, strings.TrimPrefix(n.Text, "./"))
		}
	}
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n`\"'«»(),;", r) }) {
		// A folder (src/, src/auth/), or files (docs/*.md).
		if strings.Contains(w, "/") && !strings.Contains(w, "://") &&
			(strings.HasSuffix(w, "/") || strings.Contains(w, "*")) {
			files = append(files, strings.TrimPrefix(w, "./"))
		}
	}
	return files
}

// isAt reports whether a file is one that a name means: itself, with or without its
// folders, below the folder, or of the pattern.
func isAt(file, name string) bool {
	switch {
	case strings.HasSuffix(name, "/"):
		return strings.HasPrefix(file, name) || strings.Contains(file, "/"+name)
	case strings.Contains(name, "*"):
		return matchesWildcard(name, file) || matchesWildcard("*/"+name, file)
	}
	return file == name || strings.HasSuffix(file, "/"+name) || !strings.Contains(name, "/") && path.Base(file) == name
}
