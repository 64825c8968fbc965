// Package results reads what test runners and coverage tools leave behind: reports of tests, coverage, and mutants.
// Bytes in, plain values out; the format is told by the content, never by the name of the file.
package results
