// Package program runs a policy's programs for a bounded time, and ends programs (git, agents, verifiers) together with
// all that they started. A command line and a time go in; output and exit state come out. It cannot reach a program
// that leaves its session. It must never import policy.
package program
