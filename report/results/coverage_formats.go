package results

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/cover"
)

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
