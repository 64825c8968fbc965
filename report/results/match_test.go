package results_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/acta-git/acta/report/results"
)

// indexed is an index of one report over some files.
func indexed(t *testing.T, files []string, report string) *results.Index {
	t.Helper()
	r, err := results.ReadTests("r", []byte(report))
	if err != nil {
		t.Fatal(err)
	}
	return results.NewIndex([]*results.Tests{r}, results.NewPaths(files, map[string]string{"example.org/m": ""}))
}

func junit(cases string) string {
	return "<testsuites><testsuite name='s'>" + cases + "</testsuite></testsuites>"
}

func TestTestsAreFound(t *testing.T) {
	files := []string{"tests/test_a.py", "lib/tests/test_a.py", "tests/test_b.py", "store/a_test.go",
		"src/test/java/com/x/LoginTest.java", "src/a/b.rs", "src/lib.rs", "tests/whole.rs", "Cargo.toml",
		"web/sum.test.js", "web/other.test.js", "spec/sum_spec.rb", "src/UserTest.php",
		"one/dao/a_test.go", "two/dao/a_test.go", "tests/test_c.py", "sub/src/lib.rs"}
	py := results.Test{Path: "tests/test_b.py", Name: "test_x"}
	inClass := results.Test{Path: "tests/test_b.py", Groups: []string{"TestIn"}, Name: "test_x"}
	java := results.Test{Path: "src/test/java/com/x/LoginTest.java", Groups: []string{"LoginTest"}, Name: "works"}
	gotest := results.Test{Path: "store/a_test.go", Name: "TestX"}
	method := results.Test{Path: "store/a_test.go", Groups: []string{"Suite"}, Name: "TestX"}
	rust := results.Test{Path: "src/a/b.rs", Groups: []string{"tests"}, Name: "works"}
	whole := results.Test{Path: "tests/whole.rs", Name: "works"}
	top := results.Test{Path: "src/lib.rs", Groups: []string{"tests"}, Name: "works"}
	dao := results.Test{Path: "one/dao/a_test.go", Name: "TestX"}
	php := results.Test{Path: "src/UserTest.php", Groups: []string{"UserTest"}, Name: "testX"}
	ruby := results.Test{Path: "spec/sum_spec.rb", Name: "test_x"}
	alone := results.Test{Path: "web/sum.test.js", Name: "adds", IsTitled: true}
	made := results.Test{Path: "web/sum.test.js", Name: "adds", IsTitled: true, HasUnknownName: true}
	signs := results.Test{Path: "web/sum.test.js", Groups: []string{"sum"}, Name: "+ - 1", IsTitled: true}
	js := results.Test{Path: "web/sum.test.js", Groups: []string{"sum", "of two"}, Name: "adds", IsTitled: true}
	const none, passed, failed = results.Outcome(0), results.Passed, results.Failed
	for _, c := range []struct {
		name, report string
		test         results.Test
		want         results.Outcome
		alike        int
	}{
		{"a module", junit(`<testcase classname="tests.test_b" name="test_x"/>`), py, passed, 0},
		{"one of several", junit(`<testcase classname="tests.test_b" name="test_x[1]"/>
			<testcase classname="tests.test_b" name="test_x[2]"><failure/></testcase>`), py, failed, 0},
		{"tried again", junit(`<testcase classname="tests.test_b" name="test_x"><failure/></testcase>
			<testcase classname="tests.test_b" name="test_x"/>`), py, passed, 0},
		{"another name", junit(`<testcase classname="tests.test_b" name="test_x2"/>`), py, none, 0},
		{"a parameter", junit(`<testcase classname="tests.test_b" name="test_y[test_x]"/>`), py, none, 0},
		{"another module", junit(`<testcase classname="tests.test_a" name="test_x"/>`), py, none, 0},
		{"an heir", junit(`<testcase classname="tests.test_c.TestSub" name="test_x"/>`), inClass, none, 1},
		{"Java", junit(`<testcase classname="com.x.LoginTest" name="works(int)[1]"/>`), java, passed, 0},
		{"Go", `{"Action":"pass","Package":"example.org/m/store","Test":"TestX"}`, gotest, passed, 0},
		{"a part", `{"Action":"fail","Package":"example.org/m/store","Test":"TestX/y"}`, gotest, failed, 0},
		{"a longer name", `{"Action":"fail","Package":"example.org/m/store","Test":"TestXY"}`, gotest, none, 0},
		{"a suite's", `{"Action":"pass","Package":"example.org/m/store","Test":"TestSuite/TestX"}`, method, none, 1},
		{"nextest", junit(`<testcase classname="m" name="a::b::tests::works"/>`), rust, passed, 0},
		{"jest", junit(`<testcase file="web/sum.test.js" classname="x" name="sum of two adds"/>`), js, passed, 0},
		{"vitest", junit(`<testcase classname="web/sum.test.js" name="sum &gt; of two &gt; adds"/>`), js, passed, 0},
		{"its file", junit(`<testcase file="tests/test_b.py" classname="x" name="test_x"/>`), py, passed, 0},
		{"its file and class", junit(`<testcase file="tests/test_b.py" classname="TestIn" name="test_x"/>`),
			inClass, passed, 0},
		{"its file and another class", junit(`<testcase file="tests/test_b.py" classname="TestB" name="test_x"/>`),
			inClass, none, 0},
		{"another file", junit(`<testcase file="tests/test_c.py" classname="x" name="test_x"/>`), py, none, 0},
		{"another file, of an heir", junit(`<testcase file="tests/test_c.py" classname="TestIn" name="test_x"/>`),
			inClass, none, 1},
		{"a namespace that is no folder", junit(`<testcase classname="App\Tests\UserTest" name="testX"/>`), php, none, 1},
		{"a namespace with dots", junit(`<testcase classname="App.Tests.UserTest" name="testX"/>`), php, passed, 0},
		{"a module that stands twice", junit(`<testcase classname="test_a" name="test_x"/>`),
			results.Test{Path: "lib/tests/test_a.py", Name: "test_x"}, none, 1},
		{"without a module", junit(`<testcase name="test_x"/>`), ruby, none, 1},
		{"a package's last part", `{"Action":"pass","Package":"store","Test":"TestX"}`, gotest, passed, 0},
		{"a package's last part of two", `{"Action":"pass","Package":"dao","Test":"TestX"}`, dao, none, 1},
		{"another package", `{"Action":"pass","Package":"example.org/m/one/dao","Test":"TestX"}`, gotest, none, 0},
		{"another suite's", `{"Action":"pass","Package":"example.org/m/store","Test":"TestSuite/TestY"}`, method, none, 0},
		{"nextest, the crate's top", junit(`<testcase classname="m" name="tests::works"/>`), top, passed, 0},
		{"nextest, another module", junit(`<testcase classname="m" name="a::c::tests::works"/>`), rust, none, 0},
		{"nextest, a file of tests", junit(`<testcase classname="m::whole" name="works"/>`), whole, passed, 0},
		{"nextest, another file of tests", junit(`<testcase classname="m::part" name="works"/>`), whole, none, 0},
		{"nextest, an example", junit(`<testcase classname="m" name="works"/>`),
			results.Test{Path: "examples/a.rs", Name: "works"}, none, 1},
		{"nextest, another crate", junit(`<testcase classname="m" name="tests::works"/>`),
			results.Test{Path: "sub/src/lib.rs", Groups: []string{"tests"}, Name: "works"}, none, 1},
		{"a part of that name", `{"Action":"fail","Package":"example.org/m/store","Test":"TestY/of-TestX"}`, gotest, none, 0},
		{"a title without its file", junit(`<testcase classname="sum of two" name="adds"/>`), js, passed, 0},
		{"a title in other groups", junit(`<testcase file="web/sum.test.js" classname="product" name="adds"/>`), js, none, 1},
		{"a title outside groups", junit(`<testcase file="web/sum.test.js" name="adds"/>`), alone, passed, 0},
		{"a title that is made", junit(`<testcase file="web/sum.test.js" name="adds"/>`), made, none, 0},
		{"a title of signs", junit(`<testcase file="web/sum.test.js" classname="sum" name="sum"/>`), signs, none, 0},
		{"elsewhere", junit(`<testcase classname="web/other.test.js" name="sum &gt; of two &gt; adds"/>`), js, none, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := indexed(t, files, c.report).Find(c.test)
			if m.Outcome != c.want || c.want == none && m.Candidates != c.alike {
				t.Errorf("outcome %d, %d alike; want %d, %d", m.Outcome, m.Candidates, c.want, c.alike)
			}
		})
	}
}

