// Package report holds what every other package of Acta speaks in: places in
// bytes (Pos, Span), severities, verdicts, findings, the report of a run, and
// the writers that print them.
//
// It knows nothing of git, plans or rules, and imports the standard library
// only. A finding's JSON keys and the text line are a contract (docs/ci.md):
// keys are never renamed, and a new one is only ever added at the end.
package report

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Finding is a rule's finding: the rule, its severity, the place, and what to do. Its JSON keys are a contract and are
// all present, empty or not.
type Finding struct {
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`
	// Path is repository-relative; "" where the finding is about the commit
	// message: Line and Column then count in the message as git stores it.
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	EndLine int    `json:"end_line"`
	// Commit is the full id; "" before it is committed.
	Commit  string `json:"commit"`
	Unit    string `json:"unit"`
	Item    string `json:"item"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
	// IsRelative: it compares the commit with its parent. Reports leave it out.
	IsRelative bool `json:"-"`
}

// Compare orders findings by path, line, column, rule, message and the other fields, except the commit: a range keeps
// its order of commits.
func (f Finding) Compare(g Finding) int {
	return cmp.Or(
		cmp.Compare(f.Path, g.Path),
		cmp.Compare(f.Line, g.Line),
		cmp.Compare(f.Column, g.Column),
		cmp.Compare(f.Rule, g.Rule),
		cmp.Compare(f.Message, g.Message),
		cmp.Compare(f.Unit, g.Unit),
		cmp.Compare(f.Item, g.Item),
		cmp.Compare(f.EndLine, g.EndLine),
		cmp.Compare(f.Hint, g.Hint),
		cmp.Compare(f.Severity, g.Severity),
	)
}

// Normalize sorts the findings of one commit and drops exact repetitions.
func Normalize(findings []Finding) []Finding {
	slices.SortFunc(findings, Finding.Compare)
	return slices.Compact(findings)
}

// ClaimVerdict is the verdict on one claim of one commit.
type ClaimVerdict struct {
	Commit string `json:"commit"`
	Unit   string `json:"unit"`
	Item   string `json:"item"`
	// Status is the item's status in the commit: done, skipped or pending.
	Status string `json:"status"`
	// Evidence is the list as cited.
	Evidence string  `json:"evidence"`
	Verdict  Verdict `json:"verdict"`
	// IsContradiction: the claim is provably false, not only unproven.
	IsContradiction bool `json:"contradiction"`
	// IsOptional: the unit's plan does not ask for the item. Reports leave it out; a score counts it.
	IsOptional bool `json:"-"`
	// IsFormError: it is not verified only because of its form. Reports leave it out; it costs no points.
	IsFormError bool `json:"-"`
	// Kind is the item's kind. IsRelative: it compares the commit with its parent. Reports leave out both.
	Kind       string `json:"-"`
	IsRelative bool   `json:"-"`
	// Reason says why the verdict is not verified; for a skipped item, the reason given.
	Reason string `json:"reason"`
}

// Counts holds claims by verdict.
type Counts struct {
	Verified    int `json:"verified"`
	NotVerified int `json:"not_verified"`
	Unclear     int `json:"unclear"`
	Skipped     int `json:"skipped"`
}

// Report is the result of judging a commit or a range.
type Report struct {
	// Acta is the release that judged.
	Acta string `json:"acta"`
	// Range is the judged range: «BASE..HEAD» with full ids, or "staged".
	Range    string         `json:"range"`
	Commits  int            `json:"commits"`
	Acts     int            `json:"acts"`
	Adapts   int            `json:"adapts"`
	Claims   Counts         `json:"claims"`
	Findings []Finding      `json:"findings"`
	Verdicts []ClaimVerdict `json:"verdicts"`
	// Undecided says what could not be judged, and why. JSON leaves it to the exit code and stderr.
	Undecided []string `json:"-"`
	// Tests is set if tests or gates changed.
	Tests *Tests `json:"tests,omitempty"`
	// Results is there where reports of tests or coverage were read.
	Results *Results `json:"results,omitempty"`
	// Boxes is there where boxes of plans in Markdown were ticked, a file each.
	Boxes []PlanBoxes `json:"boxes,omitempty"`
	// Proof is set in the output of acta prove.
	Proof *Proof `json:"proof,omitempty"`
}

