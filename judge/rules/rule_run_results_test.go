package rules

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

const citingCode = "ACT: T01 login\n\nDone: Add login() | src/auth.py:5-8\n"

// ranWith is an ACT that claims a run, and a report of tests.
func ranWith(claimed string, cases ...string) commit {
	c := ofTests(cases...)
	c.message = citingCode + "Ran: " + claimed + "\n"
	return c
}

func TestRunEmpty(t *testing.T) {
	found := one("warning message:1")
	empty := tested(map[string]string{"junit": `<testsuites><testsuite name="pytest" tests="0"/></testsuites>`})
	forUnit := ofTests("test_login~")
	forUnit.message = "Begin the login\n\nFor: T01\n"
	waived := held(ofTests("test_login~"), policy.Strict, "waivable: [run_empty]\n")
	waived.message += "Waive: run_empty | T01 | The database is down today\n"
	testRule(t, "run_empty", []row{
		{"no test", empty, found, "contain no test that ran"},
		{"all were skipped", ofTests("test_login~", "test_logout~"), found, ""},
		{"in STRICT", held(empty, policy.Strict, ""), one("error message:1"), ""},
		{"in EXEMPT", held(empty, policy.Exempt, ""), nil, ""},
		{"where the policy requires tests", held(empty, policy.Light, requiresTests), one("error message:1"), ""},
		{"waived at its task", waived, found, "waived: The database is down today"},
		{"one ran", ofTests("test_login", "test_logout~"), nil, ""},
		{"one failed", ofTests("test_login!"), nil, ""},
		{"work for a task", forUnit, nil, ""},
		{"coverage is given alone", tested(map[string]string{"coverage": lcov("1,1")}), nil, ""},
		{"nothing is given", tested(nil), nil, ""},
	})
}

func TestARunIsHeldToResults(t *testing.T) {
	found := one("warning message:4")
	recorded := func(claimed string, cases []string, runs ...RecordedRun) commit {
		c := ranWith(claimed, cases...)
		c.runs = runs
		return c
	}
	two := ranWith("pytest -q | exit 0", "test_login!")
	two.files["a/pyproject.toml"], two.files["b/pyproject.toml"] = "", ""
	single := ranWith("pytest -q | exit 0", "test_login!")
	single.files["a/pyproject.toml"], single.files["a/setup.py"] = "", ""
	mixed := []string{"test_login!", "test_logout"}
	testRule(t, "run_contradicted", []row{
		{"a test failed", ranWith("pytest -q | exit 0", mixed...), found,
			"«pytest -q» is reported with exit code 0; the test results say that 1 test failed: "},
		{"by the interpreter", ranWith("python3 -m pytest | exit 0", mixed...), found, ""},
		{"in a chain, which is not read", ranWith("make lint && pytest -q | exit 0", mixed...), nil, ""},
		{"in STRICT", held(ranWith("pytest -q | exit 0", mixed...), policy.Strict, ""), one("error message:4"), ""},
		{"in EXEMPT", held(ranWith("pytest -q | exit 0", mixed...), policy.Exempt, ""), nil, ""},
		{"where the policy requires tests", held(ranWith("pytest -q | exit 0", mixed...), policy.Standard, requiresTests),
			one("error message:4"), ""},
		{"more passed than there are", ranWith("pytest -q | exit 0 | 214 passed", "test_login", "test_logout"), found,
			"it says that 214 tests passed, and the test results have 2"},
		{"of one project", single, found, ""},
		{"what the session recorded is not this command", recorded("pytest -q | exit 0", mixed,
			RecordedRun{Command: "pytest -q tests/", Exit: new(0)}), found, ""},
		{"the session saw it pass", recorded("pytest -q | exit 0", mixed, RecordedRun{Command: "pytest -q", Exit: new(0)}),
			nil, ""},
		{"as many passed", ranWith("pytest -q | exit 0 | 2 passed", "test_login", "test_logout"), nil, ""},
		{"fewer passed", ranWith("pytest -q | exit 0 | 1 passed", "test_login", "test_logout"), nil, ""},
		{"it is said to have failed", ranWith("pytest -q | exit 1", mixed...), nil, ""},
		{"a part of the tests was run", ranWith("pytest -q tests/test_other.py | exit 0", mixed...), nil, ""},
		{"tests of another language were", ranWith("go test ./... | exit 0", mixed...), nil, ""},
		{"in a folder that is changed to", ranWith("cd a && pytest -q | exit 0", mixed...), nil, ""},
		{"with an alternative", ranWith("pytest -q || true | exit 0", mixed...), nil, ""},
		{"of one of two projects", two, nil, ""},
		{"it failed and passed when it was tried again", ranWith("pytest -q | exit 0", "test_login!", "test_login"), nil, ""},
	})
}

