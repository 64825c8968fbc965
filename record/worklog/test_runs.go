package worklog

import (
	_ "embed"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/txtar"

	"github.com/acta-git/acta/parser/shell"
)

//go:embed test_runs.txt
var testRunsText []byte

// testRuns are the lists of test_runs.txt: runners are the commands that run tests where a policy names none, how the
// test runners and build tools of the languages that Acta reads are called; wrappers are programs that run the command
// behind them, with the words that belong to the wrapper itself, options and their values left out; valued are options
// of both whose value is the next word.
var testRuns = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for _, list := range txtar.Parse(testRunsText).Files {
		all[list.Name] = strings.Split(strings.TrimSpace(string(list.Data)), "\n")
	}
	return all
})

// IsTestRun reports whether a command line of a shell runs tests: whether one of its simple commands begins as one of
// the patterns does, those of the policy, or of the usual runners where it has none. Assignments and programs that
// run another (env, timeout 60, uv run, npx) may stand before it.
//
// A pattern is words. The first is the program, its folder left out unless the pattern names one; the options of a
// command between the words are passed over, and more may follow behind them. In a word * stands for any characters,
// ? for one, and | parts words of which one must be there; the word ... stands for any words.
func IsTestRun(command string, patterns []string) bool {
	if len(patterns) == 0 {
		patterns = testRuns()["runners"]
	}
	runs, ok := shell.Read(command, shell.Mode{})
	if !ok { // what is no shell is one command
		runs = []shell.Run{{Words: strings.Fields(command)}}
	}
	return slices.ContainsFunc(runs, func(r shell.Run) bool { return runsTests(r.Words, patterns) })
}

// runsTests looks for a pattern at the beginning of a simple command, and behind each program that runs another. Told
// what there is, or asked what it would do, a runner runs nothing.
func runsTests(words, patterns []string) bool {
	isQuestion := func(w string) bool {
		return w == "--help" || w == "--version" || w == "--collect-only" || w == "--dry-run"
	}
	if slices.ContainsFunc(words, isQuestion) {
		return false
	}
	for before := 0; len(words) != before; words = unwrapped(words) {
		for _, p := range patterns {
			if _, ok := cut(strings.Fields(p), words); ok {
				return true
			}
		}
		before = len(words)
	}
	return false
}

// unwrapped is what a wrapper runs; the words themselves where the first is none.
func unwrapped(words []string) []string {
	for _, w := range testRuns()["wrappers"] {
		if rest, ok := cut(strings.Fields(w), words); ok {
			for len(rest) > 0 && (strings.HasPrefix(rest[0], "-") || isAssignment(rest[0])) {
				rest = rest[skipped(rest):]
			}
			return rest
		}
	}
	return words
}

func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && !strings.ContainsAny(name, "/.- ")
}

// cut takes a pattern off the beginning of words.
func cut(pattern, words []string) (rest []string, ok bool) {
	if len(pattern) == 0 || len(words) == 0 || !isProgram(pattern[0], words[0]) {
		return nil, false
	}
	return cutRest(pattern[1:], words[1:])
}

func cutRest(pattern, words []string) (rest []string, ok bool) {
	switch {
	case len(pattern) == 0:
		return words, true
	case pattern[0] == "...":
		for i := range words {
			if rest, ok := cutRest(pattern[1:], words[i:]); ok {
				return rest, true
			}
		}
		return nil, false
	case len(words) == 0:
		return nil, false
	case isWord(pattern[0], words[0]):
		return cutRest(pattern[1:], words[1:])
	case strings.HasPrefix(words[0], "-") && words[0] != "--" || strings.HasPrefix(words[0], "+"):
		return cutRest(pattern, words[skipped(words):])
	}
	return nil, false
}

// skipped is how many words an option takes.
func skipped(words []string) int {
	if len(words) > 1 && slices.Contains(testRuns()["valued"], words[0]) {
		return 2
	}
	return 1
}

func isProgram(pattern, word string) bool {
	if !strings.Contains(pattern, "/") {
		word = strings.TrimSuffix(path.Base(strings.ReplaceAll(word, `\`, "/")), ".exe")
	}
	return isWord(pattern, strings.TrimPrefix(word, "./"))
}

// isWord holds a word against those that a pattern names for its place.
func isWord(pattern, word string) bool {
	for p := range strings.SplitSeq(pattern, "|") {
		switch {
		case p == word:
			return true
		case strings.HasPrefix(word, "-") && !strings.HasPrefix(p, "-"): // an option stands for no other word
		case strings.ContainsAny(p, "*?") && matchesWildcard(p, word):
			return true
		}
	}
	return false
}

// matchesWildcard holds a word against one in which only * and ? are special.
func matchesWildcard(pattern, word string) bool {
	expr := strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(pattern))
	return regexp.MustCompile("(?s)^" + expr + "$").MatchString(word)
}
