package evidence

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/acta-git/acta/evidence/lang"
)

// word is a word of code outside of its literals.
type word struct {
	text   string
	member bool // a dot or the like stands before it
	key    bool // a colon or equals sign stands behind it that makes it the name of a value
	calls  bool // a bracket stands behind it
	// applied: the bracket stands right behind it; dotted: a dot does.
	applied, dotted bool
	passed          bool // it is all of an argument
	symbol          bool // a colon stands before it, as before Ruby's symbols
	after           byte // what stands before its dot
}

// wordsOf returns the words of a text. A literal that holds code is one of the name «${».
func wordsOf(text string) []word {
	var words []word
	for i := 0; i < len(text); {
		if content, ok := literalAt(text, i); ok {
			formatted := i > 0 && (text[i-1] == 'f' || text[i-1] == '$') && strings.Contains(content, "{")
			if formatted || interpolated.MatchString(content) {
				words = append(words, word{text: "${"})
			}
			i += len(content) + 2
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if !isNameRune(r) && r != '@' {
			i += size
			continue
		}
		end := i + size
		for end < len(text) {
			r, size := utf8.DecodeRuneInString(text[end:])
			if !isNameRune(r) {
				break
			}
			end += size
		}
		if !unicode.IsDigit(r) && !isPrefix(text, i, end) {
			words = append(words, wordAt(text, i, end))
		}
		i = end
	}
	return words
}

// isPrefix reports whether a word belongs to the literal behind it: f"…", r'…'.
func isPrefix(text string, from, to int) bool {
	return to < len(text) && strings.IndexByte("\"'", text[to]) >= 0 &&
		slices.Contains([]string{"f", "r", "b", "u", "rb", "br", "fr", "rf", "s"}, strings.ToLower(text[from:to]))
}

func wordAt(text string, from, to int) word {
	w := word{text: text[from:to]}
	before := strings.TrimRight(text[:from], " \t\n")
	for _, dot := range []string{".", "->", "::"} {
		if rest, ok := strings.CutSuffix(before, dot); ok {
			w.member = true
			if rest = strings.TrimRight(rest, "?! \t\n"); rest != "" {
				w.after = rest[len(rest)-1]
			}
		}
	}
	behind := strings.TrimLeft(text[to:], " \t!")
	w.calls, w.applied = strings.HasPrefix(behind, "("), strings.HasPrefix(text[to:], "(")
	w.passed = strings.HasPrefix(behind, ",")
	w.dotted = strings.HasPrefix(behind, ".") || strings.HasPrefix(behind, "::") || strings.HasPrefix(behind, "->")
	w.symbol = strings.HasSuffix(text[:from], ":") && strings.ContainsAny(text[max(0, from-2):from], "( \t")
	opens := strings.HasSuffix(before, "{") || strings.HasSuffix(before, ",") || strings.HasSuffix(before, "(")
	w.key = opens && (strings.HasPrefix(behind, ":") && !strings.HasPrefix(behind, "::") ||
		strings.HasPrefix(text[to:], "=") && !strings.HasPrefix(behind, "==")) // f(a=1); who assigns leaves a blank
	return w
}

// literalAt returns the content of the literal that begins at a byte of a text.
func literalAt(text string, at int) (content string, ok bool) {
	if strings.IndexByte("\"'`", text[at]) < 0 {
		return "", false
	}
	content, _, ok = lang.Literal(text[at:])
	return content, ok
}

// withoutLiterals blanks what stands in the literals of a text.
func withoutLiterals(text string) string {
	out := []byte(text)
	for i := 0; i < len(text); i++ {
		if content, ok := literalAt(text, i); ok {
			for at := i + 1; at <= i+len(content); at++ {
				out[at] = ' '
			}
			i += len(content) + 1
		}
	}
	return string(out)
}

// interpolated is how a literal holds code.
var interpolated = lang.Lazy(`\$\{|#\{|\\\(|\$[\pL_]`)
