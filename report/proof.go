package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Proof is the result of running a test command while cited functions did nothing, one at a time.
type Proof struct {
	Command string `json:"command"`
	// Tree is the tested tree.
	Tree string `json:"tree"`
	// Noticed counts the functions without which the command failed, Tried those with an answer.
	Noticed int `json:"noticed"`
	Tried   int `json:"asked"`
	// Untried counts the functions that were left out because there were too many.
	Untried   int             `json:"left"`
	Functions []FunctionProof `json:"functions"`
}

// FunctionProof is the result for one function and one item that cites it.
type FunctionProof struct {
	Commit  string `json:"commit"`
	Unit    string `json:"unit"`
	Item    string `json:"item"`
	Path    string `json:"path"`
	Line    int    `json:"line"`
	EndLine int    `json:"end_line"`
	Symbol  string `json:"symbol"`
	Answer  Answer `json:"answer"`
	// Returned is the value that the hollow function returned, Reason the first line about a failure, or why there is no
	// answer.
	Returned string `json:"gives"`
	Reason   string `json:"by"`
	// IsFlaky: the command failed on the whole tree, too, when it was run once more.
	IsFlaky bool `json:"flaky"`
}

// Answer is the result of a command without a function.
type Answer string

// The answers.
const (
	Noticed      Answer = "noticed"
	Unnoticed    Answer = "unnoticed"
	NotReached   Answer = "not_reached"
	Inconclusive Answer = "inconclusive"
)

// Count fills in Noticed and Asked; a function that several items cite counts once.
func (p *Proof) Count() {
	p.Noticed, p.Tried = 0, 0
	seen := map[string]bool{}
	for _, f := range p.Functions {
		key := fmt.Sprintf("%s:%d", f.Path, f.Line)
		if seen[key] || f.Answer == Inconclusive {
			continue
		}
		seen[key] = true
		p.Tried++
		if f.Answer == Noticed {
			p.Noticed++
		}
	}
}

// Line is the line for a report: «Proved: 3 of 4 | pytest -q».
func (p *Proof) Line() string {
	return fmt.Sprintf(ProofItem+"%d of %d | %s", p.Noticed, p.Tried, p.Command)
}

// ProofItem begins the item of a claimed proof in verdicts.
const ProofItem = "Proved: "

// ProofCommand is the command line of a proof by a command.
func ProofCommand(command string) string { return "acta prove -- " + command }

// IsMissed reports whether nothing failed without the function.
func (f *FunctionProof) IsMissed() bool { return f.Answer == Unnoticed || f.Answer == NotReached }

// MissedMessage says of a function that nothing failed without it.
func (f *FunctionProof) MissedMessage() string {
	if f.Answer == NotReached {
		return fmt.Sprintf("No test reaches `%s`.", f.Symbol)
	}
	return fmt.Sprintf("Nothing fails when `%s` returns %s.", f.Symbol, f.Returned)
}

// Report turns a proof into a report: a finding for each function without which nothing failed.
func (p *Proof) Report() Report {
	r := Report{Acta: Release, Range: p.Tree, Proof: p}
	var found []Finding
	for _, f := range p.Functions {
		if f.IsMissed() {
			found = append(found, Finding{Rule: "claim_unproved", Severity: Warning, Path: f.Path, Line: f.Line, Column: 1,
				EndLine: f.EndLine, Commit: f.Commit, Unit: f.Unit, Item: f.Item, Message: f.MissedMessage(),
				Hint: "write a test that fails then"})
		}
	}
	r.Add(found, nil)
	return r
}

// answerText is the answer as people read it.
func (f *FunctionProof) answerText() string {
	switch {
	case f.Answer == NotReached:
		return "not reached"
	case f.IsFlaky:
		return string(f.Answer) + " (flaky)"
	}
	return string(f.Answer)
}

// place is «m.py:10 login», or «none» for a claim that cites no function.
func (f *FunctionProof) place() string {
	if f.Path == "" {
		return "none"
	}
	return fmt.Sprintf("%s:%d %s", f.Path, f.Line, f.Symbol)
}

// WriteProof prints a proof as a table, and the line for the report.
func WriteProof(w io.Writer, p *Proof) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(cells ...any) { _, _ = fmt.Fprintf(out, "%s\t%s\t%s\t%s\n", cells...) }
	row("ITEM", "FUNCTION", "ANSWER", "BY")
	for i := range p.Functions {
		f := &p.Functions[i]
		row(OneLine(f.Item), OneLine(f.place()), f.answerText(), OneLine(f.Reason))
	}
	err := out.Flush()
	if err == nil && p.Untried > 0 {
		_, err = fmt.Fprintf(w, "acta: %s not tried: --most\n", Plural(p.Untried, "more function"))
	}
	if err == nil {
		_, err = fmt.Fprintln(w, OneLine(p.Line()))
	}
	return err
}

// proofs writes a table of a proof's answers, and the proofs that commits claim.
func (r *Report) proofs(b *strings.Builder) {
	for _, v := range r.Verdicts {
		if command, ok := strings.CutPrefix(v.Item, ProofItem); ok && v.Status == "ran" {
			fmt.Fprintf(b, "\n%s: %s.\n", code(ProofItem+v.Evidence+" | "+command), v.Verdict)
		}
	}
	p := r.Proof
	if p == nil {
		return
	}
	fmt.Fprintf(b, "\n%s\n\n| function | answer | by |\n| --- | --- | --- |\n", code(p.Line()))
	for i := range p.Functions {
		f := &p.Functions[i]
		fmt.Fprintf(b, "| %s | %s | %s |\n", code(f.place()), f.answerText(), MarkdownText(f.Reason))
	}
}
