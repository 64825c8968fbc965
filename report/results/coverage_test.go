package results_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/report/results"
)

func TestCoverageIsRead(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"lcov", "TN:\nSF:/ci/src/a.js\nFN:1,f\nDA:1,2\nDA:2,0\nDA:1,0\nDA:4,1,abc\nBRDA:1,0,0,1\nend_of_record\nSF:lib\\b.js\nDA:3,0\nend_of_record\n",
			"lcov\n/ci/src/a.js +1 -2 +4\nlib/b.js -3"},
		{"cobertura", `<?xml version="1.0" ?><!DOCTYPE coverage SYSTEM "http://x/y.dtd"><coverage line-rate="0.5"><sources><source>/ci/src</source></sources>
<packages><package name="."><classes><class name="a" filename="a.py"><methods><method name="m"><lines><line number="2" hits="0"/></lines></method></methods>
<lines><line number="1" hits="3"/><line number="2" hits="00"/></lines></class></classes></package></packages></coverage>`,
			"cobertura\n/ci/src/a.py +1 -2"},
		{"two roots", "SF:a.js\nDA:1,1\nend_of_record\nSF:a.js\nDA:1,0\nend_of_record\n", "lcov*\na.js +1\na.js -1"},
		{"go", "mode: set\nm/a/a.go:3.20,5.2 2 1\nm/a/a.go:5.3,6.4 1 0\nm/a/a.go:9.1,9.2 0 0\n", "go\nm/a/a.go +3 +4 +5 -6"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := results.ReadCoverage("report", []byte(c.data))
			if err != nil {
				t.Fatal(err)
			}
			said := []string{fmt.Sprint(r.Format, strings.Repeat("*", max(0, r.Roots-1)))}
			for _, f := range r.Files {
				line := f.Path
				for _, l := range f.Lines {
					line += fmt.Sprintf(" %s%d", map[bool]string{true: "+", false: "-"}[l.IsExecuted], l.Number)
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
	c := results.FileCoverage{Lines: []results.Line{{Number: 2, IsExecuted: true}, {Number: 3}, {Number: 5, IsExecuted: true}, {Number: 9}}}
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

func TestWhatIsNoCoverageSaysWhatIsExpected(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{"", "it is empty"},
		{"<testsuite/>", "its root is <testsuite>, expected Cobertura's <coverage>"},
		{"{}", "not a coverage report"},
		{"<coverage><packages><package><classes><class filename='a'><lines><line number='x'/></lines></class></classes></package>" +
			"</packages></coverage>", "its XML is not read"},
		{"<coverage><packages><package><classes><class filename='a'><lines><line number='2000000000'/></lines></class></classes>" +
			"</package></packages></coverage>", "a has no line 2000000000"},
		{"hello", "LCOV, Cobertura or Go's profile"},
		{"SF:a\nDA:x,1\n", "report:2: expected DA:<line>,<count>"},
		{"TN:\nDA:1,1\n", "in a record that begins with SF:"},
		{"mode: set\na.go:1\n", "not a profile of `go test -coverprofile`"},
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
	if want := []results.Line{{Number: 1, IsExecuted: true}, {Number: 2}}; !slices.Equal(r.Files[0].Lines, want) {
		t.Errorf("%v, want %v", r.Files[0].Lines, want)
	}
}
