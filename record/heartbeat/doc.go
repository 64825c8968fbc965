// Package heartbeat judges the tasks of HEARTBEAT.md, an agent's recurring work: by evidence in the work tree, by units
// of HEAD's plan, and by the programs that HEAD's policy names.
//
// A repository goes in; a verdict for each task comes out. HEARTBEAT.md itself never names a program. A verdict that
// cannot be known is unclear. The package must never import hooks, a command or ledger.
package heartbeat
