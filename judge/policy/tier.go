package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Tier is how strictly a commit is judged. A greater tier is stricter; the zero value is invalid.
type Tier uint8

// The tiers, from the most lenient to the strictest.
const (
	Exempt Tier = iota + 1
	Light
	Standard
	Strict
)

// Tiers are all tiers, the strictest first.
var Tiers = []Tier{Strict, Standard, Light, Exempt}

var tierNames = map[Tier]string{Strict: "STRICT", Standard: "STANDARD", Light: "LIGHT", Exempt: "EXEMPT"}

// String returns the tier as policies and trailers write it.
func (t Tier) String() string {
	if s, ok := tierNames[t]; ok {
		return s
	}
	return fmt.Sprintf("Tier(%d)", uint8(t))
}

// ParseTier reads a tier's name; case does not matter.
func ParseTier(s string) (Tier, bool) {
	for t, name := range tierNames {
		if strings.EqualFold(s, name) {
			return t, true
		}
	}
	return 0, false
}

// TierRule gives its tier to the files it matches. Paths are globs (`**` crosses
// folders); no paths match every file. MaxFiles and MaxLines, when not 0, match
// only a commit that touches at most so many files and changes at most so many lines.
type TierRule struct {
	Tier     Tier
	Paths    []string
	MaxFiles int
	MaxLines int
}

// NeedsLines reports whether Tier needs the number of changed lines, which costs more than the paths.
func (p *Policy) NeedsLines() bool {
	return slices.ContainsFunc(p.TierRules, func(r TierRule) bool { return r.MaxLines > 0 })
}

// Tier returns the tier of a commit that changes and cites these paths: the strictest of its files, each having its
// first match or the default. Cited files count, so that a claim about a strict file is not judged loosely in a commit
// of lenient files. raised is the commit's Tier trailer, 0 for none: it can raise the tier, never lower it.
func (p *Policy) Tier(changed, cited []string, lines int, raised Tier) Tier {
	tier := Tier(0)
	for _, paths := range [][]string{changed, cited} {
		for _, path := range paths {
			tier = max(tier, p.PathTier(path, len(changed), lines))
		}
	}
	return max(cmp.Or(tier, p.DefaultTier), raised)
}

// PathTier returns the tier of one file in a commit that touches so many files and changes so many lines.
func (p *Policy) PathTier(path string, files, lines int) Tier {
	for _, r := range p.TierRules {
		if r.matches(path, files, lines) {
			return r.Tier
		}
	}
	return p.DefaultTier
}

func (r TierRule) matches(path string, files, lines int) bool {
	if r.MaxFiles > 0 && files > r.MaxFiles || r.MaxLines > 0 && lines > r.MaxLines {
		return false
	}
	for _, glob := range r.Paths {
		if ok, _ := doublestar.Match(glob, path); ok {
			return true
		}
	}
	return len(r.Paths) == 0
}
