package results_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/acta-git/acta/report/results"
)

// listed is a report in a few words: format, then each case with suite, class, name, place and outcome.
func listed(t *testing.T, data string) string {
	t.Helper()
	r, err := results.ReadTests("report", []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	outcomes := map[results.Outcome]string{results.Passed: "passed", results.Failed: "failed", results.ExpectedFailure: "expected", results.Unfinished: "unended",
		results.Skipped: "skipped", results.Disabled: "disabled"}
	said := []string{r.Format}
	for _, c := range r.Cases {
		said = append(said, fmt.Sprintf("%s|%s|%s|%s|%s", c.Suite, c.Class, c.Name, c.File, outcomes[c.Outcome]))
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
pytest|tests.test_a.TestA|test_x[1-"b"]||passed
pytest|tests.test_a|test_f||failed
pytest|tests.test_a|test_e||failed
pytest|tests.test_a|test_s||skipped
pytest|tests.test_a|test_xf||expected`},
		{"nested suites with a file, a prefix, CDATA and a comment", `<!-- > --><t:testsuite xmlns:t='x' name='root' file='a.js'>
<testsuite name="describe"><testcase name='works' classname="test" line="7"><system-out><![CDATA[<failure/>]]></system-out></testcase></testsuite>
<testcase name="own" file="b.js" status="notrun"/></t:testsuite>`, `junit
root > describe|test|works|a.js|passed
root||own|b.js|disabled`},
		{"a document type and another encoding", `<?xml version="1.0" encoding="iso-8859-1"?><!DOCTYPE testsuite [<!ENTITY a "b">]>
<testsuite><testcase name="x"><failure>&lt;</failure></testcase></testsuite>`, "junit\n||x||failed"},
		{"the colours of captured output", "<testsuite><testcase name='x'><system-out>\x1b[31mred\x1b[0m\xff</system-out></testcase></testsuite>",
			"junit\n||x||passed"},
		{"the colours as references", "<testsuite><testcase name='x&#27;y&#x1b;z&#x41;&#10;'><failure message='&#0;'>&#27;[0m</failure></testcase></testsuite>",
			"junit\n||x y zA\n||failed"},
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
{"Action":"run","Package":"m/b","Test":"TestLost"}
{"Action":"output","Package":"m/b","Test":"TestLost","Output":"-1ns--- PASS: TestLost (0.00s)\n"}
{"Action":"pass","Package":"m/b"}
{"Action":"fail","Package":"m/broken"}
{"Action":"skip","Package":"m/none"}
`, `go test
|m/a|TestX/sub_1||passed
|m/a|TestX||failed
|m/a|TestY||skipped
|m/broken|||failed
|m/a|TestHangs||failed
|m/b|TestLost||unended`},
		{"a comment that XML forbids", "<testsuite><testcase name='x'><!-- a -- <failure> --><system-out><![CDATA[<!-- ]]></system-out></testcase>" +
			"<testcase name='y'><failure><![CDATA[-->]]></failure></testcase></testsuite>", "junit\n||x||passed\n||y||failed"},
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
		{"<testsuite><testcase name='a'/><testcase name='b'><skipped type='pytest.xfail'/></testcase><testcase name='c'><error/>" +
			"</testcase></testsuite>", results.Counts{Ran: 3, Passed: 1, Failed: 1}},
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
	deep := strings.Repeat("<testsuite>", 300) + strings.Repeat("</testsuite>", 300)
	for _, c := range []struct{ data, want string }{
		{"", "report: it is empty"},
		{"hello", "expected JUnit XML or the output of `go test -json`"},
		{"\xff\xfe<\x00", "it is UTF-16"},
		{"<TestRun/>", "its root is <TestRun>, expected <testsuites>"},
		{"<testsuite><testcase name='a'/>\n", "report:2: not well-formed XML: it ends inside of an element"},
		{"<testsuite></x>", "element <testsuite> closed by </x>"},
		{"<testsuite name=a/>", "unquoted or missing attribute value"},
		{"<!DOCTYPE testsuite [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><testsuite name='&a;'/>", "invalid character entity &a;"},
		{"<testsuite tests='x'/>", "its XML is not read"},
		{deep, "nested more than 200 deep"},
		{`{"Action":"run"` + "\n", "report:1: not a line of `go test -json`"},
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
	f.Add([]byte("<coverage><packages><package><classes><class filename='a'><lines><line number='1' hits='2'/></lines></class></classes></package></packages></coverage>"))
	f.Add([]byte(`{"Action":"fail","Package":"a","Test":"b"}` + "\n"))
	f.Add([]byte("SF:a\nDA:1,2\nend_of_record\n"))
	f.Add([]byte("mode: set\na.go:1.2,3.4 1 1\n"))
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
