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

func TestAnAssertionOfConstantsHoldsAlways(t *testing.T) {
	for call, want := range map[string]bool{
		"assertTrue(true)": true, `assertTrue("msg", true)`: true, `assertTrue(true, "msg")`: true, "Assert.IsTrue(true)": true, "assert(true)": true,
		"assert_true(True)": true, "assertFalse(false)": true, "Assert.Null(null)": true, "assertEquals(1, 1)": true, `Assert.AreEqual("a", "a", "msg")`: true,
		`assertSame("msg", 2, 2)`: true, "check(true)": true,
		"assertTrue(1 == 1)": true, "assertEquals(1 + 1, 2)": true, "assertNotNull(1)": true, `assertTrue("a", "b", true)`: true,
		"assertTrue(false)": false, "assertTrue(x)": false, "assertTrue(true && x)": false, "assertTrue(true, x)": false, "assertEquals(1, 2)": false,
		"assertEquals(x, x)": false, "assertEquals(1)": false, "assertNull(x)": false, "assertNotNull(x)": false, `assertTrue("a")`: false, `assertTrue("a", x)`: false, "run(true)": false, "assertTrue()": false,
	} {
		name, arguments, _, ok := Call(call)
		if !ok || AlwaysHolds(name, arguments) != want {
			t.Errorf("%s: %v, want %v", call, !want, want)
		}
	}
}
