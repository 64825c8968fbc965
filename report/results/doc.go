// Package results reads the files that test runners and coverage tools write: reports of tests and coverage.
// Bytes in, plain values out. The content tells the format, never the name of the file. It opens no file and knows
// nothing of claims, and must never import check or judge.
package results