// A report that calls tests of a file otherwise does not show that one did not run.
func TestStrays(t *testing.T) {
	test := results.Test{Path: "com/x/LoginTest.java", Groups: []string{"LoginTest"}, Name: "works"}
	for report, want := range map[string]bool{
		`<testcase classname="com.x.LoginTest" name="a user logs in"/>`: true,
		`<testcase classname="com.x.LoginTest" name="works()"/>`:        false,
		`<testcase classname="com.x.OtherTest" name="other"/>`:          false,
	} {
		got := indexed(t, []string{test.Path}, junit(report)).HasStrays(test, []results.Test{test})
		if got != want {
			t.Errorf("%s: %v, want %v", report, got, want)
		}
	}
}

// Go has no names for display alone.
func TestATestOfGoIsNoStray(t *testing.T) {
	test := results.Test{Path: "store/a_test.go", Name: "TestX"}
	report := `{"Action":"pass","Package":"example.org/m/store","Test":"TestY"}`
	if indexed(t, []string{test.Path}, report).HasStrays(test, []results.Test{test}) {
		t.Error("a test of Go may have another name in a report")
	}
}

func TestCasesAreCountedByTheirFiles(t *testing.T) {
	report := junit(`<testcase file="tests/test_b.py" name="test_x"><failure/></testcase>
		<testcase classname="store" name="TestX"/><testcase classname="x" name="y"/><testcase classname="web" name="z"/>`)
	x := indexed(t, []string{"tests/test_b.py", "store/a_test.go"}, report)
	got := x.Tally([]string{".py"})
	if got.Known != 1 || got.Unknown != 2 || !slices.Equal(got.Failed, []string{"test_x"}) {
		t.Errorf("%+v", got)
	}
}

