package results

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/acta-git/acta/report"
)

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
