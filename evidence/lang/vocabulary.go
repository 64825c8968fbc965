package lang

import (
	_ "embed"
	"slices"
	"strings"
)

//go:embed vocabulary.txt
var vocabularyText string

// vocabulary are the words that say that work is left, each by the place in which it says so.
var vocabulary = Table(vocabularyText)

var (
	leftWords   = Lazy(alternatives("comments", "prints", "messages"))
	printWords  = Lazy(alternatives("prints", "messages"))
	undoneWords = Lazy(alternatives("messages"))
	contrasts   = Lazy(alternatives("contrasts"))
	would       = Lazy(`(?i)\bwould\s+(have\s+)?[a-z]{2,}`)
	admissions  = Lazy(wordsThat(func(w Word) bool { return !strings.HasPrefix(w.Why, marking) }))
	throws      = Lazy(`(?s)^\s*(?:throw|raise)\s*\(?\s*(?:new\s+)?(?:[\w$]+[.:\\]+)*(NotImplemented|NotYetImplemented` +
		`|Unimplemented)(Error|Exception)?\b`)
	asksError   = Lazy(`(?i)^(assert|expect|check|test|is|has|get|set|on|add|handle|log)_?[a-z]*err`)
	tells       = Lazy(`^(?i:fatal|log|warn|print|pr|notify|debug|err|die)(_|$|[A-Z])|^q(Fatal|Warning|Critical)$`)
	plainCallee = Lazy(`^[\w.:]+$`)
	makesError  = Lazy(`(?i)(err|error|errorf|exception|failure|failed|failwith|reject|anyhow|bail|fault)\w*\b` +
		`|errors\.New`)
)

// marking is how the vocabulary begins a marker such as TODO, which many a finished work holds: in capitals alone.
const marking = `(?-i:`

// alternatives is every word of the vocabulary that says so in one of some places.
func alternatives(places ...string) string {
	return wordsThat(func(w Word) bool { return slices.Contains(places, w.Word) })
}

// wordsThat is every word of the vocabulary of which something is true.
func wordsThat(is func(Word) bool) string {
	var all []string
	for _, w := range vocabulary {
		if is(w) {
			all = append(all, w.Why)
		}
	}
	return `(?i)\b(` + strings.Join(all, "|") + `)`
}

// SaysWorkIsLeft reports whether a comment says that the work it stands beside is left.
func SaysWorkIsLeft(comment string) bool {
	return MarksWorkLeft(comment) || leftWords.MatchString(comment)
}

// AdmitsWorkLeft reports whether a comment says in words that the work it stands beside is left, by more than a marker.
func AdmitsWorkLeft(comment string) bool { return admissions.MatchString(comment) }

// SaysPretended reports whether a comment sets what it stands beside against real work.
func SaysPretended(comment string) bool { return contrasts.MatchString(comment) }

// SaysUndone reports whether a message says that what gives it is not done, without saying where.
func SaysUndone(message string) bool {
	return (undoneWords.MatchString(message) || SaysNotImplemented(message)) && !limited.MatchString(message)
}

// PrintsLeft reports whether a text that is printed by what does nothing else says that the work is left.
// One that holds a TODO may be a list of them, or code that is written.
func PrintsLeft(text string) bool {
	if marker.MatchString(text) {
		return noted.MatchString(text)
	}
	return printWords.MatchString(text) && !limited.MatchString(text)
}

// SaysWould reports whether a message says what would be done.
func SaysWould(message string) bool { return would.MatchString(message) }

// PrintsUndone is SaysUndone for what is printed: a program may print a TODO that it found, or writes.
func PrintsUndone(message string) bool {
	message = strings.TrimSuffix(message, `\n`)
	if !SaysUndone(message) {
		return false
	}
	return !marker.MatchString(message) || unwritten.MatchString(message) || message[0] >= 'A' && isTodo(message)
}

// ThrowsUndone reports whether a throw, or a statement that ends a program, says so by its class or its text.
func ThrowsUndone(statement string) bool {
	return strings.TrimSpace(statement) == "???" || throws.MatchString(statement) || SaysUndone(LiteralParts(statement))
}

