package gate

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// meaning is the effect of a tool's option: narrows, forgives or asks; "" if unknown.
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

// options returns the demands in a check's arguments, and sets its ignoreReason.
func (k *check) options() (all []*demand) {
	many := map[string]int{}
	for i, w := range k.args {
		effect := meaning(k.name, w)
		name, value, ok := strings.Cut(w, "=")
		if !ok && i+1 < len(k.args) && !strings.HasPrefix(k.args[i+1], "-") && !optionRows.has("flag", w) {
			value = k.args[i+1]
		}
		if effect == "" || value == "false" && effect != "asks" || fits("left to others", name+" "+value) {
			continue
		}
		many[name]++
		d := &demand{kind: "drop", key: fmt.Sprint(name, " ", many[name]), weight: -1, place: k.place}
		d.text = strings.TrimSpace(name + " " + value)
		n, err := strconv.ParseFloat(value, 64)
		switch {
		case effect == "forgives":
			k.ignoreReason = cmp.Or(k.ignoreReason, d.text)
			continue
		case effect == "asks" && err != nil:
			d.kind, d.weight = "keep", 1
		case effect == "asks":
			if d.kind, d.key, d.text, d.weight = "min", name, value, n; strings.Contains(name, "max") {
				d.kind, d.weight = "max", -n
			}
		}
		all = append(all, d)
	}
	return append(all, k.targets()...)
}

const targetList = "targets"

// targets returns the targets of a check, "" for everything; nil if not all arguments are understood.
func (k *check) targets() (all []*demand) {
	for i, w := range k.args {
		last := k.args[max(i-1, 0)]
		isValue := i > 0 && strings.HasPrefix(last, "-") && !strings.Contains(last, "=") && !optionRows.has("flag", last)
		switch {
		case fits("no target", w), isValue && optionRows.has("valued", last):
		case isValue, fits("many", w), strings.HasPrefix(k.name, "script "):
			return nil
		default:
			all = append(all, &demand{kind: "look", key: targetList + folder(w), list: targetList, weight: 1, text: w,
				place: k.place})
		}
	}
	if all == nil {
		all = []*demand{{kind: "look", key: targetList, list: targetList, weight: 1, place: k.place}}
	}
	return all
}

// folder returns a target without the marks of a path and of everything below.
func folder(target string) string {
	return strings.TrimRight(strings.TrimPrefix(target, "./"), "/.")
}

// covers reports whether a check covers a target, "" for everything, as far as known.
func (k *check) covers(target string) bool {
	hasTargets := false
	for _, n := range k.demands {
		w, t := folder(n.text), folder(target)
		if hasTargets = hasTargets || n.list == targetList; n.list == targetList &&
			(w == "" || strings.HasPrefix(t+"/", w+"/") ||
				t == "" && !strings.ContainsAny(w, "/.:")) {
			return true
		}
	}
	return !hasTargets
}

// coversAllOf reports whether a check covers everything that another does, by options and targets.
func (k *check) coversAllOf(b *check) bool {
	for _, d := range k.demands {
		if other := b.byKey[d.key]; d.kind == "drop" && (other == nil || other.text != d.text) {
			return false
		}
	}
	hasTarget := false // of several targets
	for _, d := range b.demands {
		if hasTarget = hasTarget || d.list == targetList && d.text != ""; d.list == targetList && d.text != "" &&
			!k.covers(d.text) {
			return false
		}
	}
	return hasTarget || k.place.Path == b.place.Path || k.covers("")
}
