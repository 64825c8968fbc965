// Package history tells from git what acted, what holds, what moved and what regressed. It finds the commits that say
// something of a unit, a claim or the plan. What the claims of a commit are worth it asks of a Judge, which package
// judge gives it, and it never imports that package.
package history
