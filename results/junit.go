package results

import (
	"cmp"
	"strings"
)

// suite is a suite of a JUnit report that is open.
type suite struct {
	name, file string
	// counted is how many of its tests were executed, as its attributes say; listed: it has cases, or suites.
	counted int
	listed  bool
}

// junit reads a JUnit report. There is no standard: a case is named by what its tool gives, and ends as the elements in
// it say.
type junit struct {
	xmlReader
	suites []suite
	tests  *Tests
	in     *Case // the case that is open
}

func readJUnit(name string, data []byte) (*Tests, error) {
	r := &junit{xmlReader: xmlReader{name: name, data: data}, tests: &Tests{Format: "junit"}}
	err := r.each(func(t xmlToken) error {
		switch t.kind {
		case xmlOpen:
			return r.begin(t)
		case xmlClose:
			r.end(t.element)
		}
		return nil
	})
	return r.tests, err
}

func (r *junit) begin(t xmlToken) error {
	switch t.element {
	case "testsuite":
		s, err := r.suite(t)
		r.suites = append(r.suites, s)
		return err
	case "testcase":
		c, err := r.testCase(t)
		if err != nil {
			return err
		}
		r.tests.Cases = append(r.tests.Cases, c)
		r.in = &r.tests.Cases[len(r.tests.Cases)-1]
	case "failure", "error":
		if r.in != nil {
			r.in.Outcome = Failed
		}
	case "skipped":
		if r.in == nil || r.in.Outcome == Failed {
			return nil
		}
		kind, err := r.attribute(t, "type")
		r.in.Outcome = Skipped
		if kind == "pytest.xfail" {
			r.in.Outcome = Expected
		}
		return err
	}
	return nil
}

func (r *junit) end(element string) {
	switch element {
	case "testcase":
		r.in = nil
	case "testsuite":
		s := r.suites[len(r.suites)-1]
		if r.suites = r.suites[:len(r.suites)-1]; !s.listed {
			r.tests.Unlisted += s.counted
		}
	}
}

func (r *junit) suite(t xmlToken) (s suite, err error) {
	if n := len(r.suites); n > 0 {
		r.suites[n-1].listed = true
		s = suite{name: r.suites[n-1].name, file: r.suites[n-1].file}
	}
	name, err := r.attribute(t, "name")
	if err != nil {
		return s, err
	}
	s.name = strings.TrimPrefix(s.name+" > "+name, " > ")
	file, err := r.attribute(t, "file")
	if err != nil {
		return s, err
	}
	s.file = cmp.Or(file, s.file)
	for _, count := range []struct {
		name string
		sign int
	}{{"tests", 1}, {"skipped", -1}, {"disabled", -1}} {
		n, err := r.number(t, count.name)
		if err != nil {
			return s, err
		}
		s.counted += count.sign * n
	}
	s.counted = max(s.counted, 0)
	return s, nil
}

func (r *junit) testCase(t xmlToken) (c Case, err error) {
	c.Outcome = Passed
	if n := len(r.suites); n > 0 {
		s := &r.suites[n-1]
		s.listed = true
		c.Suite, c.File = s.name, s.file
	}
	var file, status string
	for _, a := range []struct {
		name string
		to   *string
	}{{"classname", &c.Class}, {"name", &c.Name}, {"file", &file}, {"status", &status}} {
		if *a.to, err = r.attribute(t, a.name); err != nil {
			return c, err
		}
	}
	c.File = cmp.Or(file, c.File)
	switch strings.ToLower(status) {
	case "notrun", "disabled": // GoogleTest's, and what is converted to it
		c.Outcome = Disabled
	case "skipped":
		c.Outcome = Skipped
	}
	c.Line, err = r.number(t, "line")
	return c, err
}
