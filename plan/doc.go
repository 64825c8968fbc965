// Package plan is the tree of work as a state machine: units, their checklists and statuses, and which changes of them
// are legal.
//
// It is pure: bytes in, a tree out; a tree before and one after in, moves and violations out. Only history can tell
// the last ACT of a unit, so the Change asks for it through a function. A command and an edit by hand answer to the
// same Check: the mutations here (Complete, Add, …) only make the tree after. It must never import repo, judge or
// anything that reads files.
//
// [Read] is strict, for a plan that is about to land. [Parse] takes what it can use, for a plan that has landed
// already. [Write] is canonical: one key a line in the order of the file, so that a change of one unit is a small
// diff, and unknown fields stay where they are.
package plan
