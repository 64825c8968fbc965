package results

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/cover"
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
	var c *Coverage
	data, root, err := checkReadable(name, data)
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

// cobertura is a report of Cobertura.
type cobertura struct {
	// Sources are the folders that the names of files may begin in.
	Sources []string `xml:"sources>source"`
	Classes []struct {
		File    string          `xml:"filename,attr"`
		Methods []coberturaLine `xml:"methods>method>lines>line"`
		Lines   []coberturaLine `xml:"lines>line"`
	} `xml:"packages>package>classes>class"`
}

type coberturaLine struct {
	Number int    `xml:"number,attr"`
	Hits   string `xml:"hits,attr"`
}

func readCobertura(name string, data []byte) (*Coverage, error) {
	var r cobertura
	if err := unmarshal(name, data, &r); err != nil {
		return nil, err
	}
	sources := slices.DeleteFunc(r.Sources, func(s string) bool { return strings.TrimSpace(s) == "" })
	c := &Coverage{Format: "cobertura", Roots: len(sources)}
	for _, class := range r.Classes {
		f := FileCoverage{Path: path.Join(withSlashes(class.File))}
		if len(sources) == 1 && !isAbsolute(f.Path) { // with several it is unknown which
			f.Path = path.Join(withSlashes(strings.TrimSpace(sources[0])), f.Path)
		}
		for _, l := range slices.Concat(class.Methods, class.Lines) {
			if l.Number > maxLine {
				return nil, &Error{name, 0, fmt.Sprintf("%s has no line %d", f.Path, l.Number)}
			}
			if l.Number > 0 {
				f.Lines = append(f.Lines, Line{int32(l.Number), strings.Trim(l.Hits, "0") != ""})
			}
		}
		c.Files = append(c.Files, f)
	}
	return c, nil
}

// isLCOV reports whether one of the first lines is LCOV's.
func isLCOV(data []byte) bool {
	head := data[:min(len(data), 1<<16)]
	return bytes.HasPrefix(head, []byte("SF:")) || bytes.HasPrefix(head, []byte("TN:")) ||
		bytes.Contains(head, []byte("\nSF:"))
}

// readLCOV reads the lines of a tracefile; branches and functions are passed over.
func readLCOV(name string, data []byte) (*Coverage, error) {
	c := &Coverage{Format: "lcov"}
	var in *FileCoverage
	seen := map[string]bool{}
	number := 0
	for line := range bytes.Lines(data) {
		number++
		text := strings.TrimRight(string(line), "\r\n")
		if file, ok := strings.CutPrefix(text, "SF:"); ok {
			if file = withSlashes(file); seen[file] {
				c.Roots = 2
			}
			seen[file] = true
			c.Files = append(c.Files, FileCoverage{Path: file})
			in = &c.Files[len(c.Files)-1]
			continue
		}
		counted, ok := strings.CutPrefix(text, "DA:")
		if !ok {
			continue
		}
		of, hits, found := strings.Cut(counted, ",")
		n, err := strconv.Atoi(of)
		if in == nil || !found || err != nil || n < 0 || n > maxLine {
			return nil, &Error{name, number, "expected DA:<line>,<count> in a record that begins with SF:"}
		}
		hits, _, _ = strings.Cut(hits, ",") // a checksum
		if n > 0 {
			in.Lines = append(in.Lines, Line{int32(n), strings.Trim(hits, "0") != "" && hits[0] != '-'})
		}
	}
	return c, nil
}

// maxBlock is the longest block of a profile, in lines, that is believed.
const maxBlock = 1 << 16

// readGoProfile reads the blocks of `go test -coverprofile`. A line is executed if one of its blocks was.
func readGoProfile(name string, data []byte) (*Coverage, error) {
	profiles, err := cover.ParseProfilesFromReader(bytes.NewReader(data))
	if err != nil {
		return nil, &Error{name, 0, "not a profile of `go test -coverprofile`: " + err.Error()}
	}
	c := &Coverage{Format: "go"}
	for _, p := range profiles {
		f := FileCoverage{Path: withSlashes(p.FileName)}
		for _, b := range p.Blocks {
			if b.StartLine < 1 || b.EndLine > maxLine || b.EndLine-b.StartLine > maxBlock {
				return nil, &Error{name, 0, "a block of " + p.FileName + " has lines that no file has"}
			}
			for n := b.StartLine; n <= b.EndLine && b.NumStmt > 0; n++ {
				f.Lines = append(f.Lines, Line{int32(n), b.Count > 0})
			}
		}
		c.Files = append(c.Files, f)
	}
	return c, nil
}
