package evidence

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/flow"
	"github.com/acta-git/acta/evidence/lang"
)

// testDoubt says why a test cannot fail, "" if it may, or is no test.
func (r *reader) testDoubt(body stretch, fn *flow.Function) string {
	if !fn.IsTest {
		return ""
	}
	begin := fn.Node.Start()
	if p := fn.Node.Parent(); p != nil && p.Type() == "decorated_definition" {
		begin = p.Start()
	}
	header := string(r.src[begin:max(begin, body.start)])
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
	for d := range m.outermost(s, isFunction) {
		if !m.looksTest(d) {
			return ""
		}
		for _, leaf := range m.leavesOf(d, s) {
			why := reasonOf(leaf)
			if why == "" || reason != "" && (why == flow.AssertsNothing) != (reason == flow.AssertsNothing) {
				return ""
			} else if why != flow.OnlyPresence {
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
