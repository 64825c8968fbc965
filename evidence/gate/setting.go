package gate

import (
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/acta-git/acta/parser/shell"
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
