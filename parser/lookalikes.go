package parser

import (
	"regexp"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// lookalikes are letters that look like those of ACT and ADAPT, each after the letter itself.
var lookalikes = []string{
	"AАΑᎪᗅꓮ𐊠", "CСϹᏟᑕꓚⲤ𐊢", "TТΤᎢꓔⲦ𐊗", "DᎠᗞᗪꓓ", "PРΡᏢᑭꓑⲢ𐊕", "aаαɑ", "cсϲᴄⅽⲥ", "tтτᴛ", "dԁᏧⅾ", "pрρⲣ",
	":：ː։׃∶꞉",
}

// escapePattern matches text that a terminal obeys instead of showing: a sequence, or a character and a backspace.
var escapePattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("\x1b\\[[0-?]*[ -/]*[@-~]|\x1b.|[^\b]\b")
})

// visibleText is a line as a reader sees it: plain letters for lookalikes, and no characters without a width.
func visibleText(text string) string {
	odd := func(c rune) bool { return c >= unicode.MaxASCII || c < ' ' && c != '\t' }
	if !strings.ContainsFunc(text, odd) {
		return text
	}
	return strings.Map(func(c rune) rune {
		for _, letters := range lookalikes {
			if strings.ContainsRune(letters, c) {
				return rune(letters[0])
			}
		}
		if c < ' ' && c != '\t' || unicode.In(c, unicode.Mn, unicode.Me, unicode.Cf, unicode.Cc) || c == 'ㅤ' {
			return -1
		}
		return c
	}, norm.NFKD.String(escapePattern().ReplaceAllString(text, "")))
}
