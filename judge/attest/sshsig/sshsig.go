// Package sshsig signs nothing itself: it reads SSH signatures, and checks them by ssh-keygen against a file of allowed
// signers (ssh-keygen(1), ALLOWED SIGNERS).
package sshsig

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/acta-git/acta/judge/attest"
	"github.com/acta-git/acta/repo/program"
)

// Namespace is the namespace of signatures for attestations; git and other programs have others.
const Namespace = "acta-attest"

// maxSignatures bounds the signatures of one envelope that are looked at.
const maxSignatures = 8

// keygenTimeout is how long ssh-keygen may take; it needs some milliseconds.
const keygenTimeout = 30 * time.Second

// Signature is the content of an SSH signature.
type Signature struct {
	// Key is the fingerprint of the key, as ssh-keygen -l prints it.
	Key       string
	Namespace string
}

// Parse reads an SSH signature as ssh-keygen writes it.
func Parse(armored []byte) (Signature, error) {
	block, _ := pem.Decode(armored)
	if block == nil || block.Type != "SSH SIGNATURE" {
		return Signature{}, errors.New("it is not an SSH signature of ssh-keygen -Y sign")
	}
	// PROTOCOL.sshsig: "SSHSIG", a version, and strings, each after its length.
	const magic = 6 + 4
	if len(block.Bytes) < magic || string(block.Bytes[:6]) != "SSHSIG" {
		return Signature{}, errors.New("the SSH signature does not begin with SSHSIG")
	}
	key, rest, ok := field(block.Bytes[magic:])
	namespace, _, hasNamespace := field(rest)
	if !ok || !hasNamespace {
		return Signature{}, errors.New("the SSH signature is cut short")
	}
	sum := sha256.Sum256(key)
	return Signature{"SHA256:" + base64.RawStdEncoding.EncodeToString(sum[:]), string(namespace)}, nil
}

// field takes the first string off.
func field(data []byte) (value, rest []byte, ok bool) {
	if len(data) < 4 {
		return nil, nil, false
	}
	n := binary.BigEndian.Uint32(data)
	if uint64(n) > uint64(len(data)-4) {
		return nil, nil, false
	}
	return data[4 : 4+n], data[4+n:], true
}

// RefusedError is an invalid signature; another error means that it could not be checked.
type RefusedError struct{ Reason string }

// Error is the reason.
func (e *RefusedError) Error() string { return e.Reason }

// Check checks a signature of data that was made at a time, and returns the signer. signers are lines of a file of
// allowed signers. An invalid signature is a *RefusedError.
func Check(ctx context.Context, signers []byte, at time.Time, armored, data []byte) (Signer, error) {
	sig, err := Parse(armored)
	if err != nil {
		return Signer{}, &RefusedError{err.Error()}
	}
	if sig.Namespace != Namespace {
		return Signer{}, &RefusedError{fmt.Sprintf(
			"%s signed it in the namespace %q, and %q is expected (ssh-keygen -Y sign -n)", sig.Key, sig.Namespace, Namespace)}
	}
	dir, err := os.MkdirTemp("", "acta-attest-")
	if err != nil {
		return Signer{}, err
	}
	defer os.RemoveAll(dir)
	allowed, file := filepath.Join(dir, "signers"), filepath.Join(dir, "sig")
	if err := errors.Join(os.WriteFile(allowed, signers, 0o600), os.WriteFile(file, armored, 0o600)); err != nil {
		return Signer{}, err
	}
	when := "-Overify-time=" + at.UTC().Format("20060102150405")
	output, ok, err := keygen(ctx, nil, "-Y", "find-principals", "-f", allowed, "-s", file, when)
	if err != nil {
		return Signer{}, err
	}
	if !ok {
		return Signer{}, &RefusedError{fmt.Sprintf("no allowed signer of %s has the key %s (%s)",
			at.UTC().Format(time.RFC3339), sig.Key, firstLine(output, allowed))}
	}
	principal, _, _ := strings.Cut(output, "\n")
	output, ok, err = keygen(ctx, data, "-Y", "verify", "-f", allowed, "-I", principal, "-n", Namespace, "-s", file, when)
	if err != nil {
		return Signer{}, err
	}
	if !ok {
		return Signer{}, &RefusedError{fmt.Sprintf("the signature of %s is not valid for this payload: %s", principal,
			firstLine(output, allowed))}
	}
	return Signer{principal, sig.Key}, nil
}

// firstLine is the first line of ssh-keygen's output, with the file of signers called «signers».
func firstLine(output, allowed string) string {
	first, _, _ := strings.Cut(output, "\n")
	return strings.ReplaceAll(first, allowed, "signers")
}

// Signer is who signed, as the file of allowed signers calls them, and the fingerprint of the key.
type Signer struct{ Name, Key string }

// Open checks an envelope at its statement's time, and returns the statement and the signer. One valid signature is
// enough. An invalid one is a *RefusedError.
func Open(ctx context.Context, signers []byte, e *attest.Envelope) (*attest.Statement, Signer, error) {
	if e.PayloadType != attest.PayloadType {
		return nil, Signer{}, &RefusedError{fmt.Sprintf("its payload is of type %q, and %q is expected", e.PayloadType,
			attest.PayloadType)}
	}
	statement, err := attest.ReadStatement(e.Payload)
	if err != nil {
		return nil, Signer{}, &RefusedError{err.Error()}
	}
	refused := &RefusedError{"it has no signature"}
	for _, s := range e.Signatures[:min(len(e.Signatures), maxSignatures)] {
		by, err := Check(ctx, signers, statement.TimeCreated, s.Sig, attest.PAE(e.PayloadType, e.Payload))
		if err == nil {
			return statement, by, nil
		}
		if !errors.As(err, &refused) {
			return nil, Signer{}, err
		}
	}
	return nil, Signer{}, refused
}

// keygen runs ssh-keygen. ok reports whether it succeeded; output is what it printed. An error means that it could not
// run.
func keygen(ctx context.Context, input []byte, args ...string) (output string, ok bool, err error) {
	ended := program.Call{
		Args: append([]string{"ssh-keygen"}, args...), Timeout: keygenTimeout, Env: os.Environ(),
		AddEnv: []string{"TZ=UTC", "LC_ALL=C"}, Input: input, SplitOutput: true,
	}.Run(ctx)
	plain := func(b []byte) string { return strings.TrimSpace(strings.ReplaceAll(string(b), "\r", "")) }
	if output = plain(ended.Stdout); ended.Err != nil {
		output = cmp.Or(plain(ended.Output), output)
	}
	switch {
	case ctx.Err() != nil:
		return "", false, context.Cause(ctx)
	case !ended.WasStarted:
		return "", false, fmt.Errorf("signatures are checked by ssh-keygen (openssh-client), and it cannot be started: %w",
			ended.Err)
	case ended.TimedOut:
		return "", false, fmt.Errorf("ssh-keygen was ended after %s", keygenTimeout)
	case strings.Contains(output, "unknown option"), strings.Contains(output, "Invalid option"):
		return "", false, fmt.Errorf("this ssh-keygen knows no %s; OpenSSH 8.9 does: %s", args[1], output)
	}
	return output, ended.Err == nil, nil
}
