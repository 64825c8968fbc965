package lang

import (
	"fmt"
	"testing"
)

func TestACallIsSplit(t *testing.T) {
	for expression, want := range map[string]string{
		`assertEquals(1, "a, b", f(2, 3))`: `assertEquals [1 "a, b" f(2, 3)] ""`,
		`a.b::c->D . e<X>( x ) rest`:       `e [x] " rest"`,
		`f()`:                              `f [] ""`,
		`f([1, 2], {a: 3}, ',', "\"")`:     `f [[1, 2] {a: 3} ',' "\""] ""`,
		`größe(1).isTrue()`:                `größe [1] ".isTrue()"`,
	} {
		name, arguments, rest, ok := Call(expression)
		if got := fmt.Sprintf("%s %v %q", name, arguments, rest); !ok || got != want {
			t.Errorf("%s: %s, want %s", expression, got, want)
		}
	}
	for _, expression := range []string{"", "f", "f(", `f("`, "(f)(1)", "1(2)", "f(')"} {
		if name, arguments, _, ok := Call(expression); ok {
			t.Errorf("%q is no call, and was split into %s %v", expression, name, arguments)
		}
	}
}
