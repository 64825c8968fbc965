// Package gate compares two versions of the gates of a build: workflows and their scripts, test runners, linters, type
// checkers, coverage, hooks, and comments that suppress them. Each is read into rows of a table; two tables are
// compared, and what the later one weakens is reported.
//
// Paths and readers of two trees go in, Loosenings come out. It never imports packages of a higher floor, nor one that
// reads git.
package gate

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/report"
	"github.com/bmatcuk/doublestar/v4"
)

// Place is a place in one version of a file. The zero value is nowhere. Its text is at most a few lines.
type Place = report.TestPlace

// Loosening is one weakened gate, or test. Its message has no full stop.
type Loosening struct {
	report.TestChange
	// CodeChanged: it suppresses checks of a file whose code changes.
	CodeChanged bool
}

// Compare reports the gates that the later tree weakens, by path and line. paths are the changed ones. The error is
// that of a tree.
func Compare(ctx context.Context, paths []string, before, after *evidence.Tree) ([]Loosening, error) {
	c := comparison{Reads: &evidence.Reads{Ctx: ctx}, before: before, after: after}
	for _, path := range paths {
		if !MayBeGate(path) && (!suppressionPattern(path).IsSet() || fits("taken over", path)) {
			continue
		}
		f := file{path: path, before: c.Content(before, path), after: c.Content(after, path)}
		c.files = append(c.files, f)
		c.oldChecks, c.newChecks = append(c.oldChecks, readChecks(path, f.before)...),
			append(c.newChecks, readChecks(path, f.after)...)
	}
	c.diff()
	c.compareSuppressions()
	slices.SortStableFunc(c.found, func(a, b Loosening) int {
		x, y := cmp.Or(a.After, a.Before), cmp.Or(b.After, b.Before)
		return cmp.Or(cmp.Compare(x.Path, y.Path), cmp.Compare(x.Line, y.Line), cmp.Compare(a.Subject, b.Subject))
	})
	return slices.Compact(c.found), c.Err // YAML aliases repeat values
}

// MayBeGate reports whether a file may be part of a gate, by its path. Sources with suppressions do not count.
func MayBeGate(name string) bool {
	isPart := settingRowsOf(name) != nil || IsManifest(name)
	for pattern := range readers {
		isPart = isPart || fits(pattern, name)
	}
	return isPart && !fits("taken over", name)
}

// startOf reads the triggers of a workflow and their filters. hasTrigger: a change of the code starts it.
func startOf(f *source, on *value) (start *check, hasTrigger bool) {
	start = &check{kind: triggers, name: baseName(f.path), place: f.place(1, 1)}
	events := on.all()
	for _, name := range on.list() {
		events = append(events, field{name.text, name.line, &value{line: name.line, end: name.line}})
	}
	for _, e := range events {
		if !fits("code event", e.key) || e.at("tags") != nil && e.at("branches") == nil && e.at("branches-ignore") == nil {
			continue // tags alone: a release
		}
		hasTrigger = true
		d := &demand{kind: "keep", key: e.key, weight: 1, text: e.key, place: f.place(e.line, e.end)}
		if len(e.fields) > 0 {
			d.text += " of some code"
		}
		start.demands = append(start.demands, d)
		for _, filter := range e.fields {
			for _, text := range filter.exclusions() {
				key := e.key + "/" + filter.key
				start.demands = append(start.demands, &demand{kind: "drop", key: key + "/" + text, list: key, weight: -1,
					text: e.key + ": " + filter.key + ": " + text, place: d.place})
			}
		}
	}
	return start, hasTrigger
}

// exclusions returns what an event's filter excludes from builds: patterns of paths or branches, or all but a few.
func (k field) exclusions() []string {
	all := k.texts()
	isPartial := true
	switch k.key {
	case "paths-ignore":
		return slices.DeleteFunc(all, func(p string) bool { return fits("prose", p) })
	case "branches-ignore":
		return slices.DeleteFunc(all, func(p string) bool { return !fits("main branch", p) })
	case "paths":
		isPartial = !slices.ContainsFunc(all, func(p string) bool { return fits("broad", p) && !fits("prose", p) })
	case "branches":
		for _, p := range all { // the last one that matches decides
			pattern, not := strings.CutPrefix(p, "!")
			if fits("main branch", pattern) || doublestar.MatchUnvalidated(pattern, "main") {
				isPartial = not
			}
		}
	case "types":
		isPartial = !slices.Contains(all, "synchronize")
	default:
		return nil
	}
	if isPartial && len(all) > 0 {
		return []string{strings.Join(all, ", ")}
	}
	return nil
}
