package gate

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// meaning is what an option means to a tool: narrows, forgives or asks, "" where nothing is known of it.
func meaning(tool, option string) string {
	name, _, _ := strings.Cut(option, "=")
	name, _, _ = strings.Cut(name, ":")
	for _, row := range optionRows() {
		tools := strings.Split(strings.ReplaceAll(row[1], ":", " "), ",")
		if row[0] != "flag" && row[0] != "valued" && strings.HasPrefix(option, "-") &&
			(row[1] == "-" || slices.Contains(tools, tool) || strings.HasPrefix(tool, tools[0]+" ")) &&
			(slices.Contains(row[2:], option) || slices.Contains(row[2:], name)) {
			return row[0]
		}
	}
	return ""
}

// options are the demands of the words that a check is given; an option that forgives it is noted with it.
func (k *check) options() (all []demand) {
	many := map[string]int{}
	for i, w := range k.args {
		means := meaning(k.name, w)
		name, value, ok := strings.Cut(w, "=")
		if !ok && i+1 < len(k.args) && !strings.HasPrefix(k.args[i+1], "-") && !optionRows.has("flag", w) {
			value = k.args[i+1]
		}
		if means == "" || value == "false" && means != "asks" || fits("left to others", name+" "+value) {
			continue
		}
		many[name]++
		d := demand{way: "drop", key: fmt.Sprint(name, " ", many[name]), weight: -1, at: k.at}
		d.text = strings.TrimSpace(name + " " + value)
		n, err := strconv.ParseFloat(value, 64)
		switch {
		case means == "forgives":
			k.forgiven = cmp.Or(k.forgiven, d.text)
			continue
		case means == "asks" && err != nil:
			d.way, d.weight = "keep", 1
		case means == "asks":
			if d.way, d.key, d.text, d.weight = "min", name, value, n; strings.Contains(name, "max") {
				d.way, d.weight = "max", -n
			}
		}
		all = append(all, d)
	}
	return append(all, k.targets()...)
}

// looked is the list of what a check is told to look at.
const looked = "targets"

// targets are what a check is told to look at, "" where that is all; nil where not all of its words are known.
func (k *check) targets() (all []demand) {
	for i, w := range k.args {
		last := k.args[max(i-1, 0)]
		of := i > 0 && strings.HasPrefix(last, "-") && !strings.Contains(last, "=") && !optionRows.has("flag", last)
		switch {
		case fits("no target", w), of && optionRows.has("valued", last):
		case of, fits("many", w), strings.HasPrefix(k.name, "script "):
			return nil
		default:
			all = append(all, demand{way: "look", key: looked + folder(w), list: looked, weight: 1, text: w, at: k.at})
		}
	}
	if all == nil {
		all = []demand{{way: "look", key: looked, list: looked, weight: 1, at: k.at}}
	}
	return all
}

// folder is a target without what says that it is a path, and all below it.
func folder(target string) string {
	return strings.TrimRight(strings.TrimPrefix(target, "./"), "/.")
}

// covers reports whether a check looks at a target, "" for all, as far as is known.
func (k *check) covers(target string) bool {
	known := false
	for _, n := range k.demands {
		w, t := folder(n.text), folder(target)
		if known = known || n.list == looked; n.list == looked && (w == "" || strings.HasPrefix(t+"/", w+"/") ||
			t == "" && !strings.ContainsAny(w, "/.:")) {
			return true
		}
	}
	return !known
}

// looksAt reports whether a check looks at all that another one does, as far as its options and targets tell.
func (k *check) looksAt(b *check) bool {
	for _, d := range k.demands {
		if of := b.demand(d.key); d.way == "drop" && (of == nil || of.text != d.text) {
			return false
		}
	}
	one := false // of several targets
	for _, d := range b.demands {
		if one = one || d.list == looked && d.text != ""; d.list == looked && d.text != "" && !k.covers(d.text) {
			return false
		}
	}
	return one || k.at.Path == b.at.Path || k.covers("")
}
