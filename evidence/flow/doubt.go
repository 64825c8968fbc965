package flow

import (
	"fmt"

	"github.com/acta-git/acta/evidence/lang"
)

// madeUp is how many numbers and texts make of what is given back something that was made up.
const madeUp = 3

// Doubt says why a body that seems to work may not: nothing that it is given reaches what it gives back, or an effect.
// "" where something does, or it is given nothing that could. name is its own; given is how many of its parameters have
// a name.
func (e Effect) Doubt(name string, given int) string {
	switch {
	case e.Acts || e.Stores:
		return ""
	case e.Ways > 1 && !e.Varies && !e.Prints:
		return "returns the same, whatever it reads"
	case e.Result&real != 0:
		return ""
	case e.Undone:
		return "only says that it is not done"
	case e.Flag != "":
		return fmt.Sprintf("does something only behind %s, which is never set", e.Flag)
	case e.Sleeps:
		return "only sleeps and prints"
	case given > 0 && e.Prints && e.Result&^whole == 0 && len(e.Helpers) == 0:
		return Shows
	case e.Result&named != 0 || !e.Gives && (len(e.Helpers) == 0 || given == 0):
		return ""
	case e.Result&(chance|whole) == chance && (e.Chances > 1 || given > 0):
		if lang.HasListedWord("chance", name) {
			return ""
		}
		return "returns random values, whatever its parameters are"
	case given == 0 || e.Prints && e.Result&(clock|There) == 0 || e.Answers && e.Literals < madeUp:
		return ""
	case e.Result&whole != 0:
		switch {
		case e.Literals >= madeUp:
			return "returns made-up values beside its parameters"
		case e.Passes && e.Result == whole && given > 1:
			return "returns a parameter unchanged, and reads no other"
		case e.Passes && e.Result == whole:
			return Passes
		}
		return Echoes
	case len(e.Helpers) > 0:
		return fmt.Sprintf("relies on %s(), which does nothing with its parameters", e.Helpers[0].Name)
	case e.Turns && e.Tells:
		return ""
	case e.Result&There != 0:
		return "only checks that its parameters are there"
	case e.Looks:
		return Drops
	}
	return "returns a result that depends on none of its parameters"
}

const (
	// Shows is what is doubtful of a function that is not called after its printing.
	Shows = "only prints or logs its parameters"
	// Passes is what is doubtful of a function that nobody overrides.
	Passes = "returns its argument unchanged"
	// Echoes is doubtful beside words that say that the work is left.
	Echoes = "returns its argument unchanged, and says that work is left"
	// Drops is doubtful also of what others demand.
	Drops = "reads a value of its parameters, and drops it"
)
