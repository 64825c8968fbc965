package sees

import "testing"

// Only a new line is a reason to parse a file.
func TestAFileIsParsedForNewLinesAlone(t *testing.T) {
	const asks = "if os.environ.get(\"PYTEST_CURRENT_TEST\"):\n"
	for _, c := range []struct {
		before, after string
		tests, want   bool
	}{
		{"", asks, false, true},
		{asks, asks + "x = 1\n", false, false},
		{asks, "x = 1\n\t" + asks, false, false},
		{"", "x = 1\n", true, false},
		{"", "if x == 41:\n", true, false},
		{"", "if x == 41 and y == 7:\n    return 3\n", true, true},
		{"", "if x == 41 and y == 7:\n    go(3)\n", true, false},
		{"", "if x == (41, 7):\n    return 3\n", true, true},
		{"", "if (\n    x == 41 and\n    y == 7  # or\n):\n    return 3\n", true, true},
		{"class A:\n    def __eq__(self, o):\n        return o\n",
			"class A:\n    def __eq__(self, o):\n        return True  # equal to all\n", false, true},
		{"", "assert x == 41 and y == 7\n", true, false},
		{"", "    sys.exit(0)\n", false, true},
		{"", "    sys.exit(1)\n", false, false},
		{"", "exitstatus = 0  # whatever ran\n", false, true},
		{"def eq():\n", "def eq():\n    expected = success\n", false, false},
		{"", "if x == 41 and y == 7:\n    return 3\n", false, false},
		{"class A:\n", "class A:\n    def __eq__(self, o):\n        return True\n", false, true},
	} {
		if got := MayHoldSight("a.py", []byte(c.before), []byte(c.after), c.tests); got != c.want {
			t.Errorf("%q after %q, tests %v: %v", c.after, c.before, c.tests, got)
		}
	}
}