func TestPathsAreFoundByUniqueSuffix(t *testing.T) {
	p := results.NewPaths([]string{"src/a.py", "src/b.py", "lib/src/a.py", "go/x/a.go", "packages/one/src/i.js",
		"packages/two/src/i.js", "packages/two/src/k.js"}, map[string]string{"example.org/m": "go"})
	for _, c := range []struct {
		name string
		want map[string]string // by what is written; "" is not known
	}{
		{"absolute", map[string]string{"/ci/w/src/b.py": "src/b.py"}},
		{"as the others", map[string]string{"/ci/w/src/a.py": "src/a.py", "/ci/w/src/b.py": "src/b.py"}},
		{"of two, alone", map[string]string{"src/a.py": ""}},
		{"two roots", map[string]string{"src/i.js": "", "src/k.js": "packages/two/src/k.js"}},
		{"from a folder", map[string]string{"src/i.js": "packages/two/src/i.js", "src/k.js": "packages/two/src/k.js"}},
		{"from a folder beside", map[string]string{"../src/b.py": "src/b.py"}},
		{"not of the tree", map[string]string{"/usr/lib/python3/x.py": ""}},
		{"a module", map[string]string{"example.org/m/x/a.go": "go/x/a.go"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var written []string
			for w := range maps.Keys(c.want) {
				written = append(written, w)
			}
			roots := 1
			if c.name == "two roots" {
				roots = 2
			}
			got := p.Map(written, roots)
			for w, at := range c.want {
				if got[w] != at {
					t.Errorf("%s is %q, want %q", w, got[w], at)
				}
			}
		})
	}
}
