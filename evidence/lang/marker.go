package lang

import (
	_ "embed"
	"path"
	"slices"
	"strings"
	"sync"
)

// MarksWorkLeft reports whether a comment marks remaining work: TODO or FIXME in capitals, in any case at its start, or
// «not implemented».
func MarksWorkLeft(comment string) bool {
	return fits("marker", comment) || fits("leading marker", comment) || fits("not implemented", comment)
}

// OpensWithMarker reports whether a comment or bare string begins with TODO or FIXME.
func OpensWithMarker(comment string) bool {
	return fits("leading marker", comment)
}

// isTodo reports whether a text is only a placeholder: TODO or FIXME in capitals, alone, before punctuation, or before
// a verb of writing. A «TODO list» is not.
func isTodo(text string) bool {
	return fits("todo note", strings.TrimSpace(text))
}

// IsUnfilled reports whether a @todo in a file is only a placeholder.
func (l *Language) IsUnfilled(file, text string) bool {
	return isTodo(l.TodoFrame.ReplaceAllString(text, "")) && !fits("plan file", path.Base(file))
}

// IsUnfilledPair reports whether the value of a pair is TODO or FIXME, alone or before a verb of writing. Keys that
// name states, kinds or words may have the value TODO.
func IsUnfilledPair(text string) bool {
	at := strings.IndexAny(text, ":=")
	if at < 0 || !fits("todo value", strings.TrimSpace(text[at+1:])) {
		return false
	}
	words := Words(text[:at])
	return len(words) == 0 || !callees.Has("naming", words[len(words)-1])
}

// SaysNotImplemented reports whether an error's text says that something is not written yet: not implemented,
// unimplemented, TODO, FIXME. Lower-case «todo» counts only outside sentences about to-do items.
func SaysNotImplemented(text string) bool {
	return fits("not implemented", text) || fits("marker", text) || fits("placeholder", strings.TrimSpace(text))
}

// LiteralParts returns the contents of an expression's string literals, joined by blanks.
func LiteralParts(expression string) string {
	var parts strings.Builder
	for expression != "" {
		content, rest, ok := Literal(expression)
		if !ok {
			rest = expression[1:]
		} else if parts.Len() > 0 {
			parts.WriteByte(' ')
		}
		parts.WriteString(content)
		expression = rest
	}
	return parts.String()
}

// LeftToSubclasses reports whether a method that only says «not implemented» is abstract, in languages without that
// keyword: its message or its class's name leaves it to subclasses. The method's own name, which messages repeat, does
// not count; with a TODO, only the message does.
func LeftToSubclasses(body, name, class string) bool {
	body = strings.ReplaceAll(body, name, "")
	return fits("subclass words", body) || IsAbstractName(class) && !fits("marker", body) &&
		!fits("print call", body) && !fits("later words", body[max(0,
		strings.LastIndex(body, "raise "), strings.LastIndex(body, "throw ")):])
}

// LeavesToOthers reports whether a text says that others are to write the code that it describes.
func LeavesToOthers(text string) bool {
	return fits("subclass words", text) || fits("delegation", text)
}

// IsDeliberate reports whether the comments of an empty body say that there is nothing to do. Style guides ask for such
// a comment (Sonar's rule S1186). «Nothing here yet» is not deliberate.
func IsDeliberate(body string) bool {
	return fits("purpose words", body) && !fits("later words", body)
}

// Literal returns the content of the string literal at the beginning of text, and the text after it. Escapes stay as
// written.
func Literal(text string) (content, rest string, ok bool) {
	if text == "" || strings.IndexByte("\"'`", text[0]) < 0 {
		return "", text, false
	}
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == text[0]:
			return text[1:i], text[i+1:], true
		case text[i] != '\\' || text[0] == '`':
		case i+1 == len(text) || text[i+1] == '\n':
			return "", text, false
		default:
			i++
		}
	}
	return "", text, false
}

// WithoutLiterals blanks the contents of string literals.
func WithoutLiterals(text string) string {
	out := []byte(text)
	for i := 0; i < len(text); i++ {
		if content, _, ok := Literal(text[i:]); ok {
			for at := i + 1; at <= i+len(content); at++ {
				out[at] = ' '
			}
			i += len(content) + 1
		}
	}
	return string(out)
}

var (
	//go:embed vocabulary.txt
	vocabularyText string
	//go:embed patterns.txt
	patternsText string

	patterns        = Patterns{Text: &patternsText}
	fits, patternOf = patterns.Fits, patterns.Named
)

var vocabulary = sync.OnceValue(func() []Entry { return Table(vocabularyText) })

// Words of the vocabulary that say that work is left, by the places where they say so.
var (
	workLeftWords = wordsIn("comments", "prints", "messages")
	printWords    = wordsIn("prints", "messages")
	undoneWords   = wordsIn("messages")
	contrasts     = wordsIn("contrasts")
	admissions    = wordsThat(func(w Entry) bool { return !strings.HasPrefix(w.Text, markerPrefix) })
)

