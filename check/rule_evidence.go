package check

import (
	"context"
	"fmt"
	"slices"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
)

// evidenceRule completes a rule that passes on what package evidence found under
// one code. Findings about the form or the existence of what is cited stand
// where the claim stands; those about its content stand in the cited file.
func evidenceRule(code evidence.Code, r Rule) *Rule {
	r.ID, r.Since, r.Class, r.Scope = string(code), "0.1", OfClaims, OfPart
	r.Run = func(_ context.Context, p *Pass) error {
		for i := range p.claims {
			c := &p.claims[i]
			for k, result := range c.Results {
				for _, problem := range result.Problems {
					if problem.Code == code && !p.isSaidBy(problem.Cause) {
						p.reportProblem(c, k, problem)
					}
				}
			}
		}
		return nil
	}
	return &r
}

// isSaidBy reports whether the rule that reports a cause says what the running rule would say, as severely at least.
func (p *Pass) isSaidBy(cause evidence.Code) bool {
	return slices.ContainsFunc(p.rules, func(r *Rule) bool {
		return r.ID == string(cause) && r.severity(p.Policy, p.Tier) >= p.severity
	})
}

// reportProblem reports what was found at a claim's cited place number k.
func (p *Pass) reportProblem(c *judgedClaim, k int, e evidence.Problem) {
	if e.Note {
		defer func(s diag.Severity) { p.severity = s }(p.severity)
		p.severity = diag.Note
	}
	f := c.finding(e.Message, e.Hint)
	if e.Corrects {
		f.Hint = fmt.Sprintf("cite «%s», if that is meant", e.Hint)
	}
	if e.Line > 0 {
		f.Path, f.Line, f.Column, f.EndLine = e.Path, e.Line, 1, e.EndLine
	}
	cited := []string{c.Evidence[k].Place(), c.Evidence[k].Path}
	p.report(f, cited...)
	p.waiveWith(&p.findings[len(p.findings)-1], c.Results[k], cited...)
	if e.Compares {
		p.comparing(len(p.findings) - 1)
	}
}

func ruleEvidenceFormat() *Rule {
	return evidenceRule(evidence.FormatInvalid, Rule{
		Title: "evidence is not written as path:line or path:start-end",
		Doc: "Evidence is a path from the top of the repository, with forward slashes, a colon, and a line or a\n" +
			"range of lines; a symbol may follow: `src/auth.py:42-58#login`. `-path` and `-path:10-40` cite what\n" +
			"was removed, and a path alone what has no lines: a binary, a renamed or an empty file. A path with a\n" +
			"comma in it stands in double quotes. What can mean one thing only (`#L4-L6`, `:4–6`, `:4-6,8-10`, `;`,\n" +
			"a note in brackets) is read, and noted. Else, where the evidence can be corrected, the hint does it.",
		Severity: judged,
		Example: Example{
			Files:   loginFile(),
			Message: "ACT: T01 login\n\nDone: Add login() | src/auth.py line 5\n",
		},
	})
}

func ruleEvidenceNotFound() *Rule {
	return evidenceRule(evidence.FileNotFound, Rule{
		Title: "the cited file is not in the commit",
		Doc: "The file is looked up in the tree of the commit, not in the work tree: a file that was written but not\n" +
			"added is not there, and hook and `acta check` say so: `git add` it. Else the hint names the nearest\n" +
			"path that is.",
		Severity: judged,
		Example: Example{
			Files:   loginFile(),
			Message: "ACT: T01 login\n\nDone: Add login() | auth.py:5-8\n",
		},
	})
}

func ruleEvidenceOutOfRange() *Rule {
	return evidenceRule(evidence.OutOfRange, Rule{
		Title: "the cited lines are beyond the end of the file",
		Doc: "Lines count from 1 in the committed file. Where the item names a symbol that the file defines, the hint\n" +
			"gives its lines.",
		Severity: judged,
		Example: Example{
			Files:   loginFile(),
			Message: "ACT: T01 login\n\nDone: Add `login` | src/auth.py:42-58\n",
		},
	})
}

func ruleEvidenceEmptyImpl() *Rule {
	return evidenceRule(evidence.EmptyImpl, Rule{
		Title: "the cited lines hold no implementation",
		Doc: "The lines are read with the language's grammar. Blank lines, comments, docstrings, `pass`, `...`, a\n" +
			"raise or throw of «not implemented», and the header of a definition whose body is all that, are no\n" +
			"implementation. What is complete though short is not reported: an exception class with a base,\n" +
			"abstract methods, protocol and interface members, overloads, type declarations. Comments and prose\n" +
			"count where the item is of kind text or its words say so (docstring, comment, docs, typo, licence,\n" +
			"changelog …), and in a commit that changes nothing else, unless the item asks for something new.",
		Severity: judged,
		Example: Example{
			Files:   loginFile(),
			Message: "ACT: T01 login\n\nDone: Add login() | src/auth.py:5-8\nDone: Add logout() | src/auth.py:1-2\n",
		},
	})
}

