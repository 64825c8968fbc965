package gate

import (
	_ "embed"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/shell"
)

//go:embed demands.txt
var demandsText string

// demandRows are the lines of demands.txt.
var demandRows = rowsOf(&demandsText)

// way is how a setting is compared: a word of demands.txt.
type way string

// demand is one setting of a tool: how much it asks.
type demand struct {
	tool string
	way  way
	// key is its path, and the entry where it is one of a list; weight how much it asks, the more the stricter.
	key    string
	list   string // the path of the list that it is an entry of
	weight float64
	text   string // as it is written
	at     Place
}

// demandLines are the rows for a tool, each the way and the patterns.
func demandLines(tool string) (all [][]string) {
	for _, row := range demandRows() {
		if slices.Contains(strings.Split(row[0], ","), tool) {
			all = append(all, row[1:])
		}
	}
	return all
}

// isNamed reports whether a line of demands.txt that names tools alone names one.
func isNamed(as, tool string) bool {
	return slices.ContainsFunc(demandLines(tool), func(line []string) bool { return line[0] == as })
}

// demands adds what the settings of a tool ask.
func (s *surface) demands(f *source, tool string, root *value) {
	if root == nil {
		return
	}
	d := demandReader{s: s, f: f, tool: tool, lines: demandLines(tool)}
	s.tools = append(s.tools, toolIn{tool, f.path})
	d.walk(root, "", 0)
}

type demandReader struct {
	s     *surface
	f     *source
	tool  string
	lines [][]string
	many  int
}

// maxDemands bounds how many settings of a file are compared.
const maxDemands = 5000

func (d *demandReader) walk(v *value, key string, deep int) {
	if d.many++; d.many > maxDemands || deep > maxDeep {
		return
	}
	for _, k := range v.fields {
		name := strings.ReplaceAll(k.key, "/", "|")
		if key != "" {
			name = key + "/" + name
		}
		if w := d.wayOf(name); w != "" {
			d.add(w, name, k)
		}
		if artifact := k.str("artifactId"); artifact != "" && key != "" {
			name += ":" + artifact
		}
		if k.key != "profiles" { // of Maven: who asks for one knows what is left out
			d.walk(k.value, name, deep+1)
		}
	}
	for _, item := range v.items { // an entry has a name of its own, or is one of the same
		name := "-"
		for _, own := range []string{"module", "files", "name", "id", "type"} {
			if at := item.at(own); at != nil {
				name = at.text
				for _, i := range at.items {
					name += i.text
				}
				break
			}
		}
		if item.fields != nil {
			d.walk(item, strings.TrimPrefix(key+"/"+strings.ReplaceAll(name, "/", "|"), "/"), deep+1)
		}
	}
}

func (d *demandReader) wayOf(key string) way {
	for _, line := range d.lines {
		for _, pattern := range line[1:] {
			if ok, err := doublestar.Match(pattern, key); ok && err == nil {
				return way(line[0])
			}
		}
	}
	return ""
}

// add adds the demand of a key, or that of each entry of its list.
func (d *demandReader) add(w way, key string, k field) {
	one := demand{tool: d.tool, way: w, key: key, text: k.text, at: d.f.place(k.line, min(k.end, k.line+shown))}
	switch w {
	case "keep", "drop":
		for _, e := range entries(k.value, d.blanks(key)) {
			of := one
			of.key, of.list, of.text, of.weight = key+"\x00"+e.text, key, e.text, 1
			of.at = d.f.place(e.line, e.line)
			if w == "drop" {
				of.weight = 0
			}
			d.s.demandsOf = append(d.s.demandsOf, of)
		}
		return
	case "args":
		for _, text := range append([]*value{k.value}, k.items...) {
			if text.text != "" && (k.items == nil || text != k.value) {
				d.s.arguments(d.f, d.tool, text)
			}
		}
		return
	}
	if section, all := strings.CutSuffix(key, "/100"); all && w == "min" && isTrue(k.text) { // of all that is counted
		for _, counted := range []string{"lines", "functions", "branches", "statements"} {
			of := one
			of.key, of.text, of.weight = section+"/"+counted, "100", 100
			d.s.demandsOf = append(d.s.demandsOf, of)
		}
		return
	}
	weight, ok := weigh(w, k.value)
	if !ok {
		return
	}
	if one.weight = weight; one.text == "" && len(k.items) > 0 {
		one.text = k.items[0].text
	}
	d.s.demandsOf = append(d.s.demandsOf, one)
}

