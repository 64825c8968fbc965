package sees

import (
	"bytes"
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/language"
)

// MayHoldSight reports whether the later version of a file of a path has a line that the earlier one lacks and that may
// be a sight: only then it has to be parsed. tests: files of tests come with it.
func MayHoldSight(name string, before, after []byte, tests bool) bool {
	if aside.MatchString(name) {
		return false
	}
	test := evidence.HoldsTests(name)
	n := newLines{name: evidence.LanguageOf(name), before: before, after: after, test: test, tests: tests}
	return n.worth()
}

// newLines are those that the later version of a file got.
type newLines struct {
	name          string // of the language
	before, after []byte
	test, tests   bool
}

// worth asks first what may be found in such a file, by words alone, and then whether a line that may be one of it is
// new: expressions cost more than what they spare, and the whole file is read last.
func (n *newLines) worth() bool {
	was, changed := evidence.LinesBetween(n.before, n.after)
	if len(changed) == 0 {
		return false
	}
	words := wordsOf(n.name, n.test)
	lower := bytes.ToLower(changed)
	asks := holdsAny(lower, words)
	compares := !n.test && (named.Match(changed) || holdsAny(lower, []string{"true", "false"})) && mayCompare(n.after)
	answers := !n.test && n.tests
	if !asks && !compares && !answers {
		return false
	}
	had := map[string]bool{}
	for line := range bytes.Lines(was) {
		had[string(bytes.TrimSpace(line))] = true
	}
	isWorded := func(line []byte) bool { return asks && holdsAny(bytes.ToLower(line), words) }
	may := func(line []byte) bool {
		bare := bytes.TrimSpace(line)
		return isWorded(bare) && asked(string(line), n.name, n.test) ||
			compares && (named.Match(bare) || always.Match(bare) && equality.Match(n.after))
	}
	return hasLine(changed, func(line []byte) bool {
		bare := bytes.TrimSpace(line)
		if had[string(bare)] || !answers && !compares && !isWorded(bare) {
			return false
		}
		if answers && (suspicious.Match(bare) || compared.Match(bare)) {
			// A branch that stood is looked at as well: the test may be what is new.
			if answers = n.mayAnswer(); answers {
				return true
			}
		}
		line = bytes.TrimSuffix(line, []byte("\n"))
		if commented.Match(bare) { // what is left without the comment may match
			return leavesAny(line, may)
		}
		return may(line)
	})
}

// asked reports whether a line of code is what lines looks for, wherever it stands.
func asked(line, name string, test bool) bool {
	return endings.MatchString(line) || slices.ContainsFunc(questions(), func(q question) bool {
		return q.isOf(name, test) && q.MatchString(line)
	})
}

// mayCompare reports whether a file may have a function that equalities look at: what says yes may have stood there,
// under another name.
func mayCompare(src []byte) bool {
	for i := 0; i < len(src); i++ {
		from := i
		for i < len(src) && (src[i] == '_' || src[i]|0x20 >= 'a' && src[i]|0x20 <= 'z') {
			i++
		}
		if i-from > 1 && i-from <= len("__contains__") && comparing[string(src[from:i])] {
			return true
		}
		if i > 0 && i+1 < len(src) && src[i+1] == '=' && (src[i] == '=' || src[i] == '!') && src[i-1] <= ' ' {
			named := bytes.TrimSpace(src[max(0, i-maxGap):i])
			if bytes.HasSuffix(named, []byte("def")) || bytes.HasSuffix(named, []byte("fun")) ||
				bytes.HasSuffix(named, []byte("func")) {
				return true
			}
		}
	}
	return false
}

// maxGap is how far the name of an operator may stand behind the word that defines it, in bytes, the word included.
const maxGap = 24

// comparing are the names of the functions that equalities look at, as far as they are words.
var comparing = map[string]bool{
	"__eq__": true, "__ne__": true, "__contains__": true, "equals": true, "Equals": true, "Equal": true, "eql": true,
	"eq": true, "ne": true, "isEqual": true, "isEqualTo": true, "is_equal": true, "operator": true,
}

// holdsAny reports whether one of the words stands in a text.
func holdsAny(text []byte, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return bytes.Contains(text, []byte(w)) })
}

// hasLine reports whether one of the lines is such.
func hasLine(lines []byte, is func(line []byte) bool) bool {
	for line := range bytes.Lines(lines) {
		if is(line) {
			return true
		}
	}
	return false
}

// suspicious matches each line that a question may match, and the names of the functions that equalities look at.
var suspicious = language.Lazy(`(?i)pytest|unittest|nose|_called_from_test|node_env|jest|vitest|mocha|` +
	`typeof|testing\.Testing|` +
	`flag\.Lookup|os\.Args|cfg!|junit|phpunit|testng|surefire|nunit|xunit|mstest|testhost|microsoft|rspec|minitest|` +
	`Test::Unit|_ENV|env\.test|` +
	`PROGRAM_NAME|UnitTests|xctest|Mix\.env|ExUnit|outcome|exitstatus|TestRe|TestCase|items|wasxfail|longrepr|` +
	`numFailed|` +
	`numRuntime|Runner\.|success|passed|expect|assert\s*=|exit|quit|die\b|__eq__|__ne__|__contains__|equal|operator|` +
	`eql|\beq\b|\bne\b`)

var (
	// named matches each line that names a function that equalities look at.
	named = language.Lazy(`\b(__eq__|__ne__|__contains__|[eE]quals|Equal|eql|eq|ne|isEqual(To)?|is_equal|operator)\b`)
	// commented matches a line that may hold a comment, or the end of one or of a bare text.
	commented = language.Lazy(`#|//|/\*|\*/|--|"""|'''`)
)

var (
	// always matches a line that may be the whole body of a function that says yes, equality a file with such a function.
	always   = language.Lazy(`(?i)^\s*(return\s+)?(true|false);?\s*$`)
	equality = language.Lazy(`(?i)\b(__eq__|__ne__|equals?\b|isEqual\w*|is_equal|operator==|eql\?|fn eq|` +
		`(def|func?)\s+[=!]=)`)
)

//go:embed words.txt
var wordsText string

// words are those of words.txt, by what they are of and the language.
var words = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for line, list := range language.Lists(wordsText) {
		of, languages, _ := strings.Cut(line, " ")
		for name := range strings.FieldsSeq(languages) {
			all[of+" "+name] = list
		}
	}
	return all
})

// wordsOf are in each line that a question of a language may match, letters in lower case.
func wordsOf(name string, test bool) []string {
	of := "code "
	if test {
		of = "tests "
	}
	if list := words()[of+name]; list != nil {
		return list
	}
	return []string{"exit"}
}
