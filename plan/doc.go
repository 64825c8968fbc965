// Package plan is the living tree of work: units, their checklists and where
// they stand. It is pure: bytes in, a tree out.
//
// So far it only reads what the claims of a commit are held against, the
// checklist of a unit; moves and guards come with the plan rules.
package plan
