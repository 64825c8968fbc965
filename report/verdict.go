package report

import (
	"fmt"
	"slices"
	"strings"
)

// Severity is a finding's effect on the commit. The zero value is invalid, so that a forgotten severity shows.
type Severity uint8

const (
	// Note informs; it never changes an exit code.
	Note Severity = iota + 1
	// Warning asks for attention; it never changes an exit code.
	Warning
	// Error refuses the commit: exit code 1.
	Error
)

var severities = enumNames[Severity]{"severity", []string{"note", "warning", "error"}}

// String returns the severity as the JSON and the policy file write it.
func (s Severity) String() string { return severities.text(s) }

// MarshalText refuses the zero severity: a finding without one is a bug.
func (s Severity) MarshalText() ([]byte, error) { return severities.marshal(s) }

// UnmarshalText reverses MarshalText.
func (s *Severity) UnmarshalText(text []byte) error { return severities.unmarshal(s, text) }

// Verdict is the verdict on one claim. The zero value is invalid.
type Verdict uint8

const (
	// Verified: every cited place shows what the claim says.
	Verified Verdict = iota + 1
	// Skipped: the item is reported as not done, with a reason.
	Skipped
	// Unclear: the evidence neither shows nor refutes the claim.
	Unclear
	// NotVerified: the evidence does not hold.
	NotVerified
)

var verdicts = enumNames[Verdict]{"verdict", []string{"verified", "skipped", "unclear", "not_verified"}}

// String returns the verdict as the JSON writes it.
func (v Verdict) String() string { return verdicts.text(v) }

// MarshalText refuses the zero verdict: a claim without one is a bug.
func (v Verdict) MarshalText() ([]byte, error) { return verdicts.marshal(v) }

// UnmarshalText reverses MarshalText.
func (v *Verdict) UnmarshalText(text []byte) error { return verdicts.unmarshal(v, text) }

// enumNames are the names of an enumeration's values, from 1; kind names the enumeration.
type enumNames[T ~uint8] struct {
	kind string
	all  []string
}

func (n enumNames[T]) text(v T) string {
	if v == 0 || int(v) > len(n.all) {
		return fmt.Sprintf("%s%s(%d)", strings.ToUpper(n.kind[:1]), n.kind[1:], uint8(v))
	}
	return n.all[v-1]
}

func (n enumNames[T]) marshal(v T) ([]byte, error) {
	if v == 0 || int(v) > len(n.all) {
		return nil, fmt.Errorf("report: %s is not a %s", n.text(v), n.kind)
	}
	return []byte(n.text(v)), nil
}

func (n enumNames[T]) unmarshal(v *T, text []byte) error {
	i := slices.Index(n.all, string(text))
	if i < 0 {
		return fmt.Errorf("report: %q is not a %s", text, n.kind)
	}
	*v = T(i + 1)
	return nil
}
