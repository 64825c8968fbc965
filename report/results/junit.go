package results

import (
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
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

// isGoEvents reports whether a file has lines of `go test -json`, perhaps after lines of a build.
func isGoEvents(data []byte) bool {
	for line := range bytes.Lines(data[:min(len(data), 1<<16)]) {
		if line[0] == '{' {
			return bytes.Contains(line, []byte(`"Action":"`))
		}
	}
	return false
}

// goEvent is a line of `go test -json`; `go doc test2json` names the actions.
type goEvent struct{ Action, Package, Test string }

var goOutcomes = map[string]Outcome{"pass": Passed, "fail": Failed, "skip": Skipped}

func readGoEvents(name string, data []byte) (*Tests, error) {
	t := &Tests{Format: "go test"}
	running := map[goEvent]bool{} // without their actions
	var unended []Case
	failing := map[string]bool{} // packages with a failed test
	output := []byte(`"Action":"output"`)
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if line[0] != '{' || bytes.Contains(line, output) {
			continue
		}
		var e goEvent
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, &Error{name, number, "not a line of `go test -json`: " + err.Error()}
		}
		test := goEvent{Package: e.Package, Test: e.Test}
		outcome := goOutcomes[e.Action]
		switch {
		case e.Action == "run":
			running[test] = true
		case e.Test == "" && outcome == Passed: // then no test of it failed: the output of a test swallowed its end
			for of := range running {
				if of.Package == e.Package {
					delete(running, of)
					unended = append(unended, Case{Class: of.Package, Name: of.Test, Outcome: Unfinished})
				}
			}
		case outcome == 0, e.Test == "" && (outcome != Failed || failing[e.Package]):
		default: // a failed package without a failed test
			delete(running, test)
			failing[e.Package] = failing[e.Package] || outcome == Failed
			t.Cases = append(t.Cases, Case{Class: e.Package, Name: e.Test, Outcome: outcome})
		}
	}
	for test := range running {
		unended = append(unended, Case{Class: test.Package, Name: test.Test, Outcome: Failed})
	}
	slices.SortFunc(unended, func(a, b Case) int {
		return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.Name, b.Name))
	})
	t.Cases = append(t.Cases, unended...)
	return t, nil
}

// unmarshal reads an XML document. Entities that it declares are an error.
func unmarshal(name string, data []byte, into any) error {
	return xmlError(name, decoder(data).Decode(into))
}

// xmlError is an error of the decoder as an *Error; nil for none.
func xmlError(name string, err error) error {
	var wrong *xml.SyntaxError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrong):
		return &Error{name, wrong.Line, "not well-formed XML: " + strings.Replace(wrong.Msg, "unexpected EOF",
			"it ends inside of an element; the tool that wrote it was ended", 1)}
	}
	return &Error{name, 0, "its XML is not read: " + err.Error()}
}

// rootOf is the name of a document's first element.
func rootOf(name string, data []byte) (string, error) {
	for d := decoder(data); ; {
		t, err := d.Token()
		if root, ok := t.(xml.StartElement); ok || err != nil {
			return root.Name.Local, xmlError(name, err)
		}
	}
}

// decoder reads a document, whatever encoding it says it has.
func decoder(data []byte) *xml.Decoder {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	return d
}

// withBlanks is a document with a blank in the place of each comment and of each control character, also of one that is
// written as a reference: XML forbids them, and the captured output of tests holds them.
func withBlanks(rest []byte) []byte {
	if !utf8.Valid(rest) {
		rest = bytes.ToValidUTF8(rest, []byte("\uFFFD"))
	}
	out := make([]byte, 0, len(rest))
	raw := 0 // how much of rest is text in which «<!--» begins no comment
	for len(rest) > 0 {
		c, length := rest[0], 1
		if c == '<' && raw <= 0 {
			if n := delimitedLen(rest, "<!--", "-->"); n > 0 { // tools write «--» in comments, which XML forbids
				c, length = ' ', n
			}
			raw = delimitedLen(rest, "<![CDATA[", "]]>")
		} else if c == '&' {
			if code, long := reference(rest); long > 0 && isControl(code) {
				c, length = ' ', long
			}
		} else if isControl(int(c)) {
			c = ' '
		}
		out, rest, raw = append(out, c), rest[length:], raw-length
	}
	return out
}

// delimitedLen is how long a text is that begins and ends so; 0 for another.
func delimitedLen(text []byte, begin, end string) int {
	if rest, ok := bytes.CutPrefix(text, []byte(begin)); ok {
		if at := bytes.Index(rest, []byte(end)); at >= 0 {
			return len(begin) + at + len(end)
		}
	}
	return 0
}

func isControl(c int) bool { return c < ' ' && c != '\t' && c != '\n' && c != '\r' }

// reference returns the character and the length of a reference such as &#27; or &#x1b;; 0 for none.
func reference(text []byte) (code, length int) {
	end := bytes.IndexByte(text[:min(len(text), 12)], ';')
	digits, ok := bytes.CutPrefix(text[:max(end, 0)], []byte("&#"))
	base := 10
	if hex, isHex := bytes.CutPrefix(digits, []byte("x")); isHex {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(string(digits), base, 31)
	if !ok || err != nil {
		return 0, 0
	}
	return int(n), end + 1
}
