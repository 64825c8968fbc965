package flow

import (
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
)

// manyLiterals is how many literals make a result look made up.
const manyLiterals = 3

// Doubt says why a body that seems to work may not: none of its parameters reaches a result or an effect. It is "" if
// one does, or there are no parameters. name is the function's, namedParams the number of parameters with names.
func (e Effect) Doubt(name string, namedParams int) string {
	switch {
	case e.Acts || e.Stores || e.SetsConstants && !e.Sleeps:
		return ""
	case e.NeverSettles:
		return "makes a promise that nothing settles"
	case e.ReturnCount > 1 && !e.Varies && !e.Prints:
		return "returns the same, whatever it reads"
	case e.AnswersRequest && e.NumberCount >= manyLiterals:
		return "answers with made-up numbers"
	case e.IsDropped:
		return DropsValue
	case e.TriesNothing:
		return "tries nothing, and goes on when that fails"
	case e.ResultSources&fromRandom != 0 && e.RandomCount > 1 && !lang.HasListedWord("chance", name):
		return "adds several random numbers to its result"
	case e.ResultSources&workSources != 0 && !e.IsFlagPrivate: // others may set what is theirs
		return ""
	case e.SaysNotDone:
		return "only says that it is not done"
	case e.Flag != "":
		return fmt.Sprintf(BehindFlag+" %s, which is never set", e.Flag)
	case e.Sleeps:
		return OnlySleeps
	case namedParams > 0 && e.Prints && e.ResultSources&^wholeParameter == 0 && len(e.Helpers) == 0:
		return OnlyPrints
	case e.ResultSources&namedConstant != 0 || !e.ReturnsValue && (len(e.Helpers) == 0 || namedParams == 0):
		return ""
	case e.ResultSources&fromRandom != 0 && namedParams > 0 && e.ResultSources&wholeParameter == 0:
		if lang.HasListedWord("chance", name) {
			return ""
		}
		return "returns random values, whatever its parameters are"
	case namedParams == 0 || e.Prints && e.ResultSources&(fromClock|ParameterPresence) == 0 ||
		e.AnswersRequest && e.LiteralCount < manyLiterals:
		return ""
	case e.ResultSources&wholeParameter != 0:
		switch {
		case e.LiteralCount >= manyLiterals:
			return "returns made-up values beside its parameters"
		case e.OnlyReturnsParameters && e.ResultSources == wholeParameter && namedParams > 1:
			return "returns a parameter unchanged, and reads no other"
		case e.OnlyReturnsParameters && e.ResultSources == wholeParameter:
			return OnlyPassesThrough
		}
		return EchoesUndone
	case len(e.Helpers) > 0:
		return fmt.Sprintf("relies on %s(), which does nothing with its parameters", e.Helpers[0].Name)
	case e.BranchesOnParameter && e.ReturnsContent:
		return ""
	case e.ResultSources&ParameterPresence != 0:
		return OnlyChecksPresence
	case e.ReadsParameter:
		return DropsValue
	}
	return IgnoresInput
}

const (
	// IgnoresInput is the doubt of a result that no parameter reaches.
	IgnoresInput = "returns a result that depends on none of its parameters"
	// OnlySleeps is a doubt even if others demand the function, except in tests.
	OnlySleeps = "only sleeps and prints"
	// OnlyPrints is a doubt unless the function's name promises printing.
	OnlyPrints = "only prints or logs its parameters"
	// OnlyChecksPresence is a doubt unless the item asks for no more.
	OnlyChecksPresence = "only checks that its parameters are there"
	// OnlyPassesThrough is a doubt unless others override the function.
	OnlyPassesThrough = "returns its argument unchanged"
	// EchoesUndone is a doubt only if a comment says that work is left.
	EchoesUndone = "returns its argument unchanged, and says that work is left"
	// BehindFlag begins a doubt that stands whatever the parameters are.
	BehindFlag = "does some of its work only behind"
	// EmptyHandler is a doubt whatever the parameters are.
	EmptyHandler = "has a handler that does nothing"
	// DropsValue is a doubt even if others demand the function.
	DropsValue = "reads a value of its parameters, and drops it"
)

