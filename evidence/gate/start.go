package gate

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

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
