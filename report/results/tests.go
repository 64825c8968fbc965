// Package results reads test and coverage reports. Bytes in, plain values out. The content decides the format, never
// the file's name. It opens no file and knows nothing of claims, and must never import check or judge.
package results

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/acta-git/acta/report"
)

// MaxFileBytes is the size of the largest file that is read. A report of 400,000 tests has 50 MB.
const MaxFileBytes = 128 << 20

// Outcome is how a test ended. The zero value is none.
type Outcome uint8

const (
	// Passed: it ran, and asserted nothing that is false.
	Passed Outcome = iota + 1
	// Failed: it ran and failed, could not be set up, or did not end.
	Failed
	// ExpectedFailure: it ran and failed, as it says it does (xfail).
	ExpectedFailure
	// Skipped: the run came by it and left it out.
	Skipped
	// Disabled: it was left out from the beginning.
	Disabled
	// Unfinished: it began, and the report has no end of it.
	Unfinished
)

// HasRun reports whether the test was executed.
func (o Outcome) HasRun() bool {
	return o == Passed || o == Failed || o == ExpectedFailure || o == Unfinished
}

// Case is one test of a report.
type Case struct {
	// Suite is the path of suites around it, joined by " > "; Class its class in the report: a class, module or package;
	// Name its own name, parameters included.
	Suite, Class, Name string
	// File is the path in the report, "" without one.
	File string
	// Outcome is how it ended.
	Outcome Outcome
}

// Tests is a report of tests.
type Tests struct {
	// Format is "junit" or "go test".
	Format string
	// Cases are the tests in the order of the report. A test that was tried again is there again.
	Cases []Case
	// Unlisted is how many executed tests the report only counts.
	Unlisted int
}

// Counts holds tests by how they ended.
type Counts = report.TestCounts

// Counts counts the cases. An expected failure or an unfinished test ran, but neither passed nor failed; a test that is
// only counted ran.
func (t *Tests) Counts() Counts {
	n := Counts{Ran: t.Unlisted}
	for i := range t.Cases {
		o := t.Cases[i].Outcome
		if o.HasRun() {
			n.Ran++
		}
		switch o {
		case Passed:
			n.Passed++
		case Failed:
			n.Failed++
		case Skipped:
			n.Skipped++
		case Disabled:
			n.Disabled++
		}
	}
	return n
}

// Error is a file that cannot be read as its kind.
type Error struct {
	// Name is the file, Line the line with the error, from 1; 0 if unknown.
	Name string
	Line int
	// Message says what is wrong, and what was expected.
	Message string
}

// Error begins with the place, as compilers write it.
func (e *Error) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", e.Name, e.Line, e.Message)
	}
	return e.Name + ": " + e.Message
}

// ReadTests reads a report of tests: JUnit XML, or the lines of `go test -json`. The error is an *Error.
func ReadTests(name string, data []byte) (*Tests, error) {
	data, root, err := checkReadable(name, data)
	switch {
	case err != nil:
		return nil, err
	case root == "testsuites" || root == "testsuite":
		return readJUnit(name, root, data)
	case root != "":
		return nil, &Error{name, 0, fmt.Sprintf("its root is <%s>, expected <testsuites> or <testsuite>: write "+
			"or convert it to JUnit XML", root)}
	case isGoEvents(data):
		return readGoEvents(name, data)
	}
	return nil, &Error{name, 0, "not a test report: expected JUnit XML or the output of `go test -json`"}
}

// checkReadable removes a byte order mark, refuses files that cannot be read, and returns the root of an XML document,
// "" for other text.
func checkReadable(name string, data []byte) (text []byte, root string, err error) {
	switch {
	case len(data) > MaxFileBytes:
		return nil, "", &Error{name, 0, fmt.Sprintf("it has %d bytes, and at most %d are read of a file: split it",
			len(data), MaxFileBytes)}
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")):
		return nil, "", &Error{name, 0, "it is UTF-16, expected UTF-8: have the tool write the file itself, " +
			"not a shell's redirection"}
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, "", &Error{name, 0, "it is empty: the tool that writes it was ended, or wrote elsewhere"}
	}
	if !bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("<")) {
		return data, "", nil
	}
	data = withBlanks(data)
	root, err = rootOf(name, data)
	return data, root, err
}

// Kind is the kind of a report file.
type Kind string

// What files are given for: reports of tests, and of coverage.
const (
	TestReport     Kind = "junit"
	CoverageReport Kind = "coverage"
)

// maxTotalBytes limits all files together.
const maxTotalBytes = 512 << 20

// Set holds the contents of all files.
type Set struct {
	// Files are in the order in which they were added.
	Files []report.ResultFile
	// Tests and Coverage are their contents.
	Tests    []*Tests
	Coverage []*Coverage

	bytes int
}

// Add reads a file of a kind. The error is an *Error.
func (s *Set) Add(kind Kind, name string, data []byte) error {
	if s.bytes += len(data); s.bytes > maxTotalBytes {
		return &Error{name, 0, fmt.Sprintf("all reports together have more than %d bytes, the limit", maxTotalBytes)}
	}
	sum := sha256.Sum256(data)
	f := report.ResultFile{Path: name, Kind: string(kind), SHA256: hex.EncodeToString(sum[:])}
	switch kind {
	case TestReport:
		t, err := ReadTests(name, data)
		if err != nil {
			return err
		}
		counts := t.Counts()
		f.Format, f.Tests = t.Format, &counts
		s.Tests = append(s.Tests, t)
	case CoverageReport:
		c, err := ReadCoverage(name, data)
		if err != nil {
			return err
		}
		f.Format = c.Format
		s.Coverage = append(s.Coverage, c)
	}
	s.Files = append(s.Files, f)
	return nil
}

// Counts counts the tests of all reports.
func (s *Set) Counts() Counts {
	var n Counts
	for _, t := range s.Tests {
		n.Add(t.Counts())
	}
	return n
}
