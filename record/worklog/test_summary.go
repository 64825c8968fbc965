package worklog

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// testCounts are what a test run's output told of its tests; -1 is what it did not tell.
type testCounts struct{ passed, failed, skipped, all int }

// testSummary is what the output of a test run told in the end, «12 passed, 1 failed, 2 skipped»; "" where it told no
// counts. Runners differ in words and order, and agree in this: numbers beside words, on one of the last lines.
func testSummary(output string) string {
	lines := strings.Split(plainOutput(output), "\n")
	c := testCounts{-1, -1, -1, -1}
	if !c.ofEach(lines) {
		c.ofLast(lines)
	}
	if c.passed < 0 && c.all >= 0 {
		c.passed = c.all - max(c.failed, 0) - max(c.skipped, 0)
	}
	var told []string
	for _, n := range []struct {
		count int
		what  string
	}{{c.passed, "passed"}, {c.failed, "failed"}, {c.skipped, "skipped"}} {
		if n.count > 0 || n.count == 0 && n.what == "passed" && (c.failed > 0 || c.skipped > 0 || c.all == 0) {
			told = append(told, fmt.Sprintf("%d %s", n.count, n.what))
		}
	}
	return strings.Join(told, ", ")
}

// maxOutput is how much of the end of an output is looked at, in bytes.
const maxOutput = 64 << 10

// plainOutput is what a tool printed, of a host that gives it in an object the texts in that, without colours.
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
		// In the order in which they are printed.
		for _, key := range []string{"stdout", "output", "text", "llmContent", "stderr"} {
			all = append(all, textsIn(v[key])...)
		}
	}
	return all
}

// ofEach adds up the lines of runners that say it of each test (go test -v), or of each suite (cargo).
func (c *testCounts) ofEach(lines []string) (found bool) {
	suite := regexp.MustCompile(`^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored`)
	add := func(to *int, n int) { *to, found = max(*to, 0)+n, true }
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

// ofLast reads the last lines that tell a count, as long as they tell another one each.
func (c *testCounts) ofLast(lines []string) {
	found := false
	for i := len(lines) - 1; i >= 0; i-- {
		line := strings.TrimSpace(lines[i])
		switch told := countsIn(line); {
		case line == "", len(told) == 0 && regexp.MustCompile(`^[#ℹ] \w+ [\d.]+$`).MatchString(line):
		case len(told) == 0 && found:
			return
		case len(told) > 0:
			for to, n := range told {
				at := map[string]*int{"passed": &c.passed, "failed": &c.failed, "skipped": &c.skipped, "all": &c.all}[to]
				if *at >= 0 {
					return
				}
				*at, found = n, true
			}
		}
	}
}

// countsIn are the counts of tests in a line, by what they count; errors are failures.
func countsIn(line string) map[string]int {
	if regexp.MustCompile(`^(?:Test Suites|Test Files|Snapshots|Duration|Time|warning)\b`).MatchString(line) {
		return nil
	}
	const words = `(passed|passing|pass|failed|failing|failures?|fail|errors?|skipped|skips?|ignored|pending|` +
		`tests|test|examples?|runs|specs?|tests? completed)`
	told := map[string]int{}
	if m := regexp.MustCompile(`^[#ℹ] (tests|pass|fail|skipped) (\d+)$`).FindStringSubmatch(line); m != nil { // TAP
		tell(told, m[1], m[2])
	}
	for _, m := range regexp.MustCompile(`(?i)\b(\d{1,7}) `+words+`\b`).FindAllStringSubmatch(line, -1) {
		tell(told, m[2], m[1])
	}
	if len(told) == 0 || regexp.MustCompile(`(?i)^(?:\W*)?tests?(?: run)?: *\d`).MatchString(line) {
		counts := regexp.MustCompile(`(?i)\b` + words + `(?: run)?\s*[:=]\s*(\d{1,7})\b`)
		for _, m := range counts.FindAllStringSubmatch(line, -1) {
			tell(told, m[1], m[2])
		}
	}
	return told
}

func tell(told map[string]int, word, number string) {
	n, _ := strconv.Atoi(number)
	switch word = strings.ToLower(word); {
	case strings.HasPrefix(word, "pass"):
		told["passed"] += n
	case strings.HasPrefix(word, "fail"), strings.HasPrefix(word, "error"):
		told["failed"] += n
	case strings.HasPrefix(word, "skip"), word == "ignored", word == "pending":
		told["skipped"] += n
	default:
		told["all"] += n
	}
}
