package report

import (
	"fmt"
	"strings"
)

// Plural is a number of things: «1 test», «2 tests».
func Plural(n int, word string) string {
	if n == 1 {
		return fmt.Sprintf("%d %s", n, word)
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// Brief is a text in one line of at most so many characters.
func Brief(text string, most int) string {
	line := []rune(strings.Join(strings.Fields(text), " "))
	if len(line) > most {
		return string(line[:most-1]) + "…"
	}
	return string(line)
}

// count is a number of things.
type count struct {
	n    int
	word string
}

// tally joins counts greater than zero: «4 added, 1 removed»; "" without any.
func tally(counts []count) string {
	var parts []string
	for _, c := range counts {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.word))
		}
	}
	return strings.Join(parts, ", ")
}

// Enumerate joins at most three words, and says how many more there are.
func Enumerate(words []string) string {
	if len(words) > 3 {
		return fmt.Sprintf("%s and %d more", strings.Join(words[:3], ", "), len(words)-3)
	}
	return strings.Join(words, ", ")
}
