package diag

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

// Enumerate joins at most three words, and says how many more there are.
func Enumerate(words []string) string {
	if len(words) > 3 {
		return fmt.Sprintf("%s and %d more", strings.Join(words[:3], ", "), len(words)-3)
	}
	return strings.Join(words, ", ")
}
