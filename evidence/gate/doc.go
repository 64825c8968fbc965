// Package gate compares two versions of what decides whether a build is green: workflows and the scripts that they
// call, runners of tests, linters, type checkers, coverage, hooks, and the comments that suppress them. Each is read
// into rows of one table, and two tables are compared: what the later one asks less is told.
//
// In go the bytes of both versions of a file, and readers for the scripts that it calls; out come Loosenings. It may
// never import check, nor anything that reads git.
package gate