// blanks reports whether blanks part the entries of a list.
func (d *demandReader) blanks(key string) bool {
	return (d.tool == "pytest" || d.tool == "flake8" || d.tool == "coverage") && key != "per-file-ignores"
}

// entries are the texts of a list: its items, the keys of a mapping, or what commas and blanks part in a text.
func entries(v *value, blanks bool) (all []*value) {
	var texts []*value
	switch {
	case v.items != nil:
		texts = v.items
	case v.text != "":
		texts = []*value{v}
	}
	for _, t := range texts {
		if t.text == "" && t.fields != nil { // a rule of golangci, an error of phpstan
			var parts []string
			for _, k := range t.fields {
				parts = append(parts, k.key+": "+k.text)
				for _, i := range k.items {
					parts = append(parts, i.text)
				}
			}
			all = append(all, &value{text: strings.Join(parts, " "), line: t.line})
			continue
		}
		for _, part := range strings.FieldsFunc(t.text, func(r rune) bool {
			return strings.ContainsRune(",;\n", r) || blanks && unicode.IsSpace(r)
		}) {
			if part = strings.TrimSpace(part); part != "" && !strings.HasPrefix(part, "$(") && (!blanks || part[0] != '#') {
				all = append(all, &value{text: part, line: t.line})
			}
		}
	}
	return all
}

// severities are the words for how much a rule asks.
var severities = map[string]float64{"off": 0, "0": 0, "none": 0, "false": 0, "allow": 0, "silent": 0, "ignore": 0,
	"null": 0, "pending": 0, "disable": 0, "enable": 3,
	"information": 1, "hint": 1, "info": 1, "suggestion": 1, "warn": 2, "warning": 2, "1": 2,
	"basic": 2, "standard": 2.5, "error": 3, "2": 3, "true": 3, "deny": 3, "forbid": 3, "strict": 3, "on": 3, "always": 3}

var number = lang.Lazy(`^-?\d+(\.\d+)?`)

// weigh is how much a value asks; ok: that can be told.
func weigh(w way, v *value) (weight float64, ok bool) {
	text := strings.ToLower(strings.TrimSpace(v.text))
	switch w {
	case "on", "off":
		if !isTrue(text) && !isFalse(text) {
			return 0, false
		}
		if isTrue(text) == (w == "on") {
			return 1, true
		}
		return 0, true
	case "rule":
		if v.text == "" && len(v.items) > 0 {
			text = strings.ToLower(v.items[0].text)
		}
		for _, key := range []string{"level", "severity"} {
			if v.str(key) != "" {
				text = strings.ToLower(v.str(key))
			}
		}
		weight, ok = severities[text]
		return weight, ok
	}
	n := number.FindString(text)
	if text == "max" {
		n = "1000"
	}
	weight, err := strconv.ParseFloat(n, 64)
	if w == "max" {
		weight = -weight
	}
	return weight, err == nil && !math.IsNaN(weight)
}

// inSettings is the unit of what a tool is told by its configuration.
const inSettings = "settings"

// arguments adds a tool as a check of the arguments that its configuration gives it.
func (s *surface) arguments(f *source, tool string, v *value) {
	for _, r := range readScript(tool+" "+strings.ReplaceAll(v.text, "\n", " "), shell.Mode{}) {
		s.checks = append(s.checks, check{tool: known()[tool], name: tool + " …", args: r.Words[1:],
			unit: inSettings, called: true, at: f.place(v.line, v.end)})
	}
}
