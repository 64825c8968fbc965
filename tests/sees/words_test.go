package sees

import (
	"bytes"
	"math/rand/v2"
	"regexp/syntax"
	"strings"
	"testing"
)

// pathsOf are a file of each language, of code and of tests.
var pathsOf = map[string][2]string{
	"python": {"pkg/a.py", "tests/test_a.py"}, "javascript": {"pkg/a.js", "tests/a.test.js"},
	"typescript": {"pkg/a.ts", "tests/a.test.ts"}, "tsx": {"pkg/a.tsx", "tests/a.test.tsx"},
	"go": {"pkg/a.go", "pkg/a_test.go"}, "rust": {"pkg/a.rs", "tests/a.rs"}, "java": {"pkg/A.java", "test/ATest.java"},
	"kotlin": {"pkg/A.kt", "test/ATest.kt"}, "scala": {"pkg/A.scala", "test/ATest.scala"},
	"csharp": {"pkg/A.cs", "tests/ATests.cs"}, "ruby": {"pkg/a.rb", "spec/a_spec.rb"}, "php": {"pkg/a.php", "tests/ATest.php"},
	"swift": {"pkg/A.swift", "Tests/ATests.swift"}, "elixir": {"lib/a.ex", "test/a_test.exs"},
}

// What a question matches, the words that spare its expression let through, and the file is worth a look; so is what a
// comment behind it leaves of it.
func TestTheWordsLetThroughWhatTheQuestionsMatch(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, q := range questions() {
		tree, err := syntax.Parse(q.String(), syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		for _, of := range strings.Fields(q.languages) {
			paths, known := pathsOf[of]
			if !known {
				continue // groovy, which nothing reads
			}
			matched := 0
			for range 300 {
				line := grown(random, tree)
				if !q.MatchString(line) {
					continue
				}
				matched++
				for test, path := range paths {
					if test == 1 && q.form == asks {
						continue
					}
					if !holdsAny(bytes.ToLower([]byte(line)), wordsOf(of, test == 1)) || !suspicious.MatchString(line) {
						t.Fatalf("%s: no word of %q, which %s matches", of, line, q.form)
					}
					if !MayHoldSight(path, nil, []byte(line+"\n"), false) || !MayHoldSight(path, nil, []byte(line+" # so\n"), false) {
						t.Fatalf("%s is worth no look for %q", path, line)
					}
				}
			}
			if matched == 0 {
				t.Errorf("%s: nothing was made that %s matches", of, q.form)
			}
		}
	}
}

// grown is a text that an expression may match: what stands around it is not looked at.
func grown(random *rand.Rand, e *syntax.Regexp) string {
	var b strings.Builder
	several := func(least, most int) {
		for range least + random.IntN(most-least+1) {
			b.WriteString(grown(random, e.Sub[0]))
		}
	}
	switch e.Op {
	case syntax.OpLiteral:
		b.WriteString(string(e.Rune))
	case syntax.OpCharClass:
		var all []rune
		for i := 0; i+1 < len(e.Rune); i += 2 {
			for r := max(e.Rune[i], ' '); r <= min(e.Rune[i+1], '~'); r++ {
				all = append(all, r)
			}
		}
		b.WriteRune(all[random.IntN(len(all))])
	case syntax.OpAnyCharNotNL, syntax.OpAnyChar:
		b.WriteByte('x')
	case syntax.OpStar:
		several(0, 2)
	case syntax.OpPlus:
		several(1, 2)
	case syntax.OpQuest:
		several(0, 1)
	case syntax.OpRepeat:
		several(e.Min, max(e.Min, e.Max))
	case syntax.OpAlternate:
		b.WriteString(grown(random, e.Sub[random.IntN(len(e.Sub))]))
	default:
		for _, part := range e.Sub {
			b.WriteString(grown(random, part))
		}
	}
	return b.String()
}
