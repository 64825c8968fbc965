package results

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	tapPoint    = regexp.MustCompile(`^(not )?ok\b(?:\s+\d+)?\s*(?:- )?(.*)$`)
	tapMark     = regexp.MustCompile(`(?i)(?:^|\s)#\s*(skip|todo)\S*(?:\s.*)?$`)
	tapPlan     = regexp.MustCompile(`^1\.\.\d+(\s|$)`)
	tapLocation = regexp.MustCompile(`^location: ['"](.+?):(\d+):\d+['"]$`)
)

// isTAP reports whether one of the first lines is TAP's.
func isTAP(data []byte) bool {
	lines := 0
	for line := range bytes.Lines(data) {
		text := string(bytes.TrimRight(line, "\r\n"))
		if strings.HasPrefix(text, "TAP version ") || tapPlan.MatchString(text) || tapPoint.MatchString(text) {
			return true
		}
		if lines++; lines == 50 {
			break
		}
	}
	return false
}

// tap reads the Test Anything Protocol, 12 to 14. A test that others stand in follows them, four columns to the left.
type tap struct {
	tests *Tests
	// waits are, for each depth, the first of the cases that wait for the test around them.
	waits []int
	// last is the case that a block of YAML is about, -1 for none; inner the first of those in it.
	last, inner int
}

// tapIndent is how far subtests are moved to the right.
const tapIndent = 4

func readTAP(data []byte) *Tests {
	r := &tap{tests: &Tests{Format: "tap"}, last: -1}
	block := "" // what ends a block of YAML
	for line := range bytes.Lines(data) {
		text := strings.TrimRight(string(line), "\r\n")
		bare := strings.TrimLeft(text, " ")
		indent := text[:len(text)-len(bare)]
		switch {
		case block != "":
			if text == block {
				block = ""
			}
			r.detail(bare)
		case bare == "---" && indent != "":
			block = indent + "..."
		case strings.HasPrefix(text, "Bail out!"):
			r.tests.Cases = append(r.tests.Cases, Case{Name: text, Outcome: Failed})
		default:
			if !strings.HasPrefix(bare, "ok") && !strings.HasPrefix(bare, "not ok") {
				continue
			}
			if m := tapPoint.FindStringSubmatch(bare); m != nil && len(indent)/tapIndent < maxDepth {
				r.point(len(indent)/tapIndent, m[1] == "", m[2])
			}
		}
	}
	return r.tests
}

// point adds the test of a line.
func (r *tap) point(depth int, ok bool, name string) {
	c := Case{Outcome: Passed}
	var mark []string
	if strings.Contains(name, "#") {
		mark = tapMark.FindStringSubmatch(name)
	}
	if mark != nil {
		name = strings.TrimSuffix(name, mark[0])
	}
	switch {
	case mark != nil && strings.EqualFold(mark[1], "skip"):
		c.Outcome = Skipped
	case !ok && mark != nil:
		c.Outcome = Expected
	case !ok:
		c.Outcome = Failed
	}
	c.Name = strings.ReplaceAll(strings.TrimSpace(name), `\#`, "#")
	for len(r.waits) <= depth {
		r.waits = append(r.waits, len(r.tests.Cases))
	}
	r.inner = len(r.tests.Cases)
	if len(r.waits) > depth+1 {
		r.inner = r.waits[depth+1]
		for i := range r.tests.Cases[r.inner:] {
			in := &r.tests.Cases[r.inner+i]
			in.Suite = strings.TrimSuffix(c.Name+" > "+in.Suite, " > ")
		}
		r.waits = r.waits[:depth+1]
	}
	r.last = len(r.tests.Cases)
	r.tests.Cases = append(r.tests.Cases, c)
}

// detail reads a line of what Node's runner says of a test: where it stands, and that it is a suite, which is no test.
func (r *tap) detail(text string) {
	if r.last < 0 {
		return
	}
	c := &r.tests.Cases[r.last]
	if !strings.HasPrefix(text, "location: ") && !strings.HasPrefix(text, "type: ") {
		return
	}
	if m := tapLocation.FindStringSubmatch(text); m != nil {
		c.File = m[1]
		c.Line, _ = strconv.Atoi(m[2]) // digits
	}
	failed := func(c Case) bool { return c.Outcome == Failed }
	if text == "type: 'suite'" && (c.Outcome != Failed || slices.ContainsFunc(r.tests.Cases[r.inner:r.last], failed)) {
		r.tests.Cases = r.tests.Cases[:r.last]
		r.last = -1
	}
}
