package results

import (
	"encoding/json"
	"maps"
	"slices"
)

// Mutant is one change of the code that a mutation tool tried.
type Mutant struct {
	// Line and EndLine count from 1.
	Line, EndLine int
	// Seen: a test failed over it, or ran without end. One that could not be run, or was left out, is no Mutant.
	Seen bool
}

// Mutated are the mutants of a file.
type Mutated struct {
	// Path is as the report has it.
	Path    string
	Mutants []Mutant
}

// Of counts the mutants from first to last, and those of them that tests saw.
func (m *Mutated) Of(first, last int) (seen, tried int) {
	for _, one := range m.Mutants {
		if one.Line >= first && one.EndLine <= last {
			if tried++; one.Seen {
				seen++
			}
		}
	}
	return seen, tried
}

// mutation is the JSON of Stryker and others, as far as it is read.
type mutation struct {
	SchemaVersion json.RawMessage `json:"schemaVersion"`
	Files         map[string]struct {
		Mutants []struct {
			Status   string `json:"status"`
			Location struct {
				Start struct {
					Line int `json:"line"`
				} `json:"start"`
				End struct {
					Line int `json:"line"`
				} `json:"end"`
			} `json:"location"`
		} `json:"mutants"`
	} `json:"files"`
}

// ReadMutants reads a report of mutants, the JSON that Stryker and others write. The error is an *Error.
func ReadMutants(name string, data []byte) ([]Mutated, error) {
	data, err := readable(name, data)
	if err != nil {
		return nil, err
	}
	var report mutation
	if err := json.Unmarshal(data, &report); err != nil {
		return nil, &Error{name, 0, "no JSON of a mutation report: " + err.Error()}
	}
	if report.SchemaVersion == nil || report.Files == nil {
		return nil, &Error{name, 0, "no mutation report: its JSON has the keys schemaVersion and files"}
	}
	var all []Mutated
	for _, file := range slices.Sorted(maps.Keys(report.Files)) {
		m := Mutated{Path: slashed(file)}
		for _, one := range report.Files[file].Mutants {
			switch one.Status {
			case "Killed", "Timeout":
			case "Survived", "NoCoverage":
			default:
				continue
			}
			m.Mutants = append(m.Mutants, Mutant{one.Location.Start.Line, one.Location.End.Line,
				one.Status == "Killed" || one.Status == "Timeout"})
		}
		all = append(all, m)
	}
	return all, nil
}
