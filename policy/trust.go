package policy

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Trust says whose signed verdicts are taken. Its zero value trusts nobody.
type Trust struct {
	// Signers are lines of a file of allowed signers (ssh-keygen(1)); SignersFile is the path of such a file in the tree
	// that the policy stands in, "" for none. One of the two is given.
	Signers     []string
	SignersFile string
	// For is where a verdict is taken instead of judging: ForVerify. Require is where one is asked for: ForPreReceive.
	For, Require []string
}

// Where a policy can have verdicts taken, and where it can ask for them.
const (
	ForVerify     = "verify"
	ForPreReceive = "pre-receive"
)

// IsGiven reports whether the policy names signers.
func (t *Trust) IsGiven() bool { return len(t.Signers) > 0 || t.SignersFile != "" }

// trust reads whose verdicts are taken.
func (r *reader) trust() error {
	const at = "$.trust"
	in, t := &r.file.Trust, &r.policy.Trust
	switch signers := in.Signers.(type) {
	case nil:
		if len(in.For)+len(in.Require) > 0 {
			return r.errorAt(at, "trust names no signers; write signers: with lines of an allowed_signers file, or its path")
		}
	case string:
		t.SignersFile = path.Clean(signers)
		if strings.HasPrefix(t.SignersFile, "..") || path.IsAbs(t.SignersFile) || t.SignersFile == "." {
			return r.errorAt(at+".signers", "%q is no path of a file in the repository", signers)
		}
	case []any:
		for i, line := range signers {
			text, ok := line.(string)
			if !ok || len(strings.Fields(text)) < 3 || strings.Contains(text, "\n") {
				return r.errorAt(fmt.Sprintf("%s.signers[%d]", at, i),
					"a signer is a line as in ci@example.org ssh-ed25519 AAAA…, not %v", line)
			}
			t.Signers = append(t.Signers, text)
		}
	default:
		return r.errorAt(at+".signers", "signers is a path or a list of lines, not %v", signers)
	}
	for _, list := range []struct {
		key, knows string
		values     []string
	}{{"for", ForVerify, in.For}, {"require", ForPreReceive, in.Require}} {
		if i := slices.IndexFunc(list.values, func(v string) bool { return v != list.knows }); i >= 0 {
			return r.errorAt(fmt.Sprintf("%s.%s[%d]", at, list.key, i), "trust.%s knows %s, not %q", list.key, list.knows,
				list.values[i])
		}
	}
	t.For, t.Require = in.For, in.Require
	return nil
}

// weaker says whom the next policy trusts besides, and where it asks for no verdict any more.
func (t *Trust) weaker(next *Trust) []string {
	var all []string
	if len(next.For) > 0 || len(next.Require) > 0 {
		all = grown("trust.signers has", t.Signers, next.Signers)
		if next.SignersFile != t.SignersFile && next.SignersFile != "" {
			all = append(all, "trust.signers is the file "+next.SignersFile)
		}
	}
	all = append(all, grown("trust.for has", t.For, next.For)...)
	return append(all, grown("trust.require no longer has", next.Require, t.Require)...)
}
