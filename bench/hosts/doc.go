// Package hosts drives the real programs that coding agents run in against a model of its own on loopback, each in a
// HOME and an environment of its own, and holds what acta does there: what the model was sent, what landed, and what
// the record says. bench/hosts.sh fetches the programs and runs it. All of it is tests.
package hosts
