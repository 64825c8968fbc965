package flow

import (
	"fmt"

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
