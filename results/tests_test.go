package results_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/acta-git/acta/results"
)

// listed is a report in a few words: format, then each case with suite, class, name, place and outcome.
func listed(t *testing.T, data string) string {
	t.Helper()
	r, err := results.ReadTests("report", []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	outcomes := map[results.Outcome]string{results.Passed: "passed", results.Failed: "failed", results.Expected: "expected",
		results.Skipped: "skipped", results.Disabled: "disabled"}
	said := []string{r.Format}
	for _, c := range r.Cases {
		said = append(said, fmt.Sprintf("%s|%s|%s|%s:%d|%s", c.Suite, c.Class, c.Name, c.File, c.Line, outcomes[c.Outcome]))
	}
	return strings.Join(said, "\n")
}

func TestTestsAreRead(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"pytest", `<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite name="pytest" tests="5">
<testcase classname="tests.test_a.TestA" name="test_x[1-&quot;b&quot;]" time="0.1"/>
<testcase classname="tests.test_a" name="test_f" time="0.1"><failure message="no &lt;x&gt;">trace ]] &gt; </failure></testcase>
<testcase classname="tests.test_a" name="test_e"><error message="setup">x</error></testcase>
<testcase classname="tests.test_a" name="test_s"><skipped type="pytest.skip" message="why"/></testcase>
<testcase classname="tests.test_a" name="test_xf"><skipped type="pytest.xfail" message=""/></testcase>
</testsuite></testsuites>`, `junit
pytest|tests.test_a.TestA|test_x[1-"b"]|:0|passed
pytest|tests.test_a|test_f|:0|failed
pytest|tests.test_a|test_e|:0|failed
pytest|tests.test_a|test_s|:0|skipped
pytest|tests.test_a|test_xf|:0|expected`},
		{"nested suites with a file, a prefix, CDATA and a comment", `<!-- > --><t:testsuite xmlns:t='x' name='root' file='a.js'>
<testsuite name="describe"><testcase name='works' classname="test" line="7"><system-out><![CDATA[<failure/>]]></system-out></testcase></testsuite>
<testcase name="own" file="b.js" status="notrun"/></t:testsuite>`, `junit
root > describe|test|works|a.js:7|passed
root||own|b.js:0|disabled`},
		{"a document type and its entity in text", `<?xml version="1.0"?><!DOCTYPE testsuite [<!ENTITY a "b">]>
<testsuite><testcase name="x"><failure>&a;</failure></testcase></testsuite>`, "junit\n||x|:0|failed"},
		{"the colours of captured output", "<testsuite><testcase name='x'><system-out>\x1b[31mred\x1b[0m</system-out></testcase></testsuite>",
			"junit\n||x|:0|passed"},
		{"go test", `# m/a
{"ImportPath":"m/a","Action":"build-output","Output":"x"}
{"Action":"start","Package":"m/a"}
{"Action":"run","Package":"m/a","Test":"TestX"}
{"Action":"run","Package":"m/a","Test":"TestX/sub_1"}
{"Action":"output","Package":"m/a","Test":"TestX","Output":"{\"Action\":\"fail\"}"}
{"Action":"pass","Package":"m/a","Test":"TestX/sub_1"}
{"Action":"fail","Package":"m/a","Test":"TestX"}
{"Action":"skip","Package":"m/a","Test":"TestY"}
{"Action":"run","Package":"m/a","Test":"TestHangs"}
{"Action":"fail","Package":"m/a"}
{"Action":"fail","Package":"m/broken"}
{"Action":"skip","Package":"m/none"}
`, `go test
|m/a|TestX/sub_1|:0|passed
|m/a|TestX|:0|failed
|m/a|TestY|:0|skipped
|m/broken||:0|failed
|m/a|TestHangs|:0|failed`},
		{"tap of node", `TAP version 13
# Subtest: math
    # Subtest: adds
    ok 1 - adds
      ---
      duration_ms: 0.5
      location: '/ci/test/a.test.js:4:3'
      ...
    # Subtest: divides
    not ok 2 - divides
      ---
      location: '/ci/test/a.test.js:9:3'
      error: |-
        ok 3 - not this
      ...
    1..2
not ok 1 - math
  ---
  type: 'suite'
  ...
# Subtest: alone
ok 2 - alone # SKIP no net
  ---
  ...
1..2
`, `tap
math||adds|/ci/test/a.test.js:4|passed
math||divides|/ci/test/a.test.js:9|failed
||alone|:0|skipped`},
		{"tap of perl", "1..4\nok 1 - it \\# adds\nnot ok 2 - later # TODO not yet\nok 3 # skip no db\nnot ok 4\nBail out! gone\n", `tap
||it # adds|:0|passed
||later|:0|expected
|||:0|skipped
|||:0|failed
||Bail out! gone|:0|failed`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := listed(t, c.data); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// A run in which nothing ran is told from one whose report only counts.
func TestCounts(t *testing.T) {
	for _, c := range []struct {
		data string
		want results.Counts
	}{
		{`<testsuites><testsuite tests="3" skipped="1" disabled="1"/></testsuites>`, results.Counts{Ran: 1}},
		{`<testsuite tests="2" skipped="2"><testcase name="a"><skipped/></testcase><testcase name="b" status="disabled"/></testsuite>`,
			results.Counts{Skipped: 1, Disabled: 1}},
		{"ok 1 - a\nnot ok 2 - b # TODO\nnot ok 3 - c\n", results.Counts{Ran: 3, Passed: 1, Failed: 1}},
	} {
		r, err := results.ReadTests("r", []byte(c.data))
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Counts(); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.data, got, c.want)
		}
	}
}

