package judge

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/attest"
	"github.com/acta-git/acta/attest/sshsig"
	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/program/peer"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/repotest"
)

// signingKey makes a key, and gives its file and its public half.
func signingKey(t *testing.T) (file, public string) {
	t.Helper()
	_, err := exec.LookPath("ssh-keygen")
	peer.Need(t, "ssh-keygen", err)
	file = filepath.Join(t.TempDir(), "key")
	out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	data, err := os.ReadFile(file + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	return file, strings.TrimSpace(string(data))
}

// signedBy is a verdict as a bundle that a key has signed.
func signedBy(t *testing.T, key string, v attest.Verdict) []byte {
	t.Helper()
	payloads, err := v.Statements()
	if err != nil {
		t.Fatal(err)
	}
	var bundle []byte
	for _, payload := range payloads {
		cmd := exec.Command("ssh-keygen", "-q", "-Y", "sign", "-n", sshsig.Namespace, "-f", key)
		cmd.Stdin = strings.NewReader(string(attest.PAE(attest.PayloadType, payload)))
		sig, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		e := attest.Envelope{
			Payload: payload, PayloadType: attest.PayloadType, Signatures: []attest.Signature{{Sig: sig}},
		}
		line, err := e.Line()
		if err != nil {
			t.Fatal(err)
		}
		bundle = append(bundle, line...)
	}
	return bundle
}

// trusting is a policy that takes, or asks for, the verdicts of one key.
func trusting(what, public string) string {
	return "version: 1\ntrust:\n  " + what + "\n  signers:\n    - ci@example.org " + public + "\n"
}

// attested is a repository whose last commit claims what is true, its range, and the verdict over it.
func attested(t *testing.T, policyText string) (*repotest.Repository, Landed, attest.Verdict) {
	t.Helper()
	g := repotest.New(t)
	g.Commit("Base\n", policy.Path, policyText)
	l := Landed{Base: g.ID(), Head: "main"}
	g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
	r := g.Open()
	result, err := l.Judge(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	v, err := l.Verdict(t.Context(), r, result, repotest.When)
	if err != nil {
		t.Fatal(err)
	}
	return g, l, v
}

func TestATrustedVerdictIsTakenForWhatItIsOf(t *testing.T) {
	key, public := signingKey(t)
	foreign, _ := signingKey(t)
	g, l, v := attested(t, trusting("for: [verify]", public))
	r := g.Open()
	for name, c := range map[string]struct {
		key    string
		change func(*attest.Verdict)
		warns  string // "" where it is taken
	}{
		"as it is":                {key, func(*attest.Verdict) {}, ""},
		"by another key":          {foreign, func(*attest.Verdict) {}, "was not taken"},
		"of another tree":         {key, func(v *attest.Verdict) { v.Basis.Tree = strings.Repeat("0", 40) }, "it is of tree"},
		"since another base":      {key, func(v *attest.Verdict) { v.Basis.Base = "" }, "it is over the commits since the root"},
		"over other commits":      {key, func(v *attest.Verdict) { v.Basis.List = "00" }, "it is over the commits with the list 00"},
		"under another policy":    {key, func(v *attest.Verdict) { v.Basis.Policy = "builtin" }, "it is under the policy builtin"},
		"by another release":      {key, func(v *attest.Verdict) { v.Basis.Release = "0.0.1" }, "it is by acta 0.0.1"},
		"by other rules":          {key, func(v *attest.Verdict) { v.Basis.Rules = "00" }, "it is by the rules 00"},
		"over a commit elsewhere": {key, func(v *attest.Verdict) { v.Basis.Commit = strings.Repeat("1", 40) }, "-"},
	} {
		t.Run(name, func(t *testing.T) {
			changed := v
			c.change(&changed)
			result, err := l.JudgeOrTrust(t.Context(), r, signedBy(t, c.key, changed))
			if err != nil || result.Code() != 0 || result.Claims.Verified != 1 {
				t.Fatalf("%+v, %v", result, err)
			}
			said := strings.Join(result.Warnings, "\n")
			switch {
			case c.warns == "":
				if result.Trusted == nil || result.Trusted.Signer != "ci@example.org" || said != "" {
					t.Errorf("not taken: %+v, %q", result.Trusted, said)
				}
			case result.Trusted != nil:
				t.Errorf("taken from %+v", result.Trusted)
			case c.warns == "-": // it is of something else, and not worth a word
				if said != "" {
					t.Errorf("said %q", said)
				}
			case !strings.Contains(said, c.warns):
				t.Errorf("said %q, want %q", said, c.warns)
			}
		})
	}
}

// Of two verdicts over the same commits the one that refuses counts, in either order.
func TestAVerdictThatRefusesOutweighsOneThatDoesNot(t *testing.T) {
	key, public := signingKey(t)
	g, l, clean := attested(t, trusting("for: [verify]", public))
	failing := clean
	failing.Code = 1
	failing.Report.Findings = []diag.Finding{{Rule: "test_failed", Severity: diag.Error, Message: "m"}}
	yes, no := signedBy(t, key, clean), signedBy(t, key, failing)
	for _, bundle := range [][]byte{slices.Concat(yes, no), slices.Concat(no, yes)} {
		result, err := l.JudgeOrTrust(t.Context(), g.Open(), bundle)
		if err != nil || result.Trusted == nil || result.Code() != 1 {
			t.Errorf("%+v, %v", result, err)
		}
	}
}

// Nobody is trusted whom the base's policy does not name for this, whatever the range says.
func TestSignersAreThoseOfTheBase(t *testing.T) {
	key, public := signingKey(t)
	for _, base := range []string{"version: 1\n", trusting("require: [pre-receive]", public)} {
		g := repotest.New(t)
		g.Commit("Base\n", policy.Path, base)
		l := Landed{Base: g.ID(), Head: "main"}
		g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code, policy.Path, trusting("for: [verify]", public))
		r := g.Open()
		judged, err := l.Judge(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		v, err := l.Verdict(t.Context(), r, judged, repotest.When)
		if err != nil {
			t.Fatal(err)
		}
		result, err := l.JudgeOrTrust(t.Context(), r, signedBy(t, key, v))
		if err != nil || result.Trusted != nil {
			t.Errorf("%+v, %v", result, err)
		}
	}
}

func TestThereIsNoVerdictOverWhatWasNotJudged(t *testing.T) {
	g, l, _ := attested(t, "version: 1\n")
	r := g.Open()
	for name, c := range map[string]struct {
		landed Landed
		result Result
		want   string
	}{
		"a commit that is not":   {l, Result{Undecided: []error{fmt.Errorf("no blob")}}, "not judged as a whole"},
		"a range of no commits":  {Landed{Base: "main", Head: "main"}, Result{}, "has no commits"},
		"a head that is nowhere": {Landed{Base: l.Base, Head: "nowhere"}, Result{}, "nowhere"},
	} {
		if _, err := c.landed.Verdict(t.Context(), r, &c.result, repotest.When); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// A push to a branch whose policy asks for a verdict needs one over all that arrives.
func TestAPushBringsTheVerdictThatItsPolicyAsksFor(t *testing.T) {
	key, public := signingKey(t)
	asking := trusting("require: [pre-receive]", public)
	g, l, v := attested(t, asking)
	r := g.Open()
	update := func(notes string, commits ...repo.ID) Update {
		return Update{Commits: commits, Base: repo.ID(l.Base), Before: repo.ID(l.Base), Notes: []string{notes}}
	}
	tip := brought(t, r, l.Base, "main")
	note := func(ref string, v attest.Verdict) {
		err := r.AddNote(t.Context(), repo.NoteLine{
			Ref: ref, On: tip[len(tip)-1], Line: string(signedBy(t, key, v)), Name: "ci", When: repotest.When, Message: "Verdict\n",
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	failing, elsewhere := v, v
	failing.Code, failing.Report.Findings = 1, []diag.Finding{{Rule: "test_failed", Severity: diag.Error, Message: "m"}}
	elsewhere.Basis.Base = strings.Repeat("2", 40)
	note("refs/notes/good", v)
	note("refs/notes/failing", failing)
	note("refs/notes/elsewhere", elsewhere)
	for name, c := range map[string]struct {
		in        Update
		undecided string
		findings  int
	}{
		"there is one":  {update("refs/notes/good", tip...), "", 0},
		"there is none": {update("refs/notes/none", tip...), "there is none; somebody who may sign must run", 0},
		"it refuses":    {update("refs/notes/failing", tip...), "", 1},
		"of several one refuses": {Update{
			Commits: tip, Base: repo.ID(l.Base), Before: repo.ID(l.Base), Notes: []string{"refs/notes/good", "refs/notes/failing"},
		}, "", 1},
		"it is since what is not here": {update("refs/notes/elsewhere", tip...), "which is not here", 0},
		"it leaves a commit out": {update("refs/notes/good", append([]repo.ID{repo.ID(l.Base)}, tip...)...),
			"it is not over commit", 1}, // the base itself, which brings a policy
	} {
		result, err := NewPush(r).Judge(t.Context(), c.in)
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		for _, u := range result.Undecided {
			said += u.Error()
		}
		if (said == "") != (c.undecided == "") || !strings.Contains(said, c.undecided) || len(result.Findings) != c.findings {
			t.Errorf("%s: undecided %q, want %q; %d findings, want %d", name, said, c.undecided, len(result.Findings), c.findings)
		}
	}
}

// The list of commits is a set: who walks them in another order has the same one.
func TestTheListOfCommitsHasNoOrder(t *testing.T) {
	if listDigest([]repo.ID{"a", "b"}) != listDigest([]repo.ID{"b", "a"}) || listDigest([]repo.ID{"a"}) == listDigest([]repo.ID{"ab"}) {
		t.Error("a list of commits is told by something else than its commits")
	}
}
