package diag

import (
	"encoding/xml"
	"fmt"
	"io"
)

type (
	junitSuites struct {
		XMLName xml.Name   `xml:"testsuites"`
		Suite   junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string     `xml:"classname,attr"`
		Name    string     `xml:"name,attr"`
		File    string     `xml:"file,attr,omitempty"`
		Line    int        `xml:"line,attr,omitempty"`
		Failure *junitText `xml:"failure"`
		Error   *junitText `xml:"error"`
		Skipped *junitText `xml:"skipped"`
		Out     *junitText `xml:"system-out"`

		commit, unit, item string // the claim
	}
	junitText struct {
		Message string `xml:"message,attr,omitempty"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// WriteJUnit prints the report as JUnit XML: a test case is a claim; it fails by
// the findings of severity error, and what warns or informs is its output. A
// finding about no claim is a test case of its own, and so is, as an error, what
// could not be decided.
func WriteJUnit(w io.Writer, r *Report) error {
	s := junitSuite{Name: "acta " + r.Range}
	for _, v := range r.Verdicts {
		c := junitCase{
			Class: OneLine("acta." + v.Unit), Name: OneLine(v.Item), commit: v.Commit, unit: v.Unit, item: v.Item,
		}
		if v.Commit != "" {
			c.Name += " (" + short(v.Commit) + ")"
		}
		if v.Verdict == Skipped {
			c.Skipped = &junitText{Message: OneLine(v.Reason)}
		}
		s.Cases = append(s.Cases, c)
	}
	for _, f := range r.Findings {
		s.caseOf(f).add(f)
	}
	for i, why := range r.Undecided {
		s.Cases = append(s.Cases, junitCase{
			Class: "acta", Name: fmt.Sprintf("could not decide (%d)", i+1),
			Error: &junitText{Message: OneLine(why), Type: "undecided"},
		})
	}
	s.count()
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(junitSuites{Suite: s}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// caseOf is the test case that a finding belongs to: that of its claim, the first
// where several are alike, or a new one.
func (s *junitSuite) caseOf(f Finding) *junitCase {
	for i := range s.Cases {
		c := &s.Cases[i]
		if f.Item != "" && c.commit == f.Commit && c.unit == f.Unit && c.item == f.Item {
			return c
		}
	}
	place := f.place()
	if f.Path == "" {
		place = f.inMessage()
	}
	s.Cases = append(s.Cases, junitCase{Class: "acta." + f.Rule, Name: place})
	return &s.Cases[len(s.Cases)-1]
}

func (c *junitCase) add(f Finding) {
	if c.File == "" && f.Path != "" {
		c.File, c.Line = f.Path, f.Line
	}
	switch {
	case f.Severity != Error:
		if c.Out == nil {
			c.Out = &junitText{}
		}
		c.Out.Text += f.Text()
	case c.Failure == nil:
		// A test case fails once; a skipped one whose report is wrong fails.
		c.Skipped = nil
		c.Failure = &junitText{Message: OneLine(f.Message), Type: f.Rule, Text: f.Text()}
	default:
		c.Failure.Text += f.Text()
	}
}

func (s *junitSuite) count() {
	s.Tests = len(s.Cases)
	for i := range s.Cases {
		c := &s.Cases[i]
		switch {
		case c.Failure != nil:
			s.Failures++
		case c.Error != nil:
			s.Errors++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
}
