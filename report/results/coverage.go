package results

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
)

// maxLine is the greatest number of a line that is believed.
const maxLine = 1 << 30

// Line is a line that a tool looked at, and whether it was executed.
type Line struct {
	// Number counts from 1.
	Number int32
	// IsExecuted: it was executed at least once.
	IsExecuted bool
}

// Coverage lists the executed lines of files.
type Coverage struct {
	// Format is "lcov", "cobertura" or "go".
	Format string
	// Files are in the order of the report; one may be there several times.
	Files []FileCoverage
	// Roots is how many folders the paths may begin in, as the report says or as a path shows that is there twice.
	Roots int
}

// FileCoverage lists the executed lines of a file.
type FileCoverage struct {
	// Path is as the report has it: absolute, of the folder that the tool ran in, or of the module.
	Path string
	// Lines are the instrumented ones by their number, each once. A line is executed where any part of it is.
	Lines []Line
}

// Within are the instrumented lines from first to last.
func (c *FileCoverage) Within(first, last int) []Line {
	order := func(l Line, n int) int { return cmp.Compare(int(l.Number), n) }
	from, _ := slices.BinarySearchFunc(c.Lines, first, order)
	to, _ := slices.BinarySearchFunc(c.Lines, last+1, order)
	return c.Lines[from:max(from, to)]
}

// mergeLines orders the lines; of one that is there several times it is enough that it ran once.
func (c *FileCoverage) mergeLines() {
	slices.SortFunc(c.Lines, func(a, b Line) int { return cmp.Compare(a.Number, b.Number) })
	merged := c.Lines[:0]
	for _, l := range c.Lines {
		if n := len(merged); n > 0 && merged[n-1].Number == l.Number {
			merged[n-1].IsExecuted = merged[n-1].IsExecuted || l.IsExecuted
			continue
		}
		merged = append(merged, l)
	}
	c.Lines = merged
}

// ReadCoverage reads a report of coverage: LCOV, Cobertura, or Go's profile. The error is an *Error.
func ReadCoverage(name string, data []byte) (*Coverage, error) {
	data, err := checkReadable(name, data)
	if err != nil {
		return nil, err
	}
	var c *Coverage
	root, err := rootOf(name, data)
	switch {
	case err != nil:
		return nil, err
	case root == "coverage":
		c, err = readCobertura(name, data)
	case root != "":
		return nil, &Error{name, 0, fmt.Sprintf("its root is <%s>, expected Cobertura's <coverage>", root)}
	case bytes.HasPrefix(data, []byte("mode: ")):
		c, err = readGoProfile(name, data)
	case isLCOV(data):
		c, err = readLCOV(name, data)
	default:
		return nil, &Error{name, 0, "not a coverage report: expected LCOV, Cobertura or Go's profile"}
	}
	if err != nil {
		return nil, err
	}
	for i := range c.Files {
		c.Files[i].mergeLines()
	}
	return c, nil
}