func ruleEvidencePartialStub() *Rule {
	return evidenceRule(evidence.PartialStub, Rule{
		Title: "the cited lines hold real code and a stub",
		Doc: "A span with one finished and one empty function proves only a part of what it is cited for. Cite the lines\n" +
			"that implement the item. Imports, headers and decorators beside a stub are no real code; then the claim is\n" +
			"not verified.",
		Severity: Severities{diag.Error, diag.Warning, diag.Warning, 0},
		Example: Example{
			Files:   loginFile(),
			Message: "ACT: T01 login\n\nDone: Add login() | src/auth.py:1-8\n",
		},
	})
}

func ruleEvidenceUnclear() *Rule {
	return evidenceRule(evidence.Uncertain, Rule{
		Title: "the evidence neither shows nor refutes the claim",
		Doc: "A gate that guesses gets switched off, so what cannot be known is called unclear: a language without a\n" +
			"grammar, prose cited for code, a binary file, a fake that may be an honest default. So is an item that\n" +
			"asks for something new (it begins with add, implement, create, write …) where all that it cites is a\n" +
			"removal, a rename, a mode, a link, a submodule, a compiled, lock, vendored or generated file, and it\n" +
			"names none of that: of 17,251 public commits whose subject begins so, 9 add no line. So it is where it\n" +
			"cites only an interface or its like, a file of declarations, a double of tests, or data for a\n" +
			"function: none of 516 honest claims of 7 public repositories. The finding says why. It is a warning\n" +
			"unless the tier is STRICT. Where `evidence_not_in_diff`, `evidence_partial_stub` or\n" +
			"`evidence_syntax_error` says why, as severely at least, it alone is reported.",
		Severity: Severities{diag.Error, diag.Warning, 0, 0},
		Example: Example{
			Files:   map[string]string{"docs/login.md": "# Login\n\nHow to log in.\n"},
			Message: "ACT: T01 login\n\nDone: Add login() | docs/login.md:1-3\n",
		},
	})
}

func ruleEvidenceTooWide() *Rule {
	return evidenceRule(evidence.TooWide, Rule{
		Title: "the cited span is wider than the policy allows",
		Doc: "A span of a whole large file proves little about one item. The limit is 400 lines, or the policy's\n" +
			"`evidence: {max_lines: N}`. Cite the definitions that implement the item.",
		Severity: advised,
		Example: Example{
			Policy:  "evidence: {max_lines: 3}\n",
			Files:   loginFile(),
			Message: "ACT: T01 login\n\nDone: Add login() | src/auth.py:5-8\n",
		},
	})
}

func ruleEvidenceSyntaxError() *Rule {
	return evidenceRule(evidence.SyntaxError, Rule{
		Title: "the cited lines do not parse",
		Doc: "A syntax error in the cited lines keeps them from being understood, so the claim is unclear. It may be a\n" +
			"form that the grammar does not know yet: a warning, never a refusal.",
		Severity: advised,
		Example: Example{
			Files:   map[string]string{"src/auth.py": "def login(user:\n    return user.check(]\n"},
			Message: "ACT: T01 login\n\nDone: Add login() | src/auth.py:1-2\n",
		},
	})
}

func ruleEvidenceNotRemoved() *Rule {
	return evidenceRule(evidence.NotRemoved, Rule{
		Title: "what is cited as removed is still there",
		Doc: "`-path` cites a file that the commit removed and `-path:10-40` lines of the file before the commit. What is\n" +
			"still there was not removed.",
		Severity: judged,
		Example: Example{
			Base:    loginFile(),
			Message: "ACT: T01 drop the old login\n\nDone: Remove login() | -src/auth.py:5-8\n",
		},
	})
}

func ruleEvidenceMoved() *Rule {
	return evidenceRule(evidence.Moved, Rule{
		Title: "the cited symbol stands at other lines",
		Doc: "Lines shift under rebases, formatters and squashes; a symbol does not. Where `path:lines#symbol` disagrees\n" +
			"with itself the symbol decides, and this note says where it stands now.",
		Severity: noted,
		Example: Example{
			Files:   loginFile(),
			Message: "ACT: T01 login\n\nDone: Add login() | src/auth.py:1-2#login\n",
		},
	})
}
