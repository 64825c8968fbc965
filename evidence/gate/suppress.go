package gate

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

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
