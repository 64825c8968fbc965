// Package history tells from git what came before: which ACT of a unit was the last, which claims still hold, what
// moved, and what became a stub. It finds the commits that say something about a unit, a claim or the plan.
//
// A repository and a revision go in; acts, claims and states come out. What the claims of a commit are worth it asks
// of a Judge, which package judge gives it. It must never import judge.
package history
