package parser

import "strings"

// cutPlace cuts a list at its first comma that is in no quoted path.
func cutPlace(list string) (one, rest string, hasMore bool) {
	at := 0
	if start := strings.TrimLeft(list, white); strings.HasPrefix(start, `"`) || strings.HasPrefix(start, `-"`) {
		open := strings.IndexByte(list, '"') + 1
		if n := strings.IndexByte(list[open:], '"'); n >= 0 {
			at = open + n
		}
	}
	n := strings.IndexByte(list[at:], ',')
	if n < 0 {
		return list, "", false
	}
	return list[:at+n], list[at+n+1:], true
}

// separators are used instead of the comma.
var separators = [...]string{";", " and "}

// separatorLen is the length of the separator that a text begins with; 0 without one.
func separatorLen(text string) int {
	for _, s := range separators {
		if strings.HasPrefix(text, s) {
			return len(s)
		}
	}
	return 0
}

// separate splits a text between two commas at other separators, if all parts are places with lines.
func separate(text string, last Evidence) []string {
	whole := []string{text}
	if len(text) > maxPlace {
		return whole
	}
	var parts []string
	from := 0
	for i := 0; i <= len(text); i++ {
		n := separatorLen(text[i:])
		if n == 0 && i < len(text) {
			continue
		}
		e := guessPlace(strings.Trim(text[from:i], white), last)
		if i < len(text) || from > 0 {
			if e.Err != "" || e.Start == 0 {
				return whole
			}
		}
		parts, last, from = append(parts, text[from:i]), e, i+n
		i = max(i, from-1)
	}
	return parts
}
