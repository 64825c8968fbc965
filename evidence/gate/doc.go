// Package gate compares two versions of the gates of a build: workflows and their scripts, test runners, linters, type
// checkers, coverage, hooks, and comments that suppress them. Each is read into rows of a table; two tables are
// compared, and what the later one weakens is reported.
//
// Paths and readers of two trees go in, Loosenings come out. It never imports packages of a higher floor, nor one that
// reads git.
package gate
