// Package heartbeat judges the tasks of HEARTBEAT.md, the file in which an agent
// keeps what it is to do again and again: by evidence in the work tree, by units of
// HEAD's plan, and by the programs that HEAD's policy names. The file itself never
// names a program. What cannot be known is unclear.
package heartbeat
