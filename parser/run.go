package parser

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ClaimedRun is a run that a report claims: «Ran: <command> | exit <n>», with optional test counts after another bar.
// Err says what is malformed.
type ClaimedRun struct {
	Command Text
	Exit    int
	Counts  Counts
	// IsProof: it is «Proved: <n> of <m> | <command>», a run of acta prove; see ProofRun.
	IsProof bool
	Err     string
}

// ProofRun returns the exit code and counts of acta prove for a number of noticed functions.
func ProofRun(noticed, tried int) (exit int, counts Counts) {
	switch {
	case tried == 0:
		exit = 3
	case noticed < tried:
		exit = 1
	}
	return exit, Counts{"passed": noticed, "failed": tried - noticed}
}

// proofRun reads «<n> of <m> | <command>».
func (r *reader) proofRun(f fold) ClaimedRun {
	counts, _, found := strings.Cut(f.value, "|")
	var noticed, tried int
	if n, err := fmt.Sscanf(counts, "%d of %d", &noticed, &tried); !found || n != 2 || err != nil || noticed > tried {
		return ClaimedRun{Command: r.whole(f), IsProof: true, Err: "expected «<n> of <m> | <command>»"}
	}
	out := ClaimedRun{Command: r.cut(f, len(counts)+1, len(f.value)), IsProof: true}
	out.Exit, out.Counts = ProofRun(noticed, tried)
	return out
}

// Counts are the numbers of passed, failed and skipped tests, by that word; missing if not given.
type Counts map[string]int

// countWords are the words of Counts, in the order in which they are written.
var countWords = [...]string{"passed", "failed", "skipped"}

// ParseCounts reads «214 passed, 1 failed, 2 skipped», in any order, each at most once; nil for other text.
func ParseCounts(s string) Counts {
	counts := Counts{}
	for one := range strings.SplitSeq(s, ",") {
		words := strings.Fields(one)
		if len(words) != 2 {
			return nil
		}
		n, err := strconv.Atoi(words[0])
		_, exists := counts[words[1]]
		if err != nil || n < 0 || exists || !slices.Contains(countWords[:], words[1]) {
			return nil
		}
		counts[words[1]] = n
	}
	return counts
}

// String is the form that ParseCounts reads, "" without counts.
func (c Counts) String() string {
	var all []string
	for _, w := range countWords {
		if n, ok := c[w]; ok {
			all = append(all, fmt.Sprintf("%d %s", n, w))
		}
	}
	return strings.Join(all, ", ")
}

// claimedRun reads «<command> | exit <n>», and counts behind that.
func (r *reader) claimedRun(f fold) ClaimedRun {
	at, end := runBars(f.value)
	if at < 0 {
		return ClaimedRun{Command: r.whole(f), Err: "no « | exit <n>» after the command"}
	}
	out := ClaimedRun{Command: r.cut(f, 0, at)}
	if end < len(f.value) {
		text := strings.Join(strings.Fields(f.value[end+1:]), " ")
		if out.Counts = ParseCounts(text); out.Counts == nil {
			out.Err = "expected «<n> passed, <n> failed, <n> skipped» after the exit code, found «" + text + "»"
		}
	}
	word := strings.Fields(f.value[at+1 : end])
	if len(word) != 2 || word[0] != "exit" {
		out.Err = "expected «exit <n>» after the bar, found «" + strings.Join(word, " ") + "»"
		return out
	}
	n, err := strconv.Atoi(word[1])
	switch {
	case err != nil || n < 0 || n > 255:
		out.Err = "expected an exit code from 0 to 255, found «" + word[1] + "»"
	case out.Command.Value == "":
		out.Err = "no command before the bar"
	case out.Err == "":
		out.Exit = n
	}
	return out
}

func isExit(s string) bool {
	number, ok := strings.CutPrefix(strings.Trim(s, white), "exit ")
	_, err := strconv.Atoi(strings.Trim(number, white))
	return ok && err == nil
}

// runBars are the places of the bars before the exit code, -1 without one, and before the counts, the end without any.
func runBars(value string) (exit, counts int) {
	last := lastBar(value)
	if before := lastBar(value[:max(last, 0)]); before >= 0 && !isExit(value[last+1:]) && isExit(value[before+1:last]) {
		return before, last
	}
	return last, len(value)
}

func isWholeRun(value string) bool {
	at, end := runBars(value)
	return at >= 0 && isExit(value[at+1:end]) && (end == len(value) || ParseCounts(value[end+1:]) != nil)
}

// continuesRun reports a line with the counts of a Ran whose exit code ended the line above.
func continuesRun(line string) bool {
	counts, ok := strings.CutPrefix(strings.Trim(line, white), "| ")
	return ok && ParseCounts(counts) != nil
}
