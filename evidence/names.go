package evidence

import (
	"unicode"
	"unicode/utf8"
)

// isNameRune reports whether a rune can be part of a name of code.
func isNameRune(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

func endsInName(text string) bool {
	r, size := utf8.DecodeLastRuneInString(text)
	return size > 0 && isNameRune(r)
}

func startsWithName(text string) bool {
	r, size := utf8.DecodeRuneInString(text)
	return size > 0 && isNameRune(r)
}
