package evidence

import (
	"fmt"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// The messages of the checklist rules are part of their contract, word for word.
const (
	formatInvalid = "Evidence '%s' has invalid format. Required format: <file_path>:<line> or " +
		"<file_path>:<start>-<end>. Examples: 'auth.py:42', 'src/auth.py:42-58'."
	fileNotFound = "Evidence file not found: %s. Verify the file path is correct and the file exists."
	outOfRange   = "Evidence line %d exceeds file length (%d lines). Use a valid line number within 1-%d."
	emptyImpl    = "Empty implementation detected at '%s'. Contains %s. Add actual implementation code."
)

// stubContent is what a stub holds, in the words of the checklist rule. Lines of blanks, brackets or comments say what
// they hold.
const stubContent = "only pass/TODO/NotImplementedError"

// emptyAt is the message of lines that hold nothing but what.
func emptyAt(e parser.Evidence, what string) string {
	return fmt.Sprintf(emptyImpl, canonical(e), what)
}

// canonical writes evidence without its anchor, which a hook may add after it was judged.
func canonical(e parser.Evidence) string {
	e.Err = ""
	return e.Place()
}

// lines writes a range of lines, 42 or 42-58.
func lines(first, last int) string {
	if first >= last {
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("%d-%d", first, last)
}

// refused is a place that does not hold.
func refused(reason string, p Problem) Result {
	return Result{Verdict: report.NotVerified, Reason: reason, Problems: []Problem{p}}
}

// uncertain says why a place neither shows nor refutes the claim; why reads on from «it».
func uncertain(e parser.Evidence, first, last int, why, hint string) Problem {
	return Problem{
		Code: Uncertain, Path: e.Path, Line: first, EndLine: last,
		Message: fmt.Sprintf("Evidence '%s' is unclear: %s.", canonical(e), why), Hint: hint,
	}
}

// because is the result of lines that a problem, which a rule of its own reports, makes unclear.
func (p *place) because(code Code, message, why, hint string) Result {
	r := p.unsure(why, "")
	r.Problems[0].Cause = code
	r.Problems = append([]Problem{p.problem(code, message, hint)}, r.Problems...)
	return r
}

// undecided is the result of a place that cannot be judged.
func undecided(e parser.Evidence, why, hint string) Result {
	return Result{Verdict: report.Unclear, Reason: why, Problems: []Problem{uncertain(e, 0, 0, why, hint)}}
}

// comparing marks what was found by comparing the snapshot with its base.
func comparing(r Result) Result {
	for i := range r.Problems {
		r.Problems[i].Compares = true
	}
	return r
}

// badForm refuses evidence for its form; written is the evidence as it is shown.
func badForm(path, written, hint string) Result {
	return refused("invalid format", Problem{
		Code: codeFormatInvalid, Path: path, Message: fmt.Sprintf(formatInvalid, written), Hint: hint, Corrects: hint != "",
	})
}
