package sshsig_test

import (
	"context"
	"crypto"
	"encoding/json"
	"encoding/pem"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"

	"github.com/acta-git/acta/judge/attest"
	"github.com/acta-git/acta/judge/attest/sshsig"
	"github.com/acta-git/acta/repo/program/peer"
)

// key makes a key of a kind in a folder of the test's own, and gives its file and the line of an allowed signer.
func key(t *testing.T, kind string) (file, signer string) {
	t.Helper()
	_, err := exec.LookPath("ssh-keygen")
	peer.Need(t, "ssh-keygen", err)
	file = filepath.Join(t.TempDir(), "key")
	if out, err := exec.Command("ssh-keygen", "-q", "-t", kind, "-N", "", "-C", "", "-f", file).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	public, err := os.ReadFile(file + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	return file, "ci@example.org " + string(public)
}

func sign(t *testing.T, file, namespace, data string) []byte {
	t.Helper()
	cmd := exec.Command("ssh-keygen", "-q", "-Y", "sign", "-n", namespace, "-f", file)
	cmd.Stdin = strings.NewReader(data)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

var at = time.Date(2026, 1, 26, 14, 32, 15, 0, time.UTC)

func TestASignatureHoldsForWhatItSigned(t *testing.T) {
	for _, kind := range []string{"ed25519", "ecdsa", "rsa"} {
		file, signer := key(t, kind)
		_, other := key(t, "ed25519")
		sig := sign(t, file, sshsig.Namespace, "data")
		said, err := exec.Command("ssh-keygen", "-l", "-f", file).Output()
		if err != nil {
			t.Fatal(err)
		}
		by, err := sshsig.Check(t.Context(), []byte(signer), at, sig, []byte("data"))
		if err != nil || by.Name != "ci@example.org" || !strings.Contains(string(said), by.Key) || len(by.Key) != 50 {
			t.Errorf("%s: %+v, %v; the key is %s", kind, by, err, said)
		}
		block, _ := pem.Decode(sig)
		cut := pem.EncodeToMemory(&pem.Block{Type: "SSH SIGNATURE", Bytes: block.Bytes[:20]})
		for name, c := range map[string]struct {
			signers, data, want string
			sig                 []byte
			at                  time.Time
		}{
			"other data":      {signer, "dato", "is not valid for this payload", sig, at},
			"other key":       {other, "data", "no allowed signer of 2026-01-26T14:32:15Z has the key " + by.Key, sig, at},
			"nobody":          {"", "data", "no allowed signer", sig, at},
			"other namespace": {signer, "data", `in the namespace "file"`, sign(t, file, "file", "data"), at},
			"a signer of other namespaces": {strings.Replace(signer, " ", ` namespaces="git" `, 1), "data",
				"is not valid for this payload", sig, at},
			"too early":    {strings.Replace(signer, " ", ` valid-after="20260127" `, 1), "data", "no allowed signer", sig, at},
			"too late":     {strings.Replace(signer, " ", ` valid-before="20260125" `, 1), "data", "no allowed signer", sig, at},
			"no signature": {signer, "data", "it is not an SSH signature", []byte("mine"), at},
			"cut short":    {signer, "data", "cut short", cut, at},
		} {
			_, err := sshsig.Check(t.Context(), []byte(c.signers), c.at, c.sig, []byte(c.data))
			if refused := (*sshsig.RefusedError)(nil); !errors.As(err, &refused) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, %s: %v, want %q", kind, name, err, c.want)
			}
		}
		// What ssh-keygen complains of in the file is not whom it names.
		for _, above := range []string{"\n", "# CI\n\n", "   # indented\n", "old@example.org ssh-rsa AAAA\n"} {
			by, err := sshsig.Check(t.Context(), []byte(above+signer+"\n\n"), at, sig, []byte("data"))
			if err != nil || by.Name != "ci@example.org" {
				t.Errorf("%s, under %q: %+v, %v", kind, above, by, err)
			}
		}
		in := strings.Replace(signer, " ", ` valid-after="20260126143215",valid-before="20260126143216" `, 1)
		if _, err := sshsig.Check(t.Context(), []byte(in), at, sig, []byte("data")); err != nil {
			t.Errorf("%s, in its time: %v", kind, err)
		}
	}
}

func TestWhatCannotBeCheckedIsNotRefused(t *testing.T) {
	file, signer := key(t, "ed25519")
	sig := sign(t, file, sshsig.Namespace, "data")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := sshsig.Check(ctx, []byte(signer), at, sig, []byte("data"))
	if refused := (*sshsig.RefusedError)(nil); err == nil || errors.As(err, &refused) {
		t.Errorf("a run that was stopped: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	_, err = sshsig.Check(t.Context(), []byte(signer), at, sig, []byte("data"))
	if refused := (*sshsig.RefusedError)(nil); err == nil || errors.As(err, &refused) {
		t.Errorf("without ssh-keygen: %v", err)
	}
}

// bySSH lets the library of DSSE sign and verify by ssh-keygen.
type bySSH struct {
	t            *testing.T
	file, signer string
}

func (b bySSH) Sign(_ context.Context, data []byte) ([]byte, error) {
	return sign(b.t, b.file, sshsig.Namespace, string(data)), nil
}

func (b bySSH) Verify(ctx context.Context, data, sig []byte) error {
	_, err := sshsig.Check(ctx, []byte(b.signer), at, sig, data)
	return err
}
func (b bySSH) KeyID() (string, error)   { return "", nil }
func (b bySSH) Public() crypto.PublicKey { return nil }

// An envelope that the library of DSSE signed is one of ours, and it verifies ours.
func TestTheLibraryOfDSSEAgrees(t *testing.T) {
	file, signer := key(t, "ed25519")
	by := bySSH{t, file, signer}
	payload := []byte(`{"_type":"https://in-toto.io/Statement/v1","subject":[{"digest":{"gitCommit":"3f2c"}},{"digest":{"gitTree":"ab"}}],` +
		`"predicateType":"https://example.org/x","predicate":{"timeCreated":"2026-01-26T14:32:15Z"}}`)
	signs, err := dsse.NewEnvelopeSigner(by)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := signs.SignPayload(t.Context(), attest.PayloadType, payload)
	if err != nil {
		t.Fatal(err)
	}
	line, err := json.Marshal(theirs)
	if err != nil {
		t.Fatal(err)
	}
	read := attest.Envelopes(line)
	if len(read) != 1 {
		t.Fatal(string(line))
	}
	s, who, err := sshsig.Open(t.Context(), []byte(signer), &read[0])
	if err != nil || s.Commit != "3f2c" || who.Name != "ci@example.org" {
		t.Errorf("%+v, %+v, %v", s, who, err)
	}

	verifies, err := dsse.NewEnvelopeVerifier(by)
	if err != nil {
		t.Fatal(err)
	}
	for name, alter := range map[string]func(*attest.Envelope){
		"":        func(*attest.Envelope) {},
		"payload": func(e *attest.Envelope) { e.Payload = append([]byte(" "), e.Payload...) },
		"type":    func(e *attest.Envelope) { e.PayloadType = "text/plain" },
		"bare":    func(e *attest.Envelope) { e.Signatures = nil },
	} {
		ours := attest.Envelope{Payload: payload, PayloadType: attest.PayloadType}
		ours.Signatures = []attest.Signature{{Sig: sign(t, file, sshsig.Namespace, string(attest.PAE(attest.PayloadType, payload)))}}
		alter(&ours)
		line, err := json.Marshal(ours)
		if err != nil {
			t.Fatal(err)
		}
		var theirs dsse.Envelope
		if err := json.Unmarshal(line, &theirs); err != nil {
			t.Fatal(err)
		}
		_, err = verifies.Verify(t.Context(), &theirs)
		_, _, own := sshsig.Open(t.Context(), []byte(signer), &ours)
		if (err == nil) != (name == "") || (own == nil) != (name == "") {
			t.Errorf("%q: the library says %v, acta says %v", name, err, own)
		}
	}
	// What was signed as something else than a statement is none, though it reads as one.
	other := attest.Envelope{Payload: payload, PayloadType: "text/plain"}
	other.Signatures = []attest.Signature{{Sig: sign(t, file, sshsig.Namespace, string(attest.PAE("text/plain", payload)))}}
	if _, _, err := sshsig.Open(t.Context(), []byte(signer), &other); err == nil || !strings.Contains(err.Error(), `"text/plain"`) {
		t.Errorf("a payload of another type: %v", err)
	}
	// One signature that holds is enough, wherever it stands.
	two := attest.Envelope{Payload: payload, PayloadType: attest.PayloadType, Signatures: []attest.Signature{{Sig: []byte("mine")},
		{Sig: sign(t, file, sshsig.Namespace, string(attest.PAE(attest.PayloadType, payload)))}}}
	if _, _, err := sshsig.Open(t.Context(), []byte(signer), &two); err != nil {
		t.Error(err)
	}
}
