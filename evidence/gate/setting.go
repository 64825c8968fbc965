package gate

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/parser/shell"
	"github.com/bmatcuk/doublestar/v4"
)

// demandLines returns the rows of demands.txt for a tool: kind and patterns.
func demandLines(tool string) (all [][]string) {
	for _, row := range demandRows() {
		if slices.Contains(strings.Split(row[0], ","), tool) {
			all = append(all, row[1:])
		}
	}
	return all
}

func isListedTool(list, tool string) bool {
	return slices.ContainsFunc(demandLines(tool), func(line []string) bool { return line[0] == list })
}

// settings adds the settings in a file; each table of them is a check.
func (f *source) settings() {
	var root *value
	for _, row := range settingRowsOf(f.path) {
		if root == nil {
			root = f.parse()
		}
		section := root
		if row[1] != "-" {
			section = root.at(strings.Split(row[1], "/")...)
		}
		if section != nil {
			r := settingReader{f: f, lines: demandLines(row[0]),
				check: check{kind: settings, name: row[0], args: row[1:2], place: f.place(section.line, section.end)}}
			r.walk(section, "", 0)
			f.checks = append(f.checks, &r.check)
		}
	}
}

type settingReader struct {
	check
	f     *source
	lines [][]string
}

// maxSettings bounds how many settings of a file are compared.
const maxSettings = 5000

func (r *settingReader) walk(v *value, key string, depth int) {
	if len(r.demands) > maxSettings || depth > maxDepth {
		return
	}
	for _, k := range v.fields {
		name := strings.TrimPrefix(key+"/"+strings.ReplaceAll(k.key, "/", "|"), "/")
		r.add(name, k)
		r.walk(k.value, name, depth+1)
	}
	for _, item := range v.items { // an entry may have a name
		name := "-"
		for _, nameKey := range []string{"type", "id", "name", "files", "module"} {
			if of := item.at(nameKey).texts(); of != nil {
				name = strings.ReplaceAll(strings.Join(of, ""), "/", "|")
			}
		}
		r.walk(item, strings.TrimPrefix(key+"/"+name, "/"), depth+1)
	}
}

// add adds the demands of a key, by the first line that matches it.
func (r *settingReader) add(key string, k field) {
	i := slices.IndexFunc(r.lines, func(line []string) bool {
		return slices.ContainsFunc(line[1:], func(p string) bool { return doublestar.MatchUnvalidated(p, key) })
	})
	if i < 0 {
		return
	}
	w, sample, _ := strings.Cut(r.lines[i][0], ":")
	d := &demand{kind: demandKind(w), key: key, place: r.f.place(k.line, min(k.end, k.line+4))}
	entries := r.entries(k.value, key)
	switch w {
	case "keep", "drop":
		weight := map[string]float64{"keep": 1, "drop": -1}[w]
		for _, e := range entries {
			r.demands = append(r.demands, &demand{d.kind, key + "\x00" + e.text, key, weight, e.text, r.f.place(e.line, e.line)})
		}
		return
	case "args": // arguments of the tool
		for _, text := range k.list() {
			line := r.name + " " + strings.ReplaceAll(text.text, "\n", " ")
			for _, run := range readScript(line, shell.Mode{}) {
				of := check{unit: "settings", needsCaller: true, place: r.f.place(text.line, text.end)}
				r.f.put([]*check{{tool: tools()[r.name], name: r.name + " …", args: run.Words[1:]}}, of)
			}
		}
		return
	case "takes": // a pattern, or a prefix
		d.text = strings.Join(k.texts(), " ")
		if slices.ContainsFunc(entries, func(e *value) bool {
			return doublestar.MatchUnvalidated(path.Base(e.text), sample) || strings.HasPrefix(sample, e.text)
		}) {
			d.weight = 1
		}
	default:
		var ok bool
		if d.weight, d.text, ok = weightOf(d.kind, k.value); !ok {
			return
		}
	}
	r.demands = append(r.demands, d)
}

// entries returns the entries of a list: its items, or parts between commas and, for some tools, blanks.
func (r *settingReader) entries(v *value, key string) (all []*value) {
	blanks := slices.Contains([]string{"pytest", "flake8", "coverage"}, r.name) && key != "per-file-ignores"
	for _, t := range v.list() {
		if len(t.fields) > 0 { // a rule of golangci, an error of phpstan
			var parts []string
			for _, k := range t.fields {
				parts = append(parts, k.key+": "+strings.Join(k.texts(), " "))
			}
			all = append(all, &value{text: strings.Join(parts, " "), line: t.line})
			continue
		}
		for _, part := range strings.FieldsFunc(t.text, func(r rune) bool {
			return strings.ContainsRune(",;\n", r) || blanks && unicode.IsSpace(r)
		}) {
			if part = strings.TrimSpace(part); part != "" && (!blanks || part[0] != '#') {
				all = append(all, &value{text: part, line: t.line})
			}
		}
	}
	return all
}

