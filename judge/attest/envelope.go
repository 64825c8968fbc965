package attest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
)

// PayloadType is that of an in-toto statement as JSON.
const PayloadType = "application/vnd.in-toto+json"

// Envelope is a DSSE envelope.
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

// Line is the envelope as a line of a bundle, its keys sorted.
func (e *Envelope) Line() ([]byte, error) {
	data, err := json.Marshal(e)
	return append(data, '\n'), err
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
