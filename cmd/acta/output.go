package main

import (
	"math"
	"os"
	"time"

	"golang.org/x/term"

	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

// The JSON output of commands without a type in the packages below. The schemas in docs/schema are generated from these
// types.

// nextUnit is the output of `acta plan next`.
type nextUnit struct {
	Key  string     `json:"key"`
	Unit *plan.Unit `json:"unit"`
	Next string     `json:"next,omitempty"`
}

// planOwner is the output of `acta plan owner`; only the name for a unit without a holder.
type planOwner struct {
	Unit      string     `json:"unit"`
	Claimed   string     `json:"claimed,omitempty"`
	Agent     string     `json:"agent,omitempty"`
	ClaimedAt *time.Time `json:"claimed_at,omitempty"`
	ExpiresAt *time.Time `json:"expires_at,omitempty"`
}

// vagueItem is a line of `acta plan lint`.
type vagueItem struct {
	Path   string `json:"path"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Unit   string `json:"unit"`
	Item   string `json:"item"`
}

// doctorOutput is the output of `acta doctor`.
type doctorOutput struct {
	Acta  string `json:"acta"`
	Fires bool   `json:"fires"`
	*hooks.Diagnosis
}

// policyOutput is the output of `acta policy`.
type policyOutput struct {
	Acta   string         `json:"acta"`
	Path   string         `json:"path"`
	Values []policy.Value `json:"values"`
}

// votedScore is the output of `acta score feedback`.
type votedScore struct {
	Actor string `json:"actor"`
	Delta int    `json:"delta"`
	Score int    `json:"score"`
}

// nextTask is the output of `acta heartbeat next`.
type nextTask struct {
	ID          string `json:"id"`
	Description string `json:"description"`
	Required    bool   `json:"required"`
	Verify      string `json:"verify"`
	MaxAttempts int    `json:"max_attempts"`
	Line        int    `json:"line"`
}

// taskVerdict is the output of `acta heartbeat verify` for a task.
type taskVerdict struct {
	ID            string         `json:"id"`
	Verdict       report.Verdict `json:"verdict"`
	Contradiction bool           `json:"contradiction"`
	Attempts      int            `json:"attempts"`
}

// A hook prints unasked, often to a model with an expensive context: at most so many lines, of which the last say that
// git stopped, and what to do.
const (
	maxLines  = 40
	lastLines = 4
	// minFindingLines is the room that a finding needs.
	minFindingLines = 6
)

type budget struct {
	// allCommand is the command that prints all findings of the commit to be made.
	allCommand string
	// omitted counts omitted findings; the audit log has them.
	omitted int
}

// remainingLines is how many lines may still be printed before the last ones. Other commands have no limit.
func (c command) remainingLines() int {
	if c.budget == nil {
		return math.MaxInt
	}
	return maxLines - lastLines - c.Stdout.Lines() - c.Stderr.Lines()
}

func (c command) isOmitted(lines int) bool {
	if c.remainingLines() >= lines {
		return false
	}
	c.budget.omitted++
	return true
}

func (c command) printOmitted() {
	if n := c.budget.omitted; n > 0 {
		c.Stderr.Printf("acta: and %d more: acta audit\n", n)
	}
}

// terminal is a writer for a command's text, with colour on terminals (no-color.org).
func terminal(f *os.File) *report.Terminal {
	return report.NewTerminal(f, os.Getenv("NO_COLOR") == "" && isTerminal(f))
}

// isTerminal reports whether a file is a terminal with colour whose lines can be redrawn.
func isTerminal(f *os.File) bool {
	return os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}
