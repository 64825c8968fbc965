package lang

import (
	"fmt"
	"testing"
)

func TestArgumentsAreSplit(t *testing.T) {
	for text, want := range map[string]string{
		`1, "a, b", f(2, 3))`:        `[1 "a, b" f(2, 3)] ""`,
		` x ) rest`:                  `[x] " rest"`,
		`)`:                          `[] ""`,
		`[1, 2], {a: 3}, ',', "\"")`: `[[1, 2] {a: 3} ',' "\""] ""`,
		`1).isTrue()`:                `[1] ".isTrue()"`,
	} {
		arguments, rest, ok := Arguments(text)
		if got := fmt.Sprintf("%v %q", arguments, rest); !ok || got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{"", `"`, "'"} {
		if arguments, _, ok := Arguments(text); ok {
			t.Errorf("%q ends, and was split into %v", text, arguments)
		}
	}
}
