package main

import "math"

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
