package hooks

import (
	"io"

	"github.com/acta-git/acta/judge"
)

// Call is how git calls a hook.
type Call struct {
	Args   []string
	Stdin  io.Reader
	Getenv func(string) string
	// Release is the release that judges.
	Release string
}

// Answer is what a hook makes of a call. The zero value has nothing to say.
type Answer struct {
	// Refs are what was judged, ref by ref.
	Refs []RefResult
	// Explain asks for the pages of the rules that were broken.
	Explain bool
}

// RefResult is what was found of the commits that one ref gets.
type RefResult struct {
	// Ref is the full name of the ref.
	Ref string
	*judge.Result
}

// Code is the worst exit code that a result asks for (docs/design.md §5).
func (a *Answer) Code() int {
	code := 0
	for _, r := range a.Refs {
		code = max(code, r.Result.Code())
	}
	return code
}
