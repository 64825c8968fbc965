package typescript

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/language"
)

// declaresProperty reports whether a parameter of a constructor declares a
// property: after its decorators it begins with an accessibility word that is
// not its name. header is the text before the body.
func declaresProperty(header string) bool {
	_, rest, _ := strings.Cut(header, "constructor")
	depth, begins := 0, false // begins: a parameter begins here
	for rest = skipBlanks(rest); rest != ""; rest = skipBlanks(rest) {
		switch c := rest[0]; {
		case c == '"' || c == '\'' || c == '`':
			if _, after, ok := language.Literal(rest); ok {
				rest, begins = after, false
				continue
			}
		case c == '(' || c == '[' || c == '{':
			depth++
			begins = depth == 1 && c == '('
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == ',':
			begins = depth == 1
		case c == '@' && begins:
			rest = skipDecorator(rest[1:])
			continue
		case begins:
			begins = false
			if declares(rest) {
				return true
			}
		}
		rest = rest[1:]
	}
	return false
}

// declares reports whether a parameter begins with accessibility words, and its
// name after them; «readonly string[]» among the arguments of a type does not.
func declares(parameter string) bool {
	words := 0
	for {
		name := parameter[:wordEnd(parameter)]
		after := skipBlanks(parameter[len(name):])
		if name == "" || after == "" {
			return false
		}
		if strings.ContainsRune("?:=,)", rune(after[0])) {
			return words > 0
		}
		if !slices.Contains([]string{"public", "private", "protected", "readonly", "override"}, name) {
			return false
		}
		parameter = after
		words++
	}
}

// skipDecorator returns what follows the name of a decorator and its arguments.
func skipDecorator(text string) string {
	for text = skipBlanks(text); text != "" && (wordEnd(text) > 0 || text[0] == '.'); text = skipBlanks(text) {
		text = text[max(wordEnd(text), 1):]
		if text = skipBlanks(text); text == "" || text[0] != '.' {
			break
		}
	}
	if text == "" || text[0] != '(' {
		return text
	}
	for depth := 0; text != ""; text = skipBlanks(text) {
		if _, after, ok := language.Literal(text); ok {
			text = after
			continue
		}
		switch text[0] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if text = text[1:]; depth == 0 {
			return text
		}
	}
	return text
}

// wordEnd returns how many bytes of a name text begins with; what is no ASCII counts as a letter.
func wordEnd(text string) int {
	i := 0
	for i < len(text) && (text[i] == '_' || text[i] == '$' || text[i] >= 0x80 || text[i]-'0' < 10 || (text[i]|0x20)-'a' < 26) {
		i++
	}
	return i
}

// skipBlanks returns text without the blanks and comments that it begins with.
func skipBlanks(text string) string {
	for {
		text = strings.TrimLeft(text, " \t\r\n\f\v\u00a0\ufeff\u2028\u2029")
		end := ""
		switch {
		case strings.HasPrefix(text, "//"):
			end = "\n"
		case strings.HasPrefix(text, "/*"):
			end = "*/"
		default:
			return text
		}
		_, after, found := strings.Cut(text[2:], end)
		if !found {
			return ""
		}
		text = after
	}
}
