package results

import (
	"cmp"
	"fmt"
	"strings"
)

// maxDepth limits nested suites.
const maxDepth = 200

// junitSuite is a suite of a JUnit report, or its root. There is no standard.
type junitSuite struct {
	Name     string       `xml:"name,attr"`
	File     string       `xml:"file,attr"`
	Tests    int          `xml:"tests,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Disabled int          `xml:"disabled,attr"`
	Suites   []junitSuite `xml:"testsuite"`
	Cases    []junitCase  `xml:"testcase"`
}

type junitCase struct {
	Class   string    `xml:"classname,attr"`
	Name    string    `xml:"name,attr"`
	File    string    `xml:"file,attr"`
	Status  string    `xml:"status,attr"`
	Failure *struct{} `xml:"failure"`
	Error   *struct{} `xml:"error"`
	Skipped *struct {
		Type string `xml:"type,attr"`
	} `xml:"skipped"`
}

// outcome is how a case ended, as its elements say, else its status.
func (c *junitCase) outcome() Outcome {
	switch status := strings.ToLower(c.Status); {
	case c.Failure != nil || c.Error != nil:
		return Failed
	case c.Skipped != nil && c.Skipped.Type == "pytest.xfail":
		return ExpectedFailure
	case c.Skipped != nil || status == "skipped":
		return Skipped
	case status == "notrun" || status == "disabled": // GoogleTest's, and converters'
		return Disabled
	}
	return Passed
}

func readJUnit(name, root string, data []byte) (*Tests, error) {
	var s junitSuite
	if err := unmarshal(name, data, &s); err != nil {
		return nil, err
	}
	if root == "testsuites" {
		s = junitSuite{Suites: s.Suites, Cases: s.Cases}
	}
	t := &Tests{Format: "junit"}
	if !t.add(&s, junitSuite{}, 0) {
		return nil, &Error{name, 0, fmt.Sprintf("its suites are nested more than %d deep", maxDepth)}
	}
	return t, nil
}

// add adds the cases of a suite; false where suites are nested too deep.
func (t *Tests) add(s *junitSuite, around junitSuite, depth int) bool {
	s.Name = strings.TrimPrefix(around.Name+" > "+s.Name, " > ")
	s.File = cmp.Or(s.File, around.File)
	for i := range s.Suites {
		if depth == maxDepth || !t.add(&s.Suites[i], *s, depth+1) {
			return false
		}
	}
	for i := range s.Cases {
		c := &s.Cases[i]
		t.Cases = append(t.Cases,
			Case{Suite: s.Name, Class: c.Class, Name: c.Name, File: cmp.Or(c.File, s.File), Outcome: c.outcome()})
	}
	if len(s.Suites)+len(s.Cases) == 0 {
		t.Unlisted += max(0, s.Tests-s.Skipped-s.Disabled)
	}
	return true
}
