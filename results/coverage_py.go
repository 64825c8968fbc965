package results

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/segmentio/encoding/json"
)

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
