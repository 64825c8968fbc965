package results_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/results"
)

func TestCoverageIsRead(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"lcov", "TN:\nSF:/ci/src/a.js\nFN:1,f\nDA:1,2\nDA:2,0\nDA:1,0\nDA:4,1,abc\nBRDA:1,0,0,1\nend_of_record\nSF:lib\\b.js\nDA:3,0\nend_of_record\n",
			"lcov\n/ci/src/a.js +1 -2 +4\nlib/b.js -3"},
		{"cobertura", `<?xml version="1.0" ?><!DOCTYPE coverage SYSTEM "http://x/y.dtd"><coverage line-rate="0.5"><sources><source>/ci/src</source></sources>
<packages><package name="."><classes><class name="a" filename="a.py"><methods><method name="m"><lines><line number="2" hits="0"/></lines></method></methods>
<lines><line number="1" hits="3"/><line number="2" hits="00"/></lines></class></classes></package></packages></coverage>`,
			"cobertura\n/ci/src/a.py +1 -2"},
		{"jacoco", `<?xml version="1.0"?><!DOCTYPE report PUBLIC "-//JACOCO//DTD" "report.dtd"><report name="x"><group name="g"><package name="com/x">
<class name="com/x/A" sourcefilename="A.java"><method name="f" line="3"><counter type="LINE" missed="0" covered="1"/></method></class>
<sourcefile name="A.java"><line nr="3" mi="0" ci="4" mb="0" cb="0"/><line nr="5" mi="2" ci="0"/></sourcefile></package></group></report>`,
			"jacoco\ncom/x/A.java +3 -5"},
		{"go", "mode: set\nm/a/a.go:3.20,5.2 2 1\nm/a/a.go:5.3,6.4 1 0\nm/a/a.go:9.1,9.2 0 0\n", "go\nm/a/a.go +3 +4 +5 -6"},
		{"coverage.py", `{"meta":{"version":"7"},"files":{"src/a.py":{"executed_lines":[1,2],"missing_lines":[5],"excluded_lines":[7],` +
			`"contexts":{"1":[""],"2":["tests/test_a.py::test_x|run","tests/test_a.py::test_x|setup","t"]}}}}`,
			"coverage.py\nsrc/a.py +1 +2 -5 2:[tests/test_a.py::test_x t]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := results.ReadCoverage("report", []byte(c.data))
			if err != nil {
				t.Fatal(err)
			}
			said := []string{r.Format}
			for _, f := range r.Files {
				line := f.Path
				for _, l := range f.Lines {
					line += fmt.Sprintf(" %s%d", map[bool]string{true: "+", false: "-"}[l.Ran], l.Number)
				}
				for n, by := range f.By {
					line += fmt.Sprintf(" %d:%v", n, by)
				}
				said = append(said, line)
			}
			if got := strings.Join(said, "\n"); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestLinesOfASpan(t *testing.T) {
	c := results.Covered{Lines: []results.Line{{Number: 2, Ran: true}, {Number: 3}, {Number: 5, Ran: true}, {Number: 9}}}
	for _, s := range []struct {
		first, last int
		want        string
	}{{1, 10, "[{2 true} {3 false} {5 true} {9 false}]"}, {3, 5, "[{3 false} {5 true}]"}, {4, 4, "[]"}, {9, 9, "[{9 false}]"},
		{9, 2, "[]"}} {
		if got := fmt.Sprint(c.Within(s.first, s.last)); got != s.want {
			t.Errorf("lines %d-%d: %s, want %s", s.first, s.last, got, s.want)
		}
	}
}

func TestMutantsAreRead(t *testing.T) {
	report := `{"schemaVersion":"1","thresholds":{"high":80,"low":60},"files":{"src/a.js":{"language":"javascript","source":"","mutants":[
{"id":"1","mutatorName":"M","status":"Killed","location":{"start":{"line":2,"column":1},"end":{"line":2,"column":9}}},
{"id":"2","mutatorName":"M","status":"Survived","location":{"start":{"line":3,"column":1},"end":{"line":4,"column":9}}},
{"id":"3","mutatorName":"M","status":"Timeout","location":{"start":{"line":3,"column":1},"end":{"line":3,"column":9}}},
{"id":"4","mutatorName":"M","status":"NoCoverage","location":{"start":{"line":8,"column":1},"end":{"line":8,"column":9}}},
{"id":"5","mutatorName":"M","status":"CompileError","location":{"start":{"line":2,"column":1},"end":{"line":2,"column":9}}}]}}}`
	m, err := results.ReadMutants("mutation.json", []byte(report))
	if err != nil || len(m) != 1 || m[0].Path != "src/a.js" {
		t.Fatal(m, err)
	}
	if seen, tried := m[0].Of(1, 4); seen != 2 || tried != 3 {
		t.Errorf("%d of %d seen, want 2 of 3", seen, tried)
	}
	if _, err := results.ReadMutants("m", []byte(`{"files":{}}`)); err == nil {
		t.Error("a report without schemaVersion was read")
	}
}

func TestWhatIsNoCoverageSaysWhatIsExpected(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{"", "it is empty"},
		{"<testsuite/>", "its root is <testsuite>, and Cobertura's <coverage>"},
		{"{}", "the keys meta and files"},
		{"hello", "LCOV, Cobertura, Go's profile"},
		{"SF:a\nDA:x,1\n", "report:2: DA:<line>,<count>"},
		{"TN:\nDA:1,1\n", "in a record that begins with SF:"},
		{"mode: set\na.go:1\n", "no profile of `go test -coverprofile`"},
		{"mode: set\na.go:1.1,99999999.1 1 1\n", "lines that no file has"},
	} {
		if _, err := results.ReadCoverage("report", []byte(c.data)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.data, err, c.want)
		}
	}
}

// A file that is reported several times is as executed as the best of them.
func TestRepeatedLines(t *testing.T) {
	r, err := results.ReadCoverage("r", []byte("SF:a\nDA:1,0\nDA:1,1\nDA:2,0\nDA:2,0\n"))
	if err != nil {
		t.Fatal(err)
	}
	if want := []results.Line{{Number: 1, Ran: true}, {Number: 2}}; !slices.Equal(r.Files[0].Lines, want) {
		t.Errorf("%v, want %v", r.Files[0].Lines, want)
	}
}