func TestWhatIsNoReportSaysWhatIsExpected(t *testing.T) {
	deep := strings.Repeat("<testsuite>", 300)
	for _, c := range []struct{ data, want string }{
		{"", "report: it is empty"},
		{"hello", "JUnit XML, the output of `go test -json` or TAP was expected"},
		{"\xff\xfe<\x00", "it is UTF-16"},
		{"<TestRun/>", "its root is <TestRun>, and <testsuites>"},
		{"<testsuite><testcase name='a'/>\n", "report:2: no well-formed XML: it ends inside of <testsuite>"},
		{"<testsuite></x>", "</x> closes what is not open"},
		{"<testsuite name=a/>", "has no quotes"},
		{"<!DOCTYPE testsuite [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><testsuite name='&a;'/>", "the entity &a; is not read"},
		{"<testsuite tests='-1'/>", `tests="-1" of <testsuite> is no number`},
		{deep, "nested more than 200 deep"},
		{`{"Action":"run"` + "\n", "report:1: no line of `go test -json`"},
	} {
		_, err := results.ReadTests("report", []byte(c.data))
		var e *results.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: %v, want %q", c.data, err, c.want)
		}
	}
	if _, err := results.ReadTests("report", make([]byte, results.MaxFileBytes+1)); err == nil {
		t.Error("a file above the bound was read")
	}
}

func FuzzReports(f *testing.F) {
	f.Add([]byte("<testsuite name='a'><testcase name='&lt;'><failure/></testcase></testsuite>"))
	f.Add([]byte("<coverage><class filename='a'><line number='1' hits='2'/></class></coverage>"))
	f.Add([]byte("TAP version 13\n    ok 1 - a\n      ---\n      location: 'a:1:1'\n      ...\nok 1 - b # SKIP\n  ---\n  type: 'suite'\n  ...\n"))
	f.Add([]byte(`{"Action":"fail","Package":"a","Test":"b"}` + "\n"))
	f.Add([]byte("SF:a\nDA:1,2\nend_of_record\n"))
	f.Add([]byte("mode: set\na.go:1.2,3.4 1 1\n"))
	f.Add([]byte(`{"meta":{},"files":{"a":{"executed_lines":[1],"missing_lines":[2],"contexts":{"1":["t|run"]}}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if r, err := results.ReadTests("r", data); err == nil {
			if n := r.Counts(); n.Ran+n.Skipped+n.Disabled != len(r.Cases)+r.Unlisted {
				t.Errorf("%d cases, counted %+v", len(r.Cases), n)
			}
		}
		c, err := results.ReadCoverage("c", data)
		if err != nil {
			return
		}
		for _, file := range c.Files {
			if n := len(file.Within(1, 1<<30)); n > len(file.Lines) {
				t.Errorf("%d of %d lines", n, len(file.Lines))
			}
		}
	})
}
