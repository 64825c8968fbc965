package c

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

// probes are how statements begin that Probe is asked about.
var probes = []string{
	"(void", "UNUSED", "Q_UNUSED", "UNREFERENCED_", "ARG_UNUSED", "ARGUSED", "PNG_UNUSED", "std::ignore",
	"boost::ignore_unused", "ignore_unused", "absl::IgnoreUnused",
	`"`, "0", "1", "while", "for", "do", "co_return;",
	"TEST_", "ck_", "cr_", "assert", "ASSERT_", "EXPECT_", "CHECK", "REQUIRE", "BOOST_", "SUCCEED", "GTEST_SKIP", "SKIP",
	"skip(", "zassert_", "ztest_test_skip",
	"static_assert", "_Static_assert", "STATIC_REQUIRE", "Assert::",
}

var (
	testName = lang.Lazy(`(?s)^\s*(?:([\pL_][\pL\pN_]*)\s*,\s*)?([\pL_][\pL\pN_]*)\s*(?:,\s*\..*)?$`)
)

// Probe knows the assertions of Unity, Check, Criterion, cmocka, GoogleTest,
// Catch2, doctest and Boost.Test, and what throws a value away.
func (Rules) Probe(statement string) lang.Effect {
	switch {
	case skips(statement):
		return lang.Skipping
	case vacuous(statement):
		return lang.Vacuous
	}
	return lang.Effective
}

func skips(statement string) bool {
	name, _, rest, ok := lang.Call(statement)
	if !ok || !endsStatement(rest) {
		return false
	}
	switch name {
	case "GTEST_SKIP", "SKIP", "TEST_IGNORE", "TEST_IGNORE_MESSAGE", "cr_skip_test", "cr_skip", "skip", "ztest_test_skip":
		return true
	}
	return false
}

// endsStatement: a message may be streamed into an assertion.
func endsStatement(rest string) bool {
	rest = strings.TrimSpace(rest)
	return rest == "" || rest == ";" || strings.HasPrefix(rest, "<<")
}

// frameworks are what the names of assertions begin with.
var frameworks = []string{"TEST_ASSERT", "TEST_CHECK", "BOOST", "ASSERT", "EXPECT", "REQUIRE", "CHECK",
	"STATIC_REQUIRE", "ck_assert", "cr_assert", "cr_expect", "zassert", "assert", "Assert", "static_assert",
	"_Static_assert"}

func vacuous(statement string) bool {
	name, arguments, rest, ok := lang.Call(statement)
	if !ok || !endsStatement(rest) {
		return false
	}
	if name == "SUCCEED" || name == "TEST_PASS" || name == "ztest_test_pass" {
		return true
	}
	if !slices.ContainsFunc(frameworks, func(f string) bool { return strings.HasPrefix(name, f) }) || len(arguments) == 0 {
		return false
	}
	words := strings.Split(strings.ToLower(strings.TrimLeft(name, "_")), "_")
	says := func(any ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(any, w) })
	}
	switch {
	case says("not", "ne", "lt", "le", "gt", "ge", "near", "throw", "throws", "nothrow", "that", "as"):
		return false
	case says("eq", "equal", "streq"):
		return lang.AreSame.CannotFail(arguments)
	case says("false", "null", "nullptr"):
		return slices.Contains([]string{"0", "false", "NULL", "nullptr", "FALSE"}, arguments[0])
	}
	// A number alone may be a count: CHECK_CALLS(3).
	return slices.Contains([]string{"1", "true", "TRUE"}, arguments[0]) ||
		!lang.IsConstant(arguments[0]) && lang.IsTrue.CannotFail(arguments)
}
