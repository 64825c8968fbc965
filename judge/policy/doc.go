// Package policy reads .acta.yaml: bytes in, a Policy out. Every key is optional. An unknown key is an error with line
// and column, so that a misspelled rule is never taken for a configured one.
//
// The caller decides from which revision the bytes come: always from the base, never from what is being judged. The
// package must never import repo or judge.
package policy
