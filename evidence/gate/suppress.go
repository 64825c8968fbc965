package gate

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// suppressions reports those that came to code that stands, net over all sources of one kind: code moves with its own.
func (c *comparison) suppressions() {
	grown, by := map[string]int{}, map[string]int{}
	for _, f := range c.files {
		if p := suppressed(f.path); p.IsSet() && f.before != nil {
			start, end := syntax.SharedLines(f.before, f.after)
			by[f.path] = count(p, f.after[start:len(f.after)-end]) - count(p, f.before[start:len(f.before)-end])
			grown[path.Ext(f.path)] += by[f.path]
		}
	}
	for _, f := range c.files {
		if f.after != nil && by[f.path] > 0 && grown[path.Ext(f.path)] > 0 {
			c.suppressedIn(&f, suppressed(f.path))
		}
	}
}

// count is how many lines of a source match a pattern.
func count(p lang.Pattern, src []byte) (n int) {
	for line := range strings.Lines(string(src)) {
		if p.MatchString(line) {
			n++
		}
	}
	return n
}

// suppressedIn reports the suppressions that one source got: the first that stands on code that stood, or the first.
func (c *comparison) suppressedIn(f *file, p lang.Pattern) {
	before := strings.Split(string(f.before), "\n")
	after := &source{f.path, f.after, strings.Split(string(f.after), "\n")}
	had, stood := map[string]int{}, map[string]int{}
	for _, line := range before {
		of, suppression := parted(p, line)
		if suppression != "" {
			had[strings.TrimSpace(line)]++
		}
		stood[of]++
	}
	left := maps.Clone(stood)
	first, standing, named, inTests := 0, 0, true, false
	for i, line := range after.lines {
		of, suppression := parted(p, line)
		left[of]--
		inTests = (inTests || i > 0 && fits("test module", after.lines[i-1]+"\n"+line)) && line != "}"
		key := strings.TrimSpace(line)
		if suppression == "" || had[key] > 0 {
			had[key]--
			continue
		}
		named = named && fits("says what", suppression)
		if inTests || fits("never run", of) {
			continue
		}
		for k := i + 1; len(of) <= len("//") && k < len(after.lines); k++ { // neither blank nor a bare comment
			of, _ = parted(p, after.lines[k])
		}
		on := fits("whole file", line) || len(of) > len("//") && stood[of] > 0
		if on {
			standing++
		}
		if first == 0 || on && standing == 1 {
			first = i + 1
		}
	}
	narrowed := slices.ContainsFunc(before, func(s string) bool {
		return fits("many lines", s) && had[strings.TrimSpace(s)] > 0
	})
	if first == 0 || standing == 0 && named || narrowed && !fits("many lines", after.lines[first-1]) {
		return
	}
	delete(left, "")
	changes := slices.ContainsFunc(slices.Collect(maps.Values(left)), func(n int) bool { return n != 0 })
	line := after.lines[first-1]
	c.found = append(c.found, Loosening{Form: "suppression added", Subject: f.path + ": " + p.FindString(line),
		After: after.place(first, first), Message: quote(line) + " suppresses what is asked of code",
		Excuse: c.whySuppressed(f.path, standing, named && changes), CodeChanged: changes})
}

// parted are a line without its suppression and without blanks around it, and the suppression; "" for none.
func parted(p lang.Pattern, line string) (code, suppression string) {
	if at := p.FindIndex([]byte(line)); at != nil {
		suppression = line[at[0]:]
		line = strings.TrimRight(line[:at[0]], "/*# \t")
	}
	return strings.TrimSpace(line), suppression
}

// whySuppressed says why a source may suppress more. named: each says what it is for, and the code changes with it.
func (c *comparison) whySuppressed(name string, standing int, named bool) string {
	switch {
	case standing == 0:
		return "it comes with code that is new or changed"
	case named:
		return "it names what it suppresses, in a file whose code changes"
	case fits("tests", name):
		return "it is for tests alone"
	case fits("made source", name):
		return "what it is in is made or taken over"
	}
	for _, f := range c.files {
		if f.path != name && isManifest(f.path) && string(f.before) != string(f.after) {
			return "checkers may change with " + f.path
		}
	}
	return ""
}
