package results

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
)

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
