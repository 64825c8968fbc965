package worklog

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/acta-git/acta/parser/shell"
	"golang.org/x/tools/txtar"
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

// testCounts are the tests of a test run's output: passed, failed, skipped and all; a missing number is unknown.
type testCounts map[string]int

// testSummary summarizes the output of a test run, «12 passed, 1 failed, 2 skipped»; "" without counts. Runners differ
// in words and order, but all print numbers beside words on one of the last lines, or a line for each test (go test -v)
// or suite (cargo).
func testSummary(output string) string {
	output = plainOutput(output)
	c, each := testCounts{}, regexp.MustCompile(
		`(?m)^(?:--- (PASS|FAIL|SKIP): |test result: \w+\. (\d+) (passed); (\d+) (failed); (\d+) (ignored))`)
	for _, m := range each.FindAllStringSubmatch(output, -1) {
		if m[1] != "" {
			c.add(m[1], "1")
			continue
		}
		for i := 2; i < len(m); i += 2 {
			c.add(m[i+1], m[i])
		}
	}
	if len(c) == 0 {
		c = lastCounts(strings.Split(output, "\n"))
	}
	total, isTotal := c["all"]
	passed, isKnown := c["passed"]
	if !isKnown && isTotal {
		passed, isKnown = total-c["failed"]-c["skipped"], true
	}
	var texts []string
	if passed > 0 || isKnown && (c["failed"] > 0 || c["skipped"] > 0 || isTotal && total == 0) {
		texts = append(texts, fmt.Sprintf("%d passed", passed))
	}
	for _, word := range []string{"failed", "skipped"} {
		if c[word] > 0 {
			texts = append(texts, fmt.Sprintf("%d %s", c[word], word))
		}
	}
	return strings.Join(texts, ", ")
}

const maxOutput = 64 << 10

// plainOutput is the end of a tool's output without colours; some hosts wrap it in an object.
func plainOutput(output string) string {
	var v any
	if strings.HasPrefix(output, "{") && json.Unmarshal([]byte(output), &v) == nil {
		output = strings.Join(textsIn(v), "\n")
	}
	output = output[max(len(output)-maxOutput, 0):]
	return regexp.MustCompile(`\x1b\[[0-9;]*m`).ReplaceAllString(output, "")
}

func textsIn(v any) (all []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		for _, one := range v {
			all = append(all, textsIn(one)...)
		}
	case map[string]any:
		// In the order of printing.
		for _, key := range []string{"stdout", "output", "text", "llmContent", "stderr"} {
			all = append(all, textsIn(v[key])...)
		}
	}
	return all
}

// lastCounts are those of the last lines with counts, until one repeats a count.
func lastCounts(lines []string) testCounts {
	all := testCounts{}
	for _, line := range slices.Backward(lines) {
		line = strings.TrimSpace(line)
		counts := countsIn(line)
		switch {
		case line == "", len(counts) == 0 && regexp.MustCompile(`^[#ℹ] \w+ [\d.]+$`).MatchString(line):
		case len(counts) == 0 && len(all) > 0:
			return all
		default:
			for word := range counts {
				if _, again := all[word]; again {
					return all
				}
			}
			maps.Copy(all, counts)
		}
	}
	return all
}

// countsIn are the counts of tests in a line; errors are failures.
func countsIn(line string) testCounts {
	counts := testCounts{}
	if regexp.MustCompile(`^(?:Test Suites|Test Files|Snapshots|Duration|Time|warning)\b`).MatchString(line) {
		return counts
	}
	const words = `(passed|passing|pass|failed|failing|failures?|fail|errors?|skipped|skips?|ignored|pending|` +
		`tests|test|examples?|runs|specs?|tests? completed)`
	if m := regexp.MustCompile(`^[#ℹ] (tests|pass|fail|skipped) (\d+)$`).FindStringSubmatch(line); m != nil { // TAP
		counts.add(m[1], m[2])
	}
	for _, m := range regexp.MustCompile(`(?i)\b(\d{1,7}) `+words+`\b`).FindAllStringSubmatch(line, -1) {
		counts.add(m[2], m[1])
	}
	if len(counts) == 0 || regexp.MustCompile(`(?i)^(?:\W*)?tests?(?: run)?: *\d`).MatchString(line) {
		pattern := regexp.MustCompile(`(?i)\b` + words + `(?: run)?\s*[:=]\s*(\d{1,7})\b`)
		for _, m := range pattern.FindAllStringSubmatch(line, -1) {
			counts.add(m[1], m[2])
		}
	}
	return counts
}

func (c testCounts) add(word, number string) {
	n, _ := strconv.Atoi(number)
	switch word = strings.ToLower(word); {
	case strings.HasPrefix(word, "pass"):
		c["passed"] += n
	case strings.HasPrefix(word, "fail"), strings.HasPrefix(word, "error"):
		c["failed"] += n
	case strings.HasPrefix(word, "skip"), word == "ignored", word == "pending":
		c["skipped"] += n
	default:
		c["all"] += n
	}
}
