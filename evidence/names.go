package evidence

import "unicode"

// isNameRune reports whether a rune can be part of a name of code.
func isNameRune(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)
}
