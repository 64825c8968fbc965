package worklog

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

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
