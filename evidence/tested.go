package evidence

import (
	"bytes"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/flow"
	"github.com/acta-git/acta/evidence/lang"
)

// testMarks is how far before a definition its marks may stand, in bytes.
const testMarks = 300

var (
	// marksTest is how an attribute or annotation says that a function is a test: @Test, #[tokio::test], [Fact].
	marksTest = lang.Lazy(`(?i)^\W*(?:[\w.]+(?:::|\.))?(?:test|fact|theory|testmethod|testcase|datatestmethod` +
		`|parameterizedtest|repeatedtest|rstest|test_case)\b`)
	unfed = lang.Lazy(`parametrize\(\s*[^,]+,\s*[\[(]\s*[\])]|\.each\(\s*\[\s*\]\s*\)`)
	// patch is a decorator that gives a double; what is given by name does not count.
	patch = lang.Lazy(`(?m)^\s*@\s*(?:[\w.]+\.)?patch(?:\.object\s*\([^,]+,)?\s*\(?[^,()=]*(?:\)|,\s*\w+\s*=[^=])`)
	// namedBy is how a file tells what a name of its tests stands for.
	namedBy = lang.Lazy(`@(?:Mock|MockBean|MockK|MockitoBean)\b[^;{}()=]*?([\pL_]\w*)\s*[;\n:]` +
		`|\blet!?\(:(\w+)\)\s*(?:\{|do)\s*(?:instance_|class_|object_)?double\b`)
)

// untested says why what may be a test cannot fail, "" where it may.
func (r *reader) untested(c capture, fn *flow.Function) string {
	begin := fn.Node.Start()
	if near := max(0, begin-testMarks); !c.title && !mayTest(r.src[near:max(near, c.body.start)]) {
		return ""
	}
	if p := fn.Node.Parent(); p != nil && p.Type() == "decorated_definition" {
		begin = p.Start()
	}
	header := string(r.src[begin:max(begin, c.body.start)])
	if unfed.MatchString(header) {
		return "the test runs over an empty table"
	}
	if r.doubles == nil {
		r.doubles = []string{}
		for _, m := range namedBy.InBytes(r.src).FindAllSubmatch(r.src, maxOfOneName) {
			r.doubles = append(r.doubles, string(m[1])+string(m[2]))
		}
	}
	patches := len(patch.In(header).FindAllString(header, -1))
	doubles := append(slices.Clone(r.doubles), fn.Params[:min(len(fn.Params), patches)]...)
	return r.flow.TestDoubt(fn, doubles)
}

// mayTest reports whether what stands before a body may say that it is a test: cheaply, for there are many.
func mayTest(head []byte) bool {
	return bytes.Contains(head, []byte("est")) || bytes.Contains(head, []byte("EST")) ||
		bytes.Contains(head, []byte("Fact")) || bytes.Contains(head, []byte("heory"))
}

// eachTest returns what is said of the tests of a span: "" where one of its functions is none, or nothing is said of
// it. What says little of a test is left out beside what says more.
func (m *model) eachTest(s stretch, say func(d *definition) string) string {
	said := ""
	for d := range m.outermost(s, isFunction) {
		if !m.looksTest(d) {
			return ""
		}
		for _, leaf := range m.leavesOf(d, s) {
			why := say(leaf)
			if why == "" || said != "" && (why == flow.AssertsNothing) != (said == flow.AssertsNothing) {
				return ""
			} else if why != flow.OnlyPresence {
				said = why
			}
		}
	}
	return said
}

// leavesOf are the tests of a span in one that groups others by titles, or the one itself.
func (m *model) leavesOf(d *definition, s stretch) []*definition {
	var leaves []*definition
	for i := range m.definitions {
		o := &m.definitions[i]
		if !o.title || o.body < 0 || o.outer < d.outer || o.end > d.end || o.outer >= s.end || o.last <= s.start {
			continue
		}
		if last := len(leaves) - 1; last >= 0 && o.end <= leaves[last].end {
			leaves = leaves[:last] // it stands in the one before
		}
		leaves = append(leaves, o)
	}
	if len(leaves) == 0 {
		return []*definition{d}
	}
	return leaves
}

// looksTest reports whether a function is a test, as its title, its language or its name says.
func (m *model) looksTest(d *definition) bool {
	if d.title {
		return d.body >= 0
	}
	if len(m.grammar.Tests) > 0 {
		return m.headerFacts(d, 0).MatchAny(m.grammar.Tests)
	}
	return strings.HasPrefix(strings.ToLower(d.name), "test") || m.isMarkedTest(d)
}

// isMarkedTest reports whether a decorator says that a function is a test.
func (m *model) isMarkedTest(d *definition) bool {
	return slices.ContainsFunc(m.decoratorsOf(d), marksTest.MatchString)
}

// holdsTests reports whether all functions of a span say that they are tests, wherever the file lies.
func (m *model) holdsTests(s stretch) bool {
	return m.eachTest(s, func(d *definition) string {
		if d.title || m.isMarkedTest(d) {
			return "a test"
		}
		return ""
	}) != ""
}

// isSilenced reports whether what stands around a test keeps it from running: a class or module that is skipped, or
// one of silent.
func (m *model) isSilenced(d *definition, silent []lang.Span) bool {
	for o := range m.around(d) {
		if slices.ContainsFunc(m.decoratorsOf(o), m.skipsAlways) {
			return true
		}
	}
	return m.looksTest(d) && slices.ContainsFunc(silent, func(s lang.Span) bool {
		return s.Start <= d.outer && d.end <= s.End
	})
}

// inComment reports whether a byte stands in a comment.
func (m *model) inComment(at int) bool { return m.kinds[at]&kindMask == comment }

// tested judges lines of tests that hold substance: unclear where none of the tests can fail. That one asserts nothing
// is named and no more.
func (p *place) tested(s stretch) Result {
	why := p.model.eachTest(s, func(d *definition) string { return d.effect.untested })
	if why != "" && why != flow.AssertsNothing {
		return p.unsure(why, "let the test fail if the code is wrong")
	}
	r := verified()
	r.Reason = why
	return r
}
