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

// What commands print as JSON, where no package below has a type for it. The
// schemas in docs/schema are made from these types.

// nextUnit is what `acta plan next` prints.
type nextUnit struct {
	Key  string     `json:"key"`
	Unit *plan.Unit `json:"unit"`
	Next string     `json:"next,omitempty"`
}

// planOwner is what `acta plan owner` prints; of a unit that nobody holds only its name.
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

// diagnosed is what `acta doctor` prints.
type diagnosed struct {
	Acta  string `json:"acta"`
	Fires bool   `json:"fires"`
	*hooks.Diagnosis
}

// policyInForce is what `acta policy` prints.
type policyInForce struct {
	Acta   string         `json:"acta"`
	Path   string         `json:"path"`
	Values []policy.Value `json:"values"`
}

// votedScore is what `acta score feedback` prints.
type votedScore struct {
	Actor string `json:"actor"`
	Delta int    `json:"delta"`
	Score int    `json:"score"`
}

// nextTask is what `acta heartbeat next` prints.
type nextTask struct {
	ID          string `json:"id"`
	Description string `json:"description"`
	Required    bool   `json:"required"`
	Verify      string `json:"verify"`
	MaxAttempts int    `json:"max_attempts"`
	Line        int    `json:"line"`
}

// taskVerdict is what `acta heartbeat verify` prints of a task.
type taskVerdict struct {
	ID            string         `json:"id"`
	Verdict       report.Verdict `json:"verdict"`
	Contradiction bool           `json:"contradiction"`
	Attempts      int            `json:"attempts"`
}

// A hook speaks unasked, and often to a model whose context is dear: it prints at
// most so many lines, of which the last say that git does not go on, and how to.
const (
	maxLines  = 40
	lastLines = 4
	// leastLines are what a finding and the lines around it need.
	leastLines = 6
)

// budget is what a hook may print.
type budget struct {
	// all is the command that prints all findings of a commit that is about to be made.
	all string
	// left counts what found no room; the audit log has it.
	left int
}

// room is how many lines may be printed still, so that the last ones have theirs.
// Commands that were asked print everything.
func (c command) room() int {
	if c.budget == nil {
		return math.MaxInt
	}
	return maxLines - lastLines - c.Stdout.Lines() - c.Stderr.Lines()
}

// leave reports whether what needs so many lines has no room, and counts it then.
func (c command) leave(lines int) bool {
	if c.room() >= lines {
		return false
	}
	c.budget.left++
	return true
}

// sayLeft says how much was left out.
func (c command) sayLeft() {
	if n := c.budget.left; n > 0 {
		c.Stderr.Printf("acta: and %d more: acta audit\n", n)
	}
}

// terminal is the writer that a command's text goes through, with colour where a person looks at it (no-color.org).
func terminal(f *os.File) *report.Terminal {
	return report.NewTerminal(f, os.Getenv("NO_COLOR") == "" && isTerminal(f))
}

// isTerminal reports whether a file is a terminal that knows colour, and whose lines can be redrawn.
func isTerminal(f *os.File) bool {
	return os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}
