// Package program runs what a policy names within a bounded time, and ends programs (git, agents, verifiers) together
// with all that they started. A command line and a time go in; output and exit state come out. It cannot reach a
// program that leaves its own session. It knows nothing of policies, and must never import one.
package program
