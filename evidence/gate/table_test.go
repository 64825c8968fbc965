package gate

import (
	"slices"
	"strings"
	"testing"
)

// What the tables say is known to the code, and what tools have settings in files say what those ask.
func TestTablesSayWhatIsKnown(t *testing.T) {
	is := func(table, word, all string) {
		if !slices.Contains(strings.Fields(all), word) {
			t.Errorf("%s: %q is none of %s", table, word, all)
		}
	}
	const known = "test lint format types security coverage build checks"
	for _, row := range demandRows() {
		is("demands.txt", strings.Split(row[1], ":")[0], "min max on off keep drop takes rule args lenient tests")
	}
	for _, row := range optionRows() {
		is("options.txt", row[0], "narrows forgives asks flag valued")
	}
	for _, row := range toolRows() {
		is("tools.txt", row[0], known+" wrapper valued runner given manager")
	}
	for _, p := range purposes.All() {
		is("purposes.txt", p.Name, known+" none")
	}
	for _, row := range settingRows() {
		if row[0] != "-" && demandLines(row[0]) == nil {
			t.Errorf("settings.txt: demands.txt has nothing of %s", row[0])
		}
	}
}
