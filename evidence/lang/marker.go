package lang

import (
	"path"
	"strings"
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

var markerWords = Lazy(`(?i)todo|fixme|implement`)

// MayMark reports whether a text has the word of a marker: todo, fixme or implement, in any case.
func MayMark(text string) bool { return markerWords.MatchString(text) }

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