// MakesError reports whether what is called makes an error, by its name.
func MakesError(callee string) bool {
	if plainCallee.MatchString(callee) {
		parts := strings.FieldsFunc(callee, func(r rune) bool { return r == '.' || r == ':' })
		callee = strings.Join(parts[max(0, len(parts)-2):], ".")
	} else {
		callee = callee[strings.LastIndexAny(callee, ".: ")+1:]
	}
	return makesError.MatchString(callee) && !asksError.MatchString(callee)
}

// IsStatus reports whether a text names the status 501 of HTTP.
func IsStatus(text string) bool { return status.MatchString(text) }

// NamesLogCall reports whether a call of this name tells somebody something, whatever the logger is called.
func NamesLogCall(name string) bool { return tells.MatchString(name) }

// IsStandardStream reports whether an expression is a stream that a program talks by.
func IsStandardStream(text string) bool {
	return strings.Contains(text, "stderr") || strings.Contains(text, "stdout") || strings.Contains(text, "os.Std")
}

// Known reports whether a name stands in a list of callees.txt.
func Known(list, name string) bool { return callees.Has(list, name) }

// KnowsWord reports whether a word of a name stands in a list of callees.txt.
func KnowsWord(list, name string) bool {
	return slices.ContainsFunc(Words(name), func(word string) bool { return callees.Has(list, word) })
}

// Disabled reports whether an attribute takes what follows out of every build.
func Disabled(attribute string) bool {
	return strings.Contains(attribute, "cfg(any())") || strings.Contains(attribute, "cfg(FALSE)") ||
		strings.Contains(attribute, "cfg(false)") || attribute == "#if false"
}

// Callee is what a call is known for.
type Callee uint8

const (
	// Unknown: the name says nothing; the call counts as doing something.
	Unknown Callee = iota
	Undone         // to call it is to say that the work is not done
	Raises         // it ends what goes on
	Talks          // it prints or logs
	Shows          // it prints what its user may have asked for
	Writes         // the same, to a file
	Sleeps         // it only waits
	Builds         // it only makes a value
	Runs           // it runs the function that it is given, at once
)

// calleeNames are what pack.txt calls them, in their order.
var calleeNames = strings.Fields("unknown undone raises talks shows writes sleeps builds runs")

//go:embed callees.txt
var calleesText string

// callees are the names of functions of all languages, by what they are known for; Language.Callees has those of one.
var callees = WordLists{Text: &calleesText}

// CallOf tells what a call is known for: what is called, as it is written, and its own name.
func (l Language) CallOf(callee, name string) Callee {
	qualifier := strings.TrimRight(strings.TrimSuffix(callee, name), ".:->?$\\ ")
	qualifier = strings.TrimPrefix(qualifier, "await ")
	last := strings.ToLower(strings.Trim(qualifier[strings.LastIndexAny(qualifier, ".:>\\$@ ")+1:], "_()!"))
	if strings.HasPrefix(name, "Error") && len(qualifier) == 1 {
		return Raises // of package testing
	}
	switch {
	case qualifier == "" && callees.Has("printing", name), last == "fmt" && callees.Has("printing", name):
		return Shows
	case callees.Has("logging", name) && (callees.Has("talkers", last) ||
		strings.HasSuffix(last, "logger") || strings.HasSuffix(last, "log")):
		return Talks
	}
	if qualifier != "" && !isBuilder(qualifier, callee) && callees.Has("builds", name) {
		return Unknown
	}
	for kind, words := range l.Callees {
		if hasField(words, name) {
			return kind
		}
	}
	for _, kind := range []Callee{Undone, Raises, Writes, Sleeps, Builds} {
		if callees.Has(calleeNames[kind], name) {
			return kind
		}
	}
	return Unknown
}

// isBuilder reports whether what qualifies a call is a type or a package that makes values, or the call is of a
// literal's own.
func isBuilder(qualifier, callee string) bool {
	own := qualifier[strings.LastIndexAny(qualifier, ".:\\$ ")+1:]
	first := own + " "
	return first[0] >= 'A' && first[0] <= 'Z' || strings.ContainsAny(callee[:1], "\"'") ||
		strings.Contains(callee, "::") ||
		callees.Has("builders", own)
}

func hasField(words, word string) bool {
	for w := range strings.FieldsSeq(words) {
		if w == word {
			return true
		}
	}
	return false
}

// MaxCalls bounds the calls of a body that does nothing but say so, or give back constants; one of more does something.
const MaxCalls = 4
