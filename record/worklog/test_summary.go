package worklog

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// testCounts are the tests of a test run's output; -1 is an unknown number.
type testCounts struct{ passed, failed, skipped, total int }

// testSummary summarizes the output of a test run, «12 passed, 1 failed, 2 skipped»; "" without counts. Runners differ
// in words and order, but all print numbers beside words on one of the last lines.
func testSummary(output string) string {
	lines := strings.Split(plainOutput(output), "\n")
	c := testCounts{-1, -1, -1, -1}
	if !c.readEach(lines) {
		c.readLast(lines)
	}
	if c.passed < 0 && c.total >= 0 {
		c.passed = c.total - max(c.failed, 0) - max(c.skipped, 0)
	}
	var texts []string
	for _, n := range []struct {
		count int
		what  string
	}{{c.passed, "passed"}, {c.failed, "failed"}, {c.skipped, "skipped"}} {
		if n.count > 0 || n.count == 0 && n.what == "passed" && (c.failed > 0 || c.skipped > 0 || c.total == 0) {
			texts = append(texts, fmt.Sprintf("%d %s", n.count, n.what))
		}
	}
	return strings.Join(texts, ", ")
}

const maxOutput = 64 << 10

// plainOutput is a tool's output without colours; some hosts wrap it in an object.
func plainOutput(output string) string {
	if strings.HasPrefix(output, "{") {
		var v any
		if json.Unmarshal([]byte(output), &v) == nil {
			output = strings.Join(textsIn(v), "\n")
		}
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

// readEach adds up the lines of runners that print one for each test (go test -v), or for each suite (cargo).
func (c *testCounts) readEach(lines []string) (found bool) {
	suite := regexp.MustCompile(`^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored`)
	add := func(count *int, n int) { *count, found = max(*count, 0)+n, true }
	for _, line := range lines {
		if m := suite.FindStringSubmatch(line); m != nil {
			for i, to := range []*int{&c.passed, &c.failed, &c.skipped} {
				n, _ := strconv.Atoi(m[i+1])
				add(to, n)
			}
		}
		for word, to := range map[string]*int{"--- PASS: ": &c.passed, "--- FAIL: ": &c.failed, "--- SKIP: ": &c.skipped} {
			if strings.HasPrefix(line, word) {
				add(to, 1)
			}
		}
	}
	return found
}

// readLast reads the last lines with counts, until one repeats a count.
func (c *testCounts) readLast(lines []string) {
	found := false
	for i := len(lines) - 1; i >= 0; i-- {
		line := strings.TrimSpace(lines[i])
		switch counts := countsIn(line); {
		case line == "", len(counts) == 0 && regexp.MustCompile(`^[#ℹ] \w+ [\d.]+$`).MatchString(line):
		case len(counts) == 0 && found:
			return
		case len(counts) > 0:
			for to, n := range counts {
				at := map[string]*int{"passed": &c.passed, "failed": &c.failed, "skipped": &c.skipped, "all": &c.total}[to]
				if *at >= 0 {
					return
				}
				*at, found = n, true
			}
		}
	}
}

// countsIn are the counts of tests in a line; errors are failures.
func countsIn(line string) map[string]int {
	if regexp.MustCompile(`^(?:Test Suites|Test Files|Snapshots|Duration|Time|warning)\b`).MatchString(line) {
		return nil
	}
	const words = `(passed|passing|pass|failed|failing|failures?|fail|errors?|skipped|skips?|ignored|pending|` +
		`tests|test|examples?|runs|specs?|tests? completed)`
	counts := map[string]int{}
	if m := regexp.MustCompile(`^[#ℹ] (tests|pass|fail|skipped) (\d+)$`).FindStringSubmatch(line); m != nil { // TAP
		addCount(counts, m[1], m[2])
	}
	for _, m := range regexp.MustCompile(`(?i)\b(\d{1,7}) `+words+`\b`).FindAllStringSubmatch(line, -1) {
		addCount(counts, m[2], m[1])
	}
	if len(counts) == 0 || regexp.MustCompile(`(?i)^(?:\W*)?tests?(?: run)?: *\d`).MatchString(line) {
		pattern := regexp.MustCompile(`(?i)\b` + words + `(?: run)?\s*[:=]\s*(\d{1,7})\b`)
		for _, m := range pattern.FindAllStringSubmatch(line, -1) {
			addCount(counts, m[1], m[2])
		}
	}
	return counts
}

func addCount(counts map[string]int, word, number string) {
	n, _ := strconv.Atoi(number)
	switch word = strings.ToLower(word); {
	case strings.HasPrefix(word, "pass"):
		counts["passed"] += n
	case strings.HasPrefix(word, "fail"), strings.HasPrefix(word, "error"):
		counts["failed"] += n
	case strings.HasPrefix(word, "skip"), word == "ignored", word == "pending":
		counts["skipped"] += n
	default:
		counts["all"] += n
	}
}
