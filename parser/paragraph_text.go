package parser

import "strings"

// keyColon is where the key of a line of trailer form ends, or -1. A URL has that form by accident.
func keyColon(text string) int {
	colon := separator(text)
	if colon > 0 && strings.HasPrefix(text[colon+1:], "//") {
		return -1
	}
	return colon
}

// endsValue reports lines that tools put below a report without a blank line,
// and that continue no value: git's own, a ruler, an attribution.
func endsValue(text string) bool {
	return strings.HasPrefix(text, pickMark) || strings.HasPrefix(text, revertMark) ||
		strings.HasPrefix(text, "\U0001F916") || len(text) >= 3 && strings.Trim(text, "-") == ""
}

// listMark is the length of the bullet or number that a list item begins with; 0 for another text.
func listMark(text string) int {
	_, n := bulletText(text)
	if n == 0 {
		_, n = numberText(text)
	}
	return n
}

// taskText reads a task-list line, its bullet may be a number: its status, and where the item begins.
func taskText(text string) (status Status, n int, ok bool) {
	n = listMark(text)
	if n == 0 || !strings.HasPrefix(text[n:], "[") {
		return "", 0, false
	}
	mark, item, ok := strings.Cut(text[n+1:], "]")
	if !ok || item != "" && !isWhite(item[0]) {
		return "", 0, false
	}
	switch mark {
	case "x", "X", "\u2713", "\u2714", "\u2714\ufe0f":
		status = Done
	case "-":
		status = Skipped
	case " ":
		status = Pending
	default:
		return "", 0, false
	}
	return status, len(text) - len(item), true
}

// numberText returns the text after the number of a list item, «1. » or «1) », and the length of the number; without
// one the text itself.
func numberText(text string) (string, int) {
	rest := strings.TrimLeft(text, "0123456789")
	if len(rest) == len(text) || !strings.HasPrefix(rest, ". ") && !strings.HasPrefix(rest, ") ") {
		return text, 0
	}
	rest = strings.TrimLeft(rest[1:], " \t")
	return rest, len(text) - len(rest)
}

// hasBar reports whether a line holds a « | », or ends in « |».
func hasBar(text string) bool { return lastBar(text) >= 0 }

// lastBar is the offset of the last bar with white space, or an end, on either side; -1 without one.
func lastBar(v string) int {
	for i := strings.LastIndexByte(v, '|'); i >= 0; i = strings.LastIndexByte(v[:i], '|') {
		if isBar(v, i) {
			return i
		}
	}
	return -1
}

// firstBar is the offset of the first such bar; -1 without one.
func firstBar(v string) int {
	for i := 0; i < len(v); i++ {
		if v[i] == '|' && isBar(v, i) {
			return i
		}
	}
	return -1
}

func isBar(v string, i int) bool {
	return (i == 0 || isWhite(v[i-1])) && (i == len(v)-1 || isWhite(v[i+1]))
}