var severities = map[string]float64{"off": 0, "0": 0, "none": 0, "false": 0, "allow": 0, "silent": 0, "ignore": 0,
	"null": 0, "pending": 0, "disable": 0, "enable": 3,
	"information": 1, "hint": 1, "info": 1, "suggestion": 1, "warn": 2, "warning": 2, "1": 2,
	"basic": 2, "standard": 2.5, "error": 3, "2": 3, "true": 3, "deny": 3, "forbid": 3, "strict": 3, "on": 3, "always": 3}

// weightOf returns the weight of a value and its text; ok is false if the weight is unknown.
func weightOf(kind demandKind, v *value) (weight float64, text string, ok bool) {
	if text = v.text; text == "" {
		text = strings.Join(append([]string{v.str("level") + v.str("severity")}, v.texts()...), "\n")
		text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	}
	lower := strings.ToLower(strings.TrimSpace(text))
	switch kind {
	case "on", "off":
		if fits("true", lower) == (kind == "on") {
			weight = 1
		}
		return weight, text, fits("true", lower) || fits("false", lower)
	case "rule":
		weight, ok = severities[lower]
		return weight, text, ok
	}
	weight, err := strconv.ParseFloat(patternOf("number").FindString(lower), 64)
	if kind == "max" {
		weight = -weight
	}
	return weight, text, err == nil && !math.IsNaN(weight)
}

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

// compareSuppressions reports new suppressions in existing code, net over all sources of one kind: code may move with
// its own. Changed checkers excuse them.
func (c *comparison) compareSuppressions() {
	checkers := func(of string) bool {
		return slices.ContainsFunc(c.files, func(f file) bool {
			return f.path != of && IsManifest(f.path) && string(f.before) != string(f.after)
		})
	}
	grown, by := map[string]int{}, map[string]int{}
	for _, f := range c.files {
		if p := suppressionPattern(f.path); p.IsSet() && f.before != nil {
			by[f.path] = len(p.FindAllIndex(f.after)) - len(p.FindAllIndex(f.before))
			grown[path.Ext(f.path)] += by[f.path]
		}
	}
	for _, f := range c.files {
		if f.after != nil && by[f.path] > 0 && grown[path.Ext(f.path)] > 0 && !fits("tests", f.path) &&
			!fits("made source", f.path) && !checkers(f.path) {
			c.addSuppression(&f, suppressionPattern(f.path))
		}
	}
}

// addSuppression reports the first new suppression in the existing code of a source. It reports none if all say what
// they are for and the code changes too, or if one for many lines is gone.
func (c *comparison) addSuppression(f *file, p lang.Pattern) {
	after := &source{path: f.path, lines: strings.Split(string(f.after), "\n")}
	// suppressed lines, and all lines without suppressions
	had, oldLines, newLines := map[string]int{}, map[string]int{}, map[string]int{}
	for line := range strings.Lines(string(f.before)) {
		code, suppression := splitSuppression(p, line)
		oldLines[code]++
		if suppression != "" {
			had[strings.TrimSpace(line)]++
		}
	}
	first, named, inTests := -1, true, false
	for i, line := range after.lines {
		code, suppression := splitSuppression(p, line)
		newLines[code]++
		inTests = (inTests || i > 0 && fits("test module", after.lines[i-1]+"\n"+line)) && line != "}"
		if key := strings.TrimSpace(line); suppression == "" || had[key] > 0 {
			had[key]--
			continue
		}
		named = named && fits("says what", suppression)
		for k := i + 1; len(code) <= len("//") && k < len(after.lines); k++ { // neither blank nor a bare comment
			code, _ = splitSuppression(p, after.lines[k])
		}
		if first < 0 && !inTests && !fits("never run", code) && (fits("whole file", line) || oldLines[code] > 0) {
			first = i
		}
	}
	delete(oldLines, "")
	delete(newLines, "")
	changes, narrowed := !maps.Equal(oldLines, newLines), false
	for line, n := range had {
		narrowed = narrowed || n > 0 && fits("many lines", line)
	}
	if first < 0 || named && changes || narrowed && !fits("many lines", after.lines[first]) {
		return
	}
	line := after.lines[first]
	c.found = append(c.found, Loosening{change("suppression added", f.path+": "+p.FindString(line), Place{},
		after.place(first+1, 0), quote(line)+" suppresses checks of code"), changes})
}

func splitSuppression(p lang.Pattern, line string) (code, suppression string) {
	if at := p.FindIndex([]byte(line)); at != nil {
		suppression = line[at[0]:]
		line = strings.TrimRight(line[:at[0]], "/*# \t")
	}
	return strings.TrimSpace(line), suppression
}
