// Package program ends programs together with all that they started: git, agents,
// verifiers; and runs what a policy names within a bounded time. A program that leaves its own session is out of its
// reach.
package program