// What is surely a run of all tests of a project, and whose tests these are, is told from the command alone.
func TestRunnersOfAllTests(t *testing.T) {
	for line, want := range map[string]string{
		"pytest": ".py", "pytest -q --tb=short": ".py", "python -m pytest -v": ".py", "/usr/bin/python3.12 -m pytest": ".py",
		"pytest tests": "", "pytest -k login": "", "pytest -m slow": "", "pytest --lf": "", "pytest -x": "",
		"python pytest": "", "python -m unittest": "", "PYTHONPATH=. pytest": "", "pytest -q; true": "", "pytest --tb=short;true": "", "": "",
		"go test ./...": ".go", "go test -race -count=1 ./...": ".go", "go vet ./...": "", "go test ./a": "", "go test": "",
		"go test -run X ./...": "", "go test -short ./...": "",
		"cargo test": ".rs", "cargo nextest run": ".rs", "cargo build": "", "cargo test login": "", "cargo test --all-features": ".rs",
		"jest": ".js", "jest --ci --coverage": ".js", "jest src": "", "vitest run": ".js", "mvn verify": ".java", "mvn -q verify": ".java",
		"mvn install": "", "mvn verify -DskipTests": "", "npm test": "", "make test": "",
	} {
		got := ""
		if r := runnerOf(line); r != nil {
			got = r.endings[0]
		}
		if got != want {
			t.Errorf("%s runs all tests of %q, want %q", line, got, want)
		}
	}
	// No word that is not known to leave all tests in may be added to a run of all.
	for _, line := range []string{"pytest", "go test ./...", "cargo test", "jest", "vitest", "mvn verify"} {
		if runnerOf(line+" surely_unknown") != nil {
			t.Errorf("%s with a word that is not known runs all tests", line)
		}
	}
}

// holder holds commits to a tier each, STANDARD where none is given.
type holder map[string]policy.Tier

func (h holder) CommitTier(_ context.Context, commit string, _ []string) (policy.Tier, []parser.Waiver, error) {
	if tier, ok := h[commit]; ok {
		return tier, nil, nil
	}
	return policy.Standard, nil, nil
}

// findingsOfRange are the findings over a range of ACTs, the last of which has the results; each as its rule, severity
// and commit.
func findingsOfRange(t *testing.T, c commit, h holder, acts []RangeAct, followed ...FollowedClaim) []string {
	t.Helper()
	a := answers{commit: &c, tree: c.files.over(c.base).tree()}
	pol := policy.Default()
	held, err := a.results(t)
	if err != nil {
		t.Fatal(err)
	}
	out, err := RunRange(t.Context(), Rules(), &RangeInput{
		Policy: &pol, Head: "head", Tiers: h, Followed: followed, Results: held, Acts: acts,
	})
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, f := range out.Findings {
		found = append(found, strings.TrimSpace(f.Rule+" "+f.Severity.String()+" "+f.Commit))
	}
	return found
}

// rangeAct is an ACT of a range.
func rangeAct(commit, lines string, stands bool) RangeAct {
	return RangeAct{Commit: commit, Part: parser.Parse([]byte("ACT: T01 login\n\n" + lines)).Parts[0],
		IsUnchanged: stands}
}