func (w *walk) throwsWithoutReason(t *facts.Term) bool {
	return (t.Op == facts.Raise || t.Op == facts.Call || t.Op == facts.Block) && t.Span.End-t.Span.Start <= maxIdiom &&
		t.Span.End > t.Span.Start && strings.IndexByte("tase_fp", w.file.Src[t.Span.Start]) >= 0 &&
		fits("bare throw", w.file.text(t))
}

// throwsUndone reports whether an error says by its name or text that the work is not done.
func throwsUndone(text string) bool {
	said := lang.LiteralParts(text)
	return lang.SaysUndone(said) || !fits("other system", said) &&
		(strings.TrimSpace(text) == "???" || fits("undone throw", text) || fits("undone name", text))
}

// makesError reports whether a callee makes an error, by its name.
func makesError(callee string) bool {
	if fits("plain callee", callee) {
		parts := strings.FieldsFunc(callee, func(r rune) bool { return r == '.' || r == ':' })
		callee = strings.Join(parts[max(0, len(parts)-2):], ".")
	} else {
		callee = callee[strings.LastIndexAny(callee, ".: ")+1:]
	}
	return fits("error name", callee) && !fits("error check", callee)
}

func (w *walk) alwaysFails(c *callSite) bool {
	switch c.name {
	case "assert", "precondition", "Q_ASSERT", "static_assert", "g_assert", "ASSERT":
		first := w.file.text(firstOf(c.args))
		return facts.IsFalse(first) || strings.HasPrefix(first, `!"`) || strings.HasPrefix(first, "0 &&") ||
			strings.HasPrefix(first, "false &&")
	}
	return false
}

func isAlwaysTrue(condition string) bool {
	condition = strings.Trim(condition, "() \t")
	left, right, ok := strings.Cut(condition, "==")
	return facts.IsTrue(condition) || ok && strings.TrimSpace(left) == strings.TrimSpace(right) &&
		lang.IsConstant(strings.TrimSpace(left))
}

func (w *walk) assertsTautology(t *facts.Term) bool {
	switch t.Text[strings.LastIndexByte(t.Text, '.')+1:] {
	case "assert", "Assert", "precondition", "require", "check":
		return len(t.Parts) > 1 && isAlwaysTrue(w.file.text(t.Parts[1]))
	}
	return false
}

func isSuccessfulExit(text string) bool { return fits("successful exit", text) }

// StaysInside reports whether all that a body calls works on values in memory, prints, or waits: whatever it does, it
// sends, fetches and stores nothing outside of its program.
func (f *File) StaysInside(fn *Function) bool {
	fn.read()
	return fn.Body.Op != facts.Unknown && !fn.IsTooLong && f.stays(fn.Body)
}

// stays reports whether a term does so.
func (f *File) stays(t *facts.Term) bool {
	steps := 0
	var stays func(t *facts.Term) bool
	stays = func(t *facts.Term) bool {
		switch steps++; {
		case t.Op == facts.Unknown && fits("harmless", f.text(t)):
			return true
		case steps > maxSteps || t.Op == facts.Unknown || t.Op == facts.Import || t.Op == facts.Raise:
			return false // who throws may do so for what the caller has sent
		case t.Op == facts.Call && !f.staysInMemory(t), t.Op == facts.Operate && t.Text == "<<":
			return false
		}
		return !slices.ContainsFunc(t.Parts, func(p *facts.Term) bool { return !stays(p) })
	}
	return stays(t)
}

// staysInMemory reports whether a call is known to use values in memory alone: not on a client, nor a helper.
func (f *File) staysInMemory(t *facts.Term) bool {
	name := lastName(t.Text)
	receiver := strings.TrimSuffix(t.Text, name)
	if receiver == "" && f.Functions[name] != nil || lang.HasListedWord("outside", receiver) {
		return false
	}
	switch f.Language.CalleeOf(t.Text, name) {
	case lang.Talks, lang.Shows, lang.Sleeps, lang.Builds:
		return true
	}
	return name == "" || facts.IsTypeName(name) && f.Language.Is("typescalled") ||
		slices.ContainsFunc([]string{"formats", "lengths", "empties", "same", "clocks", "fills", "pure", "memory"},
			func(list string) bool { return lang.InList(list, name) }) ||
		slices.Contains(f.Language.Builtins, name) ||
		strings.HasPrefix(f.text(t), t.Text+"[") // an element of a collection, in Swift
}
