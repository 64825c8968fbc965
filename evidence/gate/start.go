package gate

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// startOf reads what starts a workflow by a change of the code, and what keeps it from that. any: something does.
func startOf(f *source, on *value) (start check, any bool) {
	start = check{kind: starts, name: base(f.path), at: f.place(1, 1)}
	events := on.all()
	for _, name := range on.list() {
		events = append(events, field{name.text, name.line, &value{line: name.line, end: name.line}})
	}
	for _, e := range events {
		if !fits("code event", e.key) || e.at("tags") != nil && e.at("branches") == nil && e.at("branches-ignore") == nil {
			continue // tags alone: a release
		}
		any = true
		d := demand{way: "keep", key: e.key, weight: 1, text: e.key, at: f.place(e.line, e.end)}
		if len(e.fields) > 0 {
			d.text += " of some code"
		}
		start.demands = append(start.demands, d)
		for _, filter := range e.fields {
			for _, text := range filter.leaves() {
				key := e.key + "/" + filter.key
				start.demands = append(start.demands, demand{way: "drop", key: key + "/" + text, list: key, weight: -1,
					text: e.key + ": " + filter.key + ": " + text, at: d.at})
			}
		}
	}
	return start, any
}

// leaves are what a filter of an event leaves out of what is built: patterns of paths or branches, or all but a few.
func (k field) leaves() []string {
	all := k.texts()
	few := true
	switch k.key {
	case "paths-ignore":
		return slices.DeleteFunc(all, func(p string) bool { return fits("prose", p) })
	case "branches-ignore":
		return slices.DeleteFunc(all, func(p string) bool { return !fits("main branch", p) })
	case "paths":
		few = !slices.ContainsFunc(all, func(p string) bool { return fits("broad", p) })
	case "branches":
		for _, p := range all { // the last one that matches decides
			pattern, not := strings.CutPrefix(p, "!")
			if fits("main branch", pattern) || doublestar.MatchUnvalidated(pattern, "main") {
				few = not
			}
		}
	case "types":
		few = !slices.Contains(all, "synchronize")
	default:
		return nil
	}
	if few && len(all) > 0 {
		return []string{strings.Join(all, ", ")}
	}
	return nil
}
