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

// testRuns are the lists of test_runs.txt: runners are the default patterns of commands that run tests; wrappers are
// programs that run the command after them, without their own options and values; valued are options of both that take
// the next word.
var testRuns = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for _, list := range txtar.Parse(testRunsText).Files {
		all[list.Name] = strings.Split(strings.TrimSpace(string(list.Data)), "\n")
	}
	return all
})

// IsTestRun reports whether a shell command line runs tests: whether one of its simple commands begins like one of the
// patterns, those of the policy or, without them, of the usual runners. Assignments and wrappers (env, timeout 60, uv
// run, npx) may come before it.
//
// A pattern is words. The first is the program, without its folder unless the pattern names one; options between the
// words are skipped, and more words may follow. In a word * stands for any characters, ? for one, and | separates
// alternatives; the word ... stands for any words.
func IsTestRun(command string, patterns []string) bool {
	if len(patterns) == 0 {
		patterns = testRuns()["runners"]
	}
	runs, ok := shell.Read(command, shell.Mode{})
	if !ok { // not a shell command: take it as one command
		runs = []shell.Run{{Words: strings.Fields(command)}}
	}
	return slices.ContainsFunc(runs, func(r shell.Run) bool { return runsTests(r.Words, patterns) })
}

// runsTests looks for a pattern at the beginning of a simple command, and after each wrapper. A runner that only prints
// help or lists tests runs nothing.
func runsTests(words, patterns []string) bool {
	isQuestion := func(w string) bool {
		return w == "--help" || w == "--version" || w == "--collect-only" || w == "--dry-run"
	}
	if slices.ContainsFunc(words, isQuestion) {
		return false
	}
	for before := 0; len(words) != before; words = unwrap(words) {
		for _, p := range patterns {
			if _, ok := cutPattern(strings.Fields(p), words); ok {
				return true
			}
		}
		before = len(words)
	}
	return false
}

// unwrap is the command after a wrapper; the words themselves if the first is none.
func unwrap(words []string) []string {
	for _, w := range testRuns()["wrappers"] {
		if rest, ok := cutPattern(strings.Fields(w), words); ok {
			for len(rest) > 0 && (strings.HasPrefix(rest[0], "-") || isAssignment(rest[0])) {
				rest = rest[optionLength(rest):]
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

func cutPattern(pattern, words []string) (rest []string, ok bool) {
	if len(pattern) == 0 || len(words) == 0 || !isProgram(pattern[0], words[0]) {
		return nil, false
	}
	return cutWords(pattern[1:], words[1:])
}

func cutWords(pattern, words []string) (rest []string, ok bool) {
	switch {
	case len(pattern) == 0:
		return words, true
	case pattern[0] == "...":
		for i := range words {
			if rest, ok := cutWords(pattern[1:], words[i:]); ok {
				return rest, true
			}
		}
		return nil, false
	case len(words) == 0:
		return nil, false
	case isWord(pattern[0], words[0]):
		return cutWords(pattern[1:], words[1:])
	case strings.HasPrefix(words[0], "-") && words[0] != "--" || strings.HasPrefix(words[0], "+"):
		return cutWords(pattern, words[optionLength(words):])
	}
	return nil, false
}

func optionLength(words []string) int {
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

func isWord(pattern, word string) bool {
	for p := range strings.SplitSeq(pattern, "|") {
		switch {
		case p == word:
			return true
		case strings.HasPrefix(word, "-") && !strings.HasPrefix(p, "-"): // an option matches no other word
		case strings.ContainsAny(p, "*?") && matchesWildcard(p, word):
			return true
		}
	}
	return false
}

// matchesWildcard matches a word against a pattern in which only * and ? are special.
func matchesWildcard(pattern, word string) bool {
	expr := strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(pattern))
	return regexp.MustCompile("(?s)^" + expr + "$").MatchString(word)
}
