package evidence

import (
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

// HoldsTests reports whether a file holds tests, by its path: its name has the word test or spec as test runners expect
// (test_*.py, *_test.go, *.spec.ts, *Tests.cs, *IT.java), or its folder is one of tests.
func HoldsTests(name string) bool {
	lower := strings.ToLower(name)
	if !strings.Contains(lower, "test") && !strings.Contains(lower, "spec") && !strings.Contains(lower, "e2e") &&
		!strings.Contains(lower, "integration/") && !strings.Contains(lower, "cy.") && !strings.Contains(name, "IT.") {
		return false // quick check
	}
	folders, file := path.Split(name)
	for folder := range strings.SplitSeq(strings.TrimSuffix(folders, "/"), "/") {
		if slices.ContainsFunc(lang.Words(folder), isTestWord) {
			return true
		}
		switch strings.ToLower(folder) {
		case "spec", "specs", "testing", "e2e", "integration":
			return true
		}
	}
	ext := path.Ext(file)
	stem := strings.TrimSuffix(file, ext)
	if ext == ".py" && (strings.HasPrefix(stem, "test") || stem == "conftest") { // unittest runs test*.py
		return true
	}
	parts := strings.FieldsFunc(strings.ToLower(stem), func(r rune) bool { return strings.ContainsRune("_.-", r) })
	words := lang.Words(stem)
	if len(parts) == 0 || len(words) == 0 {
		return false
	}
	if isTestWord(words[0]) || slices.ContainsFunc(parts, func(p string) bool {
		return isTestWord(p) || p == "spec" || p == "specs" || strings.HasSuffix(p, "unittest")
	}) {
		return true
	}
	// In the middle of a camel-case name it does not count: runTestCommand.ts.
	switch last := words[len(words)-1]; last {
	case "spec":
		return true
	case "it":
		return strings.HasSuffix(stem, "IT")
	case "e2e", "cy":
		return len(parts) > 1
	case "case":
		return strings.HasSuffix(stem, "TestCase")
	default:
		return isTestWord(last)
	}
}

func isTestWord(word string) bool {
	word = strings.TrimRight(word, "0123456789")
	return word == "test" || word == "tests"
}

// holdsDoubles reports whether a file may hold test doubles, by its path. It is narrower than HoldsTests in camel-case
// names, and wider in folders: docs/precision.md is measured with it.
func holdsDoubles(name string) bool {
	for folder := range strings.SplitSeq(strings.ToLower(path.Dir(name)), "/") {
		switch folder {
		case "test", "tests", "testing", "__tests__", "spec", "specs", "testdata", "fixtures", "mocks", "__mocks__",
			"testutil", "androidtest", "e2e":
			return true
		}
	}
	base := strings.ToLower(path.Base(name))
	stem := strings.TrimSuffix(base, path.Ext(base))
	for _, end := range []string{".spec", "_spec", "test", "tests", ".stories"} {
		if strings.HasSuffix(stem, end) {
			return true
		}
	}
	return strings.HasPrefix(stem, "test_") || stem == "conftest"
}
