package diag

import "fmt"

// Severity says what a finding means for the commit. The zero value is not a
// severity, so that a forgotten one shows.
type Severity uint8

const (
	// Note informs; it never changes an exit code.
	Note Severity = iota + 1
	// Warning asks for attention; it never changes an exit code.
	Warning
	// Error refuses the commit: exit code 1.
	Error
)

// String returns the severity as the JSON and the policy file write it.
func (s Severity) String() string {
	switch s {
	case Note:
		return "note"
	case Warning:
		return "warning"
	case Error:
		return "error"
	}
	return fmt.Sprintf("Severity(%d)", uint8(s))
}

// MarshalText refuses the zero severity: a finding without one is a bug.
func (s Severity) MarshalText() ([]byte, error) {
	if s < Note || s > Error {
		return nil, fmt.Errorf("diag: %v is no severity", s)
	}
	return []byte(s.String()), nil
}

// UnmarshalText reads what MarshalText writes.
func (s *Severity) UnmarshalText(text []byte) error {
	for v := Note; v <= Error; v++ {
		if v.String() == string(text) {
			*s = v
			return nil
		}
	}
	return fmt.Errorf("diag: %q is no severity", text)
}

// Verdict is what is known of one claim. The zero value is not a verdict.
type Verdict uint8

const (
	// Verified: every cited place holds what the claim says stands there.
	Verified Verdict = iota + 1
	// Skipped: the item is reported as not done, with a reason.
	Skipped
	// Unclear: the evidence neither shows nor refutes the claim.
	Unclear
	// NotVerified: the evidence does not hold.
	NotVerified
)

// String returns the verdict as the JSON writes it.
func (v Verdict) String() string {
	switch v {
	case Verified:
		return "verified"
	case Skipped:
		return "skipped"
	case Unclear:
		return "unclear"
	case NotVerified:
		return "not_verified"
	}
	return fmt.Sprintf("Verdict(%d)", uint8(v))
}

// MarshalText refuses the zero verdict: a claim without one is a bug.
func (v Verdict) MarshalText() ([]byte, error) {
	if v < Verified || v > NotVerified {
		return nil, fmt.Errorf("diag: %v is no verdict", v)
	}
	return []byte(v.String()), nil
}

// UnmarshalText reads what MarshalText writes.
func (v *Verdict) UnmarshalText(text []byte) error {
	for w := Verified; w <= NotVerified; w++ {
		if w.String() == string(text) {
			*v = w
			return nil
		}
	}
	return fmt.Errorf("diag: %q is no verdict", text)
}