func TestTheEndOfARangeIsHeldToItsResults(t *testing.T) {
	ran := "Done: Add login() | src/auth.py:5-8\nRan: pytest -q | exit 0\n"
	for name, c := range map[string]struct {
		cases []string
		hold  holder
		acts  []RangeAct
		want  []string
	}{
		"a run that failed": {[]string{"test_login!"}, nil, []RangeAct{rangeAct("c1", ran, true)},
			one("run_contradicted warning c1")},
		"in STRICT": {[]string{"test_login!"}, holder{"c1": policy.Strict},
			[]RangeAct{rangeAct("c1", ran, true)}, one("run_contradicted error c1")},
		"in EXEMPT": {[]string{"test_login!"}, holder{"c1": policy.Exempt},
			[]RangeAct{rangeAct("c1", ran, true)}, nil},
		"code has changed since": {[]string{"test_login!"}, nil, []RangeAct{rangeAct("c1", ran, false)}, nil},
		"it passed":              {[]string{"test_login"}, nil, []RangeAct{rangeAct("c1", ran, true)}, nil},
		"nothing ran: the newest alone": {[]string{"test_login~"}, nil,
			[]RangeAct{rangeAct("c1", "", true), rangeAct("c2", "", true)}, one("run_empty warning c2")},
		"nothing ran, and no ACT": {[]string{"test_login~"}, nil, nil, nil},
		"nothing ran, in EXEMPT": {[]string{"test_login~"}, holder{"c1": policy.Exempt},
			[]RangeAct{rangeAct("c1", "", true)}, nil},
	} {
		if got := findingsOfRange(t, ofTests(c.cases...), c.hold, c.acts); !slices.Equal(got, c.want) {
			t.Errorf("%s: found %q, want %q", name, got, c.want)
		}
	}
}

// A claim of the range is held to results where its code stands at the end, as strictly as its own commit.
func TestAClaimOfARangeIsHeldWhereItStands(t *testing.T) {
	claim := func(change func(*FollowedClaim)) FollowedClaim {
		f := FollowedClaim{ClaimVerdict: report.ClaimVerdict{Commit: "c1", Unit: "T01", Item: "Test login",
			Verdict: report.Verified}}
		f.Places = []FollowedPlace{{
			Evidence: parser.ParseEvidence("tests/test_old.py:1-3", report.Pos{})[0],
			Trace:    evidence.Trace{State: evidence.StateMoved, Path: "tests/test_auth.py", Line: 4, EndLine: 6},
		}}
		change(&f)
		return f
	}
	for name, c := range map[string]struct {
		change func(*FollowedClaim)
		hold   holder
		want   []string
	}{
		"moved":            {func(*FollowedClaim) {}, nil, one("test_failed warning c1")},
		"in STRICT":        {func(*FollowedClaim) {}, holder{"c1": policy.Strict}, one("test_failed error c1")},
		"in EXEMPT":        {func(*FollowedClaim) {}, holder{"c1": policy.Exempt}, nil},
		"made before":      {func(f *FollowedClaim) { f.IsEarlier = true }, nil, nil},
		"reopened since":   {func(f *FollowedClaim) { f.ReopenedBy = "c2" }, nil, nil},
		"what was removed": {func(f *FollowedClaim) { f.Places[0].Evidence.IsRemoved = true }, nil, nil},
		"gone":             {func(f *FollowedClaim) { f.Places[0].Trace.State = evidence.StateGone }, nil, nil},
		"not surely found": {func(f *FollowedClaim) { f.Places[0].Trace.State = evidence.StateUnclear }, nil, nil},
		"of another test":  {func(f *FollowedClaim) { f.Places[0].Trace.Line, f.Places[0].Trace.EndLine = 9, 11 }, nil, nil},
	} {
		got := findingsOfRange(t, ofTests("test_login!", "test_logout"), c.hold, nil, claim(c.change))
		got = slices.DeleteFunc(got, func(s string) bool { return strings.HasPrefix(s, "evidence_regressed") })
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: found %q, want %q", name, got, c.want)
		}
	}
}

func TestProjectsAreCounted(t *testing.T) {
	for _, c := range []struct {
		files files
		want  int
	}{
		{files{"setup.py": "", "pyproject.toml": ""}, 1}, {files{"a/setup.py": "", "b/c/tox.ini": ""}, 2},
		{files{"a/setup.pyc": "", "setup.py/x": ""}, 0}, {nil, 0},
	} {
		r := Results{files: slices.Sorted(maps.Keys(c.files))}
		if got := r.countProjects(runners["pytest"].markers); got != c.want {
			t.Errorf("%v: %d projects, want %d", r.files, got, c.want)
		}
	}
}