// markerPrefix begins the vocabulary's markers such as TODO, which finished work may contain too: in capitals only.
const markerPrefix = `(?-i:`

func wordsIn(places ...string) func() Pattern {
	return wordsThat(func(w Entry) bool { return slices.Contains(places, w.Name) })
}

// wordsThat joins the entries of the vocabulary that a condition selects, on first use.
func wordsThat(is func(Entry) bool) func() Pattern {
	return sync.OnceValue(func() Pattern {
		var all []string
		for _, w := range vocabulary() {
			if is(w) {
				all = append(all, w.Text)
			}
		}
		return Lazy(`(?i)\b(` + strings.Join(all, "|") + `)`)
	})
}

// SaysWorkIsLeft reports whether a comment says that the work beside it is left.
func SaysWorkIsLeft(comment string) bool {
	return MarksWorkLeft(comment) || workLeftWords().MatchString(comment)
}

// AdmitsWorkLeft reports whether a comment says in words, not only by a marker, that the work beside it is left.
func AdmitsWorkLeft(comment string) bool { return admissions().MatchString(comment) }

// ContrastsWithRealWork reports whether a comment contrasts the code beside it with real work.
func ContrastsWithRealWork(comment string) bool { return contrasts().MatchString(comment) }

// SaysUndone reports whether a message says that its work is not done, without limiting that to some systems.
func SaysUndone(message string) bool {
	return (undoneWords().MatchString(message) || SaysNotImplemented(message)) && !fits("partial support", message)
}

// PrintsWorkIsLeft reports whether a text, printed by code that does nothing else, says that work is left. A text with
// a TODO may be a list of them, or generated code.
func PrintsWorkIsLeft(text string) bool {
	if fits("marker", text) {
		return fits("trailing marker", text)
	}
	return printWords().MatchString(text) && !fits("partial support", text)
}

// PrintsUndone is SaysUndone for printed text: a program may print a TODO that it found or writes.
func PrintsUndone(message string) bool {
	message = strings.TrimSuffix(message, `\n`)
	if !SaysUndone(message) {
		return false
	}
	return !fits("marker", message) || fits("not implemented", message) || message[0] >= 'A' && isTodo(message)
}

// IsStandardStream reports whether an expression is a standard stream.
func IsStandardStream(text string) bool {
	return strings.Contains(text, "stderr") || strings.Contains(text, "stdout") || strings.Contains(text, "os.Std")
}

// InList reports whether a name is in a list of callees.txt.
func InList(list, name string) bool { return callees.Has(list, name) }

// HasListedWord reports whether a word of a name is in a list of callees.txt.
func HasListedWord(list, name string) bool {
	return slices.ContainsFunc(Words(name), func(word string) bool { return callees.Has(list, word) })
}

// Callee is a known kind of function, as pack.txt names it.
type Callee string

const (
	Unknown Callee = ""       // the name says nothing; the call counts as doing something
	Undone  Callee = "undone" // calling it says that the work is not done
	Raises  Callee = "raises" // it throws, or ends the program
	Talks   Callee = "talks"  // it prints or logs
	Shows   Callee = "shows"  // it prints what the user may want to see
	Writes  Callee = "writes" // it prints to a file
	Sleeps  Callee = "sleeps" // it only waits
	Builds  Callee = "builds" // it only makes a value
	Runs    Callee = "runs"   // it runs its function argument at once
)

//go:embed callees.txt
var calleesText string

// callees are the known functions of all languages; Language.Callees are those of one.
var callees = WordLists{Text: &calleesText}

// CalleeOf returns the kind of a callee, by its full text and its last name.
func (l Language) CalleeOf(callee, name string) Callee {
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
		qualifier == "t" && strings.HasPrefix(name, "Log") || // of package testing
		strings.HasSuffix(last, "logger") || strings.HasSuffix(last, "log")):
		return Talks
	}
	if qualifier != "" && !isBuilder(qualifier, callee) && callees.Has("builds", name) {
		return Unknown
	}
	if kind, ok := l.Callees[name]; ok {
		return kind
	}
	for _, kind := range []Callee{Undone, Raises, Writes, Sleeps, Builds} {
		if callees.Has(string(kind), name) {
			return kind
		}
	}
	return Unknown
}

// isBuilder reports whether a qualifier is a type or package that makes values, or the call is a method of a literal.
func isBuilder(qualifier, callee string) bool {
	last := qualifier[strings.LastIndexAny(qualifier, ".:\\$ ")+1:]
	first := last + " "
	return first[0] >= 'A' && first[0] <= 'Z' || strings.ContainsAny(callee[:1], "\"'") ||
		strings.Contains(callee, "::") ||
		callees.Has("builders", last)
}

// MaxCalls bounds the calls of a body that does nothing: a body with more calls does something.
const MaxCalls = 4
