// Package attest holds verdicts in the form that other tools read: in-toto statements
// (https://in-toto.io/Statement/v1) in DSSE envelopes, one a line. It makes and reads bytes, and runs nothing: signing
// and checking a signature are the caller's matter (attest/sshsig). docs/ci.md has the format.
//
// Equal verdicts give equal bytes: keys are sorted, and the time is the caller's.
package attest

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/acta-git/acta/report"
)

// The types that statements and predicates name.
const (
	StatementType = "https://in-toto.io/Statement/v1"
	// SVRType is the Simple Verification Result, which any consumer of in-toto reads.
	SVRType = "https://in-toto.io/attestation/svr/v0.2"
	// ClaimsType is the project's own: the whole report, and its basis (docs/schema/attest-claims.json).
	ClaimsType = "https://github.com/acta-git/acta/docs/attest/claims/v1"
)

// Clean is the property of a Simple Verification Result that says: no finding of severity error.
const Clean = "ACTA_CLEAN"

const verifier = "https://github.com/acta-git/acta/releases/tag/v"

// statement is the outer layer of a predicate.
type statement struct {
	Type          string          `json:"_type"`
	Subject       []resource      `json:"subject"`
	PredicateType string          `json:"predicateType"`
	Predicate     json.RawMessage `json:"predicate"`
}

// resource is a ResourceDescriptor of in-toto.
type resource struct {
	Name   string            `json:"name"`
	Digest map[string]string `json:"digest"`
}

type svr struct {
	Verifier    svrVerifier `json:"verifier"`
	TimeCreated time.Time   `json:"timeCreated"`
	Properties  []string    `json:"properties"`
}

type svrVerifier struct {
	ID       string     `json:"id"`
	Policies []resource `json:"policies"`
}

// Basis is the basis of a verdict.
type Basis struct {
	// Commit is the last judged commit, Tree its tree. They are the subjects of a statement.
	Commit string `json:"-"`
	Tree   string `json:"-"`
	// Base is the merge base of the range, whose policy judged; "" if everything was judged.
	Base string `json:"base"`
	// Commits is how many commits were judged, List the SHA-256 of their ids, sorted, a line each.
	Commits int    `json:"commits"`
	List    string `json:"list"`
	// Policy is the name of the policy's blob, or "builtin".
	Policy string `json:"policy"`
	// Release is that of acta, Rules the SHA-256 of its rules as `acta explain` prints them.
	Release string `json:"release"`
	Rules   string `json:"rules"`
}

// Verdict is a judged range and its result.
type Verdict struct {
	// TimeCreated is when it was judged, or another time that the same input gives again.
	TimeCreated time.Time `json:"timeCreated"`
	Basis       Basis     `json:"basis"`
	// Code is the exit code: 0, or 1 with an error among the findings.
	Code   int           `json:"code"`
	Report report.Report `json:"report"`
	// Warnings say what is unknown.
	Warnings []string `json:"warnings"`
}

// Statements are the payloads that say the verdict: the project's own, and a Simple Verification Result.
func (v Verdict) Statements() ([][]byte, error) {
	result := svr{
		Verifier:    svrVerifier{ID: verifier + v.Basis.Release, Policies: []resource{}},
		TimeCreated: v.TimeCreated, Properties: []string{},
	}
	if v.Basis.Policy != "builtin" {
		result.Verifier.Policies = []resource{{Name: ".acta.yaml", Digest: map[string]string{"gitBlob": v.Basis.Policy}}}
	}
	if v.Code == 0 {
		result.Properties = []string{Clean}
	}
	claims, errClaims := v.Basis.statement(ClaimsType, v)
	simple, errSimple := v.Basis.statement(SVRType, result)
	return [][]byte{claims, simple}, cmp.Or(errClaims, errSimple)
}

