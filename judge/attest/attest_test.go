package attest_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	svr "github.com/in-toto/attestation/go/predicates/svr/v01"
	intoto "github.com/in-toto/attestation/go/v1"
	"github.com/secure-systems-lab/go-securesystemslib/dsse"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/acta-git/acta/judge/attest"
	"github.com/acta-git/acta/report"
)

var (
	commit = strings.Repeat("3f2c", 10)
	tree   = strings.Repeat("ab12", 10)
)

func verdict() attest.Verdict {
	v := attest.Verdict{
		TimeCreated: time.Date(2026, 1, 26, 14, 32, 15, 0, time.UTC),
		Basis: attest.Basis{
			Commit: commit, Tree: tree, Base: strings.Repeat("0", 39) + "1", Commits: 2, List: "l1", Policy: strings.Repeat("cd", 20),
			Release: "0.1.0", Rules: "r1",
		},
		Report:   report.Report{Acta: "0.1.0", Range: "a..b", Commits: 2, Acts: 1},
		Warnings: []string{},
	}
	v.Report.Add(nil, []report.ClaimVerdict{{Commit: commit, Unit: "T01", Item: "Add <f> & g", Status: "done", Verdict: report.Verified}})
	v.Report = *v.Report.ForJSON()
	return v
}

func statements(t *testing.T, v attest.Verdict) [][]byte {
	t.Helper()
	all, err := v.Statements()
	if err != nil || len(all) != 2 {
		t.Fatal(len(all), err)
	}
	return all
}

// The bytes are those of testdata, on every machine; ACTA_UPDATE=1 writes them.
func TestEqualVerdictsGiveEqualBytes(t *testing.T) {
	for i, name := range []string{"claims.json", "svr.json"} {
		got := append(statements(t, verdict())[i], '\n')
		file := filepath.Join("testdata", name)
		if os.Getenv("ACTA_UPDATE") != "" {
			if err := os.WriteFile(file, got, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s (%v) is\n%s", file, err, got)
		}
	}
}

// Statements are what the library of in-toto itself takes for such, and the predicate is what it reads as one.
func TestInTotoReadsTheStatements(t *testing.T) {
	for i, want := range []string{attest.ClaimsType, attest.SVRType} {
		var s intoto.Statement
		if err := protojson.Unmarshal(statements(t, verdict())[i], &s); err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(); err != nil {
			t.Error(err)
		}
		if s.PredicateType != want || len(s.Subject) != 2 || s.Subject[0].Digest["gitCommit"] != commit ||
			s.Subject[1].Digest["gitTree"] != tree {
			t.Errorf("%s is read as %v", want, &s)
		}
	}
	for code, want := range map[int]string{0: attest.Clean, 1: ""} {
		v := verdict()
		v.Code = code
		var s struct{ Predicate json.RawMessage }
		if err := json.Unmarshal(statements(t, v)[1], &s); err != nil {
			t.Fatal(err)
		}
		var read svr.SimpleVerificationResult
		// The library is of version 0.1, which has no policies yet.
		if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(s.Predicate, &read); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(read.Properties, " "); got != want {
			t.Errorf("exit code %d says %q, want %q", code, got, want)
		}
		if !read.TimeCreated.AsTime().Equal(v.TimeCreated) || !strings.HasSuffix(read.Verifier.Id, "/v0.1.0") {
			t.Errorf("read as %v", &read)
		}
		if !bytes.Contains(s.Predicate, []byte(`"policies":[{`)) {
			t.Errorf("no policies, which version 0.2 wants: %s", s.Predicate)
		}
	}
	v := verdict()
	v.Basis.Policy = "builtin"
	if data := statements(t, v)[1]; !bytes.Contains(data, []byte(`"policies":[]`)) {
		t.Errorf("without a policy: %s", data)
	}
}

// What is signed is what the library of DSSE signs, and each reads the other's envelopes.
func TestEnvelopesAreThoseOfDSSE(t *testing.T) {
	for _, payload := range [][]byte{nil, []byte("hello world"), []byte("a\x00b\n"), statements(t, verdict())[0]} {
		if got, want := attest.PAE("http://example.com/HelloWorld", payload), dsse.PAE("http://example.com/HelloWorld", payload); !bytes.Equal(got, want) {
			t.Errorf("%q is signed, and the library signs %q", got, want)
		}
	}
	payload := statements(t, verdict())[0]
	ours := attest.Envelope{
		Payload: payload, PayloadType: attest.PayloadType, Signatures: []attest.Signature{{KeyID: "SHA256:k", Sig: []byte{0xfb, 0xff, 0}}},
	}
	line, err := json.Marshal(ours)
	if err != nil {
		t.Fatal(err)
	}
	var theirs dsse.Envelope
	if err := json.Unmarshal(line, &theirs); err != nil {
		t.Fatal(err)
	}
	read, err := theirs.DecodeB64Payload()
	if err != nil || !bytes.Equal(read, payload) || theirs.PayloadType != attest.PayloadType || theirs.Signatures[0].KeyID != "SHA256:k" {
		t.Errorf("the library reads %+v (%v)", theirs, err)
	}
	theirs.Signatures[0].Sig = "-_8A" // the other alphabet
	if line, err = json.Marshal(theirs); err != nil {
		t.Fatal(err)
	}
	bundle := append([]byte("no envelope\n{}\n[1]\n{\"payload\": \"!\", \"payloadType\": \"x\"}\n\n"), line...)
	all := attest.Envelopes(bundle)
	if len(all) != 1 || !bytes.Equal(all[0].Payload, payload) || !bytes.Equal(all[0].Signatures[0].Sig, []byte{0xfb, 0xff, 0}) {
		t.Errorf("read as %+v", all)
	}
}

func TestAStatementIsReadAsItWasWritten(t *testing.T) {
	want := verdict()
	s, err := attest.ReadStatement(statements(t, want)[0])
	if err != nil {
		t.Fatal(err)
	}
	if s.Commit != commit || s.Tree != tree || !s.TimeCreated.Equal(want.TimeCreated) || s.Verdict.Basis != want.Basis ||
		len(s.Verdict.Report.Verdicts) != 1 || s.Verdict.Report.Verdicts[0].Item != "Add <f> & g" {
		t.Errorf("%+v, %+v", s, s.Verdict)
	}
	if s, err := attest.ReadStatement(statements(t, want)[1]); err != nil || s.Verdict != nil || s.PredicateType != attest.SVRType {
		t.Errorf("%+v, %v", s, err)
	}
	for said, payload := range map[string]string{
		"is not an in-toto statement": "x",
		`the payload is a "else"`:     `{"_type": "else"}`,
		"names no commit":             `{"_type": "https://in-toto.io/Statement/v1", "subject": [{"digest": {"sha256": "00"}}]}`,
		"or no tree":                  `{"_type": "https://in-toto.io/Statement/v1", "subject": [{"digest": {"gitCommit": "00"}}]}`,
		"cannot be read":              `{"_type": "https://in-toto.io/Statement/v1", "subject": [{"digest": {"gitCommit": "0", "gitTree": "0"}}], "predicate": 1}`,
		"the predicate has no time":   `{"_type": "https://in-toto.io/Statement/v1", "subject": [{"digest": {"gitCommit": "0", "gitTree": "0"}}], "predicate": {}}`,
	} {
		if _, err := attest.ReadStatement([]byte(payload)); err == nil || !strings.Contains(err.Error(), said) {
			t.Errorf("%s: %v, want %q", payload, err, said)
		}
	}
}
