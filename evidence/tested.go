package evidence

import (
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/flow"
	"github.com/acta-git/acta/evidence/lang"
)

// testDoubt says why a test cannot fail, "" if it may, or is no test.
func (r *reader) testDoubt(fn *flow.Function) string {
	if !fn.IsTest {
		return ""
	}
	begin := fn.Node.Start()
	if p := fn.Node.Parent(); p != nil && p.Type() == "decorated_definition" {
		begin = p.Start()
	}
	header := string(r.src[begin:max(begin, fn.Span.Start)])
	if fits("empty table", header) {
		return "the test runs over an empty table"
	}
	if r.doubles == nil {
		r.doubles = []string{}
		for _, m := range patternOf("named double").InBytes(r.src).FindAllSubmatch(r.src, maxOfOneName) {
			r.doubles = append(r.doubles, string(m[1])+string(m[2]))
		}
	}
	patches := len(patternOf("patch decorator").In(header).FindAllString(header, -1))
	doubles := append(slices.Clone(r.doubles), fn.Params[:min(len(fn.Params), patches)]...)
	return r.flow.TestDoubt(fn, doubles)
}

// commonReason returns the reason that all tests of a span share: "" if one of its functions is no test, or has none. A
// weak reason is dropped beside a stronger one.
func (m *model) commonReason(s stretch, reasonOf func(d *definition) string) string {
	reason := ""
	for _, d := range m.outermost(s, isFunction) {
		if !m.looksTest(d) {
			return ""
		}
		for _, leaf := range m.leavesOf(d, s) {
			why := reasonOf(leaf)
			if why == "" {
				return ""
			} else if why != flow.OnlyPresence && (reason == "" || why != flow.AssertsNothing) {
				reason = why
			}
		}
	}
	return reason
}

// leavesOf are the tests of a span inside a group, or the test itself.
func (m *model) leavesOf(d *definition, s stretch) []*definition {
	var leaves []*definition
	for _, o := range m.definitions {
		if !o.isTitled || o.body < 0 || o.outer < d.outer || o.end > d.end || o.outer >= s.end || o.last <= s.start {
			continue
		}
		if last := len(leaves) - 1; last >= 0 && o.end <= leaves[last].end {
			leaves = leaves[:last] // the previous one is its group
		}
		leaves = append(leaves, o)
	}
	if len(leaves) == 0 {
		return []*definition{d}
	}
	return leaves
}

// looksTest reports whether a function is a test, by its title, its language's conditions or its name.
func (m *model) looksTest(d *definition) bool {
	if d.isTitled {
		return d.body >= 0
	}
	if len(m.grammar.Tests) > 0 {
		return m.isTest(d)
	}
	return strings.HasPrefix(strings.ToLower(d.name), "test") || m.isMarkedTest(d)
}

func (m *model) isMarkedTest(d *definition) bool {
	return slices.ContainsFunc(m.decoratorsOf(d), patternOf("test marker").MatchString)
}

// holdsTests reports whether all functions of a span are marked as tests, wherever the file lies.
func (m *model) holdsTests(s stretch) bool {
	return m.commonReason(s, func(d *definition) string {
		if d.isTitled || m.isMarkedTest(d) {
			return "a test"
		}
		return ""
	}) != ""
}

// isInSkipped reports whether an enclosing class or module, or one of the skipped spans, keeps a test from running.
func (m *model) isInSkipped(d *definition, silent []lang.Span) bool {
	for o := d.parent; o != nil; o = o.parent {
		if slices.ContainsFunc(m.decoratorsOf(o), m.skipsAlways) {
			return true
		}
	}
	return m.looksTest(d) && slices.ContainsFunc(silent, func(s lang.Span) bool {
		return s.Start <= d.outer && d.end <= s.End
	})
}

func (m *model) inComment(at int) bool { return m.kinds[at]&kindMask == comment }

// testResult judges lines of tests with substance: unclear if none of the tests can fail. A test without assertions is
// only noted.
func (p *place) testResult(s stretch) Result {
	why := p.model.commonReason(s, func(d *definition) string { return d.effect.testDoubt })
	if why != "" && why != flow.AssertsNothing {
		return p.unclear(why, "let the test fail if the code is wrong")
	}
	r := verified()
	r.Reason = why
	return r
}

// HoldsTests reports whether a file holds tests, by its path: its name has the word test or spec as test runners expect
// (test_*.py, *_test.go, *.spec.ts, *Tests.cs, *IT.java), or its folder is one of tests.
func HoldsTests(name string) bool {
	lower := strings.ToLower(name)
	if !strings.Contains(lower, "test") && !strings.Contains(lower, "spec") && !strings.Contains(lower, "e2e") &&
		!strings.Contains(lower, "integration/") && !strings.Contains(lower, "cy.") && !strings.Contains(name, "IT.") {
		return false // quick check
	}
	folders, file := path.Split(name)
	for folder := range strings.SplitSeq(strings.TrimSuffix(folders, "/"), "/") {
		if slices.ContainsFunc(lang.Words(folder), isTestWord) {
			return true
		}
		switch strings.ToLower(folder) {
		case "spec", "specs", "testing", "e2e", "integration":
			return true
		}
	}
	ext := path.Ext(file)
	stem := strings.TrimSuffix(file, ext)
	if ext == ".py" && (strings.HasPrefix(stem, "test") || stem == "conftest") { // unittest runs test*.py
		return true
	}
	parts := strings.FieldsFunc(strings.ToLower(stem), func(r rune) bool { return strings.ContainsRune("_.-", r) })
	words := lang.Words(stem)
	if len(parts) == 0 || len(words) == 0 {
		return false
	}
	if isTestWord(words[0]) || slices.ContainsFunc(parts, func(p string) bool {
		return isTestWord(p) || p == "spec" || p == "specs" || strings.HasSuffix(p, "unittest")
	}) {
		return true
	}
	// In the middle of a camel-case name it does not count: runTestCommand.ts.
	switch last := words[len(words)-1]; last {
	case "spec":
		return true
	case "it":
		return strings.HasSuffix(stem, "IT")
	case "e2e", "cy":
		return len(parts) > 1
	case "case":
		return strings.HasSuffix(stem, "TestCase")
	default:
		return isTestWord(last)
	}
}

func isTestWord(word string) bool {
	word = strings.TrimRight(word, "0123456789")
	return word == "test" || word == "tests"
}

// holdsDoubles reports whether a file may hold test doubles, by its path. It is narrower than HoldsTests in camel-case
// names, and wider in folders: docs/precision.md is measured with it.
func holdsDoubles(name string) bool {
	for folder := range strings.SplitSeq(strings.ToLower(path.Dir(name)), "/") {
		switch folder {
		case "test", "tests", "testing", "__tests__", "spec", "specs", "testdata", "fixtures", "mocks", "__mocks__",
			"testutil", "androidtest", "e2e":
			return true
		}
	}
	base := strings.ToLower(path.Base(name))
	stem := strings.TrimSuffix(base, path.Ext(base))
	for _, end := range []string{".spec", "_spec", "test", "tests", ".stories"} {
		if strings.HasSuffix(stem, end) {
			return true
		}
	}
	return strings.HasPrefix(stem, "test_") || stem == "conftest"
}
