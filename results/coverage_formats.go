package results

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/segmentio/encoding/json"
	"golang.org/x/tools/cover"
)

// coverageXML reads the reports that have lines in the elements of files.
type coverageXML struct {
	xmlReader
	c *Coverage
	// in is the file that is open, nil between two.
	in *Covered
	// folder is the package that is open, as JaCoCo writes it.
	folder string
	// sources are the folders that Cobertura's names may begin in; inSource: one of them is open.
	sources  []string
	inSource bool
}

func readCobertura(name string, data []byte) (*Coverage, error) {
	r := &coverageXML{xmlReader: xmlReader{name: name, data: data}, c: &Coverage{Format: "cobertura"}}
	if err := r.each(r.cobertura); err != nil {
		return nil, err
	}
	if len(r.sources) == 1 { // of several nobody can tell which
		for i := range r.c.Files {
			if f := &r.c.Files[i]; !isAbsolute(f.Path) {
				f.Path = path.Join(slashed(r.sources[0]), f.Path)
			}
		}
	}
	return r.c, nil
}

func readJaCoCo(name string, data []byte) (*Coverage, error) {
	r := &coverageXML{xmlReader: xmlReader{name: name, data: data}, c: &Coverage{Format: "jacoco"}}
	return r.c, r.each(r.jacoco)
}

func (r *coverageXML) cobertura(t xmlToken) error {
	switch {
	case t.element == "source":
		r.inSource = t.kind == xmlOpen
	case t.kind == xmlText && r.inSource:
		source, err := r.unescape(t.raw)
		r.sources = append(r.sources, source)
		return err
	case t.element == "class":
		return r.file(t, "filename")
	case t.element == "line" && t.kind == xmlOpen:
		return r.line(t, "number", "hits")
	}
	return nil
}

func (r *coverageXML) jacoco(t xmlToken) error {
	switch {
	case t.element == "package" && t.kind == xmlOpen:
		var err error
		r.folder, err = r.attribute(t, "name")
		return err
	case t.element == "sourcefile":
		return r.file(t, "name")
	case t.element == "line" && t.kind == xmlOpen:
		return r.line(t, "nr", "ci")
	}
	return nil
}

// file begins a file, or ends it.
func (r *coverageXML) file(t xmlToken, attribute string) error {
	if r.in = nil; t.kind != xmlOpen {
		return nil
	}
	name, err := r.attribute(t, attribute)
	r.c.Files = append(r.c.Files, Covered{Path: path.Join(r.folder, slashed(name))})
	r.in = &r.c.Files[len(r.c.Files)-1]
	return err
}

func (r *coverageXML) line(t xmlToken, number, count string) error {
	if r.in == nil {
		return nil
	}
	n, err := r.number(t, number)
	if err != nil {
		return err
	}
	hits, err := r.attribute(t, count)
	if n > 0 {
		r.in.Lines = append(r.in.Lines, Line{int32(n), strings.Trim(hits, "0") != ""})
	}
	return err
}

// coveragePy is the JSON of coverage.py, as far as it is read.
type coveragePy struct {
	Meta *struct {
		Version string `json:"version"`
	} `json:"meta"`
	Files map[string]struct {
		Executed []int32 `json:"executed_lines"`
		Missing  []int32 `json:"missing_lines"`
		// Contexts are the tests that ran a line, by its number: «tests/test_a.py::test_x|run», "" for none.
		Contexts map[string][]string `json:"contexts"`
	} `json:"files"`
}

func readCoveragePy(name string, data []byte) (*Coverage, error) {
	var report coveragePy
	if err := json.Unmarshal(data, &report); err != nil {
		return nil, &Error{name, 0, "no JSON of `coverage json`: " + err.Error()}
	}
	if report.Meta == nil || report.Files == nil {
		return nil, &Error{name, 0, "no report of coverage: the JSON of coverage.py has the keys meta and files"}
	}
	c := &Coverage{Format: "coverage.py"}
	for _, file := range slices.Sorted(maps.Keys(report.Files)) {
		read := report.Files[file]
		f := Covered{Path: slashed(file)}
		for _, n := range read.Executed {
			f.Lines = append(f.Lines, Line{n, true})
		}
		for _, n := range read.Missing {
			f.Lines = append(f.Lines, Line{n, false})
		}
		for line, contexts := range read.Contexts {
			n, err := strconv.ParseInt(line, 10, 32)
			if err != nil {
				return nil, &Error{name, 0, "the contexts of " + file + " have the line " + strconv.Quote(line)}
			}
			for _, test := range contexts {
				if test, _, _ = strings.Cut(test, "|"); test == "" {
					continue
				}
				if f.By == nil {
					f.By = map[int32][]string{}
				}
				if !slices.Contains(f.By[int32(n)], test) {
					f.By[int32(n)] = append(f.By[int32(n)], test)
				}
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
	var in *Covered
	number := 0
	for line := range bytes.Lines(data) {
		number++
		text := strings.TrimRight(string(line), "\r\n")
		if file, ok := strings.CutPrefix(text, "SF:"); ok {
			c.Files = append(c.Files, Covered{Path: slashed(file)})
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
			return nil, &Error{name, number, "DA:<line>,<count> in a record that begins with SF: was expected"}
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

// readGoProfile reads what `go test -coverprofile` writes: blocks. A line is executed where one of its blocks was.
func readGoProfile(name string, data []byte) (*Coverage, error) {
	profiles, err := cover.ParseProfilesFromReader(bytes.NewReader(data))
	if err != nil {
		return nil, &Error{name, 0, "no profile of `go test -coverprofile`: " + err.Error()}
	}
	c := &Coverage{Format: "go"}
	for _, p := range profiles {
		f := Covered{Path: slashed(p.FileName)}
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
