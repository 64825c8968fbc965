package prove

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

var (
	// failedTestLine matches lines that name a failed test, failureLine lines about any failure.
	failedTestLine = lang.Lazy(`^\s*(--- FAIL: |FAILED |not ok |● |✕ |✖ |× |FAIL: |ERROR )`)
	failureLine    = lang.Lazy(`(?i)\b(fail(ed|ure|s)?|error|panic|assert\w*|exception)\b|Error\b`)
)

// maxLine is how much of a line is shown, in bytes.
const maxLine = 200

// firstFailure is the first line that names a failed test, else the first about a failure, else the last.
func firstFailure(output []byte) string {
	failure, last := "", ""
	for line := range bytes.Lines(output) {
		text := strings.TrimSpace(string(line))
		switch {
		case text == "":
			continue
		case failedTestLine.MatchString(text):
			return shorten(text)
		case failure == "" && failureLine.MatchString(text):
			failure = text
		}
		last = text
	}
	return shorten(cmp.Or(failure, last))
}

func shorten(line string) string {
	if len(line) > maxLine {
		return strings.ToValidUTF8(line[:maxLine], "") + "…"
	}
	return line
}

func lastLines(output []byte) string {
	const most = 20
	lines := strings.Split(strings.TrimRight(string(output), "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-most):], "\n")
}
