// Package policy reads .acta.yaml: bytes in, a Policy out. Every key is optional
// and an unknown one is an error with line and column, so that a misspelled
// rule never passes for a configured one. Which revision the bytes come from is
// the caller's business: always the base, never what is being judged.
package policy
