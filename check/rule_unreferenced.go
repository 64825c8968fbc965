package check

import (
	"context"
	"fmt"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
)

func ruleEvidenceUnreferenced() *Rule {
	return &Rule{
		ID: "evidence_unreferenced", Since: "0.1", Class: OfClaims, Scope: OfPart,
		Severity: Severities{diag.Warning, diag.Note, diag.Note, 0},
		Title:    "nothing calls the private function that is cited",
		Doc: "The cited function is private to its file, package or class, and its name stands nowhere else in the\n" +
			"tree: not in code, nor in a string, a macro, a template or a document. So nothing runs it: the work may\n" +
			"have been written and never been connected. Call it from where it is needed. Where a later commit does\n" +
			"that, there is nothing to mend.\n\n" +
			"A function is private where its language says so: small letters in Go, `_name` in Python, no `pub` in\n" +
			"Rust, `private` in Java, Kotlin, C#, PHP, Scala, Swift and TypeScript, `static` in C and C++, `local` in\n" +
			"Lua, and what a module of JavaScript or TypeScript does not export. Left out are tests, what is decorated,\n" +
			"annotated or overridden, constructors, entry points, generated files, members of classes with bases in\n" +
			"Python and C#, and names that are put together of parts (`\"_visit_\" + kind`, `cmd_##name`). Trees of\n" +
			"more than 20,000 files or 64 MiB are not searched.",
		Example: Example{
			Files: map[string]string{
				"src/auth.py": "def login(session, user):\n    session.user = user\n\n\n" +
					"def _audit(session):\n    session.log.append(session.user)\n",
			},
			Message: "ACT: T01 login\n\nDone: Write logins to the audit log | src/auth.py:5-6\n",
		},
		Run: runEvidenceUnreferenced,
	}
}

func runEvidenceUnreferenced(ctx context.Context, p *Pass) error {
	for i := range p.claims {
		c := &p.claims[i]
		for k, r := range c.Results {
			for _, u := range r.Unused {
				alone, err := p.Judge.Unreferenced(ctx, c.Evidence[k].Path, u)
				if err != nil {
					return err
				}
				if alone {
					p.reportProblem(c, k, evidence.Problem{
						Path: c.Evidence[k].Path, Line: u.Line, EndLine: u.Line,
						Message: fmt.Sprintf("Nothing else in the tree names the private function %s, which evidence '%s' cites.", u.Name,
							c.Evidence[k].Place()),
						Hint: "call it from where it is needed, or cite what does the work",
					})
				}
			}
		}
	}
	return nil
}
