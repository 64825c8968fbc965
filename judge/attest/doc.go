// Package attest holds verdicts in the form that other tools read: in-toto statements
// (https://in-toto.io/Statement/v1) in DSSE envelopes, one a line. It makes and reads bytes, and runs nothing: signing
// and checking a signature are the caller's matter (attest/sshsig). docs/ci.md has the format.
//
// Equal verdicts give equal bytes: keys are sorted, and the time is the caller's.
package attest
