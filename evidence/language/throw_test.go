package language

import "testing"

func TestAThrowIsSplitAndJudged(t *testing.T) {
	for statement, want := range map[string]struct {
		class                      string
		unwrittenClass, text, bare bool
	}{
		"throw new NotImplementedException();":             {"NotImplementedException", true, false, false},
		"throw NotImplementedError(\"x\")":                 {"NotImplementedError", true, false, false},
		"throw new NotImplementedError":                    {"NotImplementedError", true, false, false},
		"throw new a.b.NotYetImplementedException(x);":     {"NotYetImplementedException", true, false, false},
		"throw new \\App\\X()":                             {"", false, false, false},
		"throw new X<Int>(\"not implemented\")":            {"X", false, false, false},
		"throw new XException(\"not implemented\");":       {"XException", false, true, false},
		"throw new Error(\"TODO: \" + name)":               {"Error", false, true, false},
		"throw new Error(\"not implemented on windows\");": {"Error", false, false, false},
		"throw new UnsupportedOperationException();":       {"UnsupportedOperationException", false, false, true},
		"throw new UnsupportedOperationException;":         {"UnsupportedOperationException", false, false, true},
		"throw new UnsupportedOperationException(\"no\");": {"UnsupportedOperationException", false, false, false},
		"throw new NotImplementedYetButSoon();":            {"NotImplementedYetButSoon", false, false, false},
		"throw failure;":                                   {"failure", false, false, false},
		"throw missing();":                                 {"missing", false, false, false},
		"throwing new X()":                                 {"", false, false, false},
		"return new NotImplementedException();":            {"", false, false, false},
	} {
		class, _, _ := Thrown(statement)
		if class != want.class {
			t.Errorf("%s throws %q, want %q", statement, class, want.class)
		}
		if ThrowsUnwrittenClass(statement) != want.unwrittenClass || ThrowsUnwritten(statement) != want.text || ThrowsBare(statement, "UnsupportedOperationException") != want.bare {
			t.Errorf("%s: %v %v %v", statement, ThrowsUnwrittenClass(statement), ThrowsUnwritten(statement), ThrowsBare(statement, "UnsupportedOperationException"))
		}
	}
}
