package weaker

import "github.com/acta-git/acta/evidence/lang"

// A matcher of the project's own says by its verdict what all tests demand that use it. That is read as an assertion.

var (
	// defined is how a matcher of RSpec begins.
	defined = lang.Lazy(`^(?:RSpec::Matchers\.define|matcher)\s+:(\w+)`)
)

// verdict is the condition that an expression of a matcher gives as its verdict; nil for none.
func (w *walker) verdict(e *expr) *expr {
	if w.unit.test {
		return nil
	}
	switch {
	case e.shape == operator && (e.text == "=" || e.text == ":") && len(e.parts) == 2 && e.parts[0].text == "pass" &&
		e.parts[0].shape == name && holds(w.unit.text(), "message"):
		return e.parts[1]
	case e.shape != call || len(e.parts) != 2:
	case e.parts[0].text == "return" && isListed("verdicts", w.unit.name):
		return e.parts[1]
	}
	return nil
}

// matchBlock reads match { |got| … } of RSpec, whose last value is the verdict.
func (w *walker) matchBlock(c clause) {
	if c.keyword != "match" || w.unit.file.Language != "ruby" || c.block == nil || w.unit.test ||
		len(c.block.statements) == 0 {
		return
	}
	last := c.block.statements[len(c.block.statements)-1]
	if said := last.parts(w.unit.file.tongue); len(said) == 1 && said[0].keyword == "" && len(said[0].head) > 0 {
		e := said[0].head[len(said[0].head)-1]
		w.unit.assertions = append(w.unit.assertions, w.condition(e, e, false, 0)...)
	}
}

// findMatcher adds the matcher that a statement defines to the definitions.
func (f *file) findMatcher(s *statement) {
	m := defined.FindSubmatchIndex(f.Source[s.start:s.end])
	if f.Language != "ruby" || m == nil {
		return
	}
	f.define(s, string(f.Source[s.start+m[2]:s.start+m[3]]), s.start+m[1])
}
