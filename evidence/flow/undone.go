package flow

import (
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
)

var (
	// bareThrow ends what goes on, and says nothing of why: work that is left, where a comment says so, or a refusal.
	bareThrow = lang.Lazy(`^(?:throw\s+(?:new\s+)?(?:[\w.]+\.)?` +
		`(?:UnsupportedOperation|Runtime|IllegalState|NotSupported|InvalidOperation)?Exception\(\s*\)` +
		`|(?:std::)?(?:abort|exit|_exit|fatalError|preconditionFailure)\(\s*\d*\s*\)|exit \d+)[;\s]*$`)
	// undoneName is a name for what is not implemented, outside of any text.
	undoneName = lang.Lazy("(?i)^[^\"'`]*(?:\\b|_|[a-z])(?:not_?(?:yet_?)?implemented|unimplemented)" +
		"_?(?:yet)?_?(?:error|exception)?\\b")
	// otherSystem is what a message says that leaves out a system, not work.
	otherSystem = lang.Lazy(`(?i)\bplatform|\bwindows\b|\bjruby\b|\bOS\b|\b(?:this|your) system\b`)
)

// throwsBare reports whether a statement ends what goes on, and says nothing of why.
func (w *walk) throwsBare(t *facts.Term) bool {
	return (t.Op == facts.Raise || t.Op == facts.Call || t.Op == facts.Block) && t.At.End-t.At.Start <= maxIdiom &&
		t.At.End > t.At.Start && strings.IndexByte("tase_fp", w.file.Src[t.At.Start]) >= 0 &&
		bareThrow.MatchString(w.file.text(t))
}

// throwsUndone reports whether what is thrown says by its name or its text that the work is not done.
func throwsUndone(text string) bool {
	said := lang.LiteralParts(text)
	return (lang.ThrowsUndone(text) || undoneName.MatchString(text)) &&
		(!otherSystem.MatchString(said) || lang.SaysUndone(said))
}

// neverHolds reports whether an assertion is one that fails wherever it is reached.
func (w *walk) neverHolds(c *called) bool {
	switch c.name {
	case "assert", "precondition", "Q_ASSERT", "static_assert", "g_assert", "ASSERT":
		first := w.file.text(firstOf(c.arguments))
		return facts.IsFalse(first) || strings.HasPrefix(first, `!"`) || strings.HasPrefix(first, "0 &&") ||
			strings.HasPrefix(first, "false &&")
	}
	return false
}

// holdsItself reports whether a condition is true whatever the code does.
func holdsItself(condition string) bool {
	condition = strings.Trim(condition, "() \t")
	left, right, ok := strings.Cut(condition, "==")
	return facts.IsTrue(condition) || ok && strings.TrimSpace(left) == strings.TrimSpace(right) &&
		lang.IsConstant(strings.TrimSpace(left))
}

// assures reports whether a call asserts what is true whatever the code does.
func (w *walk) assures(t *facts.Term) bool {
	switch t.Text[strings.LastIndexByte(t.Text, '.')+1:] {
	case "assert", "Assert", "precondition", "require", "check":
		return len(t.Parts) > 1 && holdsItself(w.file.text(t.Parts[1]))
	}
	return false
}

// isDone reports whether a statement ends the program and says that all went well.
func isDone(text string) bool { return done.MatchString(text) }

var done = lang.Lazy(`(?i)^(?:[\w.]+\.)?exit\s*\(?\s*0\s*\)?\s*;?$`)