// PlanBoxes counts the ticked boxes of a plan in Markdown, by verdict.
type PlanBoxes struct {
	Path        string `json:"path"`
	Ticked      int    `json:"ticked"`
	Verified    int    `json:"verified"`
	NotVerified int    `json:"not_verified"`
	Unclear     int    `json:"unclear"`
}

// Join adds the counts of the same file, or the file.
func (b PlanBoxes) Join(all []PlanBoxes) []PlanBoxes {
	i := slices.IndexFunc(all, func(o PlanBoxes) bool { return o.Path == b.Path })
	if i < 0 {
		return append(all, b)
	}
	o := &all[i]
	o.Ticked, o.Verified = o.Ticked+b.Ticked, o.Verified+b.Verified
	o.NotVerified, o.Unclear = o.NotVerified+b.NotVerified, o.Unclear+b.Unclear
	return all
}

// CountBox counts a box that was ticked.
func CountBox(all []PlanBoxes, path string, v Verdict) []PlanBoxes {
	b := PlanBoxes{Path: path, Ticked: 1}
	switch v {
	case Verified:
		b.Verified++
	case NotVerified:
		b.NotVerified++
	default:
		b.Unclear++
	}
	return b.Join(all)
}

// String is «tasks.md: 4 ticked, 3 verified, 1 not verified».
func (b PlanBoxes) String() string {
	return b.Path + ": " + tally([]count{
		{b.Ticked, "ticked"}, {b.Verified, "verified"}, {b.NotVerified, "not verified"}, {b.Unclear, "unclear"},
	})
}

// Add appends the result of one commit, its findings normalized, and counts its claims.
func (r *Report) Add(findings []Finding, verdicts []ClaimVerdict) {
	r.Findings = append(r.Findings, Normalize(findings)...)
	r.Verdicts = append(r.Verdicts, verdicts...)
	for _, v := range verdicts {
		switch v.Verdict {
		case Verified:
			r.Claims.Verified++
		case NotVerified:
			r.Claims.NotVerified++
		case Unclear:
			r.Claims.Unclear++
		case Skipped:
			r.Claims.Skipped++
		}
	}
}

// Count returns how many findings have the severity.
func (r *Report) Count(s Severity) int {
	n := 0
	for _, f := range r.Findings {
		if f.Severity == s {
			n++
		}
	}
	return n
}

// Pos is a place in a text. Offset counts bytes from 0; Line and Column count
// from 1, columns in bytes as Go's own tools do. The zero Pos is no place.
type Pos struct {
	Offset, Line, Column int
}

// Span is the half-open stretch [Start, End) of a text. Where offset and
// line/column disagree, the offset decides. The zero Span is no place.
type Span struct {
	Start, End Pos
}

// Of returns the bytes of src that s covers, or nil when s does not fit src.
func (s Span) Of(src []byte) []byte {
	if s.Start.Offset < 0 || s.End.Offset > len(src) || s.Start.Offset > s.End.Offset {
		return nil
	}
	return src[s.Start.Offset:s.End.Offset]
}

// IsZero reports whether s is no place at all.
func (s Span) IsZero() bool { return s == Span{} }

// Lines finds positions in one text without scanning it again each time.
type Lines struct {
	starts []int
	size   int
}

// NewLines indexes the line starts of src. Only '\n' ends a line.
func NewLines(src []byte) *Lines {
	l := &Lines{starts: make([]int, 1, bytes.Count(src, []byte{'\n'})+1), size: len(src)}
	for i, b := range src {
		if b == '\n' {
			l.starts = append(l.starts, i+1)
		}
	}
	return l
}

// Pos returns the position of a byte offset; an offset past the end is clamped
// to the end, a negative one to the start.
func (l *Lines) Pos(offset int) Pos {
	offset = min(max(offset, 0), l.size)
	next, _ := slices.BinarySearch(l.starts, offset+1)
	return Pos{Offset: offset, Line: next, Column: offset - l.starts[next-1] + 1}
}

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
