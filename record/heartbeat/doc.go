// Package heartbeat judges the tasks of HEARTBEAT.md, in which an agent keeps its recurring work. It judges by
// evidence in the work tree, by units of HEAD's plan, and by the programs that HEAD's policy names.
//
// A repository goes in; a verdict for each task comes out. The file itself never names a program. What cannot be known
// is unclear. The package must never import hooks, a command or ledger.
package heartbeat
