package lang

import (
	"path"
	"strings"
)

var (
	marker    = Lazy(`\b(TODO|FIXME)\b`)
	noted     = Lazy(`\w: (TODO|FIXME)\W*$`)
	opening   = Lazy(`(?i)^[\s#/*;<!"'-]*(todo|fixme)\b`)
	unwritten = Lazy(`(?i)\b(not[\s_-]*(yet[\s_-]*)?(been[\s_-]*)?implemented|unimplemented|isn'?t\s+implemented` +
		`|implement[\s_]+me)\b`)
	placehold = Lazy(`(?i)^\W*(todo|fixme)\b\s*([^\w\s].*|.*implement.*)?$`)
	toWrite   = Lazy(`^[^\pL\pN]*(TODO|FIXME)\b\s*([^\pL\pN]*|:.*|\(.*|[.!?…]\s.*|[-–—]\s.*|` + writing + `)$`)
	unfilled  = Lazy(`^["'\s]*(TODO|FIXME)\b[^\pL\pN]*(` + writing + `)?$`)
	subclass  = Lazy(`(?i)\b(sub-?class(es|ed|_?responsib\w+)?|child class(es)?|derived|overrid(e|es|den|ing|able)` +
		`|abstract(\w*(method|class|function)\w*)?|concrete)\b`)
	status  = Lazy(`\b(501|HTTP_501\w*|NOT_IMPLEMENTED|(HttpStatusCode\.|Status)NotImplemented)\b`)
	limited = Lazy(`(?i)implemented\s+(on|for|by|in|under|with|when|if|unless|outside)\b`)
	purpose = Lazy(`(?i)\b(no[ -]?op|no[ -]?operation|nothing|intentional(ly)?|deliberate(ly)?|explicitly overrid\w+` +
		`|on purpose|by design|(un|not )(used|needed|required|necessary|interested|applicable)|unnecessary|ignored?` +
		`|left (empty|blank)|(is|stays?|must be|can be) empty|empty (on|by)|don'?t (need|care|have)|do(es)? not (need|do` +
		`|have|apply|set|send|support)|no need|(ios|android|windows|linux|macos|web) only)\b`)
	later = Lazy(`(?i)\b(yet|later|for now|soon)\b`)
	talks = Lazy(`(?i)\b(print\w*|log(ger)?\.\w+|console\.\w+|warn(ings?)?\.\w+)\s*\(`)
)

// writing is a verb of writing, and what follows it.
const writing = `(?i:write|add|implement|fill|describe|document|complete|finish|replace|update|fix|explain|define` +
	`|decide|insert|set|change)\b.*`

// MarksWorkLeft reports whether a comment marks work that is left: TODO or FIXME as a
// word in capitals, in any case at its start, or the words «not implemented».
func MarksWorkLeft(comment string) bool {
	if !MayMark(comment) {
		return false
	}
	return marker.MatchString(comment) || opening.MatchString(comment) || unwritten.MatchString(comment)
}

// OpensWithMarker reports whether a comment or bare string begins with TODO or FIXME.
func OpensWithMarker(comment string) bool { return MayMark(comment) && opening.MatchString(comment) }

// isTodo reports whether a text is nothing but a note that it is to be written:
// TODO or FIXME in capitals, alone, before a mark, or before a verb of writing. A «TODO list» is none.
func isTodo(text string) bool {
	return MayMark(text) && toWrite.MatchString(strings.TrimSpace(text))
}

// plans is how files are called whose TODOs are their content.
var plans = Lazy(`(?i)\b(to-?do|fixme|backlog|roadmap)s?\b`)

// IsUnfilled reports whether a @todo in the file of that path is nothing but a note that it is to be written.
func (l *Language) IsUnfilled(file, text string) bool {
	if l.Around.IsSet() {
		text = l.Around.ReplaceAllString(text, "")
	}
	return isTodo(text) && !plans.MatchString(path.Base(file))
}

// IsUnfilledPair reports whether the value of a pair is TODO or FIXME alone, or before a verb of writing; any other
// text is a value. What names states, kinds and words may have TODO among its values.
func IsUnfilledPair(text string) bool {
	at := strings.IndexAny(text, ":=")
	if at < 0 || !MayMark(text) || !unfilled.MatchString(strings.TrimSpace(text[at+1:])) {
		return false
	}
	words := Words(text[:at])
	return len(words) == 0 || !callees.Has("naming", words[len(words)-1])
}

// SaysNotImplemented reports whether the text of an error says that something
// is not written yet: not implemented, unimplemented, TODO, FIXME. A small
// «todo» counts only where it is no part of a sentence about to-do items.
func SaysNotImplemented(text string) bool {
	if !MayMark(text) {
		return false
	}
	return unwritten.MatchString(text) || marker.MatchString(text) || placehold.MatchString(strings.TrimSpace(text))
}

// LiteralParts returns the contents of the string literals of an expression, with blanks between them.
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

// LeftToSubclasses reports whether the body of a method that only says «not implemented» says in its
// message, or its class by its name, that subclasses are to do it: abstract, in
// languages where nothing else says so. The method's own name, which messages repeat, says nothing of it. With a TODO
// beside, only the message counts.
func LeftToSubclasses(body, name, class string) bool {
	body = strings.ReplaceAll(body, name, "")
	return subclass.MatchString(body) || IsAbstractName(class) && !marker.MatchString(body) &&
		!talks.MatchString(body) && !later.MatchString(body[max(0,
		strings.LastIndex(body, "raise "), strings.LastIndex(body, "throw ")):])
}

// LeavesToOthers reports whether a text says that what it stands in, or above, is for others to write.
func LeavesToOthers(text string) bool { return subclass.MatchString(text) || others.MatchString(text) }

// others is how a text leaves a method to whoever needs it, by his class or by what he has to do.
var others = Lazy(`(?i)\bself\.class\b|\b(must|should|has to|have to|needs? to)\s+(be\s+)?(implement|overrid|defin` +
	`|provid|respond)` +
	`|\bimplement\s+(this\b|#)`)

// IsDeliberate reports whether the text of an empty body, its comments that is,
// says that there is nothing to do. Style guides ask for such a comment in what
// is left empty on purpose (Sonar's rule S1186 for one).
// «Nothing here yet» is not deliberate.
func IsDeliberate(body string) bool {
	return purpose.MatchString(body) && !later.MatchString(body)
}

// Literal returns the content of the string literal that text begins with, and
// what follows it; ok is false when text begins with none. Escapes stay as written.
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

// MayMark is a cheap necessary condition of all patterns above: one of the words
// todo, fixme and implement stands in text, in any case.
func MayMark[T string | []byte](text T) bool {
	for i := range len(text) {
		switch text[i] | 0x20 {
		case 't':
			if hasFold(text[i:], "todo") {
				return true
			}
		case 'f':
			if hasFold(text[i:], "fixme") {
				return true
			}
		case 'i':
			if hasFold(text[i:], "implement") {
				return true
			}
		}
	}
	return false
}

// hasFold reports whether text begins with a word, which is given in small letters, in any case.
func hasFold[T string | []byte](text T, word string) bool {
	if len(text) < len(word) {
		return false
	}
	for i := range len(word) {
		if text[i]|0x20 != word[i] {
			return false
		}
	}
	return true
}

// WithoutLiterals blanks what stands in the string literals of a text.
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