// statement makes a statement about the commit and its tree. They are two subjects, since all digests of one subject
// name the same artifact.
func (b Basis) statement(predicateType string, predicate any) ([]byte, error) {
	data, err := json.Marshal(predicate)
	if err != nil {
		return nil, err
	}
	return canonical(statement{
		Type: StatementType, PredicateType: predicateType, Predicate: data,
		Subject: []resource{
			{Name: "commit", Digest: map[string]string{"gitCommit": b.Commit}},
			{Name: "tree", Digest: map[string]string{"gitTree": b.Tree}},
		},
	})
}

// canonical is a value as JSON with sorted keys.
func canonical(value any) ([]byte, error) {
	data, err := json.Marshal(value)
	var sorted any
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := cmp.Or(err, dec.Decode(&sorted)); err != nil {
		return nil, err
	}
	return json.Marshal(sorted)
}

// Statement is the part of a payload that Acta reads.
type Statement struct {
	PredicateType string
	// Commit and Tree are its subjects.
	Commit, Tree string
	// TimeCreated is that of the predicate.
	TimeCreated time.Time
	// Verdict is there where the predicate is the project's own.
	Verdict *Verdict
}

// ReadStatement reads a payload.
func ReadStatement(payload []byte) (*Statement, error) {
	var in statement
	if err := json.Unmarshal(payload, &in); err != nil {
		return nil, fmt.Errorf("the payload is not an in-toto statement: %w", err)
	}
	if in.Type != StatementType {
		return nil, fmt.Errorf("the payload is a %q, and %q is expected", in.Type, StatementType)
	}
	s := &Statement{PredicateType: in.PredicateType}
	for _, subject := range in.Subject {
		s.Commit = cmp.Or(s.Commit, subject.Digest["gitCommit"])
		s.Tree = cmp.Or(s.Tree, subject.Digest["gitTree"])
	}
	if s.Commit == "" || s.Tree == "" {
		return nil, errors.New("the statement names no commit (gitCommit) or no tree (gitTree) as its subject")
	}
	var v Verdict
	if err := json.Unmarshal(in.Predicate, &v); err != nil {
		return nil, fmt.Errorf("the predicate of %s cannot be read: %w", in.PredicateType, err)
	}
	if s.TimeCreated = v.TimeCreated; s.TimeCreated.IsZero() {
		return nil, errors.New("the predicate has no timeCreated, the time for which signers are checked")
	}
	if in.PredicateType == ClaimsType {
		v.Basis.Commit, v.Basis.Tree = s.Commit, s.Tree
		s.Verdict = &v
	}
	return s, nil
}

// PayloadType is that of an in-toto statement as JSON.
const PayloadType = "application/vnd.in-toto+json"

// Envelope is a DSSE envelope. A bundle has one a line.
type Envelope struct {
	Payload     Base64      `json:"payload"`
	PayloadType string      `json:"payloadType"`
	Signatures  []Signature `json:"signatures"`
}

// Signature is one of an envelope.
type Signature struct {
	// KeyID hints at the key; nothing rests on it.
	KeyID string `json:"keyid"`
	Sig   Base64 `json:"sig"`
}

// Base64 are bytes that JSON has as base64, in either of its alphabets.
type Base64 []byte

// MarshalText writes the standard alphabet.
func (b Base64) MarshalText() ([]byte, error) { return base64.StdEncoding.AppendEncode(nil, b), nil }

// UnmarshalText reads either alphabet.
func (b *Base64) UnmarshalText(text []byte) (err error) {
	encoding := base64.StdEncoding
	if bytes.ContainsAny(text, "-_") {
		encoding = base64.URLEncoding
	}
	*b, err = encoding.AppendDecode(nil, text)
	return err
}

// PAE are the bytes that are signed: DSSE's Pre-Authentication Encoding.
func PAE(payloadType string, payload []byte) []byte {
	return fmt.Appendf(nil, "DSSEv1 %d %s %d %s", len(payloadType), payloadType, len(payload), payload)
}

// Envelopes are those of a bundle. Invalid lines are skipped, as the format requires.
func Envelopes(bundle []byte) []Envelope {
	var all []Envelope
	for line := range bytes.Lines(bundle) {
		var e Envelope
		if json.Unmarshal(line, &e) == nil && e.PayloadType != "" {
			all = append(all, e)
		}
	}
	return all
}
